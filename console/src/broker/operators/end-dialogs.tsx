import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import type { Operator } from './operator.ts'

interface Props {
  readonly operator: Operator
  readonly isSelf: boolean
  readonly onClose: () => void
}

/** Asks, and signs the operator out of all browsers. */
export function EndSessionsDialog({ operator, isSelf, onClose }: Props) {
  const { t } = useTranslation('operators')
  return (
    <ActDialog
      title={t('endSessionsTitle', { name: operator.name })}
      action={t('endSessions')}
      isDestructive
      act={() => api.operators.endSessions(operator['client-id'])}
      done={t('sessionsEnded', { name: operator.name })}
      onClose={onClose}
    >
      <Text size="sm">{isSelf ? t('endOwnSessionsExplanation') : t('endSessionsExplanation')}</Text>
    </ActDialog>
  )
}

/** Asks, and removes the operator. */
export function RemoveDialog({ operator, isSelf, onClose }: Props) {
  const { t } = useTranslation('operators')
  return (
    <ActDialog
      title={t('removeTitle', { name: operator.name })}
      action={t('remove')}
      isDestructive
      act={() => api.operators.remove(operator['client-id'])}
      done={t('removed', { name: operator.name })}
      onClose={onClose}
    >
      <Stack gap="xs">
        {isSelf && (
          <Text size="sm" fw={600}>
            {t('removeSelf')}
          </Text>
        )}
        <Text size="sm">{t('removeExplanation')}</Text>
      </Stack>
    </ActDialog>
  )
}
