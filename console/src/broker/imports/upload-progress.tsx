import { Button, Group, Loader, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import type { ImportUpload } from './use-import-upload.ts'

/** The progress of the upload, then of the processing; or the error. */
export function UploadProgress({ upload }: { readonly upload: ImportUpload }) {
  const { t } = useTranslation('imports')
  const { isPending, fraction, processed, error, abort } = upload
  if (error !== null) return <ErrorMessage error={error} />
  if (!isPending) return null
  const lines = processed?.lines ?? 0
  return (
    <Stack gap="xs">
      {fraction < 1 ? (
        <>
          <Text size="sm" role="status">
            {t('uploading')}
          </Text>
          <Group wrap="nowrap">
            <Progress.Root flex={1} size="lg">
              <Progress.Section value={fraction * 100} aria-label={t('uploading')} />
            </Progress.Root>
            <Text size="sm">
              <Value>{Math.round(fraction * 100)} %</Value>
            </Text>
            <Button size="compact-sm" variant="default" onClick={abort}>
              {t('abort')}
            </Button>
          </Group>
        </>
      ) : (
        <Group gap="xs" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{t('processing', { count: lines, formatted: formatNumber(lines) })}</Text>
          <Text size="sm" c="dimmed">
            {t('mayLeave')}
          </Text>
        </Group>
      )}
    </Stack>
  )
}
