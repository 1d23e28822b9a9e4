import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DocumentType } from '../../../../src/kernel/enums.ts'
import { Value } from '../../components/value.tsx'
import { DocumentUpload, type Uploaded } from './document-upload.tsx'

/** A document that is sent with a movement. */
export interface SentDocument extends Uploaded {
  readonly type: DocumentType
  /** Which of the wanted documents it is; another one: what was added. */
  readonly of: string
}

/** One that is sent, with its type where it may be one of several. */
export function SentFile(props: {
  readonly document: SentDocument
  readonly types: readonly DocumentType[]
  /** null: it is removed. */
  readonly onChange: (document: SentDocument | null) => void
}) {
  const { t } = useTranslation(['hr', 'terms'])
  const { document, types, onChange } = props
  return (
    <div>
      <Group gap="xs">
        <Text size="sm">
          <Value>{document.name}</Value>
        </Text>
        <Button
          variant="subtle"
          color="gray"
          aria-label={t('hr:removeFile', { label: document.name })}
          onClick={() => onChange(null)}
        >
          {t('hr:remove')}
        </Button>
      </Group>
      {types.length > 1 && (
        <NativeSelect
          mt={4}
          maw="20rem"
          label={t('hr:documentType')}
          value={document.type}
          data={types.map((one) => ({ value: one, label: t(`terms:documentType.${one}`) }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...document, type: types.find((one) => one === value) ?? document.type })
          }
        />
      )}
    </div>
  )
}

/** A document that is asked for, of one of these types, in one or several files. */
export function DocumentItem(props: {
  readonly label: string
  readonly types: readonly DocumentType[]
  /** The `of` of `SentDocument`. */
  readonly of: string
  /** All that are sent. */
  readonly documents: readonly SentDocument[]
  readonly onChange: (documents: readonly SentDocument[]) => void
}) {
  const { label, types, of, documents, onChange } = props
  const own = documents.filter((one) => one.of === of)
  return (
    <Stack gap={4}>
      {own.map((document) => (
        <SentFile
          key={document.id}
          document={document}
          types={types}
          onChange={(next) => onChange(documents.flatMap((one) => (one === document ? (next ?? []) : one)))}
        />
      ))}
      <DocumentUpload
        label={label}
        isMore={own.length > 0}
        onUploaded={(uploaded) => {
          const type = own.at(-1)?.type ?? types[0] ?? 'other'
          onChange([...documents, ...uploaded.map((one) => ({ ...one, type, of }))])
        }}
      />
    </Stack>
  )
}
