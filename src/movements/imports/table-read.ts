/* A table as a person sees it before it is sent: its header, what its columns stand for, its rows, and the batch that they make. */
import { columnsOf, proposedColumns, type TableProfile } from '../rules/column-profile.ts'
import { type FileForms, FormEvidence } from '#kernel/cell-values.ts'
import type { CsvColumn } from '#kernel/csv-column.ts'
import { isErrorColumn } from '../rules/import-columns.ts'
import {
  membersToAlter,
  membersToExclude,
  membersToInclude,
  type MovementLine,
  type TableMembers,
} from '../rules/movement-batch.ts'
import { withRole } from '../rules/role-of-row.ts'
import { productNameKey } from '#kernel/product-name.ts'
import {
  IMPORT_OF_COMPANY,
  PRODUCT_COLUMNS,
  type TableForm,
  type TableKind,
  type TableMovement,
  TABLES,
} from '../rules/table-columns.ts'
import { parseCnpj } from '#kernel/tax-id.ts'
import {
  collectForms,
  headerOf,
  knownNames,
  lackingColumns,
  repeatedColumn,
  rowFields,
  type TableHeader,
} from '#platform/tables/header.ts'
import { JoinedColumns, type SheetRead } from '#platform/tables/joined-columns.ts'
import { type RawRow, type RawTable, readRawTables } from '#platform/tables/raw-rows.ts'
import { type Cell, textOf } from '#platform/tables/rows.ts'
import { refusedFile, TableError } from '#platform/tables/table-error.ts'
import { maxHeaderRow } from '#platform/tables/records.ts'
import { type Candidate, type ColumnOf, fieldsOf, headerRowOf, universalSheetOf } from './table-header-row.ts'
import type { TableColumn, TableContent } from './table-schema.ts'
import { type Fields, type ProductsOfPeople, universalSheets, type UniversalSheets } from './universal-workbook.ts'

export interface TableCompany {
  readonly taxId: string
  readonly products: readonly {
    readonly 'product-id': string
    readonly 'product-name': string
    readonly 'product-type': string
    readonly 'carrier-name': string
  }[]
}

export interface TableOptions {
  readonly sheet: string | undefined
  /** The number of the row with the headings; undefined: the first of ten with all that are needed, else the likeliest. */
  readonly headerRow: number | undefined
  readonly kind: TableKind
  readonly profile: TableProfile
  /** null: the file is of several companies. */
  readonly company: TableCompany | null
  /** For imports: a company is named beside the table, for the rows that name none. */
  readonly isOfCompany?: boolean
  /** undefined: not known yet. */
  readonly productsOf?: ProductsOfPeople
  /** For inclusions: the start option of the rows without one. */
  readonly startOption?: string | undefined
  readonly maxRows: number
  /** Rows beyond them are not read, instead of an error. */
  readonly isCut: boolean
}

/** CPFs of primaries. */
export interface WantedPrimaries {
  readonly primaries: readonly string[]
}

/** A table whose header is known. */
export interface ReadTable {
  readonly content: TableContent
  /** Which columns have days. */
  readonly dates: readonly boolean[]
}

/** @returns instead of a table primaries, whose products `productsOf` must have. @throws TableError. */
export async function readTable(bytes: Buffer, options: TableOptions): Promise<ReadTable | WantedPrimaries> {
  const { kind, profile, company, headerRow, sheet, maxRows, isCut } = options
  const form = options.isOfCompany === true ? IMPORT_OF_COMPANY : TABLES[kind]
  const known = columnsOf(profile, form)
  const columnOf = (heading: string) => known(heading) ?? null
  const universal = kind === 'import' ? null : universalSheets(kind, columnOf, company?.products ?? [])
  const knownIn = (cells: readonly string[]) => fieldsOf(cells, universal?.columnOf ?? columnOf).size
  const ofWorkbook: Candidate[] = []
  const whole: Candidate[] = []
  let best: Candidate | null = null
  let allSheets: readonly string[] = []
  for await (const table of readRawTables(bytes, { sheet, maxRows: maxRows + maxHeaderRow, isCut, knownIn })) {
    ;({ allSheets } = table)
    const sheet = universal === null ? null : universalSheetOf(table, headerRow)
    if (sheet !== null) {
      // A sheet of another kind is another table.
      if (sheet.kind === kind) ofWorkbook.push(sheet)
      continue
    }
    const found = headerRowOf(table, form, columnOf, headerRow)
    if (found === null) continue
    if (found.isWhole) whole.push(found)
    else if (best === null || found.score > best.score) best = found
  }
  if (universal !== null && ofWorkbook.length > 0) {
    const joined = joinedOf(ofWorkbook, allSheets, universal.columnOf)
    const primaries = options.productsOf === undefined ? universal.primaries(joined) : []
    if (primaries.length > 0) return { primaries }
    return tableOf({ ...joined, ...universal.complete(joined, options.productsOf ?? {}) }, form, universal, options)
  }
  const chosen = whole.length > 0 ? whole : best === null ? [] : [best]
  if (chosen.length === 0) throw refusedFile({ key: 'table-without-header' })
  return tableOf(joinedOf(chosen, allSheets, columnOf), form, { columnOf, ownFields: (fields) => fields }, options)
}

