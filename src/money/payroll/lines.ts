import type { Sql } from '#platform/core/database.ts'
import { required } from '#platform/core/log.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { DeductionProblem, LeaveProblem } from '../rules/deduction.ts'
import type { OpenLine } from '../rules/payroll.ts'
import { firstDay, lastDay } from '../rules/premium.ts'
import { type Destination, PAYROLL_KINDS } from '#kernel/broker-enums.ts'
import { findLayout, type Layout } from '#registry/layouts/queries.ts'
import type { ItemProblemCode } from '#registry/layouts/types.ts'
import { readOpenLines } from './due.ts'
import { type FileRow, fileRows, type PayrollMonth, renderPayroll } from './file.ts'
import { type Employee, readEmployees, readProfile, type StoredProfile } from './queries.ts'

interface PayrollProblem {
  readonly employee: Employee
  readonly code: DeductionProblem | LeaveProblem | ItemProblemCode
  readonly column: string | null
}

export interface PayrollLine extends OpenLine {
  readonly employee: Employee
  /** null: the company has no profile. */
  readonly event: string | null
  readonly destination: Destination
  /** Why no export of the period has it: it waits until the end of an unpaid leave, or it is not known who collects it. */
  readonly waiting: 'defer' | LeaveProblem | null
}

export interface PayrollLines {
  readonly profile: StoredProfile | null
  /** null: the company has no profile. */
  readonly layout: Layout | null
  readonly lines: readonly PayrollLine[]
  readonly problems: readonly PayrollProblem[]
  readonly reopened: readonly Month[]
  /** The sum of all employees. */
  readonly held: number
  readonly withoutCharge: readonly PayrollLine[]
}

/** What an export of the period has, without the employees to skip; those with problems have no lines. By the employees' numbers and names. */
export async function readPayrollLines(
  sql: Sql,
  payroll: PayrollMonth,
  skip: ReadonlySet<string> = new Set(),
): Promise<PayrollLines> {
  const { companyId, month } = payroll
  const profile = await readProfile(sql, companyId)
  const { lines, problems: unknown, reopened } = await readOpenLines(sql, profile, { companyId, through: month })
  const known = lines.filter(({ memberId }) => !skip.has(memberId) && !unknown.has(memberId))
  const unknownIds = [...unknown.keys()].filter((id) => !skip.has(id))
  const employees = await readEmployees(sql, companyId, [...known.map(({ memberId }) => memberId), ...unknownIds])
  const listed = listedLines(known, employees, profile, month)
  const notExported = listed.filter((line) => line.open !== 0).toSorted(compareLines)
  const open = notExported.filter(({ waiting }) => waiting === null)
  const unknownLeaves = new Map(
    notExported.flatMap(({ waiting, employee }) =>
      waiting === null || waiting === 'defer'
        ? []
        : [[employee.memberId, { employee, code: waiting, column: null }] as const],
    ),
  )
  const unknownParts = unknownIds.flatMap((id): PayrollProblem[] => {
    const [employee, code] = [employees.get(id), unknown.get(id)]
    return employee === undefined || code === undefined ? [] : [{ employee, code, column: null }]
  })
  const problems = [...unknownParts, ...unknownLeaves.values()]
  const found = {
    profile,
    reopened: [...reopened].toSorted(),
    held: lines.reduce((sum, line) => sum + line.held, 0),
    withoutCharge: withoutCharge(listed),
  }
  if (profile === null) return { ...found, layout: null, lines: open, problems }
  const layout = required(await findLayout(sql, profile['layout-id']), 'layout')
  const refused = await layoutProblems(
    layout,
    payroll,
    open.map((line) => ({ ...line, amount: line.open })),
  )
  const withProblems = new Set(refused.map(({ employee }) => employee.memberId))
  return {
    ...found,
    layout,
    lines: open.filter(({ memberId }) => !withProblems.has(memberId)),
    problems: [...problems, ...refused],
  }
}

/**
 * The lines with whom they are of and where they go. By closed month everything goes to the payroll. A line without an employee is left out: the
 * inclusion was cancelled after the lines were read, and the person was deleted.
 */
