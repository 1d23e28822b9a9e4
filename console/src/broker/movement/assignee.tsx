import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { Choice } from '../../components/choice.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { Value } from '../../components/value.tsx'
import { useOperatorNames, useOperators } from '../../entities/decisions/use-operator-names.ts'
import { isPermitted } from '../../session/permissions.ts'
import { useSession } from '../../session/session.ts'
import { usePermission } from '../../session/use-permission.ts'
import type { Movement } from './comparison.ts'
import { Section } from './section.tsx'

/** Who works on the movement. Nothing is lost by another choice, so that it is made at once. */
export function Assignee({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('movement')
  const session = useSession()
  const queryClient = useQueryClient()
  const operators = useOperators()
  const nameOf = useOperatorNames()
  const mayWrite = usePermission('assignEnrollment')
  const assign = useMutation({
    mutationFn: (assignee: string | null) => api.enrollments.assign(movement.id, { assignee }),
    onSuccess: async ({ assignee }) => {
      const message = assignee === null ? t('unassigned') : t('assigned', { name: nameOf(assignee) })
      notifyDone(<Value>{message}</Value>, 'assign')
      for (const id of ['listEnrollmentQueue', 'countEnrollments']) {
        void queryClient.invalidateQueries({ queryKey: [id] })
      }
      await queryClient.invalidateQueries({ queryKey: ['readMovement'] })
    },
  })
  const assignee = assign.isPending ? assign.variables : movement.assignee
  if (!mayWrite || session === null) {
    return (
      <Section title={t('assignee')}>
        <Text size="sm">{assignee === null ? t('nobody') : <Value>{nameOf(assignee)}</Value>}</Text>
      </Section>
    )
  }
  const me = session['client-id']
  const analysts = (operators ?? []).filter((operator) => isPermitted(operator, 'moveEnrollment'))
  const known = new Map([...analysts.map((one) => [one['client-id'], one.name] as const), [me, session.name]])
  if (assignee !== null && !known.has(assignee)) known.set(assignee, nameOf(assignee))
  return (
    <Section title={t('assignee')} className="no-print">
      {assign.error !== null && <ErrorMessage error={assign.error} />}
      <Group gap="xs" wrap="nowrap">
        <Choice
          label={t('assignee')}
          isLabelHidden
          any={t('nobody')}
          isData
          value={assignee ?? undefined}
          disabled={assign.isPending}
          onChange={(value) => assign.mutate(value ?? null)}
          data={[...known].map(([value, label]) => ({ value, label }))}
        />
        {assignee !== me && (
          <Button variant="default" size="xs" loading={assign.isPending} onClick={() => assign.mutate(me)}>
            {t('assignToMe')}
          </Button>
        )}
      </Group>
    </Section>
  )
}
