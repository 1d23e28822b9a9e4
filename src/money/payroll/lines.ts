import { readSharedCharges } from '../costs/cost-list.ts'
import type { Sql } from '#platform/core/database.ts'
import { required } from '#platform/core/log.ts'
import type { MissingShare } from '../rules/cost.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { deductionsOf, remainingDeductions } from '../rules/payroll.ts'
import { PAYROLL_KINDS } from '#kernel/broker-enums.ts'
import { findLayout, type Layout } from '#registry/layouts/queries.ts'
import { renderMovements } from '#registry/layouts/render.ts'
import type { ItemProblemCode, RenderedFile } from '#registry/layouts/types.ts'
import { type Employee, type ExportLine, readEmployees, readExported, readProfile } from './queries.ts'

/** A company and a month. */
interface PayrollMonth {
  readonly companyId: string
  readonly companyTaxId: string
  readonly month: Month
}

interface PayrollProblem {
  readonly employee: Employee
  readonly code: MissingShare | ItemProblemCode
  readonly column: string | null
}

interface PayrollLine extends Omit<ExportLine, 'event'> {
  readonly employee: Employee
  /** null: the company has no profile. */
  readonly event: string | null
  readonly exported: number
}

export interface PayrollLines {
  /** null: the company has no profile. */
  readonly layout: Layout | null
  readonly lines: readonly PayrollLine[]
  readonly problems: readonly PayrollProblem[]
}

/** What an export of the month has, without the employees to skip; those with problems have no lines. By the employees' numbers and names. */
export async function readPayrollLines(
  sql: Sql,
  payroll: PayrollMonth,
  skip: ReadonlySet<string> = new Set(),
): Promise<PayrollLines> {
  const { companyId, month } = payroll
  const profile = await readProfile(sql, companyId)
  const { deductions, problems: unknown } = deductionsOf(await readSharedCharges(sql, companyId, month))
  const exported = await readExported(sql, companyId, month)
  const remaining = remainingDeductions(deductions, exported).filter(
    ({ memberId }) => !skip.has(memberId) && !unknown.has(memberId),
  )
  const unknownIds = [...unknown.keys()].filter((id) => !skip.has(id))
  const employees = await readEmployees(sql, companyId, [...remaining.map(({ memberId }) => memberId), ...unknownIds])
  const exportedOf = new Map(exported.map((line) => [`${line.memberId} ${line.kind}`, line.amount]))
  const employeeOf = (id: string) => required(employees.get(id), 'employee')
  const lines = remaining
    .map((deduction): PayrollLine => ({
      ...deduction,
      employee: employeeOf(deduction.memberId),
      event: profile === null ? null : profile.events[deduction.kind],
      exported: exportedOf.get(`${deduction.memberId} ${deduction.kind}`) ?? 0,
    }))
    .toSorted(compareLines)
  const problems = unknownIds.map((id): PayrollProblem => {
    return { employee: employeeOf(id), code: required(unknown.get(id), 'problem'), column: null }
  })
  if (profile === null) return { layout: null, lines, problems }
  const layout = required(await findLayout(sql, profile['layout-id']), 'layout')
  const refused = await layoutProblems(layout, payroll, lines)
  const withProblems = new Set(refused.map(({ employee }) => employee.memberId))
  return {
    layout,
    lines: lines.filter(({ memberId }) => !withProblems.has(memberId)),
    problems: [...problems, ...refused],
  }
}

type Ordered = Pick<PayrollLine, 'employee' | 'kind'>

/** By the employees' numbers and names. */
export function compareLines(a: Ordered, b: Ordered): number {
  const keyOf = ({ employee, kind }: Ordered) => [
    employee.employeeId ?? '',
    employee.name,
    employee.memberId,
    PAYROLL_KINDS.indexOf(kind),
  ]
  const [mine, theirs] = [keyOf(a), keyOf(b)]
  const at = mine.findIndex((value, index) => value !== theirs[index])
  return at < 0 ? 0 : Number((mine[at] ?? '') > (theirs[at] ?? '')) * 2 - 1
}

/** What keeps employees out of the file, each once. */
async function layoutProblems(
  layout: Layout,
  payroll: PayrollMonth,
  lines: readonly PayrollLine[],
): Promise<PayrollProblem[]> {
  const { items } = await renderPayroll(layout, payroll, lines)
  const problems = new Map<string, PayrollProblem>()
  for (const [index, { employee }] of lines.entries()) {
    const problem = items[index]?.problems[0]
    if (problem !== undefined) problems.set(employee.memberId, { employee, code: problem.code, column: problem.column })
  }
  return [...problems.values()]
}

/** The file of deductions. */
export function renderPayroll(
  { definition }: Layout,
  { companyTaxId, month }: PayrollMonth,
  lines: readonly Pick<PayrollLine, 'employee' | 'kind' | 'event' | 'amount'>[],
): Promise<RenderedFile> {
  const header = { 'payroll.company-tax-id': companyTaxId, 'payroll.reference-month': `${month}-01` }
  const records = lines.map(({ employee, kind, event, amount }) => ({
    enrollmentId: '',
    familyId: employee.memberId,
    values: {
      'payroll.kind': kind,
      'payroll.event': event ?? '',
      'payroll.amount': String(amount),
      'person.name': employee.name,
      'person.tax-id': employee.taxId,
      ...(employee.employeeId !== null && { 'registration.employee-id': employee.employeeId }),
      ...(employee.costCenter !== null && { 'registration.cost-center': employee.costCenter }),
    },
  }))
  return renderMovements(definition, header, records)
}
