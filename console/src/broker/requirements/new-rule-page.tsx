import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { RuleForm } from './rule-form.tsx'
import { newRule } from './rule-values.ts'
import { useSaveRule } from './use-save-rule.ts'

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
  const save = useSaveRule(null)
  return (
    <RuleForm
      initialValues={initialValues}
      save={(values) => save.mutateAsync(values)}
      isSaving={save.isPending}
      error={save.error}
    />
  )
}
