import type { DraftBrokenReason, DraftMovement } from '#kernel/movement-drafts.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { Records } from '#platform/core/records.ts'
import type { Sql } from '#platform/core/database.ts'
import type { DraftDifference } from '../rules/movement-draft.ts'

export interface ConfirmedItem {
  readonly number: number
  /** null: it is written to the person, and becomes no movement. */
  readonly movement: DraftMovement | null
  readonly taxId: string
  readonly family: string
  readonly entry: Readonly<Record<string, unknown>>
  readonly differences: readonly DraftDifference[]
  /** Who confirmed it. */
  readonly clientId: string
  readonly kind: ClientActor['kind']
  readonly address: string
  readonly traceId: string
}

/** Confirmed items of one client and one movement, family by family. An inclusion is requested before what else becomes of a family. */
export async function readConfirmed(
  sql: Sql,
  companyId: string,
  draftId: string,
  limit: number,
): Promise<ConfirmedItem[]> {
  return sql.query<ConfirmedItem>(
    `with confirmed as materialized (
       select number, movement, tax_id, family, entry, differences, decided_by, address, request_trace_id from movement_draft_item
       where company_id = $1 and draft_id = $2 and status = 'confirmed'
     ), next as (
       select decided_by, movement from confirmed order by decided_by, array_position(array['inclusion', 'alteration', 'exclusion'], movement) nulls first limit 1
     )
     select confirmed.number, confirmed.movement, confirmed.tax_id as "taxId", confirmed.family, confirmed.entry, confirmed.differences,
       client.id as "clientId", client.api as kind, confirmed.address, confirmed.request_trace_id as "traceId"
     from next join confirmed on confirmed.decided_by = next.decided_by and confirmed.movement is not distinct from next.movement
     join client on client.id = confirmed.decided_by
     order by confirmed.family, confirmed.number limit $3`,
    [companyId, draftId, limit],
  )
}

/** Sets the items that became parts of a request. @param requestId null: they were written to their people. */
export async function requestItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  numbers: readonly number[],
  requestId: string | null,
): Promise<void> {
  await sql.execute(
    `update movement_draft_item set status = 'requested', request_id = $4, approval = null, entry = null, differences = null, address = null,
       request_trace_id = null
     where company_id = $1 and draft_id = $2 and number = any($3::int[])`,
    [companyId, draftId, numbers, requestId],
  )
}

/** Sets the items that the rules refuse. */
export async function refuseItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  refused: readonly { readonly number: number; readonly offenses: readonly string[] }[],
): Promise<void> {
  if (refused.length === 0) return
  await sql.execute(
    `update movement_draft_item set status = 'refused', offenses = refused.offenses, approval = null, entry = null, address = null,
       request_trace_id = null
     from json_to_recordset($3::json) as refused(number integer, offenses jsonb)
     where movement_draft_item.company_id = $1 and movement_draft_item.draft_id = $2 and movement_draft_item.number = refused.number`,
    [companyId, draftId, Records.of(refused)],
  )
}

/** Takes back what a client confirmed that may not request any more. What needs a second operator needs one again. */
export async function breakItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  clientId: string,
  reason: DraftBrokenReason,
): Promise<void> {
  await sql.execute(
    `with back as (
       update movement_draft_item set
         status = case when approval = 'second-operator' then 'approval' else 'proposed' end,
         approval = case when approval = 'second-operator' then approval end, address = null, request_trace_id = null
       where company_id = $1 and draft_id = $2 and status = 'confirmed' and decided_by = $3
     )
     update movement_draft set broken_reason = $4 where company_id = $1 and id = $2`,
    [companyId, draftId, clientId, reason],
  )
}
