import type { Static } from 'typebox'
import { oneOf, Parameters } from '#platform/core/parameters.ts'
import { conditionsOf, pages, type Where } from '#platform/http/pages.ts'
import { pageBounds } from '#platform/http/schemas.ts'
import type { ContinuationQuery } from './schema.ts'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import {
  type ContinuationGround,
  type ContinuationStatus,
  ENDING_DAYS,
  REMAINDER_SETTING,
} from '../rules/continuation.ts'
import type { Page } from '#platform/http/page.ts'
import type { LetterFacts } from './letters.ts'

/** SQL: the day by which an operator has to act on a `continuation`: the end of the time to answer, or that of the term once it is near. */
const dueDate = (today: LocalDate) => `case when continuation.status = 'offered' then continuation.option_until
  when continuation.status in ('accepted', 'active') and continuation.term_end <= '${today}'::date + ${ENDING_DAYS} then continuation.term_end end`

const joined = `join company on company.id = continuation.company_id
  join benefit on benefit.company_id = continuation.company_id and benefit.id = continuation.benefit_id
  join member on member.company_id = benefit.company_id and member.id = benefit.member_id
  join product on product.company_id = benefit.company_id and product.id = benefit.product_id`

/** SQL: a `continuation` as the API has it. */
const itemOn = (
  today: LocalDate,
) => `json_build_object('continuation-id', continuation.id, 'company-tax-id', company.tax_id, 'company-name', company.name,
  'member-id', benefit.member_id, 'member-name', member.name, 'product-id', benefit.product_id, 'product-name', product.name,
  'benefit-ids', (select json_agg(family.id order by family.type desc, family.id) from benefit family
    where family.company_id = benefit.company_id and family.product_id = benefit.product_id and family.status = 'active'
      and (family.id = benefit.id or family.primary_member_id = benefit.member_id and (benefit.status = 'active' or family.outlives_primary))),
  'ground', continuation.ground, 'contribution-months', continuation.contribution_months, 'leaving-date', continuation.leaving_date,
  'notice-date', continuation.notice_date, 'option-until', continuation.option_until, 'option-date', continuation.option_date,
  'status', continuation.status, 'not-eligible-reason', continuation.not_eligible_reason, 'months', continuation.months, 'without-end', continuation.without_end,
  'term-start', continuation.leaving_date + 1, 'term-end', continuation.term_end, 'due-date', ${dueDate(today)},
  'end-date', continuation.end_date, 'end-reason', continuation.end_reason, 'primary-death-date', continuation.primary_death_date,
  'missing-setting', case when continuation.open_benefit_id is not null and continuation.months is null and not continuation.without_end then '${REMAINDER_SETTING}' end,
  'created-at', iso(continuation.created_at), 'last-updated-at', iso(continuation.updated_at))`

type Query = Static<typeof ContinuationQuery>

const whereOn = (today: LocalDate): Where<Query> => ({
  status: oneOf('continuation.status', `continuation.status in ('notice-pending', 'offered', 'accepted', 'active')`),
  'company-tax-id': (taxId) => `continuation.company_id = (select id from company where tax_id = ${taxId})`,
  'due-until': (day) => `${dueDate(today)} <= ${day}::date`,
  'member-id': (id) => `exists (select 1 from benefit where benefit.company_id = continuation.company_id
    and benefit.id = continuation.benefit_id and benefit.member_id = ${id}::uuid)`,
})
const order = 'continuation.created_at desc, continuation.id desc'

/** A page of the continuations of all companies, the newest first. */
export const continuationPage = (sql: Sql, query: Query, today: LocalDate): Promise<Page> =>
  pages<Query>({ from: `continuation ${joined}`, item: itemOn(today), order, where: whereOn(today) })(sql, query)

/** The same of the caller's companies. `isEntitled`: whether the company of the filter is one. @throws ApiError 401 when the client is revoked. */
export async function listContinuations(
  sql: Sql,
  caller: Client,
  query: Query,
  today: LocalDate,
): Promise<Page & { readonly isEntitled: boolean }> {
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(caller.clientId, query['company-tax-id'] ?? null, limit, offset)
  const conditions = ['true', ...conditionsOf(whereOn(today), query, parameters)]
  const rows = await sql.query<Page & { isEntitled: boolean }>(
    `with own as materialized (
       select continuation.* from ${activePartner}
       join entitlement on entitlement.client_id = client.id
       join continuation on continuation.company_id = entitlement.company_id
       where ${conditions.join(' and ')}
     )
     select (select count(*) from own) as total,
       (select coalesce(json_agg(${itemOn(today)} order by ${order}), '[]')::text
        from (select * from own continuation order by ${order} limit $3 offset $4) continuation ${joined}) as items,
       $2::text is null or exists (select 1 from entitlement join company on company.id = entitlement.company_id
         where entitlement.client_id = client.id and company.tax_id = $2) as "isEntitled"
     from ${activePartner}`,
    parameters.values,
  )
  return rowOfActiveClient(rows)
}