/** The rows of the sheets that are read, as one table. */
interface JoinedTable extends Pick<RawTable, 'sheet' | 'sheets' | 'rows'> {
  readonly headerRow: number
  readonly headings: readonly string[]
  readonly read: readonly SheetRead[]
  readonly notRead: readonly string[]
}

export function joinedOf(chosen: readonly Candidate[], allSheets: readonly string[], columnOf: ColumnOf): JoinedTable {
  const joined = new JoinedColumns(columnOf)
  const read: SheetRead[] = []
  const rows: RawRow[] = []
  for (const { table, at } of chosen) {
    const headings = (table.rows[at]?.cells ?? []).map(textOf)
    refuseRepeated(headings, columnOf)
    const place = joined.add(headings)
    const before = rows.at(-1)?.number ?? 0
    read.push({ sheet: table.sheet ?? '', 'from-line': before + 1 })
    for (const { number, cells } of table.rows.slice(at + 1)) {
      rows.push({ number: before + number, cells: cells === null ? null : place(cells) })
    }
  }
  const [{ table, at }] = chosen as readonly [Candidate]
  const names = new Set(read.map(({ sheet }) => sheet))
  return {
    sheet: table.sheet,
    sheets: table.sheets,
    rows,
    headerRow: table.rows[at]?.number ?? 1,
    headings: joined.names,
    read: table.sheet === null ? [] : read,
    notRead: allSheets.filter((name) => !names.has(name)),
  }
}

/** @throws TableError */
function refuseRepeated(headings: readonly string[], columnOf: ColumnOf): void {
  const header = headerOf(headings, columnOf)
  if (!('error' in header) || header.error !== 'repeated') return
  throw new TableError([{ field: 'header', code: 'repeated', message: repeatedColumn(headings, columnOf).message }])
}

function tableOf(
  { sheet, sheets, headings, headerRow, rows, read: sheetsRead, notRead }: JoinedTable,
  form: TableForm,
  { columnOf, ownFields }: Pick<UniversalSheets, 'columnOf' | 'ownFields'>,
  { kind, company, startOption, maxRows, isCut }: TableOptions,
): ReadTable {
  const known = headings.map(columnOf)
  const lacking = new Set(lackingColumns(new Set(knownNames(known)), form))
  const missing = [...form.columns.keys()].filter((name) => lacking.has(name))
  const reader = rowReader(
    headings,
    known,
    sheet !== null,
    company,
    formsOfRows(rows, { names: headings, columns: known }),
    (fields, found) => ownFields(kind === 'inclusion' || kind === 'import' ? withRole(fields, found) : fields),
  )
  if (rows.length > maxRows && !isCut) throw refusedFile({ key: 'workbook-rows', limit: maxRows })
  const read = rows.map(reader)
  const lines = read.flatMap(({ line, fields }): MovementLine[] => (fields === null ? [] : [{ number: line, fields }]))
  const batch =
    kind === 'import' || company === null || missing.length > 0 ? null : batchOf(kind, lines, company, startOption)
  const content: TableContent = {
    sheet,
    sheets: [...sheets],
    ...(sheetsRead.length > 1 && { 'sheets-read': [...sheetsRead] }),
    ...(notRead.length > 0 && { 'sheets-not-read': [...notRead] }),
    'header-row': headerRow,
    columns: columnsShown(headings, known, form),
    missing,
    'total-rows': read.length,
    rows: read.map(({ line, cells }) => ({ line, cells })),
    'row-errors': read.flatMap(({ line, errors }) => errors.map((error) => ({ line, ...error }))),
    ...rowWarnings(read),
    'unknown-values': unknownValues(lines, form, company),
    batch: batch === null ? null : { 'company-tax-id': company?.taxId ?? '', members: [...batch.members] },
    'member-lines': batch === null ? [] : batch.lines.map((some) => [...some]),
  }
  return { content, dates: known.map((column) => column?.isDate === true) }
}

const maxRowWarnings = 100

function rowWarnings(rows: readonly ReadRow[]): Pick<TableContent, 'row-warnings'> {
  const warnings = rows.flatMap(({ line, fields, suspicious }) =>
    fields === null ? [] : suspicious.map((field) => ({ line, warning: 'suspicious-text' as const, field })),
  )
  return warnings.length === 0 ? {} : { 'row-warnings': warnings.slice(0, maxRowWarnings) }
}

