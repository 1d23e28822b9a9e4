import type { Item, Schemas } from '@vigencia/client'
import { readWorkbook } from './workbook.ts'

type Definition = Schemas['LayoutDefinition']

export interface SheetField {
  readonly label: string
  readonly value: string
}

/** Where a movement is in the file: its lines from 1, of a workbook rows, and then their sheets. */
type Place = Pick<Item<'listShipmentItems'>, 'line-numbers' | 'sheets'>

/** What each movement has in the file, in the order of its columns. */
export type FieldsOf = (item: Place) => SheetField[]

/** Takes the file of a shipment apart again. */
export async function readFields(definition: Definition, bytes: ArrayBuffer): Promise<FieldsOf> {
  if (definition.format === 'xlsx') {
    const sheets = await readWorkbook(bytes)
    return (item) => fieldsOfRows(sheets, item)
  }
  const lines = linesOf(definition, bytes)
  return (item) => fieldsOf(definition, lines, item['line-numbers'])
}

/** The cells that are not empty, under the headings of their sheet. */
function fieldsOfRows(
  sheets: Awaited<ReturnType<typeof readWorkbook>>,
  { 'line-numbers': rows, sheets: names }: Place,
) {
  const fields = rows.flatMap((row, index) => {
    const sheet = sheets.get(names[index] ?? '') ?? []
    return (sheet[row - 1] ?? []).map((value, at) => ({ label: sheet[0]?.[at] ?? String(at + 1), value }))
  })
  return fields.filter(({ value }) => value !== '')
}

function linesOf({ format, encoding }: Definition, bytes: ArrayBuffer): string[] {
  const label = encoding ?? (format === 'fixed-width' ? 'iso-8859-1' : 'utf-8')
  return new TextDecoder(label).decode(bytes).split(/\r?\n/)
}

/** The cells of a line of CSV. */
export function cellsOf(line: string, separator: string): string[] {
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
export function fieldsOf(definition: Definition, lines: readonly string[], numbers: readonly number[]): SheetField[] {
  const fields = numbers.flatMap((number) => fieldsOfLine(definition, lines, lines[number - 1] ?? ''))
  return fields.filter(({ value }) => value !== '')
}

function fieldsOfLine(definition: Definition, lines: readonly string[], line: string): SheetField[] {
  switch (definition.format) {
    case 'ndjson':
      return Object.entries(JSON.parse(line) as Record<string, string | number | boolean | null>).map(
        ([label, value]) => ({
          label,
          value: value === null ? '' : String(value),
        }),
      )
    case 'fixed-width':
      return fixedFields(definition, line)
    case 'csv': {
      const separator = definition.separator === 'tab' ? '\t' : (definition.separator ?? ';')
      const header = (definition['header-lines'] ?? []).indexOf('headings')
      const headings = header === -1 ? [] : cellsOf((lines[header] ?? '').replace(/^\ufeff/, ''), separator)
      return cellsOf(line, separator).map((value, index) => ({ label: headings[index] ?? String(index + 1), value }))
    }
    case 'xlsx':
      return []
    default:
      return definition.format satisfies never
  }
}

/** Of the first record whose texts are in the line. */
function fixedFields({ records }: Definition, line: string): SheetField[] {
  const at = (column: Schemas['LayoutColumn']) => {
    const start = (column.at ?? 1) - 1
    return line.slice(start, start + (column.length ?? 1))
  }
  const record = records.find(
    ({ emit, columns }) =>
      (emit ?? 'each') === 'each' &&
      columns.every((column) => column.literal === undefined || at(column).trim() === column.literal.trim()),
  )
  return (record?.columns ?? []).map((column) => ({
    label: column.heading ?? column.source ?? String(column.at ?? 1),
    value: at(column).trim(),
  }))
}
