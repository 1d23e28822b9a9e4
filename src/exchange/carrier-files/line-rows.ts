import type { CarrierLine } from './carrier-line.ts'

/* Lines as rows of a COPY. */

const columns = {
  line_number: ({ lineNumber }) => lineNumber,
  record: ({ record }) => record,
  kind: ({ kind }) => kind,
  problems: ({ problems }) => (problems === null ? null : JSON.stringify(problems)),
  unread: ({ unread }) => (unread === null ? null : JSON.stringify(unread)),
  card_number: ({ cardNumber }) => cardNumber,
  certificate: ({ certificate }) => certificate,
  dependent_code: ({ dependentCode }) => dependentCode,
  tax_id: ({ taxId }) => taxId,
  tax_id_repaired: ({ taxIdRepaired }) => taxIdRepaired,
  employee_id: ({ employeeId }) => employeeId,
  name: ({ name }) => name,
  date_of_birth: ({ dateOfBirth }) => dateOfBirth,
  member_type: ({ memberType }) => memberType,
  dependent_type: ({ dependentType }) => dependentType,
  plan_code: ({ planCode }) => planCode,
  start_date: ({ startDate }) => startDate,
  end_date: ({ endDate }) => endDate,
  amount: ({ amount }) => amount,
  employee_amount: ({ employeeAmount }) => employeeAmount,
  stated_total: ({ statedTotal }) => statedTotal,
  summed_total: ({ summedTotal }) => summedTotal,
  entry_type: ({ entryType }) => entryType,
  entry_code: ({ entryCode }) => entryCode,
  entry_period: ({ entryPeriod }) => entryPeriod,
  details: ({ details }) => (details === null ? null : JSON.stringify(details)),
} as const satisfies Readonly<Record<string, (line: CarrierLine) => string | number | boolean | null>>

/** The statement that `rowsOf` is the input of. */
export const copyLines = `copy carrier_line (company_id, file_id, ${Object.keys(columns).join(', ')}) from stdin`

const valuesOf = Object.values(columns)

/** The rows of a part of the lines. */
export function rowsOf(companyId: string, fileId: string, lines: readonly CarrierLine[]): Buffer {
  const rows = lines.map((line) => {
    const cells = valuesOf.map((valueOf) => cellOf(valueOf(line)))
    return `${companyId}\t${fileId}\t${cells.join('\t')}\n`
  })
  return Buffer.from(rows.join(''), 'utf8')
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function cellOf(value: string | number | boolean | null): string {
  if (value === null) return '\\N'
  return typeof value === 'string' ? value.replaceAll(/[\\\t\n\r]/g, (found) => escapes[found] ?? found) : String(value)
}
