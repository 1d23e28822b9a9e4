import { ActionIcon, Alert, Button, Group, Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { saveFile } from '../../components/save-file.ts'
import { Value } from '../../components/value.tsx'
import type { FailureReason, MessageFromFrame, MessageToFrame } from '../../document-frame/messages.ts'
import { formatNumber } from '../../format/number.ts'

type MovementDocument = Item<'listEnrollmentDocuments'>

const zoomSteps = [0.5, 0.75, 1, 1.5, 2, 3] as const
const fitsWidth = zoomSteps.indexOf(1)

/** An opaque origin has no name, so that the target can only be any; the message goes to the window of the frame alone. */
function post(frame: HTMLIFrameElement | null, message: MessageToFrame): void {
  frame?.contentWindow?.postMessage(message, '*')
}

/** A PDF or an image in a frame with an opaque origin, which gets its bytes from this page. */
export function DocumentViewer(props: { readonly enrollmentId: string; readonly document: MovementDocument }) {
  const { enrollmentId, document } = props
  const { 'document-id': documentId, 'content-type': contentType, name } = document
  const { t, i18n } = useTranslation('movement')
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [shown, setShown] = useState<{ pages: number; total: number } | null>(null)
  const [failure, setFailure] = useState<FailureReason | null>(null)
  const [step, setStep] = useState(fitsWidth)
  const file = useQuery({
    queryKey: ['readEnrollmentDocument', enrollmentId, documentId],
    queryFn: async ({ signal }) => {
      const path = [enrollmentId, documentId]
      const download = await api.operations.download('readEnrollmentDocument', { path, options: { signal } })
      return new Uint8Array(await download.bytes())
    },
    staleTime: Infinity,
    // Documents of people do not stay in memory.
    gcTime: 60_000,
  })
  const bytes = file.data

  useEffect(() => {
    const receive = ({ source, data }: MessageEvent<MessageFromFrame>) => {
      if (source === null || source !== frame.current?.contentWindow) return
      if (data.type === 'ready') setReady(true)
      else if (data.type === 'shown') setShown({ pages: data.pages, total: data.total })
      else setFailure(data.reason)
    }
    addEventListener('message', receive)
    return () => removeEventListener('message', receive)
  }, [])

  const pageLabel = t('pageOf', { page: '{page}', pages: '{pages}' })
  const { language } = i18n
  useEffect(() => {
    if (!isReady || bytes === undefined) return
    post(frame.current, { type: 'show', bytes, contentType, name, language, pageLabel })
  }, [isReady, bytes, contentType, name, language, pageLabel])

  const zoomTo = (next: number) => {
    setStep(next)
    post(frame.current, { type: 'zoom', zoom: zoomSteps[next] ?? 1 })
  }
  const isLoading = shown === null && failure === null && file.error === null
  return (
    <div className="document-viewer no-print">
      <Group justify="space-between" mb={6} gap="xs">
        <Group gap={6}>
          <ActionIcon
            variant="default"
            aria-label={t('zoomOut')}
            disabled={step === 0 || shown === null}
            onClick={() => zoomTo(step - 1)}
          >
            <span aria-hidden translate="no">
              −
            </span>
          </ActionIcon>
          <Text size="sm" w="3.5em" ta="center" aria-live="polite">
            <Value>{formatNumber((zoomSteps[step] ?? 1) * 100)} %</Value>
          </Text>
          <ActionIcon
            variant="default"
            aria-label={t('zoomIn')}
            disabled={step === zoomSteps.length - 1 || shown === null}
            onClick={() => zoomTo(step + 1)}
          >
            <span aria-hidden translate="no">
              +
            </span>
          </ActionIcon>
          {shown !== null && (
            <Text size="sm">
              {t('pages', { count: Math.min(shown.total, 999), formatted: formatNumber(shown.total) })}
            </Text>
          )}
        </Group>
        <Button
          variant="default"
          size="xs"
          disabled={bytes === undefined}
          onClick={() => bytes !== undefined && saveFile(name, bytes, contentType)}
        >
          {t('downloadOriginal')}
        </Button>
      </Group>
      {isLoading && (
        <Group gap="xs" role="status" mb={6}>
          <Loader size="xs" aria-hidden />
          <Text size="sm">{t('loadingDocument')}</Text>
        </Group>
      )}
      {file.error !== null && <ErrorMessage error={file.error} onRetry={() => void file.refetch()} />}
      {shown !== null && shown.pages < shown.total && (
        <Text size="sm" role="status" mb={6}>
          {t('firstPages', { count: shown.pages })}
        </Text>
      )}
      {failure !== null && (
        <Alert color="orange" variant="default" role="alert" title={t('notShown')}>
          {t(`failure.${failure}`)}
        </Alert>
      )}
      <iframe
        ref={frame}
        title={t('documentFrame', { name })}
        translate="no"
        sandbox="allow-scripts"
        src={`${import.meta.env.BASE_URL}document.html`}
        className="document-frame"
        hidden={failure !== null && shown === null}
      />
    </div>
  )
}
