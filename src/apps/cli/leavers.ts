import type { CsvColumn } from '#kernel/csv-column.ts'
import { importColumnOf } from '#movements/rules/import-columns.ts'
import { leaverColumnOf } from '#movements/rules/leaver-columns.ts'
import { membersToExclude } from '#movements/rules/movement-batch.ts'
import { readTableFile } from './table-file.ts'
import { CommandError } from './errors.ts'
import { say } from './language.ts'
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
    throw new CommandError('usage', say`${file} needs a header with tax-id, and lines under it.`)
  }
  const companies = new Set(lines.map(({ fields }) => fields['company-tax-id']).filter((taxId) => taxId !== undefined))
  const company = companyTaxIdOption ?? (companies.size === 1 ? [...companies][0] : undefined)
  if (company === undefined) {
    const message =
      companies.size === 0
        ? say`${file} names no company.`
        : say`${file} names ${companies.size} companies; a batch is of one.`
    throw new CommandError('usage', message, say`Use a column \`company-tax-id\`, or --company-tax-id.`)
  }
  const { members, lines: linesOf } = membersToExclude(lines, defaults)
  return {
    bytes: Buffer.from(JSON.stringify({ 'company-tax-id': company, members })),
    members: members.length,
    lines: linesOf,
    warnings,
  }
}

function columnOf(header: string): CsvColumn | null {
  return header === '' ? null : (leaverColumnOf(header) ?? importColumnOf(header) ?? { name: header, parse: String })
}
