import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../components/date-field.tsx'
import { formatDate } from '../../format/date.ts'
import { completionFields, type CompletionInput, type DecidedMovement } from './decision.ts'

export type CompletionDraft = Readonly<Partial<Record<CompletionInput, string | null>>>

/** Just the fields that completing the movement takes. All are optional: without them what was accepted holds. */
export function CompletionInputs(props: {
  readonly movement: DecidedMovement
  readonly values: CompletionDraft
  readonly onChange: (values: CompletionDraft) => void
}) {
  const { t } = useTranslation('decisions')
  const { movement, values, onChange } = props
  const fields = completionFields(movement)
  const set = (field: CompletionInput) => (value: string | null) => onChange({ ...values, [field]: value })
  const accepted = (date: string | null) => (date === null ? undefined : t('asAccepted', { date: formatDate(date) }))
  if (fields.length === 0) return <Text size="sm">{t('noFields')}</Text>
  return (
    <>
      {fields.includes('card-number') && (
        <TextInput
          label={t('cardNumber')}
          value={values['card-number'] ?? ''}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          onChange={(event) => set('card-number')(event.currentTarget.value)}
        />
      )}
      {fields.includes('start-date') && (
        <DateField
          label={t('startDate')}
          description={accepted(movement['start-date'])}
          value={values['start-date'] ?? null}
          onChange={set('start-date')}
        />
      )}
      {fields.includes('end-date') && (
        <DateField
          label={t('endDate')}
          description={accepted(movement['end-date'])}
          value={values['end-date'] ?? null}
          onChange={set('end-date')}
          isFirst
        />
      )}
    </>
  )
}
