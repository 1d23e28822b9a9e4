import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Company } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TABLE_MOVEMENTS, type TableMovement } from '../../../../src/movements/rules/table-columns.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { TableClientProvider } from '../../entities/movement-sheets/client.ts'
import { ButtonLink } from '../../components/link.tsx'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { signInOptionsQuery } from '../../session/sign-in-options.ts'
import { SheetOfMovements } from '../../entities/movement-sheets/sheet-of-movements.tsx'

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
  const [movement, setMovement] = useState<TableMovement>('inclusion')
  const { data: options } = useQuery(signInOptionsQuery)
  // The interface takes alterations of companies in staging only.
  const movements = TABLE_MOVEMENTS.filter((one) => one !== 'alteration' || options?.environment === 'staging')
  const query = { movement, 'company-tax-id': company['tax-id'] }
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t('movement')}
          data={movements.map((value) => ({ value, label: t(`movements.${value}`) }))}
          value={movement}
          onChange={setMovement}
        />
        <WorkbookButton
          fileName={`${t(`templateName.${movement}`)}-${company['tax-id']}`}
          read={(options) => companyApi.tables.template(query, options)}
        >
          {t('template')}
        </WorkbookButton>
      </Group>
      <Text size="sm" c="dimmed">
        {t(`help.${movement}`)}
      </Text>
      <SheetOfMovements
        key={movement}
        company={company}
        movement={movement}
        request={(requestId) => (
          <ButtonLink to="/hr/requests/$requestId" params={{ requestId }}>
            {t('openRequest')}
          </ButtonLink>
        )}
      />
    </Stack>
  )
}
