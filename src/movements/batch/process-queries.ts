import type { Sql } from '#platform/core/database.ts'
import { requestFinished } from '#platform/core/events.ts'
import type { Tx } from '#platform/core/write.ts'
import type { FinishedRequestStatus, MovementKind, Resolution } from '#kernel/enums.ts'
import { insertOutcomesFrom } from '../decide/sandbox-outcome-queries.ts'
import type { ItemsOfMovements } from '../missing-documents/facts.ts'
import type { PendingItem } from '../transition/types.ts'

/** One chunk of an accepted batch: a bounded step of the worker. */
export interface Chunk {
  readonly companyId: string
  readonly requestId: string
  readonly chunk: number
  /** Whose request it is. */
  readonly requestedBy: 'partner' | 'operator'
  /** Whether it was made of a movement draft. */
  readonly isOfDraft: boolean
  /** How many of its items are a primary's. */
  readonly primaries: number
  readonly dependents: number
  /** Whether a movement of it waits for documents. */
  readonly lacksDocuments: boolean
}

/** The values of `itemsOfChunk`. */
export const chunkValues = ({ companyId, requestId, chunk }: Pick<Chunk, 'companyId' | 'requestId' | 'chunk'>) => [
  companyId,
  requestId,
  chunk,
]

/** How many items: a statement over many of them is planned for them. */
export const chunkSize = ({ primaries, dependents }: Chunk): number => primaries + dependents

/**
 * SQL: the items of a chunk, as `item`, over the parameters `chunkValues`.
 * @param payload the columns that are read from the payload, with their types; each costs time for each item.
 */
export function itemsOfChunk(payload: string | null = null): string {
  const record = payload === null ? '' : `cross join lateral jsonb_to_record(movement_item.payload) as own(${payload})`
  return `(select movement_item.company_id, movement_item.request_id, movement_item.position, movement_item.tax_id, movement_item.type,
    movement_item.reference, movement_item.subject,
      movement_item.requires${payload === null ? '' : ', own.*'}
    from movement_item ${record}
    where movement_item.company_id = $1 and movement_item.request_id = $2 and movement_item.chunk = $3) item`
}

interface RequestProgress {
  readonly kind: MovementKind
  readonly isProcessing: boolean
  readonly resolution: Resolution | null
  readonly requestedBy: Chunk['requestedBy']
  readonly isOfDraft: boolean
  /** The next chunk to process; null when there is none. */
  readonly chunk: number | null
  readonly isLast: boolean
}

/** Reads the progress of a request; null when there is none. */
export async function readProgress(sql: Sql, companyId: string, requestId: string): Promise<RequestProgress | null> {
  const rows = await sql.query<RequestProgress>(
    `select request.request_type as kind, request.status = 'processing' as "isProcessing", request.resolution, client.api as "requestedBy",
       request.draft_id is not null as "isOfDraft", waiting.first as chunk,
       waiting.first is not distinct from waiting.last as "isLast"
     from request join client on client.id = request.client_id
     cross join (select min(chunk) as first, max(chunk) as last from movement_item
       where company_id = $1 and request_id = $2) waiting
     where request.company_id = $1 and request.id = $2`,
    [companyId, requestId],
  )
  return rows[0] ?? null
}

interface ChunkSummary extends Pick<Chunk, 'primaries' | 'dependents' | 'lacksDocuments'> {
  /** Whether an unprocessed request of the company that was accepted earlier has a subject of the chunk, or one that it requires. */
  readonly hasEarlier: boolean
}

export async function readChunk(sql: Sql, companyId: string, requestId: string, chunk: number): Promise<ChunkSummary> {
  const [row] = await sql.query<ChunkSummary>(
    `with earlier as materialized (
       select movement_item.subject from movement_item
       where movement_item.company_id = $1 and movement_item.request_id = any(array(
         select work.target_id from work own join work on (work.created_at, work.target_id) < (own.created_at, own.target_id)
         where own.company_id = $1 and own.target_id = $2 and work.company_id = $1))
     )
     select count(*) filter (where item.type = 'primary')::int as primaries,
       count(*) filter (where item.type = 'dependent')::int as dependents,
       coalesce(bool_or(item.subject in (select subject from earlier)
         or item.requires in (select subject from earlier)), false) as "hasEarlier",
       exists (select 1 from movement_item where movement_item.company_id = $1 and movement_item.request_id = $2 and movement_item.chunk = $3
         and movement_item.payload ? 'pending_items') as "lacksDocuments"
     from ${itemsOfChunk()}`,
    chunkValues({ companyId, requestId, chunk }),
  )
  return row ?? { primaries: 0, dependents: 0, hasEarlier: false, lacksDocuments: false }
}

/** Reads what the movements of the chunk wait for, by their ids. */
export async function readPendingItems(sql: Sql, chunk: Chunk): Promise<ItemsOfMovements> {
  if (!chunk.lacksDocuments) return new Map()
  const rows = await sql.query<{ id: string; items: PendingItem[] }>(
    `select item.enrollment_id as id, item.pending_items as items from ${itemsOfChunk('enrollment_id uuid, pending_items jsonb')}
     where item.pending_items is not null`,
    chunkValues(chunk),
    chunkSize(chunk),
  )
  return new Map(rows.map(({ id, items }) => [id, items]))
}

/** Stores the outcomes of the sandbox of the items that have become enrollments. */
export async function insertOutcomesOfChunk(sql: Sql, chunk: Chunk): Promise<void> {
  const from = `(select item.enrollment_id as "enrollmentId", item.sandbox from ${itemsOfChunk('enrollment_id uuid, sandbox jsonb')}
    where item.sandbox is not null) requested`
  await sql.query(insertOutcomesFrom(from), chunkValues(chunk), chunkSize(chunk))
}

/** Deletes a processed chunk. */
export async function deleteChunk(sql: Sql, chunk: Chunk): Promise<void> {
  await sql.execute(
    'delete from movement_item where company_id = $1 and request_id = $2 and chunk = $3',
    chunkValues(chunk),
  )
}

/** Appends parts that did not become enrollments to the request. */
export async function insertFailures(
  sql: Sql,
  { companyId, requestId }: Chunk,
  failures: readonly object[],
): Promise<void> {
  await sql.execute('update request set failures = failures || $3::jsonb where company_id = $1 and id = $2', [
    companyId,
    requestId,
    JSON.stringify(failures),
  ])
}

/** Ends the request, once, with its event: `completed`, `partial-failure` or `failed`. */
export async function finishRequest(sql: Tx, at: Date, companyId: string, requestId: string): Promise<void> {
  const [row] = await sql.query<{ status: FinishedRequestStatus; reference: string | null }>(
    `update request set finished_at = $3, status = case
         when request.failures = '[]'::jsonb then 'completed'
         when exists (select 1 from enrollment where company_id = $1 and request_id = $2) then 'partial-failure'
         else 'failed' end
     where request.company_id = $1 and request.id = $2 and request.status = 'processing'
     returning request.status, request.reference`,
    [companyId, requestId, at],
  )
  if (row === undefined) return
  sql.emit(companyId, requestFinished({ id: requestId, ...row }))
}
