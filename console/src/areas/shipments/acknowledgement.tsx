import '@mantine/dropzone/styles.css'
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DecisionJob } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import { JobProgress } from '../../decisions/job-progress.tsx'
import { useLeaveQuestion } from '../../decisions/use-leave-question.ts'
import { formatNumber } from '../../format/number.ts'
import { AnswerTable } from './answer-table.tsx'
import type { Shipment } from './shipment.ts'

const maxBytes = 16 * 1024 * 1024

interface Sending {
  readonly file: File
  readonly isDryRun: boolean
}

/** The answer of the carrier as a file: it is shown what it would do before it is applied. */
export default function Acknowledgement({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation(['shipments', 'states'])
  const queryClient = useQueryClient()
  const typeOf = useFileType(shipment['contract-id'])
  const [job, setJob] = useState<DecisionJob | null>(null)
  const [isRefused, setRefused] = useState(false)
  const send = useMutation({
    mutationFn: async ({ file, isDryRun }: Sending) => {
      setJob(null)
      const options = { 'dry-run': isDryRun, type: typeOf(file), onProgress: setJob }
      return { file, body: await api.shipments.acknowledge(shipment['shipment-id'], file, options) }
    },
    onSuccess: ({ body }) => {
      if (!body['dry-run']) void queryClient.invalidateQueries()
    },
  })
  const { data, error, isPending } = send
  useLeaveQuestion(isPending && job === null)
  const isDone = data !== undefined && !data.body['dry-run']
  return (
    <>
      <Title order={2} size="h4" mt="lg" mb="xs">
        {t('shipments:acknowledgement')}
      </Title>
      <Stack gap="sm">
        <Text size="sm">{t('shipments:acknowledgementHint')}</Text>
        <Dropzone
          multiple={false}
          maxSize={maxBytes}
          loading={isPending}
          onDrop={([file]) => {
            setRefused(false)
            if (file !== undefined) send.mutate({ file, isDryRun: true })
          }}
          onReject={() => setRefused(true)}
          inputProps={{ 'aria-label': t('shipments:chooseFile') }}
          aria-label={t('shipments:chooseFile')}
          p="sm"
        >
          <Text ta="center" size="sm">
            {data === undefined ? t('shipments:dropFile') : <Value>{data.file.name}</Value>}
          </Text>
        </Dropzone>
        {isRefused && (
          <Text role="alert" size="sm">
            {t('shipments:fileRefused')}
          </Text>
        )}
        {isPending && job !== null && (
          <JobProgress label={t('shipments:acknowledgement')} settled={job.done} total={job.lines} isAcknowledged />
        )}
        {error !== null && <ErrorMessage error={error} />}
        {data !== undefined && (
          <>
            <Alert color={data.body.rejected === 0 ? 'green' : 'orange'} role="status" variant="outline">
              {t(isDone ? 'shipments:applied' : 'shipments:wouldApply', {
                count: data.body.accepted,
                formatted: formatNumber(data.body.accepted),
              })}{' '}
              {data.body.rejected > 0 &&
                t('shipments:linesRefused', {
                  count: data.body.rejected,
                  formatted: formatNumber(data.body.rejected),
                })}
            </Alert>
            {!isDone && (
              <Group>
                <Button
                  loading={isPending}
                  disabled={data.body.accepted === 0}
                  onClick={() => send.mutate({ file: data.file, isDryRun: false })}
                >
                  {t('shipments:apply', { count: data.body.accepted, formatted: formatNumber(data.body.accepted) })}
                </Button>
                <Button variant="default" disabled={isPending} onClick={() => send.reset()}>
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
