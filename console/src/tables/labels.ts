import { type TableKind, TABLES } from '../../../src/movements/rules/table-columns.ts'
import { currentLanguage } from '../language/language.ts'

/** A field as the templates of the language call it. */
export function fieldLabel(kind: TableKind, field: string): string {
  const header = TABLES[kind].columns.get(field)?.header
  return currentLanguage() === 'pt-BR' ? (header ?? field) : field.replaceAll('-', ' ')
}

/** A value of a closed set as the templates of the language call it. */
export function valueLabel(kind: TableKind, field: string, value: string): string {
  const word = TABLES[kind].columns.get(field)?.words?.[value]?.[0]
  return currentLanguage() === 'pt-BR' ? (word ?? value) : value.replaceAll('-', ' ')
}
