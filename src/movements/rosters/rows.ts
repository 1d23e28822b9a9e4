import { v7 as uuidv7 } from 'uuid'
import type { LocalDate } from '#kernel/calendar.ts'
import type { RosterDoubt, RosterFormat, RosterProblem, RosterState, RosterStatus } from '#kernel/roster-syncs.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Tx } from '#platform/core/write.ts'
import { releaseDocuments } from '#registry/documents/queries.ts'
import type { Intake } from '../rules/intake.ts'

export interface NewRosterSync {
  readonly id: string
  readonly companyId: string
  readonly states: readonly RosterState[]
  /** In wire keys, without empty lists. */
  readonly within: object
  readonly scopeKey: string
  readonly asOf: LocalDate
  readonly peopleCount: number | null
  /** In wire keys. */
  readonly defaults: object
  readonly acceptDoubts: readonly RosterDoubt[]
  readonly automatic: boolean
  readonly reference: string | null
  readonly intake: Intake | null
}

export async function insertSync(tx: Tx, { clientId, origin }: ClientActor, sync: NewRosterSync): Promise<void> {
  await tx.execute(
    `insert into roster_sync (company_id, id, created_by, states, within, scope_key, as_of, people_count, defaults, accept_doubts, automatic,
       reference, intake, status, address, request_trace_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'open', $14, $15, $16)`,
    [
      sync.companyId,
      sync.id,
      clientId,
      sync.states,
      JSON.stringify(sync.within),
      sync.scopeKey,
      sync.asOf,
      sync.peopleCount,
      JSON.stringify(sync.defaults),
      sync.acceptDoubts,
      sync.automatic,
      sync.reference,
      sync.intake === null ? null : JSON.stringify(sync.intake),
      origin.address,
      origin.traceId,
      tx.at(),
    ],
  )
}

/** Locks a company against other new roster syncs until the transaction ends. @returns how many have not ended; one that got no list for a day is forgotten. */
export async function lockUnfinishedSyncs(sql: Sql, companyId: string): Promise<number> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('roster-sync ' || $1, 0))`, [companyId])
  const [row] = await sql.query<{ count: number }>(
    `select count(*) from roster_sync where company_id = $1
       and (status in ('reading', 'comparing') or status = 'open' and created_at > $2::timestamptz - interval '1 day')`,
    [companyId, sql.now()],
  )
  return row?.count ?? 0
}

/** Locks a client against other new files until the transaction ends. @returns the bytes of those of its syncs that have not ended. */
export async function lockStoredBytes(sql: Sql, clientId: string): Promise<number> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('roster-sync-files ' || $1, 0))`, [clientId])
  const [row] = await sql.query<{ bytes: number }>(
    `select coalesce(sum(size), 0)::float8 as bytes from roster_sync where created_by = $1 and status in ('reading', 'comparing')`,
    [clientId],
  )
  return row?.bytes ?? 0
}

/** A roster sync as the steps of the worker and its acts need it. */
export interface LockedSync {
  readonly status: RosterStatus
  /** The client that sent it, and its API. */
  readonly createdBy: string
  readonly api: ClientActor['kind']
  readonly companyTaxId: string
  readonly states: readonly RosterState[]
  readonly storageKey: string | null
  readonly format: RosterFormat | null
  readonly sheet: string | null
  /** The hash of its file, in hexadecimal. */
  readonly sha256: string | null
}

const syncRow = (condition: string) => `select roster_sync.status, roster_sync.created_by as "createdBy", client.api,
    company.tax_id as "companyTaxId", roster_sync.states, roster_sync.storage_key as "storageKey", roster_sync.format, roster_sync.sheet,
    encode(roster_sync.sha256, 'hex') as "sha256"
  from roster_sync join company on company.id = roster_sync.company_id join client on client.id = roster_sync.created_by
  where ${condition}`

const readById = syncRow('roster_sync.company_id = $1 and roster_sync.id = $2')

/** null: there is none. */
export async function readSync(sql: Sql, companyId: string, id: string): Promise<LockedSync | null> {
  return (await sql.query<LockedSync>(readById, [companyId, id]))[0] ?? null
}

/** Locks a roster sync until the transaction ends. */
export async function lockSync(sql: Sql, companyId: string, id: string): Promise<LockedSync | null> {
  // A second statement, after the lock, sees what was committed during the wait.
  await sql.query('select from roster_sync where company_id = $1 and id = $2 for update', [companyId, id])
  return readSync(sql, companyId, id)
}

export interface ReceivedList {
  readonly storageKey: string
  readonly format: RosterFormat
  readonly fileName: string | null
  readonly sheet: string | null
  /** In hexadecimal. */
  readonly sha256: string
  readonly size: number
}

/** Gives a roster sync its file, and a worker the work. */
export async function startReading(
  tx: Tx,
  companyId: string,
  id: string,
  clientId: string,
  list: ReceivedList,
): Promise<void> {
  await tx.execute(
    `update roster_sync set status = 'reading', storage_key = $3, format = $4, file_name = $5, sheet = $6, sha256 = decode($7, 'hex'), size = $8
     where company_id = $1 and id = $2`,
    [companyId, id, list.storageKey, list.format, list.fileName, list.sheet, list.sha256, list.size],
  )
  await tx.execute(
    `with new_work_client as (
       -- selected first: an insert would wait for the worker's step that locks the row
       insert into work_client (client_id, last_served_at)
       select $2, $5 where not exists (select 1 from work_client where client_id = $2)
       on conflict do nothing
     ), work as (
       insert into work (id, kind, client_id, company_id, target_id, run_at, created_at) values ($1, 'roster-sync', $2, $3, $4, now(), $5)
     )
     select pg_notify('vigencia_work', '')`,
    [uuidv7(), clientId, companyId, id, tx.at()],
  )
}

