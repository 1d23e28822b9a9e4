import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import type { Layout } from '../../entities/layouts/layout.ts'
import { readWithLayout } from '../../entities/layouts/read-with-layout.ts'
import { Reading } from './reading.tsx'
import { FileDrop } from '../../components/file-drop.tsx'

const maxBytes = 16 * 1024 * 1024

/** What the layout reads in a file that is chosen or pasted. */
export function FilePreview({ layout }: { readonly layout: Layout }) {
  const { t } = useTranslation('layouts')
  const [pasted, setPasted] = useState('')
  const reading = useMutation({ mutationFn: (file: Blob) => readWithLayout(layout, file) })
  return (
    <Stack gap="xs">
      <Text size="sm">{t('previewFile')}</Text>
      <FileDrop
        label={t('chooseFile')}
        aria-label={t('chooseFile')}
        maxSize={maxBytes}
        loading={reading.isPending}
        onFile={reading.mutate}
        refused={t('fileRefused')}
      >
        {reading.variables instanceof File ? <Value>{reading.variables.name}</Value> : t('dropFile')}
      </FileDrop>
      {layout.format !== 'xlsx' && (
        <>
          <Textarea
            label={t('pasted')}
            rows={4}
            spellCheck={false}
            translate="no"
            classNames={{ input: 'layout-json' }}
            value={pasted}
            onChange={({ currentTarget: { value } }) => setPasted(value)}
          />
          <Group>
            <Button
              variant="default"
              disabled={pasted === ''}
              loading={reading.isPending}
              onClick={() => reading.mutate(encoded(layout, pasted))}
            >
              {t('readPasted')}
            </Button>
          </Group>
        </>
      )}
      {reading.error !== null && <ErrorMessage error={reading.error} />}
      {reading.data != null && <Reading reading={reading.data} />}
    </Stack>
  )
}

/** The pasted lines in the encoding of the layout: files of fixed width are one byte a character. */
function encoded({ format, definition: { encoding } }: Layout, text: string): Blob {
  const isUtf8 = (encoding ?? (format === 'fixed-width' ? 'iso-8859-1' : 'utf-8')) === 'utf-8'
  const lines = text.endsWith('\n') ? text : `${text}\n`
  return new Blob([isUtf8 ? lines : Uint8Array.from(lines, (character) => character.charCodeAt(0))])
}
