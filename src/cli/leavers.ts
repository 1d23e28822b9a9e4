import type { CsvColumn } from '../domain/csv-column.ts'
import { PORTUGUESE } from '../texts/texts.ts'
import { importColumnOf } from '../domain/import-columns.ts'
import { productNameKey } from '../domain/product-name.ts'
import { readTableFile } from './table-file.ts'
import { CommandError } from './errors.ts'
import type { Payroll } from './payroll.ts'

export { jsonPayroll } from './payroll.ts'

const details = ['end-date', 'exclusion-reason', 'exclusion-reason-details', 'extension-plan'] as const

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
    const isDetail = ([name]: readonly [string, unknown]) => details.some((one) => one === name)
    const own = Object.fromEntries(cells.filter(isDetail))
    const { 'extension-plan': kept, ...others }: Readonly<Record<string, unknown>> = { ...defaults, ...own }
    const extension =
      kept === undefined ? {} : { 'extension-plan': typeof kept === 'string' && /^(true|1|yes|sim)$/i.test(kept) }
    return {
      ...Object.fromEntries(cells.filter((cell) => !isDetail(cell))),
      'exclusion-details': { ...others, ...extension },
    }
  })
  return {
    bytes: Buffer.from(JSON.stringify({ 'company-tax-id': company, members })),
    members: members.length,
    lines: lines.map(({ number }) => [number]),
    warnings,
  }
}

const leaverColumns = [
  'tax-id',
  'company-tax-id',
  'primary-member-tax-id',
  'product-id',
  'benefit-id',
  'reference',
] as const

/** The names of the batch, and the Portuguese headers of an import or the terms of the fields; others are sent as they are, for the service to judge. */
const byHeader = new Map<string, CsvColumn>(
  [...leaverColumns, ...details].map((name) => [
    productNameKey(PORTUGUESE.fields[name]),
    importColumnOf(name) ?? { name, parse: String },
  ]),
)

function columnOf(header: string): CsvColumn | null {
  if (header === '') return null
  return importColumnOf(header) ?? byHeader.get(productNameKey(header)) ?? { name: header, parse: String }
}
