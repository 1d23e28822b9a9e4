import { ROSTER_FORM } from '../../../src/movements/rules/roster-columns.ts'
import {
  IMPORT_OF_COMPANY,
  type TableForm,
  type TableKind,
  TABLES,
} from '../../../src/movements/rules/table-columns.ts'
import { currentLanguage } from '../language/language.ts'

/** A table, or a list of who should be covered. */
export type FormKind = TableKind | 'roster'

/** The columns of an import are said for a company, which its lines need not name then. */
export function formOf(kind: FormKind): TableForm {
  if (kind === 'roster') return ROSTER_FORM
  return kind === 'import' ? IMPORT_OF_COMPANY : TABLES[kind]
}

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
