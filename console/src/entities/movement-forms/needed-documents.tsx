import { Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import type { Item, RequestOptions } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { DOCUMENT_TYPES } from '../../../../src/kernel/enums.ts'
import { Value } from '../../components/value.tsx'
import { useMovementClient } from './client.ts'
import { DocumentItem, type SentDocument, SentFile } from './document-item.tsx'
import { DocumentUpload } from './document-upload.tsx'

type Requirement = Item<'listRequirements'>

/** What the carriers of the products want with a movement; each document once. */
export function useRequirements(queries: readonly object[]): readonly Requirement[] {
  const { listRequirements } = useMovementClient()
  const results = useQueries({
    queries: queries.map((query) => ({
      queryKey: ['requirements', query],
      queryFn: ({ signal }: RequestOptions) => listRequirements(query, { signal }),
    })),
  })
  const all = results.flatMap(({ data }) => data ?? [])
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
  return (
    <Stack gap="sm">
      {wanted.map((requirement, index) => {
        const key = keys[index] ?? ''
        return (
          <div key={key}>
            <WantedText requirement={requirement} />
            <DocumentItem
              label={requirement.message}
              types={requirement['any-of']}
              of={key}
              documents={documents}
              onChange={onChange}
            />
          </div>
        )
      })}
      {added.map((document) => (
        <SentFile
          key={document.id}
          document={document}
          types={DOCUMENT_TYPES}
          onChange={(next) => onChange(documents.flatMap((one) => (one === document ? (next ?? []) : one)))}
        />
      ))}
      <div>
        <Text size="sm" mb={4}>
          {t('hr:anotherDocument')}
        </Text>
        <DocumentUpload
          label={t('hr:anotherDocument')}
          onUploaded={(uploaded) =>
            onChange([...documents, ...uploaded.map((one) => ({ ...one, type: 'other' as const, of: one.id }))])
          }
        />
      </div>
    </Stack>
  )
}

function WantedText({ requirement }: { readonly requirement: Requirement }) {
  const { t } = useTranslation(['hr', 'terms'])
  return (
    <>
      <Text size="sm" fw={600}>
        <Value>{requirement.message}</Value>
      </Text>
      <Text size="sm" c="dimmed" mb={4}>
        {requirement['any-of'].map((one) => t(`terms:documentType.${one}`)).join(t('hr:or'))} ·{' '}
        {t(`hr:enforcement.${requirement.enforcement}`)}
        <Conditions requirement={requirement} />
      </Text>
    </>
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

/** As a movement names them. */
export const documentsOf = (documents: readonly SentDocument[]) =>
  documents.map(({ id, type }) => ({ 'document-id': id, 'document-type': type }))
