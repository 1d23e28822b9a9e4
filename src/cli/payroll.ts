import type { Info } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { parseCents } from '../domain/import-columns.ts'
import { productNameKey } from '../domain/product-name.ts'
import { csvFields, readCsvHeader } from '../imports/csv.ts'
import { CommandError } from './errors.ts'
import { parseObject } from './json-file.ts'

/** The body of `POST /v1/enrollment/inclusion`, and the lines of its members in the file. */
export interface Payroll {
  readonly bytes: Buffer
  readonly members: number
  /** By index of the member, from 1. */
  readonly lines: readonly (readonly number[])[]
}

/** A batch from JSON: sent unchanged unless the company is given apart. */
export function jsonPayroll(file: string, bytes: Buffer, companyTaxId: string | null): Payroll {
  const body = parseObject(file, bytes)
  const lines = linesOfMembers(bytes.toString())
  const sent = companyTaxId === null ? bytes : Buffer.from(JSON.stringify({ ...body, 'company-tax-id': companyTaxId }))
  return { bytes: sent, members: lines.length, lines }
}

/** The line of each element of `members`, from 1. */
function linesOfMembers(text: string): number[][] {
  const root = parseTree(text)
  const nodes = (root && findNodeAtLocation(root, ['members'])?.children) ?? []
  let line = 1
  let at = 0
  return nodes.map(({ offset }) => {
    for (; at < offset; at += 1) if (text[at] === '\n') line += 1
    return [line]
  })
}

interface Product {
  readonly 'product-name': string
  readonly 'product-type': string
}

interface Person {
  readonly member: Readonly<Record<string, unknown>>
  readonly products: Record<string, object[]>
  readonly lines: number[]
}

interface Line {
  readonly number: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** Columns of a line that name the product; all others are fields of the member. */
const productColumns = new Set(['company-tax-id', 'product-type', 'product-name', 'start-option'])

/**
 * A batch from CSV, one line for each member and product. Lines that agree in all fields of the member are one member with
 * several products; others stay apart, for the service to judge.
 * @param companyTaxIdOption the company when the file has no such column.
 * @param productsOf reads the products of a company, for files without a column `product-type`.
 * @throws CommandError for a file that cannot be read as CSV, that names no company or several, or with malformed lines.
 */
export async function csvPayroll(
  file: string,
  bytes: Buffer,
  companyTaxIdOption: string | null,
  productsOf: (companyTaxId: string) => Promise<readonly Product[]>,
): Promise<Payroll> {
  const lines = readLines(file, bytes)
  const companyTaxId = companyTaxIdOption ?? companyOf(file, lines)
  const needsTypes = lines.some(({ fields }) => fields['product-name'] && !fields['product-type'])
  const types = new Map(
    (needsTypes ? await productsOf(companyTaxId) : []).map((one) => [
      productNameKey(one['product-name']),
      one['product-type'],
    ]),
  )
  const people = new Map<string, Person>()
  for (const { number, fields } of lines) {
    const entries = Object.entries(fields).filter(([name]) => !productColumns.has(name))
    const key = JSON.stringify(entries)
    const person = people.get(key) ?? { member: Object.fromEntries(entries), products: {}, lines: [] }
    people.set(key, person)
    person.lines.push(number)
    const { 'product-name': name, 'product-type': sentType, 'start-option': option } = fields
    if (typeof name !== 'string') continue
    const type = typeof sentType === 'string' ? sentType : (types.get(productNameKey(name)) ?? 'other')
    const product = { name, ...(option === undefined ? {} : { 'start-option': option }) }
    ;(person.products[type] ??= []).push(product)
  }
  const members = [...people.values()].map(({ member, products }) => ({ ...member, products }))
  return {
    bytes: Buffer.from(JSON.stringify({ 'company-tax-id': companyTaxId, members })),
    members: members.length,
    lines: [...people.values()].map((person) => person.lines),
  }
}

function companyOf(file: string, lines: readonly Line[]): string {
  const named = new Set(lines.map(({ fields }) => fields['company-tax-id']).filter((one) => typeof one === 'string'))
  const [only] = named
  if (named.size === 1 && only !== undefined) return only
  const [message, next] =
    named.size === 0
      ? [`${file} names no company.`, 'Add a column `company-tax-id`, or use --company-tax-id.']
      : [`${file} names ${named.size} companies; a batch is of one.`, 'Split the file by company.']
  throw new CommandError('usage', message, next)
}

const headerErrors = {
  invalid: 'is no CSV that can be read: see line 1',
  unknown: 'holds no lines under a header',
  repeated: 'names a column twice in its header',
}

const columnOf = (name: string) => (name === '' ? null : { name, parse: name === 'salary' ? parseCents : String })

function readLines(file: string, bytes: Buffer): Line[] {
  const text = decode(bytes)
  const header = readCsvHeader(text.slice(0, text.search(/\r|\n|$/)), columnOf)
  if ('error' in header) throw new CommandError('usage', `${file} ${headerErrors[header.error]}.`)
  const [, ...records] = parseRecords(file, text, header.separator)
  if (records.length === 0) throw new CommandError('usage', `${file} ${headerErrors.unknown}.`)
  const lines = records.map(({ record, info }) => ({ number: info.lines, fields: csvFields(record, header) }))
  const malformed = lines.filter(({ fields }) => fields === null).map(({ number }) => number)
  if (malformed.length > 0) {
    const list = malformed.map((line) => `${file}:${line}: malformed-line`)
    const message = [`${malformed.length} lines have another number of cells than the header:`, ...list].join('\n')
    const result = malformed.map((line) => ({ line, offenses: ['malformed-line'] }))
    throw new CommandError('refused', message, null, { body: { error: 'Malformed lines', result } })
  }
  return lines as Line[]
}

function parseRecords(file: string, text: string, delimiter: string): { record: string[]; info: Info }[] {
  try {
    const options = { delimiter, info: true, relax_column_count: true, skip_empty_lines: true, trim: true }
    return parse(text, options) as unknown as { record: string[]; info: Info }[]
  } catch (cause) {
    const { lines } = cause as { lines?: number }
    const where = lines === undefined ? '' : `: see line ${lines}`
    throw new CommandError('usage', `${file} is no CSV that can be read${where}.`, null, { cause })
  }
}

/** UTF-8, with or without a byte order mark, else Windows-1252, as older spreadsheets write it. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
