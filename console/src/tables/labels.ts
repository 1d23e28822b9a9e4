import { ROSTER_FORM } from '../../../src/movements/rules/roster-columns.ts'
import { type TableForm, type TableKind, TABLES } from '../../../src/movements/rules/table-columns.ts'
import { currentLanguage } from '../language/language.ts'

/** A table, or a list of who should be covered. */
export type FormKind = TableKind | 'roster'

export const formOf = (kind: FormKind): TableForm => (kind === 'roster' ? ROSTER_FORM : TABLES[kind])

/** A field as the templates of the language call it. */
export function fieldLabel(kind: FormKind, field: string): string {
  const header = formOf(kind).columns.get(field)?.header
  return currentLanguage() === 'pt-BR' ? (header ?? field) : field.replaceAll('-', ' ')
}

/** A value of a closed set as the templates of the language call it. */
export function valueLabel(kind: FormKind, field: string, value: string): string {
  const word = formOf(kind).columns.get(field)?.words?.[value]?.[0]
  return currentLanguage() === 'pt-BR' ? (word ?? value) : value.replaceAll('-', ' ')
}
