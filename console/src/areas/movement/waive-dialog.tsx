import { Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import { refresh } from '../../decisions/held.tsx'

/** Asks why a movement may go without a document that a rule wants. */
export function WaiveDialog(props: {
  readonly enrollmentId: string
  readonly requirement: number
  readonly document: string
  readonly onClose: () => void
}) {
  const { t } = useTranslation('deadlines')
  const queryClient = useQueryClient()
  const [reason, setReason] = useState('')
  const waive = useMutation({
    mutationFn: () =>
      api.enrollments.waiveRequirement(props.enrollmentId, String(props.requirement), { reason: reason.trim() }),
    onSuccess: () => {
      notifyDone(t('waived'))
      refresh(queryClient)
      void queryClient.invalidateQueries({ queryKey: ['listEnrollmentNotes'] })
      props.onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('waiveTitle')}
      action={t('waive')}
      isPending={waive.isPending}
      isDisabled={reason.trim() === ''}
      error={waive.error}
      onConfirm={() => waive.mutate()}
      onClose={props.onClose}
    >
      <Text size="sm" fw={600}>
        {props.document}
      </Text>
      <Text size="sm">{t('waiveText')}</Text>
      <TextInput
        label={t('reason')}
        required
        maxLength={500}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </ConfirmDialog>
  )
}
