import { Alert, Button, Stack, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
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
import { valuesOf } from './rule-values.ts'
import { ChangedRuleError, useSaveRule } from './use-save-rule.ts'

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
  const { t } = useTranslation(['requirements', 'states'])
  // What the form began with: the query is read again while a person writes.
  const [{ base, initialValues }, setBegin] = useState(() => ({ base: rule, initialValues: valuesOf(rule) }))
  const save = useSaveRule(base)
  const { error } = save
  const load = (current: Rule) => {
    setBegin({ base: current, initialValues: valuesOf(current) })
    save.reset()
  }
  return (
    <>
      <PageHeader title={<Value>{base.name}</Value>} />
      <RuleForm
        key={base['updated-at']}
        initialValues={initialValues}
        save={(values) => save.mutateAsync(values)}
        isSaving={save.isPending}
        error={error}
        {...(error instanceof ChangedRuleError
          ? {
              notice: (
                <Alert color="orange" role="alert" title={t('states:conflictTitle')}>
                  <Stack gap="xs" align="flex-start">
                    <Text size="sm">{t('requirements:changedMeanwhile')}</Text>
                    <Button size="xs" variant="default" onClick={() => load(error.current)}>
                      {t('requirements:loadCurrent')}
                    </Button>
                  </Stack>
                </Alert>
              ),
            }
          : {})}
      >
        <DeleteRule rule={base} />
      </RuleForm>
    </>
  )
}

function DeleteRule({ rule }: { readonly rule: Rule }) {
  const { t } = useTranslation('requirements')
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t('delete')}
      </Button>
      {isAsked && (
        <ActDialog
          title={t('deleteTitle')}
          action={t('delete')}
          isDestructive
          act={() => api.requirementRules.delete(rule['rule-id'])}
          done={t('deleted', { name: rule.name })}
          onDone={() => navigate({ to: '/requirements', ignoreBlocker: true })}
          onClose={() => setAsked(false)}
        >
          <Text size="sm">{t('deleteText')}</Text>
        </ActDialog>
      )}
    </>
  )
}
