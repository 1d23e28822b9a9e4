import { Alert, Button, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'

/** Whether the data of a person may be deleted: a legal hold is set, or released. */
export function LegalHold({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation('erasure')
  const { data } = useOperation('listLegalHolds', { query: { 'tax-id': taxId, 'in-force': true } })
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const queryClient = useQueryClient()
  const hold = data?.result[0] ?? null
  const act = hold === null ? 'set' : 'release'
  const change = useMutation({
    mutationFn: () =>
      hold === null
        ? api.legalHolds.create({ 'tax-id': taxId, reason: reason.trim() })
        : api.legalHolds.release(hold['legal-hold-id'], { reason: reason.trim() }),
    onSuccess: async () => {
      notifyDone(t(`hold.${act}Done`))
      setOpen(false)
      setReason('')
      await queryClient.invalidateQueries()
    },
  })
  if (data === undefined) return null
  return (
    <>
      {hold !== null && (
        <Alert mt="md" title={t('hold.inForce')}>
          {hold.reason}
        </Alert>
      )}
      <Button mt="md" variant="default" onClick={() => setOpen(true)}>
        {t(`hold.${act}`)}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={t(`hold.${act}`)}
        action={t(`hold.${act}`)}
        isPending={change.isPending}
        isDisabled={reason.trim() === ''}
        error={change.error}
        onConfirm={() => change.mutate()}
        onClose={() => setOpen(false)}
      >
        <Text size="sm">{t(`hold.${act}Text`)}</Text>
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
    </>
  )
}
