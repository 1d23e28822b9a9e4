import { Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { formatTimestamp } from '../../format/date.ts'
import type { Account, AccountOperations } from './accounts.ts'
import { SecretDialog } from './secret-dialog.tsx'

interface Props {
  readonly opened: boolean
  readonly account: Account
  readonly operations: AccountOperations
  readonly onClose: () => void
}

/** Asks, makes a new secret and shows it. */
export function RotateDialog({ opened, account, operations, onClose }: Props) {
  const { t } = useTranslation('accounts')
  const queryClient = useQueryClient()
  const rotate = useMutation({
    mutationFn: () => operations.rotate(account['client-id']),
    // The secret is not to stay in memory.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [operations.list] }),
  })
  const close = () => {
    rotate.reset()
    onClose()
  }
  const [former, ...others] = account.secrets
  const title = t('rotateTitle', { name: account.name })
  return (
    <>
      <ConfirmDialog
        opened={opened && rotate.data === undefined}
        title={title}
        action={t('rotate')}
        isDestructive={others.length > 0}
        isPending={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate()}
        onClose={close}
      >
        <Text size="sm">{t('rotateExplanation')}</Text>
        {former !== undefined && others.length > 0 && (
          <Text size="sm" fw={600}>
            {t('rotateEndsFormer', { date: formatTimestamp(former['created-at']) })}
          </Text>
        )}
      </ConfirmDialog>
      <SecretDialog secret={rotate.data ?? null} title={title} onClose={close} />
    </>
  )
}

/** Asks, and ends the older of two secrets. */
export function EndFormerDialog({ account, operations, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('accounts')
  const [former] = account.secrets
  return (
    <ActDialog
      title={t('endFormerTitle', { name: account.name })}
      action={t('endFormer')}
      isDestructive
      act={() => operations.endFormer(account['client-id'])}
      done={t('formerEnded', { name: account.name })}
      onClose={onClose}
    >
      <Text size="sm">
        {t('endFormerExplanation', { date: former === undefined ? '' : formatTimestamp(former['created-at']) })}
      </Text>
    </ActDialog>
  )
}
