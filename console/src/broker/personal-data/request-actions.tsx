import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SUBJECT_REQUEST_STEPS } from '../../../../src/privacy/rules/subject-request.ts'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { NoteField } from '../../components/note-field.tsx'
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
      {act !== null && <RequestActDialog id={id} act={act} onClose={() => setAct(null)} />}
    </>
  )
}

function RequestActDialog({
  id,
  act,
  onClose,
}: {
  readonly id: string
  readonly act: Act
  readonly onClose: () => void
}) {
  const { t } = useTranslation('personalData')
  const [reason, setReason] = useState('')
  return (
    <ActDialog
      action={t(`act.${act}`)}
      isDisabled={act === 'cancelled' && reason.trim() === ''}
      act={() => {
        if (act === 'make') return api.subjectRequests.requestFile(id)
        return api.subjectRequests.move(id, {
          status: act,
          ...(act === 'cancelled' ? { 'cancel-reason': reason.trim() } : {}),
        })
      }}
      done={t(`done.${act}`)}
      onClose={onClose}
    >
      <Text size="sm">{t(`actText.${act}`)}</Text>
      {act === 'cancelled' && (
        <NoteField
          label={t('cancelReason')}
          required
          data-autofocus
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
      )}
    </ActDialog>
  )
}
