import { Button, FileButton, Group, Loader, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorWords } from '../components/error-words.ts'
import { Value } from '../components/value.tsx'
import { ApiError } from '@vigencia/client'
import { companyApi } from './client.ts'

/** A file that the service has. */
export interface Uploaded {
  readonly id: string
  readonly name: string
}

const maxMegabytes = 20
const accepted = '.pdf,.jpg,.jpeg,.png,.tif,.tiff,.heic'

/** Takes one file and uploads it at once: the movement names it then. */
export function DocumentUpload(props: {
  /** What the file is, for the button. */
  readonly label: string
  readonly value: Uploaded | null
  readonly onChange: (uploaded: Uploaded | null) => void
}) {
  const { t } = useTranslation(['hr', 'states'])
  const { label, value, onChange } = props
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > maxMegabytes * 1024 * 1024) throw new TooLarge()
      return { id: (await companyApi.documents.upload(file))['document-id'], name: file.name }
    },
    onSuccess: onChange,
  })
  const { error } = upload
  return (
    <div>
      <Group gap="xs">
        {value === null ? (
          <FileButton accept={accepted} onChange={(file) => file !== null && upload.mutate(file)}>
            {(button) => (
              <Button
                {...button}
                variant="default"
                disabled={upload.isPending}
                aria-label={t('hr:chooseFile', { label })}
              >
                {t('hr:choose')}
              </Button>
            )}
          </FileButton>
        ) : (
          <>
            <Text size="sm">
              <Value>{value.name}</Value>
            </Text>
            <Button
              variant="subtle"
              color="gray"
              aria-label={t('hr:removeFile', { label })}
              onClick={() => onChange(null)}
            >
              {t('hr:remove')}
            </Button>
          </>
        )}
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
