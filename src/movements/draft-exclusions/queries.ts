import type { Static } from 'typebox'
import { ApiError } from '#platform/core/errors.ts'
import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { DraftExclusionStatus, EndingCause } from '../rules/draft-exclusion.ts'
import type { ExclusionReason } from '#kernel/enums.ts'
import { pages, readerOf } from '#platform/http/pages.ts'
import { equals } from '#platform/core/parameters.ts'
import type { CompanyWrite } from '../transition/types.ts'
import type { DraftQuery } from './schema.ts'

const draftJson = `json_build_object('draft-id', draft_exclusion.id, 'company-tax-id', company.tax_id, 'company-name', company.name,
  'benefit-id', benefit.id, 'member-id', benefit.member_id, 'member-name', member.name, 'member-type', benefit.type,
  'product-id', product.id, 'product-name', product.name, 'cause', draft_exclusion.cause,
  'exclusion-reason', draft_exclusion.exclusion_reason, 'end-date', draft_exclusion.end_date, 'status', draft_exclusion.status,
  'decided-by', draft_exclusion.decided_by, 'reason', draft_exclusion.discard_reason, 'request-id', draft_exclusion.request_id,
  'created-at', iso(draft_exclusion.created_at), 'last-updated-at', iso(draft_exclusion.updated_at))`

const joined = `company join draft_exclusion on draft_exclusion.company_id = company.id
  join benefit on benefit.company_id = draft_exclusion.company_id and benefit.id = draft_exclusion.benefit_id
  join member on member.company_id = benefit.company_id and member.id = benefit.member_id
  join product on product.company_id = benefit.company_id and product.id = benefit.product_id`

/** A page of the drafts by their end. */
export const draftPage = pages<Static<typeof DraftQuery>>({
  from: joined,
  item: draftJson,
  order: 'draft_exclusion.end_date, draft_exclusion.id',
  where: { 'company-tax-id': equals('company.tax_id'), status: equals('draft_exclusion.status') },
})

/** `{ "result": draft }`; null when there is none. */
export const readDraft = readerOf({ from: joined, item: draftJson }, 'draft_exclusion.id')

export interface Draft {
  readonly companyId: string
  readonly id: string
  readonly benefitId: string
  readonly memberId: string
  readonly exclusionReason: ExclusionReason
  readonly endDate: LocalDate
  readonly status: DraftExclusionStatus
}

/** What a draft proposes, of any status. @throws ApiError 404 */
export async function requireDraft(sql: Sql, id: string): Promise<Draft> {
  const [draft] = await sql.query<Draft>(
    `select draft_exclusion.company_id as "companyId", draft_exclusion.id, draft_exclusion.benefit_id as "benefitId",
       benefit.member_id as "memberId", draft_exclusion.exclusion_reason as "exclusionReason", draft_exclusion.end_date as "endDate",
       draft_exclusion.status
     from draft_exclusion
     join benefit on benefit.company_id = draft_exclusion.company_id and benefit.id = draft_exclusion.benefit_id
     where draft_exclusion.id = $1`,
    [id],
  )
  if (draft === undefined) throw new ApiError('draft-exclusion-not-found')
  return draft
}

/** What becomes of an open draft. */
interface DraftDecision {
  readonly status: Exclude<DraftExclusionStatus, 'open'>
  /** null: the clock. */
  readonly decidedBy: string | null
  readonly reason: string | null
  readonly requestId: string | null
}

/** Decides those of the drafts that are open. @returns their ids. */
export async function decideDrafts(
  { sql, companyId, at }: CompanyWrite,
  ids: readonly string[],
  { status, decidedBy, reason, requestId }: DraftDecision,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update draft_exclusion set status = $4, decided_by = $5, discard_reason = $6, request_id = $7, updated_at = $3
     where company_id = $1 and id = any($2::uuid[]) and status = 'open' returning id`,
    [companyId, ids, at, status, decidedBy, reason, requestId],
  )
  return rows.map(({ id }) => id)
}

/** The end of a benefit that lies ahead. */
export interface Ending {
  readonly benefitId: string
  readonly memberId: string
  readonly cause: EndingCause
  /** The last day covered. */
  readonly endDate: LocalDate
}

/** Stores those of the ends that are not stored yet. @returns them. */
export async function claimEndings(
  { sql, companyId, at }: CompanyWrite,
  endings: readonly Ending[],
): Promise<Pick<Ending, 'benefitId' | 'memberId'>[]> {
  return sql.query(
    `with claimed as (
       insert into benefit_ending (company_id, benefit_id, cause, end_date, created_at)
       select $1, "benefitId", cause, "endDate", $3
       from json_to_recordset($2::json) as sent("benefitId" uuid, cause text, "endDate" date)
       on conflict do nothing returning benefit_id
     )
     select benefit.id as "benefitId", benefit.member_id as "memberId"
     from claimed join benefit on benefit.company_id = $1 and benefit.id = claimed.benefit_id order by benefit.id`,
    [companyId, Records.of(endings), at],
  )
}

export interface NewDraft extends Omit<Ending, 'memberId'> {
  readonly id: string
  readonly exclusionReason: ExclusionReason
}

/** Inserts those of the drafts whose end was not proposed yet. @returns their ids. */
export async function insertDraftRows(
  { sql, companyId, at }: CompanyWrite,
  drafts: readonly NewDraft[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `insert into draft_exclusion (company_id, id, benefit_id, cause, exclusion_reason, end_date, status, created_at, updated_at)
     select $1, id, "benefitId", cause, "exclusionReason", "endDate", 'open', $3, $3
     from json_to_recordset($2::json) as sent(id uuid, "benefitId" uuid, cause text, "exclusionReason" text, "endDate" date)
     on conflict do nothing returning id`,
    [companyId, Records.of(drafts), at],
  )
  return rows.map(({ id }) => id)
}

/** Open drafts of benefits that are not active any more. */
export async function readObsoleteDrafts(
  sql: Sql,
  limit: number,
): Promise<{ readonly companyId: string; readonly id: string }[]> {
  return sql.queryPlanned(
    `select draft_exclusion.company_id as "companyId", draft_exclusion.id from draft_exclusion
     join benefit on benefit.company_id = draft_exclusion.company_id and benefit.id = draft_exclusion.benefit_id
     where draft_exclusion.status = 'open' and benefit.status <> 'active' limit $1`,
    [limit],
  )
}
