import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Company, MemberDetail } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { fieldName } from '../../components/field-words.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { type Facts, FactList, fact } from '../../components/fact-list.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { PersonActions } from './person-actions.tsx'
import { PersonBenefits } from './person-benefits.tsx'
import { PersonDiscrepancies } from './person-discrepancies.tsx'
import { PersonFamily } from './person-family.tsx'
import { PersonLeaves } from './person-leaves.tsx'
import { PersonMovements } from './person-movements.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/hr/people/$memberId')

/** One person of the company: benefits, family, what is open, and the data that the company sent. */
export function PersonPage() {
  const { memberId } = route.useParams()
  const query = useCompanyOperation('readMember', { path: [memberId] })
  return (
    <QueryView query={query}>
      {({ result }) => (
        <OfCompany>{(company) => <Person key={memberId} member={result} company={company} />}</OfCompany>
      )}
    </QueryView>
  )
}

function Person({ member, company }: { readonly member: MemberDetail; readonly company: Company }) {
  return (
    <>
      <div translate="no">
        <PageHeader title={member.profile.name}>
          <PersonActions member={member} company={company} />
        </PageHeader>
      </div>
      <Stack gap="xl">
        <PersonMovements taxId={member.profile['tax-id']} company={company} />
        <PersonBenefits member={member} company={company} />
        <PersonLeaves member={member} company={company} />
        <PersonDiscrepancies taxId={member.profile['tax-id']} company={company} />
        <PersonFamily member={member} company={company} />
        <Registration member={member} company={company} />
      </Stack>
    </>
  )
}

/** What the company has of the person. */
function Registration({ member, company }: { readonly member: MemberDetail; readonly company: Company }) {
  const { t } = useTranslation('hr')
  const own = member.registrations.find((one) => one['company-tax-id'] === company['tax-id']) ?? member.profile
  const facts: Facts = Object.entries(own)
    .filter(([name, value]) => name !== 'company-tax-id' && value !== null)
    .map(([name, value]) =>
      fact(<span translate="no">{fieldName(name)}</span>, <FieldValue name={name} value={value} />),
    )
  return (
    <section>
      <SectionTitle>{t('registration')}</SectionTitle>
      <FactList facts={facts} />
    </section>
  )
}
