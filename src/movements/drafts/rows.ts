import type {
  DraftApproval,
  DraftBrokenReason,
  DraftClass,
  DraftClosedBecause,
  DraftMovement,
  DraftStatus,
} from '#kernel/movement-drafts.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { draftEvent } from '#platform/core/events.ts'
import { required } from '#platform/core/log.ts'
import { Records } from '#platform/core/records.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Tx } from '#platform/core/write.ts'
import type { Intake } from '../rules/intake.ts'
import type { DraftDifference } from '../rules/movement-draft.ts'

const sentDocuments = `coalesce(movement_draft_item.entry->'alteration-data'->'documents', movement_draft_item.entry->'exclusion-details'->'documents')`

/** SQL: the documents that the entry of a `movement_draft_item` names, as JSON. */
export const draftDocuments = `case jsonb_typeof(${sentDocuments}) when 'array' then ${sentDocuments} else '[]' end`

/** A draft is open for so many days after it was made or last confirmed. */
const OPEN_DAYS = 30

export const expiryOf = (today: LocalDate): LocalDate => addDays(today, OPEN_DAYS)

export interface NewDraftItem {
  readonly class: DraftClass
  readonly taxId: string
  readonly memberId: string
  readonly family: string
  /** In wire keys. */
  readonly entry: object
  readonly differences: readonly DraftDifference[]
}

export interface NewMovementDraft {
  readonly id: string
  readonly companyId: string
  readonly movement: DraftMovement
  readonly reference: string | null
  readonly comment: string | null
  readonly intake: Intake | null
  /** Who else has to confirm its items. */
  readonly approval: DraftApproval
  readonly expiresOn: LocalDate
  readonly items: readonly NewDraftItem[]
}

