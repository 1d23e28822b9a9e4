import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { RuleForm } from './rule-form.tsx'
import { newRule, type RuleValues } from './rule-values.ts'
import { putRule, useRuleSaved } from './save-rule.ts'
import { useSaving } from '../../forms/page-form.tsx'

export function NewRulePage() {
  const { t } = useTranslation('requirements')
  const mayWrite = usePermission('putRequirementRule')
  return (
    <>
      <PageHeader title={t('newTitle')} />
      {mayWrite ? <NewRule /> : <Forbidden />}
    </>
  )
}

function NewRule() {
  const [initialValues] = useState(newRule)
  const saving = useSaving((values: RuleValues) => putRule(crypto.randomUUID(), values), useRuleSaved())
  return <RuleForm initialValues={initialValues} saving={saving} />
}
