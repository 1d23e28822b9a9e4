import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { bodyOf, type RuleValues } from './rule-values.ts'
import type { ResponseBody } from '@vigencia/client'

export const putRule = (id: string, values: RuleValues) =>
  api.operations.request('putRequirementRule', { path: [id], json: bodyOf(values) })

/** Tells that a rule is saved, and leads to the list. */
export function useRuleSaved() {
  const { t } = useTranslation(['requirements', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async ({ result, warnings = [] }: ResponseBody<'putRequirementRule'>) => {
    notifyDone(t('requirements:saved', { name: result.name }))
    if (warnings.length > 0) {
      const closeButtonProps = { 'aria-label': t('states:close') }
      notifications.show({ color: 'orange', message: t('requirements:shadowed'), closeButtonProps })
    }
    for (const id of ['listRequirementRules', 'readRequirementRule']) {
      void queryClient.invalidateQueries({ queryKey: [id] })
    }
    await navigate({ to: '/requirements', ignoreBlocker: true })
  }
}
