import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { type ContinuationGround, ENDING_DAYS } from '#coverage/rules/continuation.ts'

/** A continuation on which the clock acts. */
export interface DueContinuation {
  readonly companyId: string
  readonly id: string
  readonly benefitId: string
  readonly memberId: string
  readonly ground: ContinuationGround
  readonly contributionMonths: number
  readonly leavingDate: LocalDate
  readonly optionUntil: LocalDate | null
  readonly termEnd: LocalDate | null
  readonly hasTerm: boolean
  /** The end of the benefit; null: none. */
  readonly endDate: LocalDate | null
}

/** SQL: the last of the family has left; of a primary who has died those that outlive it count. */
const hasEnded = (company: string) => `(benefit.status = 'inactive' and not exists (select 1 from benefit survivor
  where survivor.company_id = ${company} and survivor.primary_member_id = benefit.member_id and survivor.product_id = benefit.product_id
    and survivor.status = 'active' and survivor.outlives_primary))`
const goesOn = (company: string) =>
  `(benefit.status = 'active' or benefit.status = 'inactive' and not ${hasEnded(company)})`

/** SQL: it is the id of the primary's benefit, or of one that outlives it. */
const isOfFamily = (
  id: string,
  company: string,
) => `(${id} = benefit.id or ${id} in (select survivor.id from benefit survivor
  where survivor.company_id = ${company} and survivor.primary_member_id = benefit.member_id and survivor.product_id = benefit.product_id
    and survivor.outlives_primary))`

/** SQL: the last day of the family's cover. */
const lastDay = (company: string) => `greatest(benefit.end_date, (select max(survivor.end_date) from benefit survivor
  where survivor.company_id = ${company} and survivor.primary_member_id = benefit.member_id and survivor.product_id = benefit.product_id
    and survivor.outlives_primary))`

const hasTerm = '(continuation.months is not null or continuation.without_end)'

/** What is due on the day $1, over `continuation` and its `benefit`. @param company SQL: the id of its company. */
const conditionsOf = (company: string) => ({
  // One whose benefit was replaced moves to the new one.
  closed: `continuation.open_benefit_id is not null and ${hasEnded(company)}`,
  expired: `continuation.status = 'offered' and continuation.option_until < $1 and benefit.status = 'active'`,
  activated: `continuation.status = 'accepted' and continuation.leaving_date < $1 and ${goesOn(company)}
    and (${hasTerm} or exists (select 1 from contract_plan
      join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
      where contract_plan.company_id = ${company} and contract_plan.active_product_id = benefit.product_id
        and contract.retirement_remainder is not null))`,
  // The tables say what was done before.
  ending: `continuation.status in ('accepted', 'active') and ${goesOn(company)}
    and continuation.term_end between $1 and $1::date + ${ENDING_DAYS}
    and not exists (select 1 from benefit_ending where benefit_ending.company_id = ${company}
      and ${isOfFamily('benefit_ending.benefit_id', company)} and benefit_ending.cause = 'continuation'
      and benefit_ending.end_date = continuation.term_end)`,
  ended: `continuation.status in ('accepted', 'active') and continuation.term_end <= $1 and ${goesOn(company)}
    and (continuation.term_end < $1 or not exists (select 1 from draft_exclusion where draft_exclusion.company_id = ${company}
      and ${isOfFamily('draft_exclusion.benefit_id', company)} and draft_exclusion.cause = 'continuation' and draft_exclusion.end_date = continuation.term_end))`,
})
export type DueWhat = keyof ReturnType<typeof conditionsOf>

const selected = (
  company: string,
) => `select continuation.company_id as "companyId", continuation.id, continuation.benefit_id as "benefitId",
    benefit.member_id as "memberId", continuation.ground, continuation.contribution_months as "contributionMonths",
    continuation.leaving_date as "leavingDate", continuation.option_until as "optionUntil", continuation.term_end as "termEnd",
    ${hasTerm} as "hasTerm", ${lastDay(company)} as "endDate"
  from continuation join benefit on benefit.company_id = continuation.company_id and benefit.id = continuation.benefit_id`

/** What is due on the day or earlier, of all companies. */
export async function readDueContinuations(
  sql: Sql,
  what: DueWhat,
  today: LocalDate,
  limit: number,
  without: readonly string[],
): Promise<DueContinuation[]> {
  return sql.queryPlanned<DueContinuation>(
    `${selected('benefit.company_id')} where ($1::date is not null) and ${conditionsOf('benefit.company_id')[what]}
     and continuation.company_id <> all($3::uuid[]) order by continuation.company_id, continuation.id limit $2`,
    [today, limit, without],
  )
}

