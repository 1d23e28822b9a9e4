import { Button, Group, NativeSelect, Paper, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, type Enrollment, type RequestBody } from '@vigencia/client'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ALTERATION_FIELDS } from '../../../../src/movements/rules/alteration-data.ts'
import type { DocumentType } from '../../../../src/kernel/enums.ts'
import { EXCLUSION_FIELDS } from '../../../../src/coverage/rules/exclusion-details.ts'
import { PROFILE_FIELDS } from '../../../../src/kernel/inclusion-fields.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { DocumentItem, type SentDocument } from '../../entities/movement-forms/document-item.tsx'
import { fieldName } from '../../components/field-words.ts'
import { type Value, type Values, written } from '../../entities/movement-forms/field-types.ts'
import { documentsOf } from '../../entities/movement-forms/needed-documents.tsx'
import { RegistrationInput } from '../../entities/movement-forms/registration-input.tsx'
import { useIdempotencyKey } from '../../entities/movement-forms/use-idempotency-key.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { Value as Data } from '../../components/value.tsx'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { useDropKept, useKept } from '../../forms/kept-draft.tsx'
import { LeaveQuestion } from '../../forms/leave-question.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

type PendingItem = Enrollment['pending-items'][number]

const fieldsOf = {
  inclusion: [...Object.keys(PROFILE_FIELDS), 'admission-date'],
  exclusion: Object.keys(EXCLUSION_FIELDS),
  alteration: Object.keys(ALTERATION_FIELDS),
} as const

/** Answers what a pending movement waits for: documents, corrected data, a comment. */
export function AnswerForm({ movement }: { readonly movement: Enrollment }) {
  const { t } = useTranslation(['hr', 'terms'])
  const queryClient = useQueryClient()
  const keyOf = useIdempotencyKey()
  const items = movement['pending-items']
  const asked = [
    ...new Set(items.flatMap(({ kind, field }) => (kind === 'field' && field !== undefined ? [field] : []))),
  ]
  const [values, setValues] = useKept<Values>('values', () => Object.fromEntries(asked.map((field) => [field, null])))
  const [documents, setDocuments] = useKept<readonly SentDocument[]>('documents', () => [])
  const [comment, setComment] = useKept('comment', () => '')
  const [isEmpty, setEmpty] = useState(false)
  const send = useMutation({
    mutationFn: async () => {
      const data = written(values)
      const body = {
        ...(documents.length === 0 ? {} : { documents: documentsOf(documents) }),
        ...(Object.keys(data).length === 0 ? {} : { data }),
        ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
      } as RequestBody<'answerEnrollment'>
      return companyApi.enrollments.answer(movement.id, body, { idempotencyKey: keyOf(body) })
    },
    onSuccess: async () => {
      notifyDone(t('hr:answered'))
      await queryClient.invalidateQueries()
    },
  })
  const drop = useDropKept(send.isSuccess)
  const isDirty = () =>
    !send.isSuccess && (documents.length > 0 || comment.trim() !== '' || Object.keys(written(values)).length > 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(!isDirty())
    if (isDirty()) send.mutate()
  }
  const errors = send.error === null ? {} : fieldErrorsOf(send.error, Object.keys(values))
  return (
    <Paper withBorder p="md" component="section">
      <form onSubmit={submit} noValidate>
        <SectionTitle>{t('hr:answer')}</SectionTitle>
        <Stack gap="md" maw="36rem">
          <AskedDocuments items={items} documents={documents} onChange={setDocuments} />
          <AskedFields
            items={items}
            known={fieldsOf[movement['enrollment-type']]}
            values={values}
            errorOf={(field) => errors[`data.${field}`] ?? errors[field]}
            onChange={(field, value) => setValues((former) => ({ ...former, [field]: value }))}
          />
          <Textarea
            label={t('hr:comment')}
            maxLength={500}
            autosize
            minRows={2}
            value={comment}
            error={isEmpty ? t('hr:emptyAnswer') : undefined}
            onChange={({ currentTarget: { value } }) => {
              setComment(value)
              setEmpty(false)
            }}
          />
          {send.error !== null && Object.keys(errors).length === 0 && <ErrorMessage error={send.error} />}
          {send.error instanceof ApiError && Object.keys(errors).length > 0 && (
            <Text size="sm" role="alert" c="var(--mantine-color-error)">
              {t('hr:mendFields')}
            </Text>
          )}
          <Group>
            <Button type="submit" loading={send.isPending}>
              {t('hr:sendAnswer')}
            </Button>
          </Group>
        </Stack>
      </form>
      <LeaveQuestion isDirty={isDirty} onLeave={drop} />
    </Paper>
  )
}

/** The documents that are asked for; where none is, one can still be sent. */
function AskedDocuments(props: {
  readonly items: readonly PendingItem[]
  readonly documents: readonly SentDocument[]
  readonly onChange: (documents: readonly SentDocument[]) => void
}) {
  const { items, documents, onChange } = props
  const asked = items.filter(({ kind }) => kind === 'document')
  const all: readonly (PendingItem | null)[] = asked.length === 0 ? [null] : asked
  return all.map((item, index) => {
    const of = String(index)
    return (
      // Items have no id and do not change while they are shown.
      <div key={of}>
        {item !== null && (
          <Text size="sm" fw={600}>
            <Data>{item.message}</Data>
          </Text>
        )}
        <AskedDocument item={item} of={of} documents={documents} onChange={onChange} />
      </div>
    )
  })
}

/** The fields that are asked for, and others that a person chooses to correct. */
function AskedFields(props: {
  readonly items: readonly PendingItem[]
  /** The fields that are known for the type of the movement. */
  readonly known: readonly string[]
  readonly values: Values
  readonly errorOf: (field: string) => string | undefined
  readonly onChange: (field: string, value: Value) => void
}) {
  const { t } = useTranslation('hr')
  const { items, known, values, errorOf, onChange } = props
  const others = known.filter((field) => !(field in values) && field !== 'documents')
  return (
    <>
      {Object.entries(values).map(([field, value]) => {
        const item = items.find((one) => one.field === field)
        return (
          <RegistrationInput
            key={field}
            name={field}
            value={value}
            description={item && <Data>{item.message}</Data>}
            error={errorOf(field)}
            onChange={(next) => onChange(field, next)}
          />
        )
      })}
      <NativeSelect
        label={t('correctAnother')}
        value=""
        data={[
          { value: '', label: '' },
          ...others
            .map((field) => ({ value: field, label: fieldName(field) }))
            .toSorted((one, other) => one.label.localeCompare(other.label)),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') onChange(value, null)
        }}
      />
    </>
  )
}

/** A document that is asked for, of one of its types; null: one for which no one asked. */
function AskedDocument(props: {
  readonly item: PendingItem | null
  readonly of: string
  readonly documents: readonly SentDocument[]
  readonly onChange: (documents: readonly SentDocument[]) => void
}) {
  const { t } = useTranslation(['hr', 'terms'])
  const { item, ...files } = props
  const types: readonly DocumentType[] = item?.['any-of'] ?? [item?.['document-type'] ?? 'other']
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {item === null ? t('hr:anotherDocument') : types.map((one) => t(`terms:documentType.${one}`)).join(t('hr:or'))}
      </Text>
      <DocumentItem label={item === null ? t('hr:anotherDocument') : item.message} types={types} {...files} />
    </div>
  )
}
