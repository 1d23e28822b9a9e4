import { useQuery } from '@tanstack/react-query'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TABLE_MOVEMENTS } from '../../../../src/movements/rules/table-columns.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { TableClientProvider } from '../../entities/movement-sheets/client.ts'
import { ButtonLink } from '../../components/link.tsx'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { signInOptionsQuery } from '../../session/sign-in-options.ts'
import { MovementSheets } from '../../entities/movement-sheets/movement-sheets.tsx'

/** Movements of the company by a spreadsheet: validated, mended, then sent. */
export function SpreadsheetsPage() {
  const { t } = useTranslation('shell')
  return (
    <>
      <PageHeader title={t('areas.hrSpreadsheets')} />
      <TableClientProvider value={companyApi.tables}>
        <OfCompany>{(company) => <Spreadsheets company={company} />}</OfCompany>
      </TableClientProvider>
    </>
  )
}

function Spreadsheets({ company }: { readonly company: Company }) {
  const { t } = useTranslation('sheets')
  const { data: options } = useQuery(signInOptionsQuery)
  // The interface takes alterations of companies in staging only.
  const movements = TABLE_MOVEMENTS.filter((one) => one !== 'alteration' || options?.environment === 'staging')
  return (
    <MovementSheets
      company={company}
      movements={movements}
      request={(requestId) => (
        <ButtonLink to="/hr/requests/$requestId" params={{ requestId }}>
          {t('openRequest')}
        </ButtonLink>
      )}
    />
  )
}
