import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { companyApi, useCompanyOperation } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { LeaverBalance } from '../../entities/payroll/leaver-balance.tsx'
import { noValues } from '../../entities/payroll/leaver.ts'
import { usePermission } from '../../session/use-permission.ts'

const route = getRouteApi('/shell/hr/people/$memberId/final-balance')

/** What is left to deduct from a person of the company who leaves. */
export function FinalBalancePage() {
  const { t } = useTranslation('payroll')
  const { memberId } = route.useParams()
  const mayRead = usePermission('listCompanyDeductions')
  const name = useCompanyOperation('readMember', { path: [memberId] }, { enabled: mayRead }).data?.result.profile.name
  const title = name === undefined ? t('leaving.ofPerson') : t('leaving.ofOne', { name })
  return (
    <>
      <div translate="no">
        <PageHeader title={title} />
      </div>
      {!mayRead && <Forbidden />}
      {mayRead && (
        <>
          <Text size="sm" mb="md" maw="60rem">
            {t('leaving.meaning')}
          </Text>
          <TextLink to="/hr/people/$memberId" params={{ memberId }} mb="md" display="inline-block">
            {t('leaving.toPerson')}
          </TextLink>
          <OfCompany>{(company) => <Balance key={memberId} path={[company['tax-id'], memberId]} />}</OfCompany>
        </>
      )}
    </>
  )
}

function Balance({ path }: { readonly path: readonly string[] }) {
  const [values, setValues] = useState(noValues)
  return (
    <LeaverBalance
      of={{ operation: 'readCompanyFinalBalance', path, client: companyApi }}
      values={values}
      onChange={setValues}
    />
  )
}
