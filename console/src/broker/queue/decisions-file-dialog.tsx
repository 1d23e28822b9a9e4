import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { listOf } from '../../api/list-of.ts'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { saveFile } from '../../components/save-file.ts'
import { Value } from '../../components/value.tsx'
import { tableTypeOf } from '../../api/table-type.ts'
import { formatNumber } from '../../format/number.ts'
import { readText } from '../../format/read-text.ts'
import type { DecisionJob } from '@vigencia/client'
import { ConfirmDates } from '../../entities/decisions/confirm-dates.tsx'
import { JobProgress } from '../../entities/decisions/job-progress.tsx'
import { useLeaveQuestion } from '../../entities/decisions/use-leave-question.ts'
import { lineColumns } from '../../entities/decisions/line-columns.tsx'
import { failedFile } from './failed-file.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FileDrop } from '../../components/file-drop.tsx'

const maxBytes = 16 * 1024 * 1024

interface Sending {
  readonly file: File
  readonly dryRun: boolean
  /** Dates far from today are meant. */
  readonly confirm: boolean
}

/** The decisions of a carrier as a file: checked first, done when confirmed. */
export default function DecisionsFileDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['queue', 'states', 'terms'])
  const queryClient = useQueryClient()
  const [job, setJob] = useState<DecisionJob | null>(null)
  const send = useMutation({
    mutationFn: async ({ file, dryRun, confirm }: Sending) => {
      setJob(null)
      const [body, text] = await Promise.all([
        api.enrollments.decide(file, { 'dry-run': dryRun, confirm, type: tableTypeOf(file), onProgress: setJob }),
        readText(file),
      ])
      return { file, text, body, confirm }
    },
    onSuccess: ({ body }) => {
      if (!body['dry-run']) void queryClient.invalidateQueries()
    },
  })
  const { data, error, isPending } = send
  useLeaveQuestion(isPending && job === null)
  const isDone = data !== undefined && !data.body['dry-run']
  const close = () => {
    if (!isPending) onClose()
  }
  // Those with an error first.
  const rows = data?.body.result.toSorted((a, b) => Number(a.error === undefined) - Number(b.error === undefined))
  return (
    <Dialog onClose={close} size="70rem" title={t('queue:file.title')} isBusy={isPending} closeOnClickOutside={false}>
      <Stack gap="sm">
        <Text size="sm">{t('queue:file.hint')}</Text>
        {!isDone && (
          <FileDrop
            label={t('queue:file.choose')}
            aria-label={t('queue:file.choose')}
            maxSize={maxBytes}
            loading={isPending}
            onFile={(file) => send.mutate({ file, dryRun: true, confirm: false })}
          >
            {data === undefined ? t('queue:file.drop') : <Value>{data.file.name}</Value>}
          </FileDrop>
        )}
        {isPending && job !== null && (
          <JobProgress label={t('queue:file.title')} settled={job.done} total={job.lines} isAcknowledged />
        )}
        {error !== null && <ErrorMessage error={error} />}
        {data !== undefined && (
          <>
            <Alert color={data.body.rejected === 0 ? 'green' : 'orange'} role="status" variant="outline">
              {t(isDone ? 'queue:file.done' : 'queue:file.checked', {
                count: data.body.accepted,
                formatted: formatNumber(data.body.accepted),
              })}{' '}
              {data.body.rejected > 0 &&
                t('queue:file.rejected', { count: data.body.rejected, formatted: formatNumber(data.body.rejected) })}
            </Alert>
            {!isDone && (
              <ConfirmDates
                isConfirmed={data.confirm}
                lines={data.body.result}
                isDisabled={isPending}
                onChange={(confirm) => send.mutate({ ...data, dryRun: true, confirm })}
              />
            )}
            <DataTable
              label={t('queue:file.outcome')}
              unit="lines"
              columns={lineColumns(t)}
              list={listOf(rows ?? [])}
              idOf={({ line }) => String(line)}
              maxHeight="45vh"
            />
          </>
        )}
        <Group justify="flex-end">
          {data !== undefined && data.body.rejected > 0 && (
            <Button variant="default" onClick={() => saveFile(...failedFile(t, data))}>
              {t('queue:file.saveFailed', { count: data.body.rejected })}
            </Button>
          )}
          <Button variant="default" onClick={close} disabled={isPending}>
            {isDone ? t('states:close') : t('states:cancel')}
          </Button>
          {data !== undefined && !isDone && (
            <Button
              loading={isPending}
              disabled={data.body.accepted === 0}
              onClick={() => send.mutate({ ...data, dryRun: false })}
            >
              {t('queue:file.submit', { count: data.body.accepted, formatted: formatNumber(data.body.accepted) })}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
