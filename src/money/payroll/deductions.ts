import type { Sql } from '#platform/core/database.ts'
import { foldName } from '#kernel/name.ts'
import { parseSearch } from '#kernel/search.ts'
import { parseParameter } from '#platform/http/parse-parameter.ts'
import { pageBounds, pagination } from '#platform/http/schemas.ts'
import { changeOf } from '../rules/deduction-change.ts'
import type { OpenLine } from '../rules/payroll.ts'
import { sumByPerson } from '../rules/deduction.ts'
import type { DeductionItem, DeductionQuery, DeductionStatus } from './deduction-schema.ts'
import { readOpenLines } from './due.ts'
import { compareLines, listedLines, type PayrollLine } from './lines.ts'
import { type Employee, readChangedEmployees, readEmployees, readProfile } from './queries.ts'

/** The body of a page of the deductions of a month of cover. Employees of whom a part is not known have none. */
export async function deductionList(sql: Sql, companyId: string, query: DeductionQuery) {
  const { 'reference-month': month, 'member-id': memberId = null, 'changed-since': since } = query
  const profile = await readProfile(sql, companyId)
  const { lines, problems, facts } = await readOpenLines(sql, profile, {
    companyId,
    through: month,
    memberId,
    isOneMonth: true,
  })
  const changed = since === undefined ? null : await readChangedEmployees(sql, companyId, since)
  const known = lines.filter(
    (line) => !problems.has(line.memberId) && isShown(line) && (changed === null || changed.has(line.memberId)),
  )
  const employees = await readEmployees(
    sql,
    companyId,
    known.map((line) => line.memberId),
  )
  const search = parseParameter('q', query.q, (q) => (parseSearch(q) === null ? null : foldName(q)))
  const sorted = listedLines(known, employees, profile, month)
    .filter(({ employee }) => search === null || isFound(employee, search))
    .toSorted(compareLines)
  const benefits = Map.groupBy(facts?.benefits ?? [], ({ employeeMemberId }) => employeeMemberId)
  const { limit, offset } = pageBounds(query)
  const result = sorted.slice(offset, offset + limit).map((line): DeductionItem => {
    const {
      since: sinceMonth,
      cause,
      next,
    } = changeOf(line, facts && { ...facts, benefits: benefits.get(line.memberId) ?? [] })
    return {
      'member-id': line.memberId,
      name: line.employee.name,
      'employee-id': line.employee.employeeId,
      kind: line.kind,
      'product-type': line.productType,
      'reference-month': line.originMonth,
      'by-person': sumByPerson(line.people.map((person) => ({ ...person, contractId: null }))).map((person) => ({
        'member-id': person.memberId,
        amount: person.amount,
      })),
      amount: line.due,
      exported: line.exported ?? 0,
      open: line.open,
      held: line.held,
      status: statusOf(line),
      'since-month': sinceMonth,
      cause,
      'next-change': next,
      destination: line.destination,
    }
  })
  return { result, pagination: pagination(query, sorted.length) }
}

/** @param search a part of the name or of the number, without case and accents. */
const isFound = ({ name, employeeId }: Employee, search: string): boolean =>
  foldName(name).includes(search) || foldName(employeeId ?? '').includes(search)

/** Whether there is an amount of any kind: what is contested as a whole is shown, too. */
const isShown = ({ due, held, exported }: OpenLine): boolean => due !== 0 || held !== 0 || exported !== null

function statusOf({ employee, isCharged, exported, open }: PayrollLine): DeductionStatus {
  if (employee.leftOn !== null && employee.isFinal) return 'final'
  if (isCharged) return open === 0 ? 'settled' : 'difference'
  return exported !== null && open !== 0 ? 'difference' : 'recurring'
}
