import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Value } from '../../components/value.tsx'
import { useSaving } from '../../forms/page-form.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ContributionForm } from './contribution-form.tsx'
import { bodyOf, type ContributionValues, newContribution } from './contribution-values.ts'
import type { Contract } from './price-values.ts'
import { useBackToContract } from './to-contract.ts'

const route = getRouteApi('/shell/carriers/contracts/$contractId/contributions/new')

export function NewContributionPage() {
  const { t } = useTranslation('prices')
  const { contractId } = route.useParams()
  const mayWrite = usePermission('putContributionRule')
  const contract = useOperation('readContract', { path: [contractId] }, { enabled: mayWrite })
  return (
    <ObjectPage query={contract} title={t('newRuleTitle')} mayRead={mayWrite}>
      {({ result }) => <NewContribution contract={result} />}
    </ObjectPage>
  )
}

function NewContribution({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation('prices')
  const { 'contract-id': contractId, 'carrier-name': carrier, 'contract-number': number } = contract
  const [initialValues] = useState(newContribution)
  const back = useBackToContract(contractId, 'contributions')
  const saving = useSaving(
    (values: ContributionValues) => api.contributionRules.put(crypto.randomUUID(), bodyOf(contractId, values)),
    () => back(t('ruleSaved')),
  )
  return (
    <>
      <PageHeader title={<Value>{t('newRuleTitleOf', { carrier, number })}</Value>} />
      <ContributionForm contract={contract} initialValues={initialValues} saving={saving} />
    </>
  )
}
