import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../format/number.ts'
import { parseMoney } from '../format/parse-money.ts'

/** An amount, written or pasted in any form that `parseMoney` reads. `value` and `onChange` have cents; null: empty or no amount. */
export function MoneyField(props: {
  readonly label: string
  readonly value: number | null
  readonly onChange: (cents: number | null) => void
  readonly required?: boolean
  readonly error?: string | undefined
  readonly description?: string
}) {
  const { t } = useTranslation('invoices')
  const [draft, setDraft] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const text = draft ?? (props.value === null ? '' : formatMoney(props.value))
  const isInvalid = text.trim() !== '' && parseMoney(text) === null
  const input = useRef<HTMLInputElement>(null)
  // A form with a text that is no amount is not sent.
  useEffect(() => input.current?.setCustomValidity(isInvalid ? t('invalidAmount') : ''), [isInvalid, t])
  return (
    <TextInput
      ref={input}
      label={props.label}
      description={props.description}
      // Between the label and the field descriptions of one and of two lines would put fields of a row at two heights.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={t('amountPlaceholder')}
      inputMode="decimal"
      required={props.required ?? false}
      value={text}
      error={isInvalid && isLeft ? t('invalidAmount') : props.error}
      onInvalid={() => setLeft(true)}
      onChange={({ currentTarget: { value } }) => {
        setDraft(value)
        setLeft(false)
        props.onChange(parseMoney(value))
      }}
      onBlur={() => {
        setLeft(true)
        if (!isInvalid) setDraft(null)
      }}
    />
  )
}
