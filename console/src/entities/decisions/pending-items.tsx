import { MultiSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { changeableFields } from '../../../../src/movements/rules/answer.ts'
import { DOCUMENT_TYPES, type DocumentType, type MovementKind } from '../../../../src/kernel/enums.ts'
import { termOf } from '../../../../src/kernel/texts/texts.ts'
import { Value } from '../../components/value.tsx'
import type { Target } from './decision.ts'

/** What a movement waits for. */
export interface PendingDraft {
  readonly documents: readonly DocumentType[]
  readonly fields: readonly string[]
}

/** Which pending status it is, and the documents to send or the data to correct. @param types of the movements: their common fields are offered. */
export default function PendingItems(props: {
  readonly target: Target
  readonly types: readonly MovementKind[]
  readonly draft: PendingDraft
  readonly onTarget: (target: 'pending-documents' | 'pending-correction') => void
  readonly onDraft: (draft: PendingDraft) => void
}) {
  const { t, i18n } = useTranslation(['decisions', 'terms', 'states'])
  const { target, types, draft } = props
  const fields = Object.keys(changeableFields(types[0] ?? 'inclusion')).filter((field) =>
    types.every((type) => Object.hasOwn(changeableFields(type), field)),
  )
  const nameOf = (field: string) =>
    (i18n.language === 'pt-BR' ? termOf(field) : undefined) ?? field.replaceAll('-', ' ')
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} id="pending-status">
        {t('decisions:pendingStatus')}
      </Text>
      <SegmentedControl
        aria-labelledby="pending-status"
        value={target}
        onChange={(value) => props.onTarget(value as 'pending-documents')}
        data={[
          { value: 'pending-documents', label: t('terms:status.pending-documents') },
          { value: 'pending-correction', label: t('terms:status.pending-correction') },
        ]}
      />
      {target === 'pending-documents' ? (
        <MultiSelect
          label={t('decisions:pendingDocuments')}
          searchable
          value={[...draft.documents]}
          onChange={(documents) => props.onDraft({ ...draft, documents })}
          data={DOCUMENT_TYPES.map((value) => ({ value, label: t(`terms:documentType.${value}`) }))}
        />
      ) : (
        <MultiSelect
          label={t('decisions:pendingFields')}
          searchable
          translate="no"
          value={[...draft.fields]}
          onChange={(chosen) => props.onDraft({ ...draft, fields: chosen })}
          renderOption={({ option }) => <Value>{option.label}</Value>}
          data={fields.map((value) => ({ value, label: nameOf(value) }))}
        />
      )}
    </Stack>
  )
}
