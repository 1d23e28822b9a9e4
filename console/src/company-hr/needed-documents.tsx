import { NativeSelect, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { type DocumentType, DOCUMENT_TYPES } from '../../../src/domain/enums.ts'
import { Value } from '../components/value.tsx'
import { companyQuery } from './client.ts'
import { DocumentUpload, type Uploaded } from './document-upload.tsx'

/** A document that is sent with a movement. */
export interface SentDocument extends Uploaded {
  readonly type: DocumentType
  /** Which of the wanted documents it is; another one: what was added. */
  readonly of: string
}

type Requirement = Item<'listRequirements'>

/** What the carriers of the products want with a movement; each document once. */
export function useRequirements(queries: readonly object[]): readonly Requirement[] {
  const results = useQueries({ queries: queries.map((query) => companyQuery('listRequirements', { query })) })
  const all = results.flatMap(({ data }) => data?.result ?? [])
  return [...new Map(all.map((one) => [keyOf(one), one])).values()]
}

const keyOf = (one: Requirement) => `${one['any-of'].join(' ')} ${one.of} ${one.message}`

/** The documents that are wanted, each with an upload, and one more that is not. */
export function NeededDocuments(props: {
  readonly wanted: readonly Requirement[]
  readonly documents: readonly SentDocument[]
  readonly onChange: (documents: readonly SentDocument[]) => void
}) {
  const { t } = useTranslation(['hr', 'terms'])
  const { wanted, documents, onChange } = props
  const keys = wanted.map(keyOf)
  const added = documents.filter(({ of }) => !keys.includes(of))
  const put = (of: string, document: SentDocument | null) =>
    onChange([...documents.filter((one) => one.of !== of), ...(document === null ? [] : [document])])
  return (
    <Stack gap="sm">
      {wanted.map((requirement, index) => {
        const key = keys[index] ?? ''
        return (
          <Wanted
            key={key}
            requirement={requirement}
            document={documents.find(({ of }) => of === key) ?? null}
            onChange={(type, uploaded) => put(key, uploaded === null ? null : { ...uploaded, type, of: key })}
          />
        )
      })}
      {added.map((document) => (
        <TypedDocument key={document.id} document={document} onChange={(next) => put(document.of, next)} />
      ))}
      <div>
        <Text size="sm" mb={4}>
          {t('hr:anotherDocument')}
        </Text>
        <DocumentUpload
          label={t('hr:anotherDocument')}
          value={null}
          onChange={(uploaded) => {
            if (uploaded !== null) put(uploaded.id, { ...uploaded, type: 'other', of: uploaded.id })
          }}
        />
      </div>
    </Stack>
  )
}

function Wanted(props: {
  readonly requirement: Requirement
  readonly document: SentDocument | null
  readonly onChange: (type: DocumentType, uploaded: Uploaded | null) => void
}) {
  const { t } = useTranslation(['hr', 'terms'])
  const { requirement, document, onChange } = props
  const types = requirement['any-of']
  const first = types[0] ?? 'other'
  const type = document?.type ?? first
  return (
    <div>
      <Text size="sm" fw={600}>
        <Value>{requirement.message}</Value>
      </Text>
      <Text size="sm" c="dimmed" mb={4}>
        {types.map((one) => t(`terms:documentType.${one}`)).join(t('hr:or'))} ·{' '}
        {t(`hr:enforcement.${requirement.enforcement}`)}
        <Conditions requirement={requirement} />
      </Text>
      <DocumentUpload label={requirement.message} value={document} onChange={(uploaded) => onChange(type, uploaded)} />
      {document !== null && types.length > 1 && (
        <NativeSelect
          mt={4}
          maw="20rem"
          label={t('hr:documentType')}
          value={type}
          data={types.map((one) => ({ value: one, label: t(`terms:documentType.${one}`) }))}
          onChange={({ currentTarget: { value } }) => onChange(types.find((one) => one === value) ?? first, document)}
        />
      )}
    </div>
  )
}

/** When it is asked for, as far as the form does not decide it. */
function Conditions({ requirement: { when } }: { readonly requirement: Requirement }) {
  const { t } = useTranslation('hr')
  const words = [
    when['age-from'] === undefined ? null : t('when.ageFrom', { age: when['age-from'] }),
    when['age-until'] === undefined ? null : t('when.ageUntil', { age: when['age-until'] }),
    when['days-since-admission-over'] === undefined
      ? null
      : t('when.daysSinceAdmission', { days: when['days-since-admission-over'] }),
    when.late === true ? t('when.late') : null,
  ].filter((one) => one !== null)
  return words.length === 0 ? null : <> · {words.join(', ')}</>
}

function TypedDocument(props: {
  readonly document: SentDocument
  readonly onChange: (document: SentDocument | null) => void
}) {
  const { t } = useTranslation(['hr', 'terms'])
  const { document, onChange } = props
  return (
    <div>
      <DocumentUpload label={document.name} value={document} onChange={() => onChange(null)} />
      <NativeSelect
        mt={4}
        maw="20rem"
        label={t('hr:documentType')}
        value={document.type}
        data={DOCUMENT_TYPES.map((one) => ({ value: one, label: t(`terms:documentType.${one}`) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...document, type: DOCUMENT_TYPES.find((one) => one === value) ?? 'other' })
        }
      />
    </div>
  )
}

/** As a movement names them. */
export const documentsOf = (documents: readonly SentDocument[]) =>
  documents.map(({ id, type }) => ({ 'document-id': id, 'document-type': type }))