/** `{ "result": continuation }` of any company; null when there is none. */
export async function readAnyContinuation(sql: Sql, today: LocalDate, id: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', ${itemOn(today)})::text as body from continuation ${joined} where continuation.id = $1`,
    [id],
  )
  return rows[0]?.body ?? null
}

/** The same of one of the caller's companies. @throws ApiError 401 when the client is revoked. */
export async function readContinuation(sql: Sql, caller: Client, today: LocalDate, id: string): Promise<string | null> {
  const rows = await sql.query<{ body: string | null }>(
    `select (select json_build_object('result', ${itemOn(today)})::text
       from continuation join entitlement on entitlement.company_id = continuation.company_id and entitlement.client_id = $1
       ${joined} where continuation.id = $2) as body
     from ${activePartner}`,
    [caller.clientId, id],
  )
  return rowOfActiveClient(rows).body
}

/** A continuation as its acts see it. */
export interface StoredContinuation {
  readonly companyId: string
  readonly id: string
  readonly benefitId: string
  readonly memberId: string
  readonly ground: ContinuationGround
  readonly contributionMonths: number
  readonly leavingDate: LocalDate
  readonly noticeDate: LocalDate | null
  readonly optionUntil: LocalDate | null
  readonly status: ContinuationStatus
  readonly termEnd: LocalDate | null
}

const stored = `select continuation.company_id as "companyId", continuation.id, continuation.benefit_id as "benefitId",
    benefit.member_id as "memberId", continuation.ground,
    continuation.contribution_months as "contributionMonths", continuation.leaving_date as "leavingDate",
    continuation.notice_date as "noticeDate", continuation.option_until as "optionUntil", continuation.status, continuation.term_end as "termEnd"
  from continuation join benefit on benefit.company_id = continuation.company_id and benefit.id = continuation.benefit_id`

/** null when there is none. */
export async function findContinuation(sql: Sql, id: string): Promise<StoredContinuation | null> {
  const rows = await sql.query<StoredContinuation>(`${stored} where continuation.id = $1`, [id])
  return rows[0] ?? null
}

/** The same, locked until the transaction ends. */
export async function lockContinuation(sql: Sql, companyId: string, id: string): Promise<StoredContinuation | null> {
  const rows = await sql.query<StoredContinuation>(
    `${stored} where continuation.company_id = $1 and continuation.id = $2 for no key update of continuation`,
    [companyId, id],
  )
  return rows[0] ?? null
}

const letter = `json_build_object('benefitId', continuation.benefit_id, 'companyId', continuation.company_id, 'facts', json_build_object(
  'companyName', company.name, 'companyTaxId', company.tax_id, 'memberName', member.name, 'productName', product.name,
  'carrierName', product.carrier_name, 'ground', continuation.ground, 'contributionMonths', continuation.contribution_months,
  'leavingDate', continuation.leaving_date, 'noticeDate', continuation.notice_date, 'optionUntil', continuation.option_until,
  'months', continuation.months, 'termStart', continuation.leaving_date + 1, 'termEnd', continuation.term_end, 'prices', continuation.prices,
  'dependentNames', array(select dependent_member.name from benefit dependent_benefit
    join member dependent_member on dependent_member.company_id = dependent_benefit.company_id and dependent_member.id = dependent_benefit.member_id
    where dependent_benefit.company_id = benefit.company_id and dependent_benefit.primary_member_id = benefit.member_id
      and dependent_benefit.product_id = benefit.product_id and dependent_benefit.status = 'active' order by dependent_benefit.id)),
  'status', continuation.status, 'isRefused', continuation.status in ('declined', 'no-right') and continuation.months is null and not continuation.without_end,
  'hasTerm', continuation.months is not null or continuation.without_end)`

/** What the letters of a continuation say; without a term they say nothing. */
export interface ContinuationLetter {
  readonly companyId: string
  readonly benefitId: string
  readonly facts: LetterFacts
  readonly status: ContinuationStatus
  /** It came of an exclusion that nothing became of: there is nothing to offer. */
  readonly isRefused: boolean
  readonly hasTerm: boolean
}

/** The letter of a continuation of any company; null when there is none. */
export async function readAnyLetter(sql: Sql, id: string): Promise<ContinuationLetter | null> {
  const rows = await sql.query<{ letter: ContinuationLetter }>(
    `select ${letter} as letter from continuation ${joined} where continuation.id = $1`,
    [id],
  )
  return rows[0]?.letter ?? null
}

/** The letter of a continuation of one of the caller's companies. @throws ApiError 401 when the client is revoked. */
export async function readLetter(sql: Sql, caller: Client, id: string): Promise<ContinuationLetter | null> {
  const rows = await sql.query<{ letter: ContinuationLetter | null }>(
    `select (select ${letter} from continuation
       join entitlement on entitlement.company_id = continuation.company_id and entitlement.client_id = $1
       ${joined} where continuation.id = $2) as letter
     from ${activePartner}`,
    [caller.clientId, id],
  )
  return rowOfActiveClient(rows).letter
}
