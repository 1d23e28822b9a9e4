import { Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { idOf } from '../../entities/charges/charge.ts'
import { ChargeFilters } from '../../entities/charges/charge-filters.tsx'
import { ChargeTotals } from '../../entities/charges/charge-totals.tsx'
import { chargeColumns, nameOfCharge } from '../../entities/charges/columns.tsx'
import { companyApi, companyQuery } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { formatMonth } from '../../format/month.ts'
import { listTable } from '../../lists/list-page.tsx'

const route = getRouteApi('/shell/hr/charges/$month')
const Table = listTable('listCompanyCharges')

/** What the invoices of a month charge the company, person by person. */
export function ChargesPage() {
  const { t } = useTranslation('charges')
  const { month } = route.useParams()
  return (
    <>
      <PageHeader title={t('titleOfCompany', { month: formatMonth(month) })} />
      <OfCompany>{(company) => <Charges company={company} month={month} />}</OfCompany>
    </>
  )
}

function Charges({ company, month }: { readonly company: Company; readonly month: string }) {
  const { t } = useTranslation(['charges'])
  const path = [company['tax-id']]
  const query = { ...route.useSearch(), 'reference-month': month }
  const totals = useQuery({
    ...companyQuery('listCompanyCharges', { path, query: { ...query, 'items-per-page': 1 } }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Group justify="space-between" align="flex-end">
        <ChargeFilters month={month} />
        <WorkbookButton
          mb="md"
          fileName={t('charges:fileName', { month })}
          read={(options) => companyApi.operations.download('listCompanyCharges', { path, query, options })}
        >
          {t('charges:export')}
        </WorkbookButton>
      </Group>
      {totals.data !== undefined && <ChargeTotals body={totals.data} />}
      <Table
        label={t('charges:whyAll')}
        query={query}
        options={{ path, client: companyApi }}
        columns={chargeColumns(t, (charge) => {
          const name = nameOfCharge(t, charge)
          const benefitId = charge['benefit-id']
          if (benefitId === null) return name
          return (
            <TextLink to="/hr/charges/$month/why" params={{ month }} search={{ 'benefit-id': benefitId }}>
              {name}
            </TextLink>
          )
        })}
        idOf={idOf}
        empty={t('charges:none', { month: formatMonth(month) })}
      />
    </>
  )
}
