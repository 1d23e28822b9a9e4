import type { PayrollKind } from '#kernel/broker-enums.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { Layout } from '#registry/layouts/queries.ts'
import { renderMovements } from '#registry/layouts/render.ts'
import type { RenderedFile } from '#registry/layouts/types.ts'
import { firstDay } from '../rules/premium.ts'
import type { Employee } from './queries.ts'

/** A company and a period of its payroll. */
export interface PayrollMonth {
  readonly companyId: string
  readonly companyTaxId: string
  readonly month: Month
}

/** A line of the file of deductions. */
export interface FileRow {
  readonly employee: Employee
  readonly kind: PayrollKind
  readonly originMonth: Month
  readonly event: string
  readonly amount: number
}

/**
 * The lines of a file: an employee's amounts of one event are one line, or one for each month where the layout writes the month of origin. Negative
 * amounts are written positive under the event of refunds; without one they stay negative.
 */
export function fileRows<T extends FileRow>(
  definition: Layout['definition'],
  lines: readonly T[],
  refundEvent: string | null,
): FileRow[] {
  const isByMonth = definition.records.some(({ columns }) =>
    columns.some(({ source }) => source === 'payroll.origin-month'),
  )
  const groups = Map.groupBy(lines, ({ employee, kind, event, originMonth }) =>
    [employee.memberId, kind, event, isByMonth ? originMonth : ''].join(' '),
  )
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const amount = group.reduce((sum, line) => sum + line.amount, 0)
    if (first === undefined || amount === 0) return []
    const isRefund = amount < 0 && refundEvent !== null
    return [{ ...first, event: isRefund ? refundEvent : first.event, amount: isRefund ? -amount : amount }]
  })
}

/** The file of deductions. */
export function renderPayroll(
  { definition }: Pick<Layout, 'definition'>,
  { companyTaxId, month }: PayrollMonth,
  rows: readonly FileRow[],
): Promise<RenderedFile> {
  const header = { 'payroll.company-tax-id': companyTaxId, 'payroll.reference-month': firstDay(month) }
  const records = rows.map(({ employee, kind, event, amount, originMonth }) => ({
    enrollmentId: '',
    familyId: employee.memberId,
    values: {
      'payroll.kind': kind,
      'payroll.event': event,
      'payroll.amount': String(amount),
      'payroll.origin-month': firstDay(originMonth),
      'person.name': employee.name,
      'person.tax-id': employee.taxId,
      ...(employee.employeeId !== null && { 'registration.employee-id': employee.employeeId }),
      ...(employee.costCenter !== null && { 'registration.cost-center': employee.costCenter }),
    },
  }))
  return renderMovements(definition, header, records)
}
