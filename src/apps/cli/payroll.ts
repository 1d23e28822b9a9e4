import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { inclusionColumnOf } from '#movements/rules/inclusion-columns.ts'
import { alterationColumnOf } from '#movements/rules/alteration-columns.ts'
import { membersToAlter, membersToInclude, type TableMembers } from '#movements/rules/movement-batch.ts'
import { type FileLine, type FileWarning, readTableFile } from './table-file.ts'
import { CommandError } from './errors.ts'
import { say } from './language.ts'
import { parseObject } from './json-file.ts'

/** The body of `POST /v1/enrollment/inclusion`, and the lines of its members in the file. */
export interface Payroll {
  readonly bytes: Buffer
  readonly members: number
  /** By index of the member, from 1. */
  readonly lines: readonly (readonly number[])[]
  /** The warnings of the file, before it is sent. */
  readonly warnings: readonly FileWarning[]
}

/** A batch from JSON: sent unchanged unless the company is given apart. */
export function jsonPayroll(file: string, bytes: Buffer, companyTaxId: string | null): Payroll {
  const body = parseObject(file, bytes)
  const lines = linesOfMembers(bytes.toString())
  const sent = companyTaxId === null ? bytes : Buffer.from(JSON.stringify({ ...body, 'company-tax-id': companyTaxId }))
  return { bytes: sent, members: lines.length, lines, warnings: [] }
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
  readonly 'product-id': string
  readonly 'product-name': string
  readonly 'product-type': string
}

export interface PayrollDefaults {
  /** When the file has no such column. */
  readonly companyTaxId: string | null
  /** The start option of the lines without one. */
  readonly startOption: string | undefined
  /** The sheet of a workbook. */
  readonly sheet: string | undefined
}

/**
 * A batch from a table, one line for each member and product. Lines that agree in all fields of the member are one member with
 * several products; others stay apart, for the service to judge.
 * @param productsOf reads the products of a company, for files without a column `product-type`.
 * @throws CommandError for a file that cannot be read as a table, that names no company or several, or with malformed lines.
 */
export async function tablePayroll(
  file: string,
  bytes: Buffer,
  defaults: PayrollDefaults,
  productsOf: (companyTaxId: string) => Promise<readonly Product[]>,
): Promise<Payroll> {
  const columns = { columnOf: (name: string) => inclusionColumnOf(name) ?? null, required: ['tax-id'] }
  const { lines, warnings } = await readTableFile(file, bytes, columns, defaults.sheet)
  const companyTaxId = defaults.companyTaxId ?? companyOf(file, lines)
  const needsTypes = lines.some(({ fields }) => fields['product-name'] && !fields['product-type'])
  const products = needsTypes ? await productsOf(companyTaxId) : []
  return payrollOf(companyTaxId, membersToInclude(lines, products, defaults.startOption), warnings)
}

/**
 * A batch of alterations from a table, one line for each person; a blank cell alters nothing.
 * @param productsOf reads the products of a company, for files with a column `new-product-name`.
 * @throws CommandError as `tablePayroll`.
 */
export async function tableAlterations(
  file: string,
  bytes: Buffer,
  defaults: Omit<PayrollDefaults, 'startOption'>,
  productsOf: (companyTaxId: string) => Promise<readonly Product[]>,
): Promise<Payroll> {
  const columns = { columnOf: (name: string) => alterationColumnOf(name) ?? null, required: ['tax-id'] }
  const { lines, warnings } = await readTableFile(file, bytes, columns, defaults.sheet)
  const companyTaxId = defaults.companyTaxId ?? companyOf(file, lines)
  const needsIds = lines.some(({ fields }) => fields['new-product-name'] !== undefined)
  return payrollOf(companyTaxId, membersToAlter(lines, needsIds ? await productsOf(companyTaxId) : []), warnings)
}

function payrollOf(companyTaxId: string, { members, lines }: TableMembers, warnings: readonly FileWarning[]): Payroll {
  const bytes = Buffer.from(JSON.stringify({ 'company-tax-id': companyTaxId, members }))
  return { bytes, members: members.length, lines, warnings }
}

function companyOf(file: string, lines: readonly FileLine[]): string {
  const named = new Set(
    lines.map(({ fields }) => fields['company-tax-id']).filter((taxId) => typeof taxId === 'string'),
  )
  const [only] = named
  if (named.size === 1 && only !== undefined) return only
  const [message, next] =
    named.size === 0
      ? [say`${file} names no company.`, say`Add a column \`company-tax-id\`, or use --company-tax-id.`]
      : [say`${file} names ${named.size} companies; a batch is of one.`, say`Split the file by company.`]
  throw new CommandError('usage', message, next)
}