export function listedLines(
  lines: readonly OpenLine[],
  employees: ReadonlyMap<string, Employee>,
  profile: StoredProfile | null,
  period: Month,
): PayrollLine[] {
  return lines.flatMap((line) => {
    const employee = employees.get(line.memberId)
    return employee === undefined ? [] : [listedLine(line, employee, profile, period)]
  })
}

function listedLine(line: OpenLine, employee: Employee, profile: StoredProfile | null, period: Month): PayrollLine {
  const collector = profile?.basis === 'effective-date' ? collectorOf(employee, profile, period) : 'payroll'
  const isWaiting = collector === 'defer' || collector === 'unpaid-leave-unknown'
  return {
    ...line,
    employee,
    event: profile === null ? null : eventOf(profile, line),
    destination: isWaiting ? 'payroll' : collector,
    waiting: isWaiting ? collector : null,
  }
}

/** The number of a line in the payroll. */
export function eventOf(
  { events }: StoredProfile,
  { kind, productType }: Pick<OpenLine, 'kind' | 'productType'>,
): string {
  return (events['by-product-type'][productType] ?? events)[kind]
}

/**
 * Who collects the deductions of an employee in a period. Who is not on the payroll of it is billed; an unpaid leave on the day of the payroll decides by
 * the profile, and a leave that may be paid says nothing.
 */
function collectorOf(employee: Employee, profile: StoredProfile, period: Month): Destination | 'defer' | LeaveProblem {
  const { isEmployed, leftOn, isFinal, leaves, isOnLeave } = employee
  if (!isEmployed || (leftOn !== null && (isFinal || leftOn < firstDay(period)))) return 'bill'
  const last = lastDay(period)
  const day = `${period}-${String(profile['payroll-day'] ?? 31).padStart(2, '0')}`
  const payday = day < last ? day : last
  const isUnpaid = leaves.some((leave) => leave.first <= payday && (leave.last === null || leave.last >= payday))
  if (isUnpaid) return profile['unpaid-leave'] ?? 'unpaid-leave-unknown'
  return isOnLeave && leaves.length === 0 ? 'unpaid-leave-unknown' : 'payroll'
}

/** The employees with deductions of three months and more that no closed month charges: the first line of each kind and type of products. */
function withoutCharge(lines: readonly PayrollLine[]): PayrollLine[] {
  const deducted = lines.filter(({ isCharged, exported }) => !isCharged && exported !== null && exported > 0)
  const groups = Map.groupBy(deducted, ({ memberId, kind, productType }) => `${memberId} ${kind} ${productType}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group.toSorted((a, b) => Number(a.originMonth > b.originMonth) * 2 - 1)
    return first !== undefined && group.length >= 3 ? [first] : []
  })
}

type Ordered = Pick<PayrollLine, 'employee' | 'kind' | 'productType' | 'originMonth'>

/** By the employees' numbers and names. */
export function compareLines(a: Ordered, b: Ordered): number {
  const keyOf = ({ employee, kind, productType, originMonth }: Ordered) => [
    employee.employeeId ?? '',
    employee.name,
    employee.memberId,
    PAYROLL_KINDS.indexOf(kind),
    productType,
    originMonth,
  ]
  const [mine, theirs] = [keyOf(a), keyOf(b)]
  const at = mine.findIndex((value, index) => value !== theirs[index])
  return at < 0 ? 0 : Number((mine[at] ?? '') > (theirs[at] ?? '')) * 2 - 1
}

type WrittenLine = Omit<FileRow, 'event'> & { readonly event: string | null; readonly destination: Destination }

/** What keeps employees out of the file, each once. */
export async function layoutProblems(
  layout: Layout,
  payroll: PayrollMonth,
  lines: readonly WrittenLine[],
): Promise<PayrollProblem[]> {
  const toPayroll = lines.filter(({ destination }) => destination === 'payroll')
  const rows = fileRows(
    layout.definition,
    toPayroll.map((line) => ({ ...line, event: line.event ?? '' })),
    null,
  )
  const { items } = await renderPayroll(layout, payroll, rows)
  const problems = new Map<string, PayrollProblem>()
  for (const [index, { employee }] of rows.entries()) {
    const problem = items[index]?.problems[0]
    if (problem !== undefined) problems.set(employee.memberId, { employee, code: problem.code, column: problem.column })
  }
  return [...problems.values()]
}
