import { Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'

export type Hold = Item<'listLegalHolds'>

/** Asks why a legal hold ends, and releases it. */
export function ReleaseDialog({ hold, onClose }: { readonly hold: Hold; readonly onClose: () => void }) {
  const { t } = useTranslation('erasure')
  const queryClient = useQueryClient()
  const [reason, setReason] = useState('')
  const release = useMutation({
    mutationFn: () => api.legalHolds.release(hold['legal-hold-id'], { reason: reason.trim() }),
    onSuccess: async () => {
      notifyDone(t('hold.releaseDone'))
      onClose()
      await queryClient.invalidateQueries()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('hold.release')}
      action={t('hold.release')}
      isPending={release.isPending}
      isDisabled={reason.trim() === ''}
      error={release.error}
      onConfirm={() => release.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('hold.releaseText')}</Text>
      <Textarea
        label={t('hold.reason')}
        required
        maxLength={500}
        autosize
        minRows={2}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </ConfirmDialog>
  )
}
