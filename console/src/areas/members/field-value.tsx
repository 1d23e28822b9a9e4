import { useTranslation } from 'react-i18next'
import { termOf } from '../../../../src/texts/texts.ts'
import { CnpjValue, CpfValue, DateValue, MoneyValue, Value } from '../../components/value.tsx'
import type { terms } from '../../language/en/terms.ts'

/** The name of a field of the API: its term in texts/ in Portuguese, its own words in English. */
export function FieldLabel({ name }: { readonly name: string }) {
  const { i18n } = useTranslation()
  const words = name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())
  return <Value>{i18n.language === 'pt-BR' ? (termOf(name) ?? words) : words}</Value>
}

const closedSets = {
  gender: 'gender',
  'marital-status': 'maritalStatus',
  'work-contract-type': 'workContractType',
  'beneficiary-type': 'beneficiaryType',
  'dependent-type': 'dependentType',
  'exclusion-reason': 'exclusionReason',
  'start-option': 'startOption',
  option: 'continuationOption',
} as const satisfies Readonly<Record<string, keyof typeof terms>>

/** A value of the registration data of a person, as its field is written. */
export function FieldValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const { t, i18n } = useTranslation(['terms', 'states'])
  if (typeof value === 'boolean') return <>{t(value ? 'states:yes' : 'states:no')}</>
  if (typeof value === 'number') {
    return name.includes('salary') ? <MoneyValue value={value} /> : <Value>{value}</Value>
  }
  if (typeof value !== 'string') return <Value>{JSON.stringify(value)}</Value>
  if (name.includes('date') || name.endsWith('-at')) return <DateValue value={value} />
  if (name.includes('company-tax-id')) return <CnpjValue value={value} />
  if (name.includes('tax-id')) return <CpfValue value={value} />
  if (Object.hasOwn(closedSets, name)) {
    const key = `${closedSets[name as keyof typeof closedSets]}.${value}`
    if (i18n.exists(key, { ns: 'terms' })) return <>{t(`terms:${key as 'gender.male'}`)}</>
  }
  return <Value>{value}</Value>
}
