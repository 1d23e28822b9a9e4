import type { Schemas } from '@vigencia/client'

type Definition = Schemas['LayoutDefinition']

export interface SheetField {
  readonly label: string
  readonly value: string
}

/** Layouts whose files the console can take apart again. */
export const canBeSheet = ({ format }: Pick<Definition, 'format'>) => format !== 'xlsx'

/** The lines of the file of a shipment. */
export function linesOf({ format, encoding }: Definition, bytes: ArrayBuffer): string[] {
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

/** What a movement has in the file: the columns of its lines in their order, without empty ones. @param numbers its lines, from 1. */
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
