/* The workbook of all carriers as a table of movements: a heading stands for the column that its layout fills it from. */
import { withoutPunctuation } from '#kernel/cell-values.ts'
import { restoreCpf } from '#kernel/tax-id.ts'
import { headingKey } from '#kernel/heading.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import type { TableColumns } from '#platform/tables/header.ts'
import type { RawRow } from '#platform/tables/raw-rows.ts'
import { type Cell, textOf } from '#platform/tables/rows.ts'
import { universalWorkbook } from '#registry/layouts/built-in/universal-workbook.ts'
import type { Source } from '#registry/rules/layout-fields.ts'
import { importColumnOf } from '../rules/import-columns.ts'
import { type TableMovement, TABLES } from '../rules/table-columns.ts'

type ColumnOf = TableColumns['columnOf']

interface ColumnsOfSources {
  /** What stands before the name of a field of each subject. */
  readonly subjects: Readonly<Record<string, string>>
  /** The sources with a column of another name. */
  readonly names: Readonly<Partial<Record<Source, string>>>
}

const COLUMNS: Readonly<Record<TableMovement, ColumnsOfSources>> = {
  inclusion: {
    subjects: { person: '', registration: '', address: 'address-', bank: 'bank-', plan: '' },
    names: {
      'person.relationship': 'dependent-type',
      'primary.tax-id': 'primary-member-tax-id',
      'primary.employee-id': 'employee-id',
    },
  },
  exclusion: { subjects: { movement: '' }, names: { 'primary.tax-id': 'primary-member-tax-id' } },
  alteration: {
    subjects: { changed: '', 'changed-address': 'address-', 'changed-bank': 'bank-', 'changed-plan': 'new-' },
    names: {
      'former.tax-id': 'tax-id',
      'changed.tax-id': 'new-tax-id',
      'movement.start-date': 'requested-start-date',
      'movement.reason': 'reason',
      'destination.company-tax-id': 'new-company-tax-id',
    },
  },
}

interface Sheet {
  readonly kind: string | undefined
  readonly sources: ReadonlyMap<string, Source | null>
  readonly required: readonly string[]
}

const sheets = universalWorkbook['universal-workbook'].definition.records.map(({ columns, when }): Sheet => {
  const keys = columns.map(({ heading = '', source = null }) => [headingKey(heading), source] as const)
  const kind = when?.['movement.kind']
  const required = columns.filter((column) => column.required).map(({ heading = '' }) => headingKey(heading))
  return { kind: typeof kind === 'string' ? kind : undefined, sources: new Map(keys), required }
})

const keyOf = (heading: string) => (heading.length > MAX_TEXT_CHARACTERS ? '' : headingKey(heading))

/** The kind of movement of the sheet with these headings: it has all that are required, and most of the others. null: of no sheet. */
export function kindOfHeadings(headings: readonly string[]): string | null {
  const found = new Set(headings.map(keyOf))
  const known = ({ sources }: Sheet) => [...sources.keys()].filter((heading) => found.has(heading)).length
  const fitting = sheets.filter(({ required }) => required.every((heading) => found.has(heading)))
  return fitting.toSorted((a, b) => known(b) - known(a))[0]?.kind ?? null
}

type Products = readonly { readonly 'product-id': string; readonly 'carrier-name': string }[]

/** The ids of the products that people have as primaries, by CPF. */
export type ProductsOfPeople = Readonly<Record<string, readonly string[]>>

/** How the sheets of a kind of movement are read. */
export interface UniversalSheets {
  readonly columnOf: ColumnOf
  /** The primaries of whom it has to be known which products they have. */
  readonly primaries: (table: RowsOfTable) => readonly string[]
  /** The headings and rows with what the sheets leave to be inferred, in columns of its own. */
  readonly complete: (table: RowsOfTable, productsOf: ProductsOfPeople) => RowsOfTable
  /** The fields of a row without what is said of somebody else. */
  readonly ownFields: (fields: Fields) => Fields
}