/** Those of them that are still due, locked: another process may have done it. The caller has locked the families. */
export async function lockDueContinuations(
  sql: Sql,
  what: DueWhat,
  today: LocalDate,
  companyId: string,
  ids: readonly string[],
): Promise<DueContinuation[]> {
  const due = await sql.query<DueContinuation>(
    `${selected('$2')} where ($1::date is not null) and continuation.company_id = $2 and continuation.id = any($3::uuid[]) and ${conditionsOf('$2')[what]}
     order by continuation.id for no key update of continuation`,
    [today, companyId, ids],
  )
  if (what !== 'closed') return due
  // Another process may have replaced the benefit since the continuations were moved.
  const benefitIds = due.map(({ benefitId }) => benefitId)
  const replaced = await readReplacedIds(sql, companyId, benefitIds)
  return due.filter(({ benefitId }) => !replaced.has(benefitId))
}

/** Those of these ended benefits that others have replaced, in the same company or in another one. */
async function readReplacedIds(sql: Sql, companyId: string, benefitIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    `select replaces_id as id from benefit
     where replaces_company_id = $1 and replaces_id = any($2::uuid[]) and status <> 'pending'`,
    [companyId, benefitIds],
  )
  return new Set(rows.map(({ id }) => id))
}

/** How the exclusions that ended these benefits of primaries, or those of the dependents who outlived them, were meant: those completed last. */
export async function readLastExclusions(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
): Promise<Map<string, { readonly reason: string; readonly option: string | null }>> {
  const rows = await sql.query<{ benefitId: string; reason: string; option: string | null }>(
    `select distinct on (benefit.id) benefit.id as "benefitId",
       enrollment.data->'exclusion-details'->>'exclusion-reason' as reason, enrollment.data->'exclusion-details'->>'option' as option
     from benefit join benefit family on family.company_id = $1 and family.product_id = benefit.product_id
       and (family.id = benefit.id or family.primary_member_id = benefit.member_id and family.outlives_primary)
     join enrollment on enrollment.company_id = $1 and enrollment.member_id = family.member_id
       and enrollment.benefit_id = family.id and enrollment.status = 'completed' and enrollment.data ? 'exclusion-details'
     where benefit.company_id = $1 and benefit.id = any($2::uuid[])
     order by benefit.id, enrollment.updated_at desc, enrollment.id desc`,
    [companyId, benefitIds],
  )
  return new Map(rows.map(({ benefitId, ...last }) => [benefitId, last]))
}

/** A continuation whose benefit was replaced by a plan or company change. */
interface ReplacedContinuation {
  readonly companyId: string
  readonly id: string
  readonly newCompanyId: string
  readonly newBenefitId: string
}

export async function readReplacedContinuations(
  sql: Sql,
  limit: number,
  without: readonly string[],
): Promise<ReplacedContinuation[]> {
  return sql.queryPlanned<ReplacedContinuation>(
    `with ended as materialized (
       select continuation.company_id, continuation.id, continuation.open_benefit_id from continuation
       join benefit on benefit.company_id = continuation.company_id and benefit.id = continuation.open_benefit_id and benefit.status = 'inactive'
       where continuation.open_benefit_id is not null and continuation.company_id <> all($2::uuid[])
     )
     select ended.company_id as "companyId", ended.id, benefit.company_id as "newCompanyId", benefit.id as "newBenefitId"
     from ended join benefit on benefit.replaces_company_id = ended.company_id and benefit.replaces_id = ended.open_benefit_id
       and benefit.status <> 'pending'
     order by ended.company_id, ended.id limit $1`,
    [limit, without],
  )
}

/** Lets a continuation follow its benefit, also into another company: the term goes on. @returns whether another process did not. */
export async function moveContinuation(
  sql: Sql,
  { companyId, id, newCompanyId, newBenefitId }: ReplacedContinuation,
  at: Date,
): Promise<boolean> {
  const [row] = await sql.query<Record<string, unknown>>(
    `delete from continuation where company_id = $1 and id = $2 and open_benefit_id is distinct from $3 and open_benefit_id is not null
     returning id, ground, contribution_months, leaving_date, notice_date, option_date, status, months, without_end, term_end,
       primary_death_date, prices, created_at`,
    [companyId, id, newBenefitId],
  )
  if (row === undefined) return false
  const columns = Object.keys(row)
  await sql.execute(
    `insert into continuation (company_id, benefit_id, updated_at, ${columns.join(', ')})
     select $1, $2, $3, ${columns.join(', ')} from json_to_record($4::json) as moved(id uuid, ground text, contribution_months smallint,
       leaving_date date, notice_date date, option_date date, status text, months smallint, without_end boolean, term_end date,
       primary_death_date date, prices jsonb, created_at timestamptz)`,
    [newCompanyId, newBenefitId, at, JSON.stringify(row)],
  )
  return true
}
