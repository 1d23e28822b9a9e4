/* What the headings and words of a company's files stand for that no table has: confirmed by a person, once. */
import type { CsvColumn } from '#kernel/csv-column.ts'
import type { CsvColumnForm } from './import-columns.ts'
import { HEADING_SYNONYMS } from './heading-synonyms.ts'
import { nearest } from '#kernel/nearest.ts'
import { headingKey } from '#kernel/heading.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { type TableForm, TABLES } from './table-columns.ts'

/** A heading, compared without case and accents, and the column that it stands for. */
export interface MappedHeading {
  readonly heading: string
  readonly field: string
}

/** A word of a company for a value of a field, compared without case and accents. */
interface MappedValue {
  readonly field: string
  readonly value: string
  readonly as: string
}

export interface TableProfile {
  readonly columns: readonly MappedHeading[]
  readonly values: readonly MappedValue[]
}

export const NO_PROFILE: TableProfile = { columns: [], values: [] }

/** A column by its heading: one that the table has, else that of the profile, which is read as under its Portuguese name. */
export function columnsOf(
  { columns, values }: TableProfile,
  table: TableForm = TABLES.import,
): (heading: string) => CsvColumn | undefined {
  const fields = new Map(columns.map(({ heading, field }) => [headingKey(heading), field]))
  const words = Map.groupBy(values, ({ field }) => field)
  // A word for a product is the same whether the product is the first or the next one.
  const wordsOf = (field: string) => [
    ...(field === 'new-product-name' ? (words.get('product-name') ?? []) : []),
    ...(words.get(field) ?? []),
  ]
  return (heading) => {
    const known = table.columnOf(heading)
    const field = known === undefined && fields.size > 0 ? fields.get(headingKey(heading)) : undefined
    const column = field === undefined ? known : table.columnOf(table.columns.get(field)?.header ?? '')
    return column && withWords(column, wordsOf(column.name))
  }
}

/** Longer cells are no words. */
const longestWord = 200

function withWords(column: CsvColumn, words: readonly MappedValue[]): CsvColumn {
  if (words.length === 0) return column
  const values = new Map(words.map(({ value, as }) => [productNameKey(value), as]))
  return {
    ...column,
    parse: (cell) => (cell.length > longestWord ? undefined : values.get(productNameKey(cell))) ?? column.parse(cell),
  }
}

/** The headings of a file that the profile has given a column of an import. */
export function appliedOf(names: readonly string[], profile: TableProfile): readonly MappedHeading[] {
  const columnOf = columnsOf(profile)
  return names.flatMap((heading) => {
    if (TABLES.import.columnOf(heading) !== undefined) return []
    const field = columnOf(heading)?.name
    return field === undefined ? [] : [{ heading, field }]
  })
}

/** For headings that a table does not have, the column among these that is often called so, or whose name is nearest. */
export function proposedColumns(
  headings: readonly string[],
  candidates: readonly string[],
  columns: ReadonlyMap<string, CsvColumnForm> = TABLES.import.columns,
): readonly MappedHeading[] {
  const names = new Map(
    candidates.flatMap((field) =>
      [field, columns.get(field)?.header ?? '', ...(HEADING_SYNONYMS[field] ?? [])].map(
        (name) => [headingKey(name), field] as const,
      ),
    ),
  )
  const taken = new Set<string>()
  return headings.flatMap((heading) => {
    const key = headingKey(heading)
    const name = names.has(key) ? key : nearest(key, [...names.keys()])
    const field = name === null ? undefined : names.get(name)
    if (field === undefined || taken.has(field)) return []
    taken.add(field)
    return [{ heading, field }]
  })
}