export type Fields = Readonly<Record<string, unknown>>

interface RowsOfTable {
  readonly headings: readonly string[]
  readonly rows: readonly RawRow[]
}

/**
 * @param named the column of a heading in other tables of the movement.
 * @param products of the company.
 */
export function universalSheets(kind: TableMovement, named: ColumnOf, products: Products): UniversalSheets {
  const { subjects, names } = COLUMNS[kind]
  const sources = new Map(sheets.flatMap((sheet) => (sheet.kind === kind ? [...sheet.sources] : [])))
  const columnOf: ColumnOf = (heading) => {
    const source = sources.get(keyOf(heading))
    if (source === undefined) return named(heading)
    const [subject = '', field = ''] = source?.split('.') ?? []
    const name = (source && names[source]) ?? `${subjects[subject] ?? '.'}${field}`
    return named(TABLES[kind].columns.get(name)?.header ?? '')
  }
  const sourceOf = (heading: string) => sources.get(keyOf(heading))
  switch (kind) {
    case 'inclusion':
      return {
        columnOf,
        primaries: () => [],
        complete: (table) =>
          completed(table, kind, 'primary-member-tax-id', columnOf, primariesOf(table, columnOf, sourceOf)),
        // The number of an employee in the row of a dependent is that of the primary.
        ownFields: ({ 'employee-id': number, ...fields }) =>
          fields['beneficiary-type'] === 'dependent' || number === undefined
            ? fields
            : { ...fields, 'employee-id': number },
      }
    case 'exclusion':
      return {
        columnOf,
        primaries: (table) => {
          const carriers = carriersOf(table, columnOf, sourceOf, products)
          if (carriers === null) return []
          return [...new Set(table.rows.flatMap(({ cells }) => (cells === null ? [] : carriers.primary(cells))))]
        },
        complete: (table, productsOf) => {
          const people = completed(table, kind, 'tax-id', columnOf, excludedOf(table, columnOf, sourceOf))
          return withProducts(people, carriersOf(table, columnOf, sourceOf, products), columnOf, productsOf)
        },
        // An entry has one selector.
        ownFields: ({ 'primary-member-tax-id': primary, ...fields }) =>
          primary === undefined || primary === fields['tax-id'] || fields['product-id'] !== undefined
            ? fields
            : { ...fields, 'primary-member-tax-id': primary },
      }
    case 'alteration':
      return { columnOf, primaries: () => [], complete: (table) => table, ownFields: (fields) => fields }
    default:
      return kind satisfies never
  }
}

type CellOfRow = (cells: readonly Cell[]) => Cell
type SourceOf = (heading: string) => Source | null | undefined

/** Fills the empty cells of a column, which is added where there is none. */
function completed(
  { headings, rows }: RowsOfTable,
  kind: TableMovement,
  name: string,
  columnOf: ColumnOf,
  inferred: CellOfRow,
): RowsOfTable {
  const found = headings.findIndex((heading) => columnOf(heading)?.name === name)
  const at = found === -1 ? headings.length : found
  const all = found === -1 ? [...headings, TABLES[kind].columns.get(name)?.header ?? name] : headings
  return {
    headings: all,
    rows: rows.map((row): RawRow => {
      if (row.cells === null) return row
      const cells = headings.map((_, index): Cell => row.cells?.[index] ?? '')
      const beyond = row.cells.slice(headings.length)
      const cell = inferred(cells)
      if ((cells[at] ?? '') === '') cells[at] = cell
      return { ...row, cells: [...cells, ...beyond] }
    }),
  }
}

const roleOf = (cell: Cell) => importColumnOf('beneficiary-type')?.parse(textOf(cell).trim())

