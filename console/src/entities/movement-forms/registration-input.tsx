import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../components/date-field.tsx'
import { MoneyField } from '../../components/money-field.tsx'
import { fieldName } from '../../components/field-words.ts'
import { kindOf, type Value } from './field-types.ts'

interface Props {
  /** The key of the field in the API. */
  readonly name: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly error?: string | undefined
  readonly required?: boolean
  /** The values of a choice, where not all of the set can be chosen. */
  readonly allowed?: readonly string[]
  readonly description?: ReactNode
}

/** A field of a movement, in the control that its type needs. */
export function RegistrationInput(props: Props) {
  const { name, value, onChange, error, required = false, description } = props
  const { kind } = kindOf(name)
  const common = { label: fieldName(name), error, required, withAsterisk: required, description }
  const text = typeof value === 'string' ? value : value === null ? '' : String(value)
  switch (kind) {
    case 'choice':
    case 'flag':
      return <Choice {...props} />
    case 'date':
      return (
        <DateField
          label={common.label}
          required={required}
          error={error}
          description={description}
          value={text === '' ? null : text}
          onChange={onChange}
        />
      )
    case 'money':
      return <MoneyField label={common.label} value={typeof value === 'number' ? value : null} onChange={onChange} />
    case 'number':
      return (
        <TextInput
          {...common}
          inputMode="numeric"
          value={text}
          onChange={({ currentTarget: { value: next } }) =>
            onChange(/^\d+$/.test(next.trim()) ? Number(next) : next.trim() === '' ? null : next)
          }
        />
      )
    default:
      return (
        <TextInput
          {...common}
          inputMode={kind === 'digits' ? 'numeric' : kind === 'email' ? 'email' : 'text'}
          autoComplete="off"
          value={text}
          onChange={({ currentTarget: { value: next } }) => onChange(next)}
        />
      )
  }
}

function Choice({ name, value, onChange, error, required = false, allowed, description }: Props) {
  const { t, i18n } = useTranslation(['states', 'terms'])
  const { kind, values, term } = kindOf(name)
  const own = kind === 'flag' ? ['true', 'false'] : (allowed ?? values)
  const labelOf = (one: string) => {
    if (kind === 'flag') return one === 'true' ? t('states:yes') : t('states:no')
    return term === null ? one : t(`terms:${term}.${one}` as 'terms:gender.male')
  }
  // Values that name themselves, such as states, are the same in each language.
  const isCode = kind === 'choice' && term === null
  // Other spellings of a value have no name.
  const named = own.filter((one) => term === null || i18n.exists(`${term}.${one}`, { ns: 'terms' }))
  return (
    <NativeSelect
      label={fieldName(name)}
      error={error}
      required={required}
      withAsterisk={required}
      description={description}
      translate={isCode ? 'no' : undefined}
      value={value === null ? '' : String(value)}
      data={[{ value: '', label: '' }, ...named.map((one) => ({ value: one, label: labelOf(one) }))]}
      onChange={({ currentTarget: { value: next } }) =>
        onChange(next === '' ? null : kind === 'flag' ? next === 'true' : next)
      }
    />
  )
}
