/* What the headings of a company's files stand for that no import has: confirmed by a person, once. */
import type { CsvColumn } from './csv-column.ts'
import { IMPORT_COLUMNS, importColumnOf, type ImportColumnName } from './import-columns.ts'
import { nearest } from './nearest.ts'
import { productNameKey } from './product-name.ts'

/** A heading, compared without case and accents, and the column of an import that it stands for. */
export interface MappedHeading {
  readonly heading: string
  readonly field: ImportColumnName
}

/** A column of an import by its heading: one that imports have, else that of the profile, which is read as under its Portuguese name. */
export function columnsOf(profile: readonly MappedHeading[]): (heading: string) => CsvColumn | undefined {
  const fields = new Map(profile.map(({ heading, field }) => [productNameKey(heading), field]))
  return (heading) => {
    const known = importColumnOf(heading)
    if (known !== undefined || fields.size === 0) return known
    const field = fields.get(productNameKey(heading))
    return field === undefined ? undefined : importColumnOf(IMPORT_COLUMNS.get(field)?.header ?? '')
  }
}

/** The headings of a file that the profile has given a column. */
export function appliedOf(names: readonly string[], profile: readonly MappedHeading[]): readonly MappedHeading[] {
  const columnOf = columnsOf(profile)
  return names.flatMap((heading) => {
    if (importColumnOf(heading) !== undefined) return []
    const field = columnOf(heading)?.name as ImportColumnName | undefined
    return field === undefined ? [] : [{ heading, field }]
  })
}

/** For headings that no import has, the column among these whose name, in English or Portuguese, is nearest. */
export function proposedColumns(
  headings: readonly string[],
  candidates: readonly ImportColumnName[],
): readonly MappedHeading[] {
  const names = new Map(
    candidates.flatMap((field) =>
      [field, IMPORT_COLUMNS.get(field)?.header ?? ''].map((name) => [productNameKey(name), field] as const),
    ),
  )
  return headings.flatMap((heading) => {
    const name = nearest(productNameKey(heading), [...names.keys()])
    const field = name === null ? undefined : names.get(name)
    return field === undefined ? [] : [{ heading, field }]
  })
}
