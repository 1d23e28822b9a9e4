import type { Info } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { productNameKey } from '../domain/product-name.ts'
import { CommandError } from './errors.ts'
import { parseObject } from './json-file.ts'

/** A batch as `POST /v1/enrollment/inclusion` takes it, and where each of its members stands in the file. */
export interface Payroll {
  readonly bytes: Buffer
  readonly members: number
  /** By index of the member: its lines in the file, from 1. */
  readonly lines: readonly (readonly number[])[]
}

/** A batch that was written as JSON: sent as it stands, so that the service judges what the file says. */
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

interface Line {
  readonly number: number
  readonly cells: Readonly<Record<string, string>>
}

/** Columns of a line that say which product; all others are fields of the member. */
const productColumns = new Set(['company-tax-id', 'product-type', 'product-name', 'start-option'])

/**
 * A batch that was written as CSV, a line for each member and product. Lines that agree in all fields of the member are one
 * member with several products; others stay apart, for the service to judge.
 * @param productsOf asks the service, for files without a column `product-type`.
 */
export async function csvPayroll(
  file: string,
  bytes: Buffer,
  named: string | null,
  productsOf: (companyTaxId: string) => Promise<readonly Product[]>,
): Promise<Payroll> {
  const rows = readLines(file, bytes)
  const companyTaxId = named ?? companyOf(file, rows)
  const needsTypes = rows.some(({ cells }) => cells['product-name'] && !cells['product-type'])
  const types = new Map(
    (needsTypes ? await productsOf(companyTaxId) : []).map((one) => [
      productNameKey(one['product-name']),
      one['product-type'],
    ]),
  )
  const people = new Map<
    string,
    { member: Record<string, unknown>; products: Record<string, object[]>; lines: number[] }
  >()
  for (const { number, cells } of rows) {
    const fields = Object.entries(cells).filter(([name, value]) => !productColumns.has(name) && value !== '')
    const key = JSON.stringify(fields)
    const person = people.get(key) ?? { member: memberOf(fields), products: {}, lines: [] }
    people.set(key, person)
    person.lines.push(number)
    const name = cells['product-name'] ?? ''
    if (name === '') continue
    const type = cells['product-type'] || (types.get(productNameKey(name)) ?? 'other')
    const option = cells['start-option'] ?? ''
    const product = { name, ...(option === '' ? {} : { 'start-option': option }) }
    ;(person.products[type] ??= []).push(product)
  }
  const members = [...people.values()].map(({ member, products }) => ({ ...member, products }))
  return {
    bytes: Buffer.from(JSON.stringify({ 'company-tax-id': companyTaxId, members })),
    members: members.length,
    lines: [...people.values()].map((person) => person.lines),
  }
}

function memberOf(fields: readonly (readonly [string, string])[]): Record<string, unknown> {
  // Money is a number on the wire; what is none stays as it is and is told as an offense.
  return Object.fromEntries(
    fields.map(([name, value]) => [name, name === 'salary' && /^\d{1,15}$/.test(value) ? Number(value) : value]),
  )
}

function companyOf(file: string, rows: readonly Line[]): string {
  const named = [...new Set(rows.map(({ cells }) => cells['company-tax-id'] ?? '').filter(Boolean))]
  const [only] = named
  if (named.length === 1 && only !== undefined) return only
  throw new CommandError(
    'usage',
    named.length === 0 ? `${file} names no company.` : `${file} names ${named.length} companies; a batch is of one.`,
    {
      next:
        named.length === 0 ? 'Add a column `company-tax-id`, or use --company-tax-id.' : 'Split the file by company.',
    },
  )
}

/** @throws CommandError `refused` that lists the lines with another number of cells than the header. */
function readLines(file: string, bytes: Buffer): Line[] {
  const text = decode(bytes)
  const head = text.slice(0, text.search(/\r|\n|$/))
  let records: { record: string[]; info: Info }[]
  try {
    records = parse(text, {
      // Spreadsheets of Brazil separate by semicolons.
      delimiter: head.split(';').length > head.split(',').length ? ';' : ',',
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: string[]; info: Info }[]
  } catch (error) {
    const { lines } = error as { lines?: number }
    throw new CommandError(
      'usage',
      `${file} is no CSV that can be read${lines === undefined ? '' : `: see line ${lines}`}.`,
      { cause: error },
    )
  }
  const [header, ...rest] = records
  if (header === undefined || rest.length === 0)
    throw new CommandError('usage', `${file} holds no lines under a header.`)
  const names = header.record
  const malformed = rest.filter(({ record }) => record.length !== names.length).map(({ info }) => info.lines)
  if (malformed.length > 0) {
    const list = malformed.map((line) => `${file}:${line}: malformed-line`)
    throw new CommandError(
      'refused',
      [`${malformed.length} lines have another number of cells than the header:`, ...list].join('\n'),
      {
        body: { error: 'Malformed lines', result: malformed.map((line) => ({ line, offenses: ['malformed-line'] })) },
      },
    )
  }
  return rest.map(({ record, info }) => ({
    number: info.lines,
    cells: Object.fromEntries(names.map((name, column) => [name, record[column] ?? ''])),
  }))
}

/** UTF-8, with or without a byte order mark, else what old spreadsheets write. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
