import type { FieldError } from '#kernel/fields.ts'
import { activeClient, rowOfActiveClient } from '#platform/core/access.ts'
import { uuid } from '#kernel/field-types.ts'
import type { Client, ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { FileType } from '#platform/http/file-type.ts'

/** The upload slots and documents of a client that no movement has used. */
interface UnusedDocuments {
  readonly count: number
  readonly bytes: number
}

/** The first of two keys of an advisory lock; the second is the hash of the client's id. */
const unusedDocumentsLock = 7

/**
 * Counts the client's unused documents, locked against additions until the transaction ends.
 * @throws ApiError 401 when the client is revoked.
 */
export async function lockUnusedDocuments(
  sql: Sql,
  { clientId, kind }: Pick<ClientActor, 'clientId' | 'kind'>,
): Promise<UnusedDocuments> {
  // A second statement, after the lock, sees what was committed during the wait.
  await sql.query('select pg_advisory_xact_lock($1, hashtext($2))', [unusedDocumentsLock, clientId])
  const rows = await sql.query<UnusedDocuments>(
    `select count(document.id)::int as count, coalesce(sum(document.size), 0)::float8 as bytes
     from ${activeClient({ kind })} left join document on document.client_id = client.id and document.used_at is null
     group by client.id`,
    [clientId],
  )
  return rowOfActiveClient(rows)
}

/** Inserts an empty upload slot of the caller. */
export async function insertSlot(
  sql: Sql,
  caller: Client,
  slot: { id: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await sql.execute('insert into document (id, client_id, created_at, expires_at) values ($2, $1, $3, $4)', [
    caller.clientId,
    slot.id,
    slot.createdAt,
    slot.expiresAt,
  ])
}

interface Slot {
  readonly clientId: string
  readonly kind: ClientActor['kind']
  /** Neither filled nor expired, and its client is active. */
  readonly isOpen: boolean
  /** The size of the client's documents that no movement has used. */
  readonly unusedBytes: number
}

/** The slot of a signed upload URL; undefined when there is none. The signature is the authorization. */
export async function readSlot(sql: Sql, id: string, now: Date): Promise<Slot | undefined> {
  const rows = await sql.query<Slot>(
    `select document.client_id as "clientId", client.api as kind,
       document.uploaded_at is null and document.expires_at > $2 and client.revoked_at is null as "isOpen",
       (select coalesce(sum(unused.size), 0)::float8 from document unused
        where unused.client_id = document.client_id and unused.used_at is null) as "unusedBytes"
     from document join client on client.id = document.client_id where document.id = $1`,
    [id, now],
  )
  return rows[0]
}

interface FilledSlot {
  readonly id: string
  readonly key: string
  readonly contentType: FileType
  readonly size: number
  readonly name: string
  readonly at: Date
}

/** Fills a slot. @returns false when it was filled before, its client is revoked, or the orphaned file is due to be deleted. */
export async function fillSlot(sql: Sql, file: FilledSlot): Promise<boolean> {
  const filled = await sql.execute(
    `with active_client as materialized (
       select client.id from document join client on client.id = document.client_id
       where document.id = $1 and client.revoked_at is null for share of client
     ), filled as (
       update document set uploaded_at = $3, storage_key = $2, content_type = $4, size = $5, name = $6
       where id = $1 and client_id = (select id from active_client) and uploaded_at is null
         and exists (select 1 from orphan_file where key = $2 and delete_after > statement_timestamp())
       returning storage_key
     )
     delete from orphan_file using filled where orphan_file.key = filled.storage_key`,
    [file.id, file.key, file.at, file.contentType, file.size, file.name],
  )
  return filled === 1
}

/** Inserts a key before its file is written, so that the file is deleted if nothing ever refers to it. */
export async function insertOrphan(sql: Sql, key: string): Promise<void> {
  await sql.execute(
    `insert into orphan_file (key, delete_after) values ($1, statement_timestamp() + interval '1 hour')`,
    [key],
  )
}

/** Keys of orphans to delete; the margin of a minute is for an upload that claims its key now. */
export async function readDeletableOrphans(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql.query<{ key: string }>(
    `select key from orphan_file where delete_after <= statement_timestamp() - interval '1 minute'
     order by delete_after limit $1`,
    [limit],
  )
  return rows.map((row) => row.key)
}

/** Removes a key from the orphans, in the transaction of the row that refers to it. @returns false when the file is due to be deleted. */
export async function claimOrphan(sql: Sql, key: string): Promise<boolean> {
  return (
    (await sql.execute('delete from orphan_file where key = $1 and delete_after > statement_timestamp()', [key])) === 1
  )
}

/** Deletes the key of a deleted file. */
export async function deleteOrphanRow(sql: Sql, key: string): Promise<void> {
  await sql.execute('delete from orphan_file where key = $1', [key])
}

/** Postpones the deletion of an orphan by an hour. */
export async function postponeOrphan(sql: Sql, key: string): Promise<void> {
  await sql.execute(`update orphan_file set delete_after = statement_timestamp() + interval '1 hour' where key = $1`, [
    key,
  ])
}

/** Deletes slots and documents that were not used within 7 days; their files become orphans. @returns the number deleted. */
export async function deleteNeverUsed(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql.query<{ deleted: number }>(
    `with expired as (
       select id from document where used_at is null and created_at < statement_timestamp() - interval '7 days'
       order by created_at limit $1
     ), deleted as (
       delete from document using expired where document.id = expired.id and document.used_at is null returning document.storage_key
     ), orphan as (
       insert into orphan_file (key, delete_after)
       select storage_key, statement_timestamp() - interval '1 hour' from deleted where storage_key is not null
     )
     select count(*) as deleted from deleted`,
    [limit],
  )
  return row?.deleted ?? 0
}

/** Those of the ids, which may be any text, that a movement of the caller may use: its own filled documents that are not used yet. */
export async function usableDocuments(sql: Sql, caller: Client, ids: readonly string[]): Promise<string[]> {
  const wellFormed = ids.filter(isDocumentId)
  if (wellFormed.length === 0) return []
  const rows = await sql.query<{ id: string }>(
    `select id from document
     where id = any($2::uuid[]) and client_id = $1 and uploaded_at is not null and used_at is null`,
    [caller.clientId, wellFormed],
  )
  return rows.map((row) => row.id)
}

/** The error of documents that `useDocuments` refuses. */
export const unusableDocuments = (field: string): FieldError => ({
  field,
  code: 'invalid',
  message: { key: 'unusable-documents' },
})

/**
 * Marks the documents as used by the request, in the transaction that accepts the request.
 * @returns false when one of them is not usable: the transaction must be rolled back.
 */
export async function useDocuments(
  sql: Sql,
  caller: Client,
  companyId: string,
  requestId: string,
  ids: readonly string[],
): Promise<boolean> {
  const distinct = [...new Set(ids)].sort()
  if (distinct.length === 0) return true
  if (!distinct.every(isDocumentId)) return false
  const used = await sql.execute(
    `update document set used_at = $5, company_id = $2, request_id = $3
     where id = any($4::uuid[]) and client_id = $1 and uploaded_at is not null and used_at is null`,
    [caller.clientId, companyId, requestId, distinct, sql.now()],
  )
  return used === distinct.length
}

/** What was used by something that came to nothing is unused again. */
export async function releaseDocuments(sql: Sql, companyId: string, requestId: string): Promise<void> {
  await sql.execute(
    'update document set used_at = null, company_id = null, request_id = null where company_id = $1 and request_id = $2',
    [companyId, requestId],
  )
}

/** Whether it is a UUID in lower case: the service creates no others. */
function isDocumentId(id: string): boolean {
  return uuid.parse(id) === id
}

/** SQL: the movement draft that a request was made of. */
export const draftOf = (companyId: string, requestId: string) =>
  `(select request.draft_id from request where request.company_id = ${companyId} and request.id = ${requestId})`

/** SQL: the `document` belongs to a request, or to the movement draft that it was made of. @param draftId SQL of `draftOf` it. */
export const isDocumentOf = (companyId: string, requestId: string, draftId: string) =>
  `document.company_id = ${companyId} and document.request_id in (${requestId}, ${draftId})`

/** SQL of the CTE e, the enrollment with its documents as sent. */
const enrollmentWithDocuments = `found as materialized (
  select company_id, request_id, ${draftOf('enrollment.company_id', 'enrollment.request_id')} as draft_id, case jsonb_typeof(data -> 'documents') when 'array' then data -> 'documents' else '[]' end as documents
  from enrollment where id = $1)`

/** SQL of an enrollment's documents in the order of its request, over the CTE e. */
const documentsOfEnrollment = `found cross join lateral jsonb_array_elements(found.documents) with ordinality as sent(item, position)
  join document on document.id = (sent.item ->> 'document-id')::uuid
    and ${isDocumentOf('found.company_id', 'found.request_id', 'found.draft_id')}`

/** `{ "result": [...] }`: the documents of an enrollment, for an operator; null when there is no enrollment. */
export async function listDocuments(sql: Sql, enrollmentId: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `with ${enrollmentWithDocuments} select json_build_object('result', (
       select coalesce(json_agg(json_build_object('document-id', document.id, 'document-type', sent.item ->> 'document-type',
         'name', document.name, 'content-type', document.content_type, 'size', document.size) order by sent.position), '[]')
       from ${documentsOfEnrollment}))::text as body
     from found`,
    [enrollmentId],
  )
  return rows[0]?.body ?? null
}

export interface StoredDocument {
  readonly key: string
  readonly companyId: string
  readonly name: string
  readonly contentType: FileType
  readonly size: number
}

/** A document of an enrollment, for an operator; null when the enrollment does not have it, undefined when there is no enrollment. */
export async function readDocument(
  sql: Sql,
  enrollmentId: string,
  documentId: string,
): Promise<StoredDocument | null | undefined> {
  const rows = await sql.query<{ document: StoredDocument | null }>(
    `with ${enrollmentWithDocuments} select (
       select json_build_object('key', document.storage_key, 'companyId', document.company_id, 'name', document.name,
         'contentType', document.content_type, 'size', document.size)
       from ${documentsOfEnrollment} where document.id = $2 limit 1) as document
     from found`,
    [enrollmentId, documentId],
  )
  return rows[0] === undefined ? undefined : rows[0].document
}
