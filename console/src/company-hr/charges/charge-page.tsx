import { Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { ChargeList } from '../../entities/charges/charge-list.tsx'
import { MonthField } from '../../entities/charges/month-field.tsx'
import { companyQuery } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { companyLinks } from './links.tsx'

const route = getRouteApi('/shell/hr/charges/$month/why')

/** Why an invoice charges what it charges for a person of the company. */
export function ChargePage() {
  const { t } = useTranslation('charges')
  const { month } = route.useParams()
  return (
    <>
      <PageHeader title={t('why')} />
      <OfCompany>
        {(company) => (
          <>
            <Group mb="md" gap="lg" align="flex-end">
              <MonthField month={month} />
              <TextLink to="/hr/charges/$month" params={{ month }} pb={8}>
                {t('all')}
              </TextLink>
            </Group>
            <Charges company={company} month={month} />
          </>
        )}
      </OfCompany>
    </>
  )
}

function Charges({ company, month }: { readonly company: Company; readonly month: string }) {
  const query = useQuery({
    ...companyQuery('listCompanyCharges', {
      path: [company['tax-id']],
      query: { ...route.useSearch(), 'reference-month': month },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <QueryView query={query}>
      {({ result }) => <ChargeList charges={result} month={month} links={companyLinks} />}
    </QueryView>
  )
}
