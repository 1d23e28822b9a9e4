import type { Info } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { CommandError } from './errors.ts'
import type { Payroll } from './payroll.ts'

export { jsonPayroll } from './payroll.ts'

const details = ['end-date', 'exclusion-reason', 'exclusion-reason-details', 'extension-plan'] as const

interface Line {
  readonly record: Readonly<Record<string, string>>
  readonly info: Info
}

/**
 * A batch of exclusions from CSV, one line for each person.
 * @param companyTaxIdOption the company when the file has no such column.
 * @param defaults details of the lines that have none of their own.
 * @throws CommandError for a file that cannot be read as CSV, and that names no company or several.
 */
export function csvLeavers(
  file: string,
  bytes: Buffer,
  companyTaxIdOption: string | null,
  defaults: Readonly<Record<string, string | undefined>>,
): Payroll {
  const lines = readLines(file, bytes)
  const companies = new Set(lines.map(({ record }) => record['company-tax-id'] ?? '').filter((one) => one !== ''))
  const company = companyTaxIdOption ?? (companies.size === 1 ? [...companies][0] : undefined)
  if (company === undefined) {
    const what = companies.size === 0 ? 'names no company' : `names ${companies.size} companies; a batch is of one`
    throw new CommandError('usage', `${file} ${what}.`, 'Use a column `company-tax-id`, or --company-tax-id.')
  }
  const members = lines.map(({ record }) => {
    const cells = Object.entries(record).filter(([name, cell]) => cell !== '' && name !== 'company-tax-id')
    const isDetail = ([name]: readonly [string, string]) => details.some((one) => one === name)
    const own = Object.fromEntries(cells.filter(isDetail))
    const { 'extension-plan': kept, ...others } = { ...defaults, ...own }
    const extension = kept === undefined ? {} : { 'extension-plan': /^(true|1|yes|sim)$/i.test(kept) }
    return {
      ...Object.fromEntries(cells.filter((cell) => !isDetail(cell))),
      'exclusion-details': { ...others, ...extension },
    }
  })
  return {
    bytes: Buffer.from(JSON.stringify({ 'company-tax-id': company, members })),
    members: members.length,
    lines: lines.map(({ info }) => [info.lines]),
  }
}

function readLines(file: string, bytes: Buffer): Line[] {
  try {
    const options = { columns: true, bom: true, trim: true, info: true, skip_empty_lines: true }
    const lines = parse(bytes, { ...options, delimiter: separatorOf(bytes) }) as unknown as Line[]
    if (lines.length > 0 && lines[0]?.record['tax-id'] !== undefined) return lines
  } catch (cause) {
    const { lines } = cause as { lines?: number }
    const where = lines === undefined ? '' : `: see line ${lines}`
    throw new CommandError('usage', `${file} is no CSV that can be read${where}.`, null, { cause })
  }
  throw new CommandError('usage', `${file} needs a header with tax-id, and lines under it.`)
}

function separatorOf(bytes: Buffer): string {
  const header = bytes.toString('latin1').split('\n', 1)[0] ?? ''
  return [';', '\t'].find((one) => header.includes(one)) ?? ','
}
