import { Button, FileButton, Group, Loader, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorWords } from '../../components/error-words.ts'
import { Value } from '../../components/value.tsx'
import { ApiError } from '@vigencia/client'
import { useMovementClient } from './client.ts'

/** A file that the service has. */
export interface Uploaded {
  readonly id: string
  readonly name: string
}

const maxMegabytes = 20
const accepted = '.pdf,.jpg,.jpeg,.png,.tif,.tiff,.heic,.webp'

/** Takes files, such as the front and the back, and uploads them at once: the movement names them then. */
export function DocumentUpload(props: {
  /** What the files are, for the button. */
  readonly label: string
  /** Whether there is one already. */
  readonly isMore?: boolean
  readonly onUploaded: (uploaded: readonly Uploaded[]) => void
}) {
  const { t } = useTranslation(['hr', 'states'])
  const { label, isMore = false, onUploaded } = props
  const client = useMovementClient()
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      if (files.some(({ size }) => size > maxMegabytes * 1024 * 1024)) throw new TooLarge()
      const uploaded: Uploaded[] = []
      for (const file of files) {
        uploaded.push({ id: (await client.upload(file))['document-id'], name: file.name })
      }
      return uploaded
    },
    onSuccess: onUploaded,
  })
  const { error } = upload
  return (
    <div>
      <Group gap="xs">
        <FileButton multiple accept={accepted} onChange={(files) => files.length > 0 && upload.mutate(files)}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              disabled={upload.isPending}
              aria-label={isMore ? t('hr:chooseMoreOf', { label }) : t('hr:chooseFile', { label })}
            >
              {t(isMore ? 'hr:chooseMore' : 'hr:choose')}
            </Button>
          )}
        </FileButton>
        {upload.isPending && (
          <Group gap={6} role="status">
            <Loader size="xs" aria-hidden />
            <Text size="sm">{t('hr:uploading')}</Text>
          </Group>
        )}
      </Group>
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error instanceof TooLarge ? (
            t('hr:tooLarge', { megabytes: maxMegabytes })
          ) : error instanceof ApiError ? (
            <Value>{errorWords(error.body)}</Value>
          ) : (
            t('states:connection')
          )}
        </Text>
      )}
    </div>
  )
}

class TooLarge extends Error {}