function columnsShown(
  headings: readonly string[],
  known: readonly (CsvColumn | null)[],
  form: TableForm,
): TableColumn[] {
  const unknown = headings.filter(
    (heading, index) => heading !== '' && known[index] === null && !isErrorColumn(heading),
  )
  const taken = new Set(known.map((column) => column?.name))
  const open = [...form.columns.keys()].filter((name) => !taken.has(name))
  const proposed = new Map(proposedColumns(unknown, open, form.columns).map(({ heading, field }) => [heading, field]))
  return headings.map((heading, index) => ({
    heading,
    field: known[index]?.name ?? null,
    proposed: known[index] === null ? (proposed.get(heading) ?? null) : null,
  }))
}

type RowError = Omit<TableContent['row-errors'][number], 'line'>

interface ReadRow {
  readonly line: number
  readonly cells: string[]
  /** null: the row is not part of the batch. */
  readonly fields: Fields | null
  readonly errors: readonly RowError[]
  /** The headers of the texts that show signs of a wrong encoding. */
  readonly suspicious: readonly string[]
}

function formsOfRows(rows: readonly RawRow[], header: TableHeader): FileForms {
  const evidence = new FormEvidence()
  for (const { cells } of rows) collectForms(evidence, cells ?? [], header)
  return evidence.forms
}

/** @param isSheet notes beside the table of a sheet are no cells of it. */
function rowReader(
  names: readonly string[],
  columns: readonly (CsvColumn | null)[],
  isSheet: boolean,
  company: TableCompany | null,
  forms: FileForms,
  fieldsOf: (fields: Fields, found: ReadonlySet<string>) => Fields,
): (row: RawRow) => ReadRow {
  const header = { names, columns }
  const found = new Set(columns.flatMap((column) => column?.name ?? []))
  return ({ number: line, cells }) => {
    const own = names.map((_, index): Cell => cells?.[index] ?? '')
    const shown = own.map((cell, index) => shownText(cell, columns[index]?.isDate === true))
    const isMalformed = cells === null || (!isSheet && cells.slice(names.length).some((cell) => cell !== ''))
    const read = isMalformed ? null : rowFields(own, header, forms)
    if (read === null)
      return { line, cells: shown, fields: null, errors: [{ error: 'malformed-line' }], suspicious: [] }
    const taxId = read.fields['company-tax-id']
    const isOther = company !== null && typeof taxId === 'string' && parseCnpj(taxId) !== company.taxId
    const errors: RowError[] = [
      ...(isOther ? [{ error: 'other-company' as const }] : []),
      ...read.errors.map(({ at }) => ({ error: 'cell-error' as const, cell: at })),
    ]
    const fields = errors.length === 0 ? fieldsOf(read.fields, found) : null
    return { line, cells: shown, fields, errors, suspicious: read.suspicious }
  }
}

/** A cell as text that is read again as the same value. */
function shownText(cell: Cell, isDate: boolean): string {
  if (typeof cell === 'string') return cell
  if ('error' in cell) return ''
  return (isDate ? cell.date : null) ?? cell.number
}

function batchOf(
  kind: TableMovement,
  lines: readonly MovementLine[],
  { products }: TableCompany,
  startOption: string | undefined,
): TableMembers {
  switch (kind) {
    case 'inclusion':
      return membersToInclude(lines, products, startOption)
    case 'exclusion':
      return membersToExclude(lines)
    case 'alteration':
      return membersToAlter(lines, products)
    default:
      return kind satisfies never
  }
}

const maxUnknownValues = 50
const longestValue = 200

/** The words that are no value of their column, most frequent first. @param company whose products are known. */
function unknownValues(
  lines: readonly MovementLine[],
  { columns }: TableForm,
  company: TableCompany | null,
): TableContent['unknown-values'] {
  const products = company && new Set(company.products.map((product) => productNameKey(product['product-name'])))
  const counts = new Map<string, { field: string; value: string; lines: number }>()
  for (const { fields } of lines) {
    for (const [field, value] of Object.entries(fields)) {
      if (typeof value !== 'string' || value.length > longestValue) continue
      const words = columns.get(field)?.words
      const isKnown = PRODUCT_COLUMNS.includes(field)
        ? (products?.has(productNameKey(value)) ?? true)
        : words === undefined || Object.hasOwn(words, value)
      if (isKnown) continue
      const key = `${field} ${productNameKey(value)}`
      const count = counts.get(key) ?? { field, value, lines: 0 }
      counts.set(key, { ...count, lines: count.lines + 1 })
    }
  }
  return [...counts.values()].toSorted((a, b) => b.lines - a.lines).slice(0, maxUnknownValues)
}
