import { useTranslation } from 'react-i18next'
import { wordOf } from './field-words.ts'
import { CnpjValue, CpfValue, DateValue, MoneyValue, NumberValue, TextValue, Value } from './value.tsx'

/** The value of a field of a person or a movement, as people write it. */
export function FieldValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const { t } = useTranslation(['terms', 'states'])
  if (value == null) return <TextValue value={null} />
  if (typeof value === 'boolean') return <>{t(value ? 'states:yes' : 'states:no')}</>
  if (typeof value === 'number') {
    return name.endsWith('salary') ? <MoneyValue value={value} /> : <NumberValue value={value} />
  }
  if (typeof value !== 'string') return <Value>{JSON.stringify(value)}</Value>
  const word = wordOf(name, value)
  if (word !== undefined) return <>{word}</>
  if (/^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value)) return <DateValue value={value} />
  if (name.endsWith('company-tax-id')) return <CnpjValue value={value} />
  if (name.endsWith('tax-id')) return <CpfValue value={value} />
  return <TextValue value={value} />
}
