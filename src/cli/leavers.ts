import type { CsvColumn } from '../domain/csv-column.ts'
import { importColumnOf } from '../domain/import-columns.ts'
import { LEAVER_DETAILS, leaverColumnOf } from './leaver-columns.ts'
import { readTableFile } from './table-file.ts'
import { CommandError } from './errors.ts'
import type { Payroll } from './payroll.ts'

export { jsonPayroll } from './payroll.ts'

/**
 * A batch of exclusions from a table, one line for each person.
 * @param companyTaxIdOption the company when the file has no such column.
 * @param defaults details of the lines that have none of their own.
 * @param sheet of a workbook.
 * @throws CommandError for a file that cannot be read as a table, and that names no company or several.
 */
export async function tableLeavers(
  file: string,
  bytes: Buffer,
  companyTaxIdOption: string | null,
  defaults: Readonly<Record<string, string | undefined>>,
  sheet?: string,
): Promise<Payroll> {
  const { lines, warnings } = await readTableFile(file, bytes, { columnOf, required: ['tax-id'] }, sheet)
  if (lines.every(({ fields }) => fields['tax-id'] === undefined)) {
    throw new CommandError('usage', `${file} needs a header with tax-id, and lines under it.`)
  }
  const companies = new Set(lines.map(({ fields }) => fields['company-tax-id']).filter((one) => one !== undefined))
  const company = companyTaxIdOption ?? (companies.size === 1 ? [...companies][0] : undefined)
  if (company === undefined) {
    const what = companies.size === 0 ? 'names no company' : `names ${companies.size} companies; a batch is of one`
    throw new CommandError('usage', `${file} ${what}.`, 'Use a column `company-tax-id`, or --company-tax-id.')
  }
  const members = lines.map(({ fields }) => {
    const cells = Object.entries(fields).filter(([name]) => name !== 'company-tax-id')
    const isDetail = ([name]: readonly [string, unknown]) => LEAVER_DETAILS.some((one) => one === name)
    return {
      ...Object.fromEntries(cells.filter((cell) => !isDetail(cell))),
      'exclusion-details': { ...defaults, ...Object.fromEntries(cells.filter(isDetail).map(valueOf)) },
    }
  })
  return {
    bytes: Buffer.from(JSON.stringify({ 'company-tax-id': company, members })),
    members: members.length,
    lines: lines.map(({ number }) => [number]),
    warnings,
  }
}

const booleans: ReadonlySet<string> = new Set(['extension-plan', 'contributed', 'keeps-working-after-retirement'])

/** A detail as JSON has it; a cell in no known form stays, and the service refuses it. */
function valueOf([name, cell]: readonly [string, unknown]): readonly [string, unknown] {
  if (typeof cell !== 'string') return [name, cell]
  if (booleans.has(name) && /^(?:true|1|yes|sim)$/i.test(cell)) return [name, true]
  if (booleans.has(name) && /^(?:false|0|no|n[aã]o)$/i.test(cell)) return [name, false]
  return [name, name === 'contribution-months' && /^\d{1,3}$/.test(cell) ? Number(cell) : cell]
}

function columnOf(header: string): CsvColumn | null {
  return header === '' ? null : (leaverColumnOf(header) ?? importColumnOf(header) ?? { name: header, parse: String })
}
