import { TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../format/date.ts'
import { parseDate } from '../format/parse-date.ts'

/** A day, written or pasted in any form that `parseDate` reads. `value` and `onChange` have it as the API writes it; null: empty. */
export function DateField(props: {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly required?: boolean
  readonly error?: string | undefined
  readonly description?: ReactNode
  /** Whether a dialog moves the focus here. */
  readonly isFirst?: boolean
}) {
  const { t } = useTranslation('states')
  const [draft, setDraft] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const text = draft ?? (props.value === null ? '' : formatDate(props.value))
  const isInvalid = text.trim() !== '' && parseDate(text) === null
  const input = useRef<HTMLInputElement>(null)
  // A form with a text that is no date is not sent: the value would be another one than is shown.
  useEffect(() => input.current?.setCustomValidity(isInvalid ? t('invalidDate') : ''), [isInvalid, t])
  return (
    <TextInput
      ref={input}
      label={props.label}
      description={props.description}
      // As the other fields beside it.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...(props.isFirst ? { 'data-autofocus': true } : {})}
      placeholder={t('datePlaceholder')}
      inputMode="numeric"
      required={props.required ?? false}
      value={text}
      error={isInvalid && isLeft ? t('invalidDate') : props.error}
      onInvalid={() => setLeft(true)}
      onChange={({ currentTarget: { value } }) => {
        setDraft(value)
        setLeft(false)
        const date = parseDate(value)
        if (date !== null || value.trim() === '') props.onChange(date)
      }}
      onBlur={() => {
        setLeft(true)
        if (!isInvalid) setDraft(null)
      }}
    />
  )
}
