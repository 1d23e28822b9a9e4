import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { useReplacing } from '../../forms/page-form.tsx'
import { formatDate } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { ContributionForm } from './contribution-form.tsx'
import { bodyOf, type ContributionRule, type ContributionValues, valuesOf } from './contribution-values.ts'
import { useBackToContract } from './to-contract.ts'

const route = getRouteApi('/shell/carriers/contracts/$contractId/contributions/$ruleId')

export function ContributionPage() {
  const { t } = useTranslation('prices')
  const { ruleId } = route.useParams()
  const mayWrite = usePermission('putContributionRule')
  const rule = useOperation('readContributionRule', { path: [ruleId] }, { enabled: mayWrite })
  return (
    <ObjectPage query={rule} title={t('rule')} mayRead={mayWrite}>
      {({ result }) => <EditContribution key={ruleId} rule={result} />}
    </ObjectPage>
  )
}

function EditContribution({ rule }: { readonly rule: ContributionRule }) {
  const { t } = useTranslation('prices')
  const { 'contribution-rule-id': id, 'contract-id': contractId } = rule
  const contract = useOperation('readContract', { path: [contractId] })
  const back = useBackToContract(contractId, 'contributions')
  const { base, initialValues, saving } = useReplacing(rule, {
    valuesOf,
    read: () => api.contributionRules.get(id),
    stateOf: (one) => one['updated-at'],
    put: (values: ContributionValues) => api.contributionRules.put(id, bodyOf(contractId, values)),
    onSaved: () => back(t('ruleSaved')),
    changed: t('changedMeanwhile'),
    load: t('loadCurrent'),
  })
  return (
    <>
      <PageHeader title={<Value>{t('ruleTitleOf', { date: formatDate(base['valid-from']) })}</Value>} />
      <QueryView query={contract}>
        {({ result }) => (
          <ContributionForm key={base['updated-at']} contract={result} initialValues={initialValues} saving={saving}>
            <DialogButton
              variant="default"
              dialog={(close) => (
                <ActDialog
                  title={t('ruleDeleteTitle')}
                  action={t('delete')}
                  isDestructive
                  act={() => api.contributionRules.delete(id)}
                  done={t('ruleDeleted')}
                  onDone={() => back(t('ruleDeleted'))}
                  onClose={close}
                >
                  <Text size="sm">{t('ruleDeleteText')}</Text>
                </ActDialog>
              )}
            >
              {t('delete')}
            </DialogButton>
          </ContributionForm>
        )}
      </QueryView>
    </>
  )
}
