/* The row of headings of a file, by which its columns are found. */
import type { FieldError } from '#kernel/fields.ts'
import { foldHeading } from '#kernel/heading.ts'
import { columnsFound } from '#platform/tables/header.ts'
import { type Cell, textOf } from '#platform/tables/rows.ts'
import { TableError } from '#platform/tables/table-error.ts'
import type { LayoutColumn, LayoutDefinition } from './definition.ts'

/** Where the headings of the layout are, and how many cells their row has. */
export interface Headings {
  readonly places: ReadonlyMap<string, number>
  readonly width: number
}

/** The targets that say of whom a line is. */
const identifying = [
  'movement.enrollment-id',
  'movement.position',
  'benefit.card-number',
  'benefit.certificate',
  'person.tax-id',
  'person.name',
  'registration.employee-id',
] as const
const isIdentifying = ({ target }: LayoutColumn) => identifying.some((name) => name === target)

/**
 * The headings of a row; null when it lacks one of a required column, all that say of whom a line is, or all others. @param sheet null: of CSV.
 */
export function headingsOf(
  definition: LayoutDefinition,
  cells: readonly Cell[],
  sheet: string | null,
): Headings | null {
  const found = new Map<string, number>()
  const twice = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    const heading = foldHeading(textOf(cell))
    if (found.has(heading)) twice.add(heading)
    else if (heading !== '') found.set(heading, index)
  }
  const columns = columnsOf(definition, sheet)
  const isThere = ({ heading = '' }: LayoutColumn) => found.has(foldHeading(heading))
  if (!columns.some(isThere) || lackingOf(columns, isThere).length > 0) return null
  const repeated = columns.find(({ heading = '' }) => twice.has(foldHeading(heading)))?.heading
  if (repeated === undefined) {
    const places = definition.records.flatMap((record) =>
      record.columns.map(({ heading = '' }): [string, number] => [heading, found.get(foldHeading(heading)) ?? -1]),
    )
    return { places: new Map(places), width: cells.length }
  }
  const message = { key: 'column-twice', column: repeated, found: columnsFound(cells.map(textOf)) } as const
  throw new TableError([{ field: 'header', code: 'repeated', message }])
}

/** The columns that are read of a sheet. */
function columnsOf({ records }: LayoutDefinition, sheet: string | null): LayoutColumn[] {
  const some = records.filter((record) => sheet === null || record.sheet === undefined || record.sheet === sheet)
  return some.flatMap(({ columns }) => columns.filter(({ target }) => target !== undefined))
}

/** What a row lacks of the headings: those of required columns, and, without any of them, those that say of whom a line is. */
function lackingOf(columns: readonly LayoutColumn[], isThere: (column: LayoutColumn) => boolean): LayoutColumn[] {
  const required = columns.filter((column) => column.required === true && !isThere(column))
  const people = columns.filter(isIdentifying)
  return people.some(isThere) ? required : [...new Set([...required, ...people])]
}

const maxNamed = 50
const maxNameCharacters = 64

/** The rows in which the headings were looked for: why a file has none. */
export class OtherHeadings {
  readonly #columns: readonly LayoutColumn[]
  #best: { readonly known: number; readonly cells: readonly string[] } = { known: -1, cells: [] }

  constructor(definition: LayoutDefinition) {
    this.#columns = columnsOf(definition, null)
  }

  /** A row that is no heading of the layout: the one with most of its headings may be meant as one, else the first with most cells. */
  add(cells: readonly Cell[]): void {
    const names = cells.map(textOf).filter((name) => name !== '')
    const known = names.filter((name) => this.#isKnown(name)).length
    const isBetter = known > this.#best.known || (known === this.#best.known && names.length > this.#best.cells.length)
    if (isBetter) this.#best = { known, cells: names }
  }

  /** The headings of the layout, each that is missing, and each of the file that it does not know. */
  error(): TableError {
    const { cells } = this.#best
    const found = new Set(cells.map(foldHeading))
    const lacking = lackingOf(this.#columns, ({ heading = '' }) => found.has(foldHeading(heading)))
    // A row of numbers is data of people.
    const isShown = columnsFound(cells).key === 'columns-found'
    const named = (field: string) => field.slice(0, maxNameCharacters).toWellFormed()
    const headings = (columns: readonly LayoutColumn[]) => [...new Set(columns.map(({ heading = '' }) => heading))]
    const whom = { key: 'layout-person', names: headings(lacking.filter(isIdentifying)) } as const
    const unknown = isShown ? [...new Set(cells.filter((name) => !this.#isKnown(name)))] : []
    return new TableError([
      { field: 'file', code: 'invalid', message: { key: 'layout-headings', names: headings(this.#columns) } },
      ...lacking.slice(0, maxNamed).map((column): FieldError => {
        const missing = { field: named(column.heading ?? ''), code: 'missing' } as const
        return column.required === true ? missing : { ...missing, message: whom }
      }),
      ...unknown.slice(0, maxNamed).map((name) => ({ field: named(name), code: 'unknown' as const })),
    ])
  }

  #isKnown(name: string): boolean {
    return this.#columns.some(({ heading = '' }) => foldHeading(heading) === foldHeading(name))
  }
}
