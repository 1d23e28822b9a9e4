import { Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { sessionKey } from '../../api/session-key.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import type { Operator } from './role-field.tsx'

interface Props {
  readonly opened: boolean
  readonly operator: Operator
  readonly isSelf: boolean
  readonly onClose: () => void
}

/** Asks, and signs the operator out of all browsers. */
export function EndSessionsDialog({ opened, operator, isSelf, onClose }: Props) {
  const { t } = useTranslation('operators')
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: () => api.operators.endSessions(operator['client-id']),
    onSuccess: async () => {
      notifyDone(t('sessionsEnded', { name: operator.name }))
      onClose()
      if (isSelf) await queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={t('endSessionsTitle', { name: operator.name })}
      action={t('endSessions')}
      isPending={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={() => {
        end.reset()
        onClose()
      }}
    >
      <Text size="sm">{isSelf ? t('endOwnSessionsExplanation') : t('endSessionsExplanation')}</Text>
    </ConfirmDialog>
  )
}

/** Asks, and removes the operator. */
export function RemoveDialog({ opened, operator, isSelf, onClose }: Props) {
  const { t } = useTranslation('operators')
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.operators.remove(operator['client-id']),
    onSuccess: async () => {
      notifyDone(t('removed', { name: operator.name }))
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['listOperators'] })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={t('removeTitle', { name: operator.name })}
      action={t('remove')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={() => {
        remove.reset()
        onClose()
      }}
    >
      <Stack gap="xs">
        {isSelf && (
          <Text size="sm" fw={600}>
            {t('removeSelf')}
          </Text>
        )}
        <Text size="sm">{t('removeExplanation')}</Text>
      </Stack>
    </ConfirmDialog>
  )
}
