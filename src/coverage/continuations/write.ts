import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import {
  calculateContinuation,
  type ContinuationEndReason,
  type ContinuationGround,
  type ContinuationStatus,
  type ContinuationVerdict,
  type NotEligibleReason,
} from '../rules/continuation.ts'
import { type ContinuationSettings, settingsOfProduct } from './contract-queries.ts'

/* The only statements that write continuations. */

/** A continuation that starts. */
export interface NewContinuation {
  readonly id: string
  readonly benefitId: string
  readonly ground: ContinuationGround
  readonly contributionMonths: number
  readonly leavingDate: LocalDate
  readonly noticeDate: LocalDate | null
  readonly optionDate: LocalDate | null
  readonly status: ContinuationStatus
  readonly prices?: readonly object[]
  readonly months: number | null
  readonly withoutEnd: boolean
  readonly termEnd: LocalDate | null
}

/** Inserts continuations; where the benefit has one that waits for an answer, that one gets the answer. @returns their ids. */
export async function putContinuations(
  sql: Sql,
  companyId: string,
  rows: readonly NewContinuation[],
  at: Date,
): Promise<string[]> {
  const written = await sql.query<{ id: string }>(
    `insert into continuation (company_id, id, benefit_id, ground, contribution_months, leaving_date, notice_date, option_date, status, months,
       without_end, term_end, prices, created_at, updated_at)
     select $1, id, "benefitId", ground, "contributionMonths", "leavingDate", "noticeDate", "optionDate", status, months, "withoutEnd", "termEnd",
       coalesce(prices, '[]'), $3, $3
     from json_to_recordset($2::json) as sent(id uuid, "benefitId" uuid, ground text, "contributionMonths" smallint, "leavingDate" date,
       "noticeDate" date, "optionDate" date, status text, months smallint, "withoutEnd" boolean, "termEnd" date, prices jsonb)
     on conflict (company_id, open_benefit_id) do update set ground = excluded.ground, contribution_months = excluded.contribution_months,
       leaving_date = excluded.leaving_date, notice_date = coalesce(excluded.notice_date, continuation.notice_date),
       option_date = excluded.option_date, months = excluded.months, without_end = excluded.without_end, term_end = excluded.term_end,
       status = case when excluded.status = 'notice-pending' then continuation.status else excluded.status end, updated_at = excluded.updated_at
       where continuation.status in ('notice-pending', 'offered')
     returning id`,
    [companyId, Records.of(rows), at],
  )
  return written.map(({ id }) => id)
}

/** A right that nothing became of: the person declined it, or has none. */
export interface RefusedContinuation extends Pick<
  NewContinuation,
  'id' | 'benefitId' | 'ground' | 'leavingDate' | 'noticeDate' | 'optionDate'
> {
  readonly status: 'declined' | 'no-right'
  readonly contributionMonths: number | null
  /** Only for `no-right`. */
  readonly notEligibleReason: NotEligibleReason | null
}

/** Records refused rights; where a benefit has a continuation that waits for an answer, that one is closed. @returns their ids. */
export async function putRefusedContinuations(
  sql: Sql,
  companyId: string,
  rows: readonly RefusedContinuation[],
  at: Date,
): Promise<string[]> {
  const written = await sql.query<{ id: string }>(
    `with sent as materialized (
       select * from json_to_recordset($2::json) as sent(id uuid, "benefitId" uuid, ground text, "contributionMonths" smallint, "leavingDate" date,
         "noticeDate" date, "optionDate" date, status text, "notEligibleReason" text)
     ), closed as (
       update continuation set ground = sent.ground, contribution_months = coalesce(sent."contributionMonths", continuation.contribution_months),
         leaving_date = sent."leavingDate", notice_date = coalesce(sent."noticeDate", continuation.notice_date), option_date = sent."optionDate",
         status = sent.status, not_eligible_reason = sent."notEligibleReason", months = null, without_end = false, term_end = null, updated_at = $3
       from sent where continuation.company_id = $1 and continuation.open_benefit_id = sent."benefitId"
         and continuation.status in ('notice-pending', 'offered')
       returning continuation.id, continuation.benefit_id
     ), added as (
       insert into continuation (company_id, id, benefit_id, ground, contribution_months, leaving_date, notice_date, option_date, status,
         not_eligible_reason, without_end, created_at, updated_at)
       select $1, id, "benefitId", ground, "contributionMonths", "leavingDate", "noticeDate", "optionDate", status, "notEligibleReason", false, $3, $3
       from sent where "benefitId" not in (select benefit_id from closed)
       returning id
     )
     select id from closed union all select id from added`,
    [companyId, Records.of(rows), at],
  )
  return written.map(({ id }) => id)
}

