import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'

/** Asks before a form with changes is left. @param props.isDirty is called when a person leaves. */
export function LeaveQuestion({ isDirty }: { readonly isDirty: () => boolean }) {
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
      onConfirm={() => leaving.proceed?.()}
      onClose={() => leaving.reset?.()}
    >
      <Text size="sm">{t('leaveExplanation')}</Text>
    </ConfirmDialog>
  )
}
