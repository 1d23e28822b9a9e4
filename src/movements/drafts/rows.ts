import {
  DRAFT_CLASSES,
  type DraftApproval,
  type DraftClass,
  type DraftClosedBecause,
  type DraftMovement,
  type DraftSource,
  type DraftStatus,
} from '#kernel/movement-drafts.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { type DraftCount, draftEvent } from '#platform/core/events.ts'
import { required } from '#platform/core/log.ts'
import { Records } from '#platform/core/records.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Tx } from '#platform/core/write.ts'
import type { Intake } from '../rules/intake.ts'
import type { DraftDifference } from '../rules/movement-draft.ts'

const sentDocuments = `coalesce(movement_draft_item.entry->'alteration-data'->'documents', movement_draft_item.entry->'exclusion-details'->'documents',
  movement_draft_item.entry->'documents')`

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

/** What differs in a list of people. */
export interface NewRosterDraft {
  /** That of the comparison. */
  readonly id: string
  readonly companyId: string
  readonly reference: string | null
  readonly intake: Intake | null
  readonly scopeKey: string
  /** How many people of the list's scope each product covers, by its id. */
  readonly covered: Readonly<Record<string, number>>
  /** Nothing but inclusions is proposed. */
  readonly isDoubtful: boolean
  readonly expiresOn: LocalDate
}

/**
 * Makes the draft of a comparison of `roster_item`, in the order of the classes; its status follows from `settleDraft`.
 * @returns how many items it has of each class; none: nothing differs, and there is no draft.
 */
export async function insertRosterDraft(
  tx: Tx,
  { clientId }: Pick<ClientActor, 'clientId'>,
  draft: NewRosterDraft,
): Promise<DraftCount[]> {
  const { id, companyId, reference, intake, scopeKey, covered, isDoubtful, expiresOn } = draft
  const inserted = await tx.execute(
    `insert into movement_draft (company_id, id, source, created_by, reference, intake, status, guard, scope_key, expires_on, created_at)
     select $1, $2, 'roster-sync', $3, $4, $5, 'open', coalesce((
         select jsonb_agg(jsonb_build_object('product-id', product.id, 'product-name', product.name, 'covered', covered.value::int) order by product.name, product.id)
         from jsonb_each_text($6::jsonb) as covered join product on product.company_id = $1 and product.id = covered.key::uuid), '[]'), $7, $8, $9
     where exists (select 1 from roster_item where company_id = $1 and sync_id = $2)`,
    [
      companyId,
      id,
      clientId,
      reference,
      intake === null ? null : JSON.stringify(intake),
      JSON.stringify(covered),
      scopeKey,
      expiresOn,
      tx.at(),
    ],
  )
  if (inserted === 0) return []
  await tx.execute(
    `insert into movement_draft_item (company_id, draft_id, number, class, movement, status, tax_id, member_id, family, name, employee_id, member_type,
       product_id, product_name, lines, entry, differences, explanation, enrollment_ids, by_number_only, also_ends, needs, offenses, decided_by)
     select $1, $2, row_number() over (order by array_position($3::text[], item.class), item.family, item.position), item.class, item.movement,
       item.status, item."taxId", item."memberId", item.family, item.name, item."employeeId", item."memberType", item."productId", item."productName",
       item.lines, case when item.status = 'proposed' then item.entry end, item.differences,
       case when item.is_doubtful then 'doubtful-list' else item.explanation end,
       item."enrollmentIds", item."byNumberOnly", item."alsoEnds", item.needs, item.offenses, $4
     from (
       select found.*, roster_item.family, roster_item.position, doubt.is_doubtful,
         case when found.class in ('held', 'refused') then found.class when doubt.is_doubtful then 'held' else 'proposed' end as status
       from roster_item
       cross join lateral jsonb_to_record(roster_item.item) as found(class text, movement text, "taxId" text, "memberId" uuid, name text,
         "employeeId" text, "memberType" text, "productId" uuid, "productName" text, lines integer[], entry jsonb, differences jsonb, explanation text,
         "enrollmentIds" uuid[], "byNumberOnly" boolean, "alsoEnds" integer, needs text[], offenses jsonb)
       cross join lateral (select $5 and found.class not in ('inclusion', 'held', 'refused') as is_doubtful) doubt
       where roster_item.company_id = $1 and roster_item.sync_id = $2) item`,
    [companyId, id, [...DRAFT_CLASSES], clientId, isDoubtful],
  )
  tx.audit({ action: 'movement-draft.created', target: id, companyId })
  const counts = await tx.query<DraftCount>(
    `select class, count(*)::int as items from movement_draft_item where company_id = $1 and draft_id = $2 group by class order by class`,
    [companyId, id],
  )
  tx.emit(companyId, draftEvent({ id, closedBecause: null, counts }))
  return counts
}

/**
 * Ends what is proposed of older open drafts of the same people: a newer list was compared. What waits for an approval or is confirmed stays.
 * @param exceptId the newer one.
 */
export async function supersedeDrafts(tx: Tx, companyId: string, scopeKey: string, exceptId: string): Promise<void> {
  const older = await tx.query<{ id: string }>(
    `select id from movement_draft where company_id = $1 and scope_key = $2 and id <> $3 and status <> 'closed' order by id for update`,
    [companyId, scopeKey, exceptId],
  )
  const ids = older.map(({ id }) => id)
  if (ids.length === 0) return
  await tx.execute(
    `update movement_draft_item set status = 'superseded', entry = null, decided_by = null, address = null, request_trace_id = null
     where company_id = $1 and draft_id = any($2::uuid[]) and status = 'proposed'`,
    [companyId, ids],
  )
  for (const id of ids) await settleDraft(tx, companyId, id, 'superseded')
}

/** The newer draft of the same people; null: there is none. */
export async function newerDraft(sql: Sql, { companyId, id, scopeKey }: LockedDraft): Promise<string | null> {
  if (scopeKey === null) return null
  const [row] = await sql.query<{ id: string }>(
    `select newer.id from movement_draft
     join movement_draft newer on newer.company_id = $1 and newer.scope_key = $3 and newer.created_at > movement_draft.created_at
     where movement_draft.company_id = $1 and movement_draft.id = $2 order by newer.created_at desc limit 1`,
    [companyId, id, scopeKey],
  )
  return row?.id ?? null
}

export interface LockedDraft {
  readonly companyId: string
  readonly id: string
  readonly companyTaxId: string
  readonly source: DraftSource
  readonly scopeKey: string | null
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
    `select movement_draft.company_id as "companyId", movement_draft.id, company.tax_id as "companyTaxId", movement_draft.source,
       movement_draft.scope_key as "scopeKey", movement_draft.status, movement_draft.reference, movement_draft.intake, client.name as "createdBy", iso(movement_draft.created_at) as "createdAt",
       movement_draft.expires_on as "expiresOn",
       array(select document.id from document where document.company_id = $1 and document.request_id = $2) as "documentIds"
     from movement_draft join company on company.id = movement_draft.company_id join client on client.id = movement_draft.created_by
     where movement_draft.company_id = $1 and movement_draft.id = $2`,
    [companyId, draftId],
  )
  return required(draft, 'draft')
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
         count(*) filter (where movement_draft_item.status in ('requested', 'refused') and movement_draft_item.class <> 'refused') as done
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
       source = 'roster-sync' or exists (select 1 from client where client.id = movement_draft.created_by and client.api = 'partner') as "isCompanys"`,
    [companyId, draftIds, because, sql.now()],
  )
  return settled.filter(({ closedBecause }) => closedBecause !== null)
}

/** The same, with the audit and the events of those that are closed: a company hears of its own, and of lists. */
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