export interface ContinuationChange {
  readonly id: string
  readonly status: ContinuationStatus
  readonly noticeDate?: LocalDate
  readonly optionDate?: LocalDate
  readonly prices?: readonly object[]
  readonly months?: number | null
  readonly withoutEnd?: boolean
  readonly termEnd?: LocalDate | null
  readonly endDate?: LocalDate
  readonly endReason?: ContinuationEndReason
}

/** Changes continuations that have one of these statuses. @returns the ids of those that it changed. */
export async function updateContinuations(
  sql: Sql,
  companyId: string,
  changes: readonly ContinuationChange[],
  from: readonly ContinuationStatus[],
  at: Date,
): Promise<string[]> {
  const written = await sql.query<{ id: string }>(
    `update continuation set status = sent.status, notice_date = coalesce(sent."noticeDate", continuation.notice_date),
       option_date = coalesce(sent."optionDate", continuation.option_date), prices = coalesce(sent.prices, continuation.prices),
       months = coalesce(sent.months, continuation.months), without_end = coalesce(sent."withoutEnd", continuation.without_end),
       term_end = coalesce(sent."termEnd", continuation.term_end), end_date = sent."endDate", end_reason = sent."endReason", updated_at = $4
     from json_to_recordset($2::json) as sent(id uuid, status text, "noticeDate" date, "optionDate" date, prices jsonb, months smallint,
       "withoutEnd" boolean, "termEnd" date, "endDate" date, "endReason" text)
     where continuation.company_id = $1 and continuation.id = sent.id and continuation.status = any($3::text[])
     returning continuation.id`,
    [companyId, Records.of(changes), from, at],
  )
  return written.map(({ id }) => id)
}

/** Records the death of the primary of continuations that go on for the family. */
export async function recordDeathDays(
  sql: Sql,
  companyId: string,
  deaths: readonly { readonly benefitId: string; readonly day: LocalDate }[],
  at: Date,
): Promise<void> {
  await sql.execute(
    `update continuation set primary_death_date = coalesce(primary_death_date, sent.day), updated_at = $3
     from json_to_recordset($2::json) as sent("benefitId" uuid, day date)
     where continuation.company_id = $1 and continuation.open_benefit_id = sent."benefitId"`,
    [companyId, Records.of(deaths), at],
  )
}

/** The settings of the contracts of the products of benefits, by the benefit. */
export async function readSettingsOfBenefits(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
): Promise<Map<string, ContinuationSettings | null>> {
  const rows = await sql.query<{ id: string; settings: ContinuationSettings | null }>(
    `select benefit.id, ${settingsOfProduct('$1')} as settings from benefit
     join product on product.company_id = benefit.company_id and product.id = benefit.product_id
     where benefit.company_id = $1 and benefit.id = any($2::uuid[])`,
    [companyId, benefitIds],
  )
  return new Map(rows.map(({ id, settings }) => [id, settings]))
}

/** What the norm gives for a ground and months of contribution under the contract. */
export function termUnder(
  settings: ContinuationSettings | null | undefined,
  { ground, contributionMonths, leavingDate }: Pick<NewContinuation, 'ground' | 'contributionMonths' | 'leavingDate'>,
): ContinuationVerdict {
  return calculateContinuation({
    reason: ground,
    contributed: true,
    contributionMonths,
    keepsWorking: false,
    isPostPaid: settings?.postPaid ?? false,
    noticeDate: null,
    endDate: leavingDate,
    remainder: settings?.remainder ?? null,
  })
}

/** The columns of a term; empty ones where a setting is missing. */
export function termColumns(verdict: ContinuationVerdict): Pick<NewContinuation, 'months' | 'withoutEnd' | 'termEnd'> {
  if (verdict.kind !== 'eligible') return { months: null, withoutEnd: false, termEnd: null }
  return { months: verdict.months, withoutEnd: verdict.months === null, termEnd: verdict.termEnd }
}
