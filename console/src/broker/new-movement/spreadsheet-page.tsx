import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TABLE_MOVEMENTS } from '../../../../src/movements/rules/table-columns.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Message, QueryView } from '../../components/state-view.tsx'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { MovementClientProvider } from '../../entities/movement-forms/client.ts'
import { TableClientProvider } from '../../entities/movement-sheets/client.ts'
import { MovementSheets } from '../../entities/movement-sheets/movement-sheets.tsx'
import { present } from '../../lists/search.ts'
import { IntakePanel } from './intake-panel.tsx'
import { useIntake } from './intake.ts'
import { useOperatorMovements } from './operator-movements.ts'
import { operatorTables } from './operator-tables.ts'
import { focusStep, useFormFocus, useStepFocus } from './steps.ts'

const route = getRouteApi('/shell/movements/new/spreadsheet')

/** Movements of a company that came as a spreadsheet: how it came, and the spreadsheet as the people of companies send it. */
export function SpreadsheetPage() {
  const { t } = useTranslation('intake')
  const { company: companyTaxId } = route.useSearch()
  const navigate = route.useNavigate()
  const intake = useIntake()
  const client = useOperatorMovements(intake)
  const step = companyTaxId === undefined ? 'company' : 'form'
  useStepFocus(step, intake.intake.medium === '', 0)
  const path = [companyTaxId ?? '']
  const company = useOperation('readAnyCompany', { path }, { enabled: companyTaxId !== undefined })
  return (
    <MovementClientProvider value={client}>
      <TableClientProvider value={operatorTables}>
        <PageHeader title={t('bySpreadsheet')} />
        <Stack gap="md">
          <div data-step="intake">
            <IntakePanel state={intake} onDone={() => focusStep(step)} />
          </div>
          <div data-step="company">
            <CompanySelect
              label={t('company')}
              required
              enterChooses
              value={companyTaxId ?? null}
              onChange={(taxId) => void navigate({ search: present({ company: taxId ?? undefined }), replace: true })}
            />
          </div>
          {companyTaxId === undefined ? (
            <Message title={t('company')}>{t('chooseCompany')}</Message>
          ) : (
            <div data-step="form">
              <QueryView query={company}>{({ result }) => <Sheets key={companyTaxId} company={result} />}</QueryView>
            </div>
          )}
        </Stack>
      </TableClientProvider>
    </MovementClientProvider>
  )
}

function Sheets({ company }: { readonly company: Company }) {
  const { t } = useTranslation('sheets')
  useFormFocus()
  return (
    <MovementSheets
      company={company}
      movements={TABLE_MOVEMENTS}
      request={(requestId) => (
        <ButtonLink to="/requests/$requestId" params={{ requestId }}>
          {t('openRequest')}
        </ButtonLink>
      )}
    />
  )
}
