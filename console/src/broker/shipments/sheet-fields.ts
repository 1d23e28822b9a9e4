import type { Item, Schemas } from '@vigencia/client'
import { fromSpreadsheetCell } from '../../../../src/kernel/spreadsheet-cell.ts'
import { dayOf, readWorkbook } from './workbook.ts'

type Definition = Schemas['LayoutDefinition']
type Column = Schemas['LayoutColumn']

/** A cell of a file that is not empty. */
export interface SheetCell {
  readonly heading: string
  readonly value: string
  /** Undefined: its line may be of several records, which differ there. */
  readonly column?: Column | undefined
}

/** Where a movement is in the file: its lines from 1, of a workbook rows, and then their sheets. */
type Place = Pick<Item<'listShipmentItems'>, 'line-numbers' | 'sheets'>

/** What each movement has in the file, in the order of its columns. */
export type FieldsOf = (item: Place) => SheetCell[]

/** Takes the file of a shipment apart again. */
export async function readFields(definition: Definition, bytes: ArrayBuffer): Promise<FieldsOf> {
  if (definition.format === 'xlsx') {
    const sheets = await readWorkbook(bytes)
    return (item) => cellsOfRows(definition, sheets, item).filter(isFilled)
  }
  const lines = linesOf(definition, bytes)
  return (item) => fieldsOf(definition, lines, item['line-numbers'])
}

const isFilled = ({ value }: SheetCell) => value !== ''

/** Whether a source is an amount: in text cents, in workbooks reais. */
export const isAmount = (source = ''): boolean => source.endsWith('.salary')

/** The cells of the rows, under the headings of their sheets. */
function cellsOfRows(
  { records }: Definition,
  sheets: Awaited<ReturnType<typeof readWorkbook>>,
  { 'line-numbers': rows, sheets: names }: Place,
): SheetCell[] {
  return rows.flatMap((row, index) => {
    const name = names[index] ?? ''
    const sheet = sheets.get(name) ?? []
    const own = records.filter((record) => (record.sheet ?? 'movements') === name)
    return (sheet[row - 1] ?? []).map((cell, at) => {
      const column = columnAt(own, at)
      return { heading: String(sheet[0]?.[at] ?? at + 1), value: textOf(cell, column), column }
    })
  })
}

/** A number is an amount or a day. */
function textOf(cell: string | number, column: Column | undefined): string {
  if (typeof cell === 'string') return cell
  return isAmount(column?.source) ? String(Math.round(cell * 100)) : dayOf(cell)
}

function columnAt(records: Definition['records'], at: number): Column | undefined {
  const [column, ...others] = records.map(({ columns }) => columns[at])
  return others.every((other) => JSON.stringify(other) === JSON.stringify(column)) ? column : undefined
}

function linesOf({ format, encoding }: Definition, bytes: ArrayBuffer): string[] {
  const label = encoding ?? (format === 'fixed-width' ? 'iso-8859-1' : 'utf-8')
  return new TextDecoder(label).decode(bytes).split(/\r?\n/)
}

/** The cells of a line of CSV. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  for (let rest: string | null = line; rest !== null;) {
    const quoted: RegExpExecArray | null = /^"((?:[^"]|"")*)"/.exec(rest)
    const end: number = quoted === null ? rest.indexOf(separator) : quoted[0].length
    cells.push(quoted === null ? rest.slice(0, end === -1 ? undefined : end) : (quoted[1] ?? '').replaceAll('""', '"'))
    rest = end === -1 || end >= rest.length ? null : rest.slice(end + 1)
  }
  return cells
}

/** What a movement has in a file of lines: the columns of its lines in their order, without empty ones. @param numbers its lines, from 1. */
export function fieldsOf(definition: Definition, lines: readonly string[], numbers: readonly number[]): SheetCell[] {
  return numbers.flatMap((number) => cellsOfLine(definition, lines, lines[number - 1] ?? '')).filter(isFilled)
}

function cellsOfLine(definition: Definition, lines: readonly string[], line: string): SheetCell[] {
  const each = definition.records.filter(({ emit }) => (emit ?? 'each') === 'each')
  switch (definition.format) {
    case 'ndjson':
      return Object.entries(JSON.parse(line) as Record<string, string | number | boolean | null>).map(
        ([heading, value], at) => ({ heading, value: value === null ? '' : String(value), column: columnAt(each, at) }),
      )
    case 'fixed-width':
      return fixedCells(each, line)
    case 'csv': {
      const separator = definition.separator === 'tab' ? '\t' : (definition.separator ?? ';')
      const header = (definition['header-lines'] ?? []).indexOf('headings')
      const headings = header === -1 ? [] : cellsOf((lines[header] ?? '').replace(/^\ufeff/, ''), separator)
      const isGuarded = definition['formula-guard'] !== false
      return cellsOf(line, separator).map((value, at) => ({
        heading: headings[at] ?? String(at + 1),
        value: isGuarded ? fromSpreadsheetCell(value) : value,
        column: columnAt(each, at),
      }))
    }
    case 'xlsx':
      return []
    default:
      return definition.format satisfies never
  }
}

/** The fixed cells of the first record whose texts are in the line. */
function fixedCells(records: Definition['records'], line: string): SheetCell[] {
  const at = (column: Column) => {
    const start = (column.at ?? 1) - 1
    return line.slice(start, start + (column.length ?? 1))
  }
  const record = records.find(({ columns }) =>
    columns.every((column) => column.literal === undefined || at(column).trim() === column.literal.trim()),
  )
  return (record?.columns ?? []).map((column) => ({
    heading: column.heading ?? column.source ?? String(column.at ?? 1),
    value: at(column).trim(),
    column,
  }))
}
