import { Button, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Enrollment } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isTerminal } from '../../../../src/domain/enrollment-status.ts'
import { companyApi } from '../../company-hr/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'

/** Withdraws a movement that has not reached the carrier. */
export function CancelMovement({ movement }: { readonly movement: Enrollment }) {
  const { t } = useTranslation('hr')
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const cancel = useMutation({
    mutationFn: () => companyApi.enrollments.cancel(movement.id, { reason: reason.trim() || null }),
    onSuccess: async () => {
      setOpen(false)
      notifyDone(t('withdrawn'))
      await queryClient.invalidateQueries()
    },
  })
  const hasReachedCarrier = movement.history.some(({ status }) => status === 'carrier-processing')
  if (isTerminal(movement.status) || hasReachedCarrier) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('withdraw')}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={t('withdraw')}
        action={t('withdraw')}
        isPending={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate()}
        onClose={() => setOpen(false)}
      >
        <Text size="sm">{t('withdrawText')}</Text>
        <Textarea
          label={t('withdrawReason')}
          maxLength={500}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
      </ConfirmDialog>
    </>
  )
}
