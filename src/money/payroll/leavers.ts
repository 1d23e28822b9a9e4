import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, invalidParameter } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { type Language, TEXTS } from '#kernel/texts/texts.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import { type FinalLine, finalLimit, finalLines, wholeLine } from '../rules/final-balance.ts'
import type { OpenLine } from '../rules/payroll.ts'
import { readOpenLines } from './due.ts'
import type { FinalBalanceQuery, FinalBalanceResponse } from './final-schema.ts'
import { type Employee, readEmployees, readLastPeriod, readProfile, type StoredProfile } from './queries.ts'

/** What of an employee's remuneration is known. */
interface Compensation {
  readonly remuneration?: number | undefined
  readonly 'other-compensation'?: number | undefined
}

/** The profile of a company that deducts by effective date. @throws ApiError 404, 409. */
async function requireProfile(sql: Sql, companyId: string): Promise<StoredProfile> {
  const profile = await readProfile(sql, companyId)
  if (profile === null) throw new ApiError('payroll-profile-not-found')
  if (profile.basis !== 'effective-date') throw new ApiError('payroll-by-closed-month')
  return profile
}

/** The most that is deducted from an employee who leaves; null: there is no limit, or the remuneration is not known. */
function limitOf({ 'final-limit': limit }: StoredProfile, { salary }: Employee, given: Compensation): number | null {
  const remuneration = given.remuneration ?? salary
  if (limit === null || remuneration === null) return null
  return finalLimit(remuneration, given['other-compensation'] ?? 0)
}

/** The last month that has a line of the employees: that of the end, or of the last export. */
async function lastMonth(sql: Sql, companyId: string, ends: readonly LocalDate[], period: Month): Promise<Month> {
  const last = (await readLastPeriod(sql, companyId)) ?? period
  return [period, last, ...ends.map((end) => end.slice(0, 7))].toSorted().at(-1) ?? period
}

/** What an employee who leaves still owes, and what of it fits. @throws ApiError 404, 409; 400 without a last day. */
export async function finalBalance(
  sql: Sql,
  { companyId, memberId, today }: { readonly companyId: string; readonly memberId: string; readonly today: LocalDate },
  query: FinalBalanceQuery,
  language: Language,
): Promise<Static<typeof FinalBalanceResponse>> {
  const profile = await requireProfile(sql, companyId)
  const employee = (await readEmployees(sql, companyId, [memberId])).get(memberId)
  if (employee === undefined) throw new ApiError('member-not-found')
  const end = query['end-date'] ?? employee.leftOn
  if (end === null) throw invalidParameter([{ field: 'end-date', code: 'missing' }])
  const { lines } = await readOpenLines(sql, profile, {
    companyId,
    memberId,
    through: await lastMonth(sql, companyId, [end], today.slice(0, 7)),
    leaving: new Map([[memberId, end]]),
  })
  const limit = limitOf(profile, employee, query)
  const split = employee.isFinal ? billed(lines) : finalLines(lines, limit)
  const [fits, rest] = [sumTo(split, 'payroll'), sumTo(split, 'bill')]
  const laterUntil = await readLaterUntil(sql, companyId, memberId, end)
  return {
    result: {
      'member-id': memberId,
      name: employee.name,
      'end-date': end,
      months: lines.filter(({ open, held }) => open !== 0 || held !== 0).map(lineJson),
      balance: fits + rest,
      limit,
      fits,
      rest,
      'later-until': laterUntil,
      sentence: sentenceOf(language, { isLimited: profile['final-limit'] !== null, limit, laterUntil }),
    },
  }
}

const sumTo = (lines: readonly FinalLine[], to: FinalLine['destination']): number =>
  lines.reduce((sum, { destination, amount }) => sum + (destination === to ? amount : 0), 0)

