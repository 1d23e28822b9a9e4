import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, type DecisionJob, type ResponseBody } from '@vigencia/client'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { tableTypeOf, xlsxType } from '../../api/table-type.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import { ConfirmDates } from '../../entities/decisions/confirm-dates.tsx'
import { JobProgress } from '../../entities/decisions/job-progress.tsx'
import { useLeaveQuestion } from '../../entities/decisions/use-leave-question.ts'
import { formatNumber } from '../../format/number.ts'
import { Loading } from '../../components/state-view.tsx'
import { AnswerTable } from './answer-table.tsx'
import type { Shipment } from './shipment.ts'
import { SectionTitle } from '../../components/section-title.tsx'
import { FileDrop } from '../../components/file-drop.tsx'

const AnswerMapping = lazy(() => import('./answer-mapping.tsx'))
const maxBytes = 16 * 1024 * 1024

interface Sending {
  readonly file: File
  readonly isDryRun: boolean
  /** Dates that are far from today are meant. */
  readonly confirm: boolean
}

/** The answer of the carrier as a file: it is shown what it would do before it is applied. */
export default function Acknowledgement({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation(['shipments', 'states', 'tables'])
  const queryClient = useQueryClient()
  const typeOf = useFileType(shipment['contract-id'])
  const [job, setJob] = useState<DecisionJob | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [isMapping, setMapping] = useState(false)
  const send = useMutation({
    mutationFn: async ({ file, isDryRun, confirm }: Sending) => {
      setJob(null)
      const options = { 'dry-run': isDryRun, confirm, type: typeOf(file), onProgress: setJob }
      return { file, confirm, body: await api.shipments.acknowledge(shipment['shipment-id'], file, options) }
    },
    onError: (error) => setMapping(hasUnknownColumns(error)),
    onSuccess: ({ body }) => {
      setMapping(hasUnknownWords(body.result))
      if (!body['dry-run']) void queryClient.invalidateQueries()
    },
  })
  const { data, error, isPending } = send
  useLeaveQuestion(isPending && job === null)
  // Also those that say that nothing is decided yet.
  const usable = data === undefined ? 0 : data.body.lines - data.body.rejected
  const notRead = [
    { title: t('shipments:unknownColumns'), names: data?.body['unknown-columns'] ?? [] },
    { title: t('shipments:sheetsNotRead'), names: data?.body['sheets-not-read'] ?? [] },
  ].filter(({ names }) => names.length > 0)
  const isDone = data !== undefined && !data.body['dry-run']
  return (
    <>
      <SectionTitle mt="lg">{t('shipments:acknowledgement')}</SectionTitle>
      <Stack gap="sm">
        <Text size="sm">{t('shipments:acknowledgementHint')}</Text>
        <FileDrop
          label={t('shipments:chooseFile')}
          aria-label={t('shipments:chooseFile')}
          maxSize={maxBytes}
          loading={isPending}
          onFile={(dropped) => {
            setMapping(false)
            setFile(dropped)
            send.mutate({ file: dropped, isDryRun: true, confirm: false })
          }}
          refused={t('shipments:fileRefused')}
        >
          {file === null ? t('shipments:dropFile') : <Value>{file.name}</Value>}
        </FileDrop>
        {isPending && job !== null && (
          <JobProgress label={t('shipments:acknowledgement')} settled={job.done} total={job.lines} isAcknowledged />
        )}
        {error !== null && !isMapping && <ErrorMessage error={error} />}
        {isMapping && file !== null && (
          <Suspense fallback={<Loading />}>
            <AnswerMapping
              key={`${file.name} ${file.lastModified} ${file.size}`}
              file={file}
              contractId={shipment['contract-id']}
              onSaved={() => {
                setMapping(false)
                send.mutate({ file, isDryRun: true, confirm: false })
              }}
              onClose={() => setMapping(false)}
            />
          </Suspense>
        )}
        {file !== null && !isMapping && !isPending && !isDone && isMappable(typeOf(file)) && (
          <div>
            <Button variant="default" size="xs" onClick={() => setMapping(true)}>
              {t('tables:editMapping')}
            </Button>
          </div>
        )}
        {data !== undefined && !isMapping && (
          <>
            <Alert color={data.body.rejected === 0 ? 'green' : 'orange'} role="status" variant="outline">
              {t(isDone ? 'shipments:applied' : 'shipments:wouldApply', {
                count: usable,
                formatted: formatNumber(usable),
                accepted: formatNumber(data.body.accepted),
                refused: formatNumber(data.body.refused ?? 0),
              })}{' '}
              {data.body.rejected > 0 &&
                t('shipments:linesRefused', {
                  count: data.body.rejected,
                  formatted: formatNumber(data.body.rejected),
                })}
            </Alert>
            {notRead.map(({ title, names }) => (
              <Alert key={title} variant="default" title={title}>
                <List size="sm">
                  {names.map((name) => (
                    <List.Item key={name}>
                      <Value>{name}</Value>
                    </List.Item>
                  ))}
                </List>
              </Alert>
            ))}
            {!isDone && (
              <ConfirmDates
                isConfirmed={data.confirm}
                lines={data.body.result}
                isDisabled={isPending}
                onChange={(confirm) => send.mutate({ file: data.file, isDryRun: true, confirm })}
              />
            )}
            {!isDone && (
              <Group>
                <Button
                  loading={isPending}
                  disabled={usable === 0}
                  onClick={() => send.mutate({ file: data.file, isDryRun: false, confirm: data.confirm })}
                >
                  {t('shipments:apply', { count: usable, formatted: formatNumber(usable) })}
                </Button>
                <Button
                  variant="default"
                  disabled={isPending}
                  onClick={() => {
                    send.reset()
                    setFile(null)
                  }}
                >
                  {t('shipments:discard')}
                </Button>
              </Group>
            )}
            <AnswerTable shipmentId={shipment['shipment-id']} results={data.body.result} />
          </>
        )}
      </Stack>
    </>
  )
}

const isMappable = (type: string) => type === 'text/csv' || type === xlsxType

/** Whether a file was refused for its headings. */
function hasUnknownColumns(error: Error): boolean {
  const codes = ['unknown', 'missing', 'repeated']
  return (
    error instanceof ApiError &&
    error.status === 400 &&
    (error.details ?? []).length > 0 &&
    (error.details ?? []).every(({ field, code }) => field !== 'file' && codes.includes(code))
  )
}

/** Whether lines have words for the outcome that are not known. */
function hasUnknownWords(lines: ResponseBody<'acknowledgeShipment'>['result']): boolean {
  return lines.some(({ details = [] }) => details.some(({ field }) => field === 'outcome'))
}

/** The media type of a file by its name, or by the layout of the contract where that has positions. */
function useFileType(contractId: string): (file: File) => string {
  const contract = useOperation('readContract', { path: [contractId] }).data?.result
  const layoutId = contract?.layouts.acknowledgement ?? null
  const layout = useOperation('readLayout', { path: [layoutId ?? ''] }, { enabled: layoutId !== null }).data?.result
  return (file) => {
    const type = tableTypeOf(file)
    return layout?.format === 'fixed-width' && type === 'text/csv' ? 'text/plain' : type
  }
}
