import { useTranslation } from 'react-i18next'
import { CnpjValue, CpfValue, DateValue, MoneyValue, NumberValue, TextValue } from '../../components/value.tsx'
import type { FieldValueOf } from './comparison.ts'

/** The closed sets in `terms`, by field. */
const sets: Readonly<Record<string, string>> = {
  gender: 'gender',
  'marital-status': 'maritalStatus',
  'work-contract-type': 'workContractType',
  'dependent-type': 'dependentType',
  'exclusion-reason': 'exclusionReason',
}

/** The value of a field, as people write it. */
export function FieldValue({ field, value }: { readonly field: string; readonly value: FieldValueOf }) {
  const { t, i18n } = useTranslation(['terms', 'states'])
  if (typeof value === 'boolean') return value ? t('states:yes') : t('states:no')
  if (typeof value === 'number')
    return field === 'salary' ? <MoneyValue value={value} /> : <NumberValue value={value} />
  if (value === null) return <TextValue value={null} />
  const key = `terms:${sets[field]}.${value}`
  // The key is made of data: it is looked up before it is used.
  if (sets[field] !== undefined && i18n.exists(key)) return t(key as 'terms:gender.female')
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return <DateValue value={value} />
  if (field.endsWith('company-tax-id')) return <CnpjValue value={value} />
  if (field.endsWith('tax-id')) return <CpfValue value={value} />
  return <TextValue value={value} />
}
