import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'

/**
 * Asks before a form with changes is left.
 * @param props.isDirty is called when a person leaves.
 * @param props.onLeave when the person leaves in spite of it.
 */
export function LeaveQuestion({
  isDirty,
  onLeave,
}: {
  readonly isDirty: () => boolean
  readonly onLeave?: () => void
}) {
  const { t } = useTranslation('states')
  const leaving = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true })
  return (
    <ConfirmDialog
      opened={leaving.status === 'blocked'}
      title={t('leaveTitle')}
      action={t('leave')}
      isDestructive
      isPending={false}
      error={null}
      onConfirm={() => {
        onLeave?.()
        leaving.proceed?.()
      }}
      onClose={() => leaving.reset?.()}
    >
      <Text size="sm">{t('leaveExplanation')}</Text>
    </ConfirmDialog>
  )
}