const lineJson = ({ kind, productType, originMonth, due, exported, open, held }: OpenLine) => ({
  kind,
  'product-type': productType,
  'origin-month': originMonth,
  amount: due,
  exported: exported ?? 0,
  open,
  held,
})

function sentenceOf(
  language: Language,
  { isLimited, limit, laterUntil }: { isLimited: boolean; limit: number | null; laterUntil: Month | null },
): string {
  const texts = TEXTS[language]['final-balance']
  const limited = limit === null ? texts['remuneration-unknown'] : texts.limited
  const month = language === 'pt-BR' ? laterUntil?.split('-').toReversed().join('/') : laterUntil
  const later = month == null ? texts['later-unknown'] : texts.later.replace('{month}', month)
  return `${isLimited ? limited : texts.unlimited} ${later}`
}

/** The month until which co-participation of the covers of an employee's family may come; null: a contract does not say it. */
async function readLaterUntil(sql: Sql, companyId: string, memberId: string, end: LocalDate): Promise<Month | null> {
  const rows = await sql.query<{ months: number | null }>(
    `select distinct contract.coparticipation_delay_months as months from benefit
     join contract_plan on contract_plan.company_id = $1 and contract_plan.product_id = benefit.product_id
     join contract on contract.company_id = $1 and contract.id = contract_plan.contract_id
     where benefit.company_id = $1 and coalesce(benefit.primary_member_id, benefit.member_id) = $2 and benefit.status <> 'pending'`,
    [companyId, memberId],
  )
  const months = rows.map((row) => row.months)
  if (months.length === 0 || months.includes(null)) return null
  return addMonths(end.slice(0, 7), Math.max(...months.map((count) => count ?? 0)))
}

interface Leaver extends Compensation {
  readonly 'member-id': string
}

interface LeaverLines {
  readonly profile: StoredProfile
  readonly lines: readonly (FinalLine & { readonly employee: Employee })[]
  /** Employees of whom a part, or the remuneration that limits it, is not known. */
  readonly problems: ReadonlySet<string>
}

/** What an export of leavers has. @throws ApiError 404, 409; 400 for who is no leaver. */
export async function readLeaverLines(
  sql: Sql,
  companyId: string,
  period: Month,
  leavers: readonly Leaver[],
): Promise<LeaverLines> {
  const profile = await requireProfile(sql, companyId)
  const ids = leavers.map(({ 'member-id': id }) => id.toLowerCase())
  const employees = await readEmployees(sql, companyId, ids)
  const leaving = new Map<string, LocalDate>()
  for (const { memberId, leftOn } of employees.values()) if (leftOn !== null) leaving.set(memberId, leftOn)
  const others = ids.filter((id) => !leaving.has(id))
  if (others.length > 0) throw new ApiError('not-a-leaver', { 'member-ids': others })
  const through = await lastMonth(sql, companyId, [...leaving.values()], period)
  const { lines, problems: unknown } = await readOpenLines(sql, profile, { companyId, through, leaving })
  const byEmployee = Map.groupBy(lines, ({ memberId }) => memberId)
  const problems = new Set(ids.filter((id) => unknown.has(id)))
  const split = leavers.flatMap((leaver) => {
    const employee = required(employees.get(leaver['member-id'].toLowerCase()), 'employee')
    const { memberId, salary, isFinal } = employee
    const open = byEmployee.get(memberId) ?? []
    // The payroll settles the end of an employment once.
    if (isFinal) return billed(open).map((line) => ({ ...line, employee }))
    if (profile['final-limit'] !== null && leaver.remuneration === undefined && salary === null) problems.add(memberId)
    return finalLines(open, limitOf(profile, employee, leaver)).map((line) => ({ ...line, employee }))
  })
  return { profile, problems, lines: split.filter(({ memberId }) => !problems.has(memberId)) }
}

const billed = (lines: readonly OpenLine[]): FinalLine[] =>
  lines.flatMap((line) => (line.open === 0 ? [] : [wholeLine(line, 'bill')]))