/** Locks a company against other drafts until the transaction ends. @returns how many are not closed. */
export async function lockOpenDrafts(sql: Sql, companyId: string): Promise<number> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('movement-draft ' || $1, 0))`, [companyId])
  const [row] = await sql.query<{ count: number }>(
    `select count(*) from movement_draft where company_id = $1 and status <> 'closed'`,
    [companyId],
  )
  return row?.count ?? 0
}

export async function insertDraft(tx: Tx, { clientId }: ClientActor, draft: NewMovementDraft): Promise<void> {
  const { id, companyId, movement, reference, comment, intake, approval, expiresOn, items } = draft
  await tx.execute(
    `insert into movement_draft (company_id, id, source, movement, created_by, reference, comment, intake, status, expires_on, created_at)
     values ($1, $2, 'batch', $3, $4, $5, $6, $7, 'open', $8, $9)`,
    [
      companyId,
      id,
      movement,
      clientId,
      reference,
      comment,
      intake === null ? null : JSON.stringify(intake),
      expiresOn,
      tx.at(),
    ],
  )
  await tx.execute(
    `insert into movement_draft_item (company_id, draft_id, number, class, movement, status, approval, tax_id, member_id, family, entry, differences, decided_by)
     select $1, $2, number, class, $6, 'approval', $4, "taxId", "memberId", family, entry, differences, $5
     from json_to_recordset($3::json) as sent(number integer, class text, "taxId" text, "memberId" uuid, family text, entry jsonb, differences jsonb)`,
    [
      companyId,
      id,
      Records.of(items.map((item, index) => ({ number: index + 1, ...item }))),
      approval,
      clientId,
      movement,
    ],
  )
}

/** Which items an act is about, of those that are not decided. */
export interface Selection {
  /** null: of all classes. */
  readonly classes: readonly DraftClass[] | null
  /** By number, beside those of the classes. */
  readonly items: readonly number[]
  readonly except: readonly number[]
}

/** SQL: a `movement_draft_item` of the draft ($1, $2) is selected by the classes $3, the numbers $4 and the exceptions $5. */
const isSelected = `movement_draft_item.company_id = $1 and movement_draft_item.draft_id = $2
  and ($3::text[] is null or movement_draft_item.class = any($3::text[]) or movement_draft_item.number = any($4::int[]))
  and movement_draft_item.number <> all($5::int[])`

const selectionValues = ({ classes, items, except }: Selection) => [classes, items, except]

export interface LockedDraft {
  readonly companyId: string
  readonly id: string
  readonly companyTaxId: string
  readonly movement: DraftMovement
  readonly status: DraftStatus
  readonly reference: string | null
  readonly intake: Intake | null
  /** The name of the client that sent it. */
  readonly createdBy: string
  /** RFC 3339. */
  readonly createdAt: string
  readonly expiresOn: LocalDate
  /** What belongs to it. */
  readonly documentIds: readonly string[]
}

/** Locks a draft until the transaction ends. */
export async function lockDraft(sql: Sql, companyId: string, draftId: string): Promise<LockedDraft> {
  // A second statement, after the lock, sees what was committed during the wait.
  await sql.query('select from movement_draft where company_id = $1 and id = $2 for update', [companyId, draftId])
  const [draft] = await sql.query<LockedDraft>(
    `select movement_draft.company_id as "companyId", movement_draft.id, company.tax_id as "companyTaxId", movement_draft.movement,
       movement_draft.status, movement_draft.reference, movement_draft.intake, client.name as "createdBy", iso(movement_draft.created_at) as "createdAt",
       movement_draft.expires_on as "expiresOn",
       array(select document.id from document where document.company_id = $1 and document.request_id = $2) as "documentIds"
     from movement_draft join company on company.id = movement_draft.company_id join client on client.id = movement_draft.created_by
     where movement_draft.company_id = $1 and movement_draft.id = $2`,
    [companyId, draftId],
  )
  return required(draft, 'draft')
}

/** A draft can be confirmed for some time again; what was broken is mended. */
export async function setConfirmed(sql: Sql, companyId: string, draftId: string, expiresOn: LocalDate): Promise<void> {
  await sql.execute(
    'update movement_draft set expires_on = $3, broken_reason = null where company_id = $1 and id = $2',
    [companyId, draftId, expiresOn],
  )
}

export interface ConfirmedItem {
  readonly number: number
  readonly family: string
  readonly entry: Readonly<Record<string, unknown>>
  readonly differences: readonly DraftDifference[]
  /** Who confirmed it. */
  readonly clientId: string
  readonly kind: ClientActor['kind']
  readonly address: string
  readonly traceId: string
}

/** Confirmed items of one client, family by family. */
export async function readConfirmed(
  sql: Sql,
  companyId: string,
  draftId: string,
  limit: number,
): Promise<ConfirmedItem[]> {
  return sql.query<ConfirmedItem>(
    `select movement_draft_item.number, movement_draft_item.family, movement_draft_item.entry, movement_draft_item.differences,
       client.id as "clientId", client.api as kind, movement_draft_item.address, movement_draft_item.request_trace_id as "traceId"
     from movement_draft_item join client on client.id = movement_draft_item.decided_by
     where movement_draft_item.company_id = $1 and movement_draft_item.draft_id = $2 and movement_draft_item.status = 'confirmed'
       and movement_draft_item.decided_by = (select min(decided_by) from movement_draft_item confirmed
         where confirmed.company_id = $1 and confirmed.draft_id = $2 and confirmed.status = 'confirmed')
     order by movement_draft_item.family, movement_draft_item.number limit $3`,
    [companyId, draftId, limit],
  )
}

/** Sets the items that became parts of a request. */
export async function requestItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  numbers: readonly number[],
  requestId: string,
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

/** Drafts of all companies whose last day is over. */
export async function readExpired(
  sql: Sql,
  today: LocalDate,
  limit: number,
): Promise<{ readonly companyId: string; readonly id: string }[]> {
  return sql.queryPlanned(
    `select company_id as "companyId", id from movement_draft where status = 'open' and expires_on < $1 order by created_at limit $2`,
    [today, limit],
  )
}

export interface OpenItem {
  readonly number: number
  readonly class: DraftClass
  readonly approval: DraftApproval | null
  readonly decidedBy: string | null
}

/** The selected items that wait for somebody. The draft is locked. */
export async function readOpenItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  selection: Selection,
): Promise<OpenItem[]> {
  return sql.query<OpenItem>(
    `select number, class, approval, decided_by as "decidedBy" from movement_draft_item
     where ${isSelected} and status in ('proposed', 'approval') order by number`,
    [companyId, draftId, ...selectionValues(selection)],
  )
}

/** Confirms items for a client. @param approval who else has to; null: nobody. */
export async function confirmItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  { clientId, origin }: ClientActor,
  numbers: readonly number[],
  approval: DraftApproval | null,
): Promise<void> {
  await sql.execute(
    `update movement_draft_item set status = case when $7::text is null then 'confirmed' else 'approval' end, approval = coalesce($7, approval),
       decided_by = $4, address = $5, request_trace_id = $6
     where company_id = $1 and draft_id = $2 and number = any($3::int[])`,
    [companyId, draftId, numbers, clientId, origin.address, origin.traceId, approval],
  )
}

/** Discards the selected items that wait for somebody. @returns how many. */
export async function discardItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  clientId: string,
  selection: Selection,
  reason: string | null,
): Promise<number> {
  return sql.execute(
    `update movement_draft_item set status = 'discarded', approval = null, entry = null, decided_by = $6, address = null, request_trace_id = null,
       reason = $7
     where ${isSelected} and status in ('proposed', 'approval')`,
    [companyId, draftId, ...selectionValues(selection), clientId, reason],
  )
}

/** Ends the items of a draft that wait for somebody in the name of the clock. */
export async function expireItems(sql: Sql, companyId: string, draftId: string): Promise<void> {
  await sql.execute(
    `update movement_draft_item set status = 'expired', approval = null, entry = null, decided_by = null, address = null, request_trace_id = null
     where company_id = $1 and draft_id = $2 and status in ('proposed', 'approval')`,
    [companyId, draftId],
  )
}

/** Enqueues the work of a draft, unless it is there. */
export async function enqueueDraft(tx: Tx, companyId: string, draftId: string, clientId: string): Promise<void> {
  await tx.execute(
    `with new_work_client as (
       -- selected first: an insert would wait for the worker's step that locks the row
       insert into work_client (client_id, last_served_at)
       select $1, $4 where not exists (select 1 from work_client where client_id = $1)
       on conflict do nothing
     ), work as (
       insert into work (id, kind, client_id, company_id, target_id, run_at, created_at)
       values ($3, 'movement-draft', $1, $2, $3, $4, $4) on conflict do nothing
     )
     select pg_notify('vigencia_work', '')`,
    [clientId, companyId, draftId, tx.at()],
  )
}

interface SettledDraft {
  readonly id: string
  /** null: it is not. */
  readonly closedBecause: DraftClosedBecause | null
  readonly isCompanys: boolean
}

/**
 * Sets the status of drafts that follows from their items. Those that have none left to decide are closed.
 * @param because of a draft of which nothing was requested or refused.
 * @returns those that are closed now.
 */
export async function settleRows(
  sql: Sql,
  companyId: string,
  draftIds: readonly string[],
  because: DraftClosedBecause,
): Promise<SettledDraft[]> {
  const settled = await sql.query<SettledDraft>(
    `with counted as (
       select movement_draft.id, count(*) filter (where movement_draft_item.status = 'confirmed') as confirmed,
         count(*) filter (where movement_draft_item.status in ('proposed', 'approval')) as waiting,
         count(*) filter (where movement_draft_item.status in ('requested', 'refused')) as done
       from movement_draft left join movement_draft_item on movement_draft_item.company_id = movement_draft.company_id
         and movement_draft_item.draft_id = movement_draft.id
       where movement_draft.company_id = $1 and movement_draft.id = any($2::uuid[]) and movement_draft.status <> 'closed'
       group by movement_draft.id
     )
     update movement_draft set
       status = case when counted.confirmed > 0 then 'requesting' when counted.waiting > 0 then 'open' else 'closed' end,
       closed_because = case when counted.confirmed + counted.waiting = 0 then case when counted.done > 0 then 'done' else $3 end end,
       closed_at = case when counted.confirmed + counted.waiting = 0 then $4::timestamptz end
     from counted where movement_draft.company_id = $1 and movement_draft.id = counted.id
     returning movement_draft.id, movement_draft.closed_because as "closedBecause",
       exists (select from client where client.id = movement_draft.created_by and client.api = 'partner') as "isCompanys"`,
    [companyId, draftIds, because, sql.now()],
  )
  return settled.filter(({ closedBecause }) => closedBecause !== null)
}

/** The same, with the audit and the events of those that are closed: a company hears of its own. */
export async function settleDraft(
  tx: Tx,
  companyId: string,
  draftId: string,
  because: DraftClosedBecause,
): Promise<void> {
  for (const { id, closedBecause, isCompanys } of await settleRows(tx, companyId, [draftId], because)) {
    tx.audit({ action: 'movement-draft.closed', target: id, companyId })
    if (isCompanys) tx.emit(companyId, draftEvent({ id, closedBecause }))
  }
}
