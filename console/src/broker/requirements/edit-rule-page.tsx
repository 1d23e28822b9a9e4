import { Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Rule } from './rule.ts'
import { RuleForm } from './rule-form.tsx'
import { type RuleValues, valuesOf } from './rule-values.ts'
import { putRule, useRuleSaved } from './save-rule.ts'
import { useReplacing } from '../../forms/page-form.tsx'
import { DialogButton } from '../../components/dialog.tsx'

const route = getRouteApi('/shell/requirements/$ruleId')

export function EditRulePage() {
  const { t } = useTranslation('requirements')
  const { ruleId } = route.useParams()
  const mayWrite = usePermission('putRequirementRule')
  const rule = useOperation('readRequirementRule', { path: [ruleId] }, { enabled: mayWrite })
  return (
    <ObjectPage query={rule} title={t('rule')} mayRead={mayWrite}>
      {({ result }) => <EditRule key={ruleId} rule={result} />}
    </ObjectPage>
  )
}

function EditRule({ rule }: { readonly rule: Rule }) {
  const { t } = useTranslation('requirements')
  const id = rule['rule-id']
  const { base, initialValues, saving } = useReplacing(rule, {
    valuesOf,
    read: async () => (await api.requirementRules.get(id)) as Rule,
    stateOf: (one) => one['updated-at'],
    put: (values: RuleValues) => putRule(id, values),
    onSaved: useRuleSaved(),
    changed: t('changedMeanwhile'),
    load: t('loadCurrent'),
  })
  return (
    <>
      <PageHeader title={<Value>{base.name}</Value>} />
      <RuleForm key={base['updated-at']} initialValues={initialValues} saving={saving}>
        <DialogButton variant="default" dialog={(close) => <DeleteDialog rule={base} onClose={close} />}>
          {t('delete')}
        </DialogButton>
      </RuleForm>
    </>
  )
}

function DeleteDialog({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const { t } = useTranslation('requirements')
  const navigate = useNavigate()
  return (
    <ActDialog
      title={t('deleteTitle')}
      action={t('delete')}
      isDestructive
      act={() => api.requirementRules.delete(rule['rule-id'])}
      done={t('deleted', { name: rule.name })}
      onDone={() => navigate({ to: '/requirements', ignoreBlocker: true })}
      onClose={onClose}
    >
      <Text size="sm">{t('deleteText')}</Text>
    </ActDialog>
  )
}
