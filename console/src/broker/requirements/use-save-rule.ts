import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import type { Rule } from './rule.ts'
import { bodyOf, type RuleValues } from './rule-values.ts'

/** The rule is another than the one that was edited. */
export class ChangedRuleError extends Error {
  readonly current: Rule

  constructor(current: Rule) {
    super('the rule was changed meanwhile')
    this.current = current
  }
}

/** Creates a rule, or replaces one that is still as it was read, and leads to the list. @param base null: a new one. */
export function useSaveRule(base: Rule | null) {
  const { t } = useTranslation(['requirements', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (values: RuleValues) => {
      const current = base === null ? null : ((await api.requirementRules.get(base['rule-id'])) as Rule)
      if (current !== null && current['updated-at'] !== base?.['updated-at']) throw new ChangedRuleError(current)
      const path = [base?.['rule-id'] ?? crypto.randomUUID()]
      return api.operations.request('putRequirementRule', { path, json: bodyOf(values) })
    },
    onSuccess: async ({ result, warnings = [] }) => {
      notifyDone(t('requirements:saved', { name: result.name }))
      if (warnings.length > 0) {
        const closeButtonProps = { 'aria-label': t('states:close') }
        notifications.show({ color: 'orange', message: t('requirements:shadowed'), closeButtonProps })
      }
      for (const id of ['listRequirementRules', 'readRequirementRule']) {
        void queryClient.invalidateQueries({ queryKey: [id] })
      }
      await navigate({ to: '/requirements', ignoreBlocker: true })
    },
  })
}