/** The CPF of the primary of a dependent in the sheet of families: of the row with its number of employee, else of the primary above. */
function primariesOf({ headings, rows }: RowsOfTable, columnOf: ColumnOf, sourceOf: SourceOf): CellOfRow {
  const of = cellsBy(headings, (heading) => columnOf(heading)?.name)
  const [kinship, taxId, number] = [of('dependent-type'), of('tax-id'), of('employee-id')]
  const primaryName = cellsBy(headings, sourceOf)('primary.name')
  const isPrimary = (cells: readonly Cell[]) => roleOf(kinship(cells)) === 'primary'
  const primaries = rows.flatMap(({ cells }) => (cells !== null && isPrimary(cells) ? [cells] : []))
  const byNumber = new Map(primaries.map((cells) => [textOf(number(cells)).trim(), taxId(cells)]))
  let above: Cell = ''
  return (cells) => {
    if (isPrimary(cells)) {
      above = taxId(cells)
      return ''
    }
    if (textOf(kinship(cells)).trim() === '' || textOf(primaryName(cells)).trim() !== '') return ''
    const own = textOf(number(cells)).trim()
    return own === '' ? above : (byNumber.get(own) ?? '')
  }
}

/** The CPF of who is excluded: a sheet has that of the primary, and of a dependent the name only. */
function excludedOf({ headings }: RowsOfTable, columnOf: ColumnOf, sourceOf: SourceOf): CellOfRow {
  const primary = cellsBy(headings, (heading) => columnOf(heading)?.name)('primary-member-tax-id')
  const of = cellsBy(headings, sourceOf)
  const [role, dependent] = [of('movement.beneficiary-type'), of('dependent.name')]
  return (cells) => {
    const isPrimary = roleOf(role(cells)) !== 'dependent' && textOf(dependent(cells)).trim() === ''
    return isPrimary ? primary(cells) : ''
  }
}

/** The carriers of a company with several, by the row; null: what a row excludes does not depend on its carrier, or was chosen. */
function carriersOf({ headings }: RowsOfTable, columnOf: ColumnOf, sourceOf: SourceOf, products: Products) {
  const byCarrier = Map.groupBy(products, (product) => productNameKey(product['carrier-name']))
  const isChosen = headings.some((heading) => columnOf(heading)?.name === 'product-id')
  if (byCarrier.size < 2 || isChosen) return null
  const carrier = cellsBy(headings, sourceOf)('contract.carrier-name')
  const primary = cellsBy(headings, (heading) => columnOf(heading)?.name)('primary-member-tax-id')
  return {
    name: (cells: readonly Cell[]) => textOf(carrier(cells)).trim(),
    primary: (cells: readonly Cell[]) => {
      const taxId = withoutPunctuation(textOf(primary(cells)).trim())
      return restoreCpf(taxId) ?? taxId
    },
    productIds: (name: string) => (byCarrier.get(productNameKey(name)) ?? []).map((product) => product['product-id']),
  }
}

/**
 * The product that a row excludes from, in a column of its own: that which the primary has of the carrier. Where there is none, or several, the
 * name of the carrier stands there, which the service refuses: a person says which, or leaves the cell blank for everything.
 */
function withProducts(
  table: RowsOfTable,
  carriers: ReturnType<typeof carriersOf>,
  columnOf: ColumnOf,
  productsOf: ProductsOfPeople,
): RowsOfTable {
  if (carriers === null) return table
  return completed(table, 'exclusion', 'product-id', columnOf, (cells) => {
    const name = carriers.name(cells)
    const own = productsOf[carriers.primary(cells)] ?? []
    const chosen = carriers.productIds(name).filter((id) => own.includes(id))
    return chosen.length === 1 ? (chosen[0] ?? name) : name
  })
}

/** The cell of a row under the heading that stands for a name. */
function cellsBy(headings: readonly string[], nameOf: (heading: string) => string | null | undefined) {
  return (name: string): CellOfRow => {
    const at = headings.findIndex((heading) => nameOf(heading) === name)
    return (cells) => cells[at] ?? ''
  }
}
