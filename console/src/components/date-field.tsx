import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, parseDate } from '../format/date.ts'

/** A day, written or pasted in any form that `parseDate` reads. `value` and `onChange` have it as the API writes it; null: empty. */
export function DateField(props: {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly required?: boolean
  readonly error?: string | undefined
}) {
  const { t } = useTranslation('states')
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? (props.value === null ? '' : formatDate(props.value))
  const isInvalid = text.trim() !== '' && parseDate(text) === null
  return (
    <TextInput
      label={props.label}
      placeholder={t('datePlaceholder')}
      inputMode="numeric"
      required={props.required ?? false}
      value={text}
      error={isInvalid && draft === null ? t('invalidDate') : props.error}
      onChange={({ currentTarget: { value } }) => {
        setDraft(value)
        const date = parseDate(value)
        if (date !== null || value.trim() === '') props.onChange(date)
      }}
      onBlur={() => {
        if (!isInvalid) setDraft(null)
      }}
    />
  )
}
