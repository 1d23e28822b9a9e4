import { SimpleGrid } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { FirstSteps } from './first-steps.tsx'
import { InvoicesDue, PayrollOfMonth } from './money-panels.tsx'
import { CutOffs, EffectiveThisMonth, Pending, RequestsUnderWay } from './panels.tsx'

/** What waits for the company, what changes this month, and what is due. */
export function HomePage() {
  const { t } = useTranslation(['hr', 'hrHome'])
  return (
    <>
      <PageHeader title={t('hrHome:title')}>
        <ButtonLink to="/hr/include">{t('hr:include')}</ButtonLink>
      </PageHeader>
      <OfCompany>{(company) => <Home company={company} />}</OfCompany>
    </>
  )
}

function Home({ company }: { readonly company: Company }) {
  const query = { 'company-tax-id': company['tax-id'], page: 1, 'items-per-page': 1 }
  const people = useCompanyOperation('listMembers', { query: { ...query, 'include-inactive': true } })
  const seesDeductions = usePermission('listCompanyDeductions')
  const seesInvoices = usePermission('listInvoices')
  return (
    <QueryView query={people}>
      {({ result }) =>
        result.length === 0 ? (
          <FirstSteps company={company} />
        ) : (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <Pending company={company} />
            <RequestsUnderWay company={company} />
            <EffectiveThisMonth company={company} type="inclusion" />
            <EffectiveThisMonth company={company} type="exclusion" />
            <CutOffs company={company} />
            {seesInvoices && <InvoicesDue company={company} />}
            {seesDeductions && <PayrollOfMonth company={company} />}
          </SimpleGrid>
        )
      }
    </QueryView>
  )
}
