import { Button, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SUBJECT_REQUEST_STEPS } from '../../../../src/domain/subject-request.ts'
import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import type { SubjectRequest } from './subject-request.ts'

type Step = 'fulfilled' | 'cancelled'
type Act = Step | 'make'

/** What may be done with a request: the copy of an access is made and downloaded; both kinds are closed. */
export function RequestActions({ request }: { readonly request: SubjectRequest }) {
  const { t } = useTranslation('personalData')
  const [act, setAct] = useState<Act | null>(null)
  const { kind, status, file } = request
  const id = request['subject-request-id']
  const steps: readonly Step[] = SUBJECT_REQUEST_STEPS[kind][status]
  const mayMake = kind === 'access' && status !== 'cancelled' && request['tax-id'] !== null
  return (
    <>
      {file?.status === 'ready' && (
        <Button component="a" href={`/operator/v1/subject-request/${id}/file`} download>
          {t('download')}
        </Button>
      )}
      {mayMake && file?.status !== 'making' && (
        <Button variant={file?.status === 'ready' ? 'default' : 'filled'} onClick={() => setAct('make')}>
          {t(file === null ? 'act.make' : 'makeAgain')}
        </Button>
      )}
      {steps.map((step) => (
        <Button key={step} variant="default" onClick={() => setAct(step)}>
          {t(`act.${step}`)}
        </Button>
      ))}
      {act !== null && <ActDialog id={id} act={act} onClose={() => setAct(null)} />}
    </>
  )
}

function ActDialog({ id, act, onClose }: { readonly id: string; readonly act: Act; readonly onClose: () => void }) {
  const { t } = useTranslation('personalData')
  const queryClient = useQueryClient()
  const [reason, setReason] = useState('')
  const done = useMutation({
    mutationFn: () => {
      if (act === 'make') return api.subjectRequests.requestFile(id)
      return api.subjectRequests.move(id, {
        status: act,
        ...(act === 'cancelled' ? { 'cancel-reason': reason.trim() } : {}),
      })
    },
    onSuccess: async () => {
      notifyDone(t(`done.${act}`))
      onClose()
      await queryClient.invalidateQueries()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t(`act.${act}`)}
      action={t(`act.${act}`)}
      isPending={done.isPending}
      isDisabled={act === 'cancelled' && reason.trim() === ''}
      error={done.error}
      onConfirm={() => done.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t(`actText.${act}`)}</Text>
      {act === 'cancelled' && (
        <Textarea
          label={t('cancelReason')}
          required
          data-autofocus
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
      )}
    </ConfirmDialog>
  )
}
