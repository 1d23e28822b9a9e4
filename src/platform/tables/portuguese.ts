/* Cells as people in Brazil write them, for columns that are named as fields of the API. */
import { termOf } from '#kernel/texts/texts.ts'
import type { SheetColumn } from './xlsx/write.ts'

type Form = 'text' | 'date' | 'time' | 'money' | 'cpf' | 'cnpj' | Readonly<Record<string, string>>

/** Names with another form than theirs, or with the words of a closed set. */
type Forms = Readonly<Record<string, Form>>

/** The words of what is true or false. */
export const flag = { true: 'sim', false: 'não' }

function formOf(name: string): Form {
  if (/-date$|^date-|^requested-at$|-issued-at$|^student-until$/.test(name)) return 'date'
  if (name.endsWith('-at')) return 'time'
  if (name.endsWith('company-tax-id')) return 'cnpj'
  if (name.endsWith('tax-id')) return 'cpf'
  return name.endsWith('salary') ? 'money' : 'text'
}

/** A table under the terms of its fields. */
interface PortugueseTable {
  readonly columns: readonly SheetColumn[]
  /** The cells of a row. @param isWorkbook days and amounts stay as they are: `SheetWriter` makes numbers with a format of them. */
  readonly row: (values: readonly (string | null)[], isWorkbook: boolean) => (string | null)[]
}

export function portugueseTable(names: readonly string[], forms: Forms): PortugueseTable {
  const form = names.map((name) => forms[name] ?? formOf(name))
  return {
    columns: names.map((name, at) => ({
      header: termOf(name) ?? name,
      isDate: form[at] === 'date',
      isMoney: form[at] === 'money',
    })),
    row: (values, isWorkbook) =>
      values.map((value, at) => {
        if (value === null || (isWorkbook && (form[at] === 'date' || form[at] === 'money'))) return value
        return portugueseCell(form[at] ?? 'text', value)
      }),
  }
}

/** `23/11/2026` of what begins as `2026-11-23`. */
const dayOf = (text: string) => text.slice(0, 10).split('-').toReversed().join('/')

const timeFormat = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
})

export function portugueseCell(form: Form, value: string): string {
  if (typeof form === 'object') return form[value] ?? value
  switch (form) {
    case 'text':
      return value
    case 'date':
      return dayOf(value)
    case 'time':
      return timeFormat.format(new Date(value)).replace(',', '')
    case 'money': {
      const digits = value.replace('-', '')
      return `${value.startsWith('-') ? '-' : ''}${digits.slice(0, -2) || '0'},${digits.slice(-2).padStart(2, '0')}`
    }
    // With its punctuation a spreadsheet keeps the zeros before it.
    case 'cpf':
      return value.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
    case 'cnpj':
      return value.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
    default:
      return form satisfies never
  }
}