/** What was read of a list. */
export interface ReadCounts {
  readonly lines: number
  readonly refusedLines: number
  readonly suspiciousLines: number
  readonly isComplete: boolean
  readonly hasMovementSheets: boolean
  readonly warnings: readonly object[]
  readonly sheetsNotRead: readonly string[]
}

export async function startComparing(sql: Sql, companyId: string, id: string, read: ReadCounts): Promise<void> {
  await sql.execute(
    `update roster_sync set status = 'comparing', lines = $3, refused_lines = $4, suspicious_lines = $5, is_complete = $6,
       has_movement_sheets = $7, warnings = $8, sheets_not_read = $9, compared = 0, of = null, compared_through = null, tally = '{}'
     where company_id = $1 and id = $2`,
    [
      companyId,
      id,
      read.lines,
      read.refusedLines,
      read.suspiciousLines,
      read.isComplete,
      read.hasMovementSheets,
      JSON.stringify(read.warnings),
      read.sheetsNotRead,
    ],
  )
}

/** Reads the list again from its file: the database lost its lines. */
export async function restartReading(sql: Sql, companyId: string, id: string): Promise<void> {
  await deleteStaged(sql, companyId, id)
  await sql.execute(
    `update roster_sync set status = 'reading', compared = 0, of = null, compared_through = null, tally = '{}'
     where company_id = $1 and id = $2 and status = 'comparing'`,
    [companyId, id],
  )
}

/** Deletes what is kept of a list until it is compared. */
export async function deleteStaged(sql: Sql, companyId: string, id: string): Promise<void> {
  for (const table of ['roster_line', 'roster_person', 'roster_item'])
    await sql.execute(`delete from ${table} where company_id = $1 and sync_id = $2`, [companyId, id])
}

export interface RosterSyncProblem {
  readonly problem: RosterProblem
  readonly field: string | null
  readonly line: number | null
}

/** Ends a roster sync without a comparison: its file becomes an orphan, and its lines are deleted. */
export async function endSync(
  tx: Tx,
  companyId: string,
  id: string,
  status: 'failed' | 'cancelled',
  problems: readonly RosterSyncProblem[] = [],
): Promise<void> {
  await deleteStaged(tx, companyId, id)
  await releaseDocuments(tx, companyId, id)
  await tx.execute(
    `with file as (
       select storage_key from roster_sync where company_id = $1 and id = $2 and storage_key is not null
     ), orphan as (
       insert into orphan_file (key, delete_after) select storage_key, statement_timestamp() from file
     )
     update roster_sync set status = $3, problems = $4, finished_at = $5, storage_key = null, intake = null where company_id = $1 and id = $2`,
    [companyId, id, status, JSON.stringify(problems), tx.at()],
  )
}

/** Deletes the work of a roster sync, unless a worker does it now: that one finds that it has ended. */
export async function deleteWork(sql: Sql, id: string): Promise<void> {
  await sql.execute(
    `delete from work where id in (select id from work where kind = 'roster-sync' and target_id = $1 for update skip locked)`,
    [id],
  )
}

/** Which of these ids are of no product of the company. */
export async function unknownProducts(sql: Sql, companyId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const known = await sql.query<{ id: string }>(
    'select id from product where company_id = $1 and id = any($2::uuid[])',
    [companyId, ids],
  )
  const found = new Set(known.map(({ id }) => id))
  return ids.filter((id) => !found.has(id))
}

/** A line of somebody who was erased: nobody is found by it. */
const erasedLine = JSON.stringify({
  role: null,
  primaryTaxId: null,
  dependentType: null,
  profile: {},
  productName: null,
  startOption: null,
  exclusion: null,
  carrier: {},
  reference: null,
})

/** Empties the lines of an erased person in lists that are compared, which are compared again from the first family on. */
export async function eraseFromLists(sql: Sql, companyId: string, taxIds: readonly string[]): Promise<void> {
  const syncs = await sql.query<{ id: string }>(
    `select id from roster_sync where company_id = $1 and status in ('reading', 'comparing') order by id for update`,
    [companyId],
  )
  if (syncs.length === 0) return
  const ids = syncs.map(({ id }) => id)
  await sql.execute(
    `update roster_line set data = jsonb_set(data, '{primaryTaxId}', 'null')
     where company_id = $1 and sync_id = any($2::uuid[]) and data->>'primaryTaxId' = any($3::text[])`,
    [companyId, ids, taxIds],
  )
  await sql.execute(
    `update roster_line set tax_id = null, data = $4::jsonb, offenses = '{malformed-line}'
     where company_id = $1 and sync_id = any($2::uuid[]) and tax_id = any($3::bpchar[])`,
    [companyId, ids, taxIds, erasedLine],
  )
  for (const table of ['roster_person', 'roster_item'])
    await sql.execute(`delete from ${table} where company_id = $1 and sync_id = any($2::uuid[])`, [companyId, ids])
  await sql.execute(
    `update roster_sync set compared = 0, of = null, compared_through = null, tally = '{}'
     where company_id = $1 and id = any($2::uuid[]) and status = 'comparing'`,
    [companyId, ids],
  )
}
