import { uuid } from '../domain/field-types.ts'
import type { Caller } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'
import type { FileType } from '../http/file-type.ts'

/** What a client has that no movement has used: its open upload addresses, and its documents. */
export interface UnusedDocuments {
  readonly count: number
  readonly bytes: number
}

/** First of two keys of an advisory lock; the second is made of the client's id. */
const unusedDocumentsLock = 7

/**
 * Counts the client's unused documents, under a lock until the end of the transaction, so that nobody else adds to them
 * meanwhile. Undefined when the client is revoked.
 */
export async function lockUnusedDocuments(sql: Sql, clientId: string): Promise<UnusedDocuments | undefined> {
  // Two statements: the second sees what was committed while the first waited.
  await sql.rows('select pg_advisory_xact_lock($1, hashtext($2))', [unusedDocumentsLock, clientId])
  const [unused] = await sql.rows<UnusedDocuments>(
    `select count(d.id)::int as count, coalesce(sum(d.size), 0)::float8 as bytes
     from client k left join document d on d.client_id = k.id and d.used_at is null
     where k.id = $1 and k.kind = 'partner' and k.revoked_at is null group by k.id`,
    [clientId],
  )
  return unused
}

/** Makes an empty slot of the caller's. */
export async function insertSlot(
  sql: Sql,
  caller: Caller,
  slot: { id: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await sql.run('insert into document (id, client_id, created_at, expires_at) values ($2, $1, $3, $4)', [
    caller.clientId,
    slot.id,
    slot.createdAt,
    slot.expiresAt,
  ])
}

export interface Slot {
  readonly clientId: string
  /** Neither filled nor expired, and its client not revoked. */
  readonly isOpen: boolean
  /** Of the client's documents that no movement has used. */
  readonly unusedBytes: number
}

/** The slot of an upload address, which is who may: its signature was verified. Undefined when there is none. */
export async function readSlot(sql: Sql, id: string, now: Date): Promise<Slot | undefined> {
  const rows = await sql.rows<Slot>(
    `select d.client_id as "clientId", d.filled_at is null and d.expires_at > $2 and k.revoked_at is null as "isOpen",
       (select coalesce(sum(o.size), 0)::float8 from document o where o.client_id = d.client_id and o.used_at is null) as "unusedBytes"
     from document d join client k on k.id = d.client_id where d.id = $1`,
    [id, now],
  )
  return rows[0]
}

export interface FilledSlot {
  readonly id: string
  readonly key: string
  readonly contentType: FileType
  readonly size: number
  readonly name: string
  readonly at: Date
}

/** Gives the slot its file, once. False when another upload was first, its client is revoked, or the bytes are due to be removed. */
export async function fillSlot(sql: Sql, file: FilledSlot): Promise<boolean> {
  const filled = await sql.run(
    `with active as materialized (
       select k.id from document d join client k on k.id = d.client_id
       where d.id = $1 and k.revoked_at is null for share of k
     ), taken as (
       update document set filled_at = $3, storage_key = $2, content_type = $4, size = $5, name = $6
       where id = $1 and client_id = (select id from active) and filled_at is null
         and exists (select from loose_file l where l.key = $2 and l.kept_until > statement_timestamp())
       returning storage_key
     )
     delete from loose_file l using taken t where l.key = t.storage_key`,
    [file.id, file.key, file.at, file.contentType, file.size, file.name],
  )
  return filled === 1
}

/** Notes a key before bytes are written under it, so that they are found whatever happens. */
export async function insertOrphan(sql: Sql, key: string): Promise<void> {
  await sql.run(`insert into loose_file (key, kept_until) values ($1, statement_timestamp() + interval '1 hour')`, [
    key,
  ])
}

/** Keys whose bytes nothing refers to and nothing will; the margin is for an upload that takes its key up just now. */
export async function readDeletableOrphans(sql: Sql, most: number): Promise<string[]> {
  const rows = await sql.rows<{ key: string }>(
    `select key from loose_file where kept_until <= statement_timestamp() - interval '1 minute'
     order by kept_until limit $1`,
    [most],
  )
  return rows.map((row) => row.key)
}

/** Takes a key up for a row that refers to it, in that row's transaction. False when its bytes are due to be removed. */
export async function claimOrphan(sql: Sql, key: string): Promise<boolean> {
  const taken = await sql.run('delete from loose_file where key = $1 and kept_until > statement_timestamp()', [key])
  return taken === 1
}

/** Forgets a key whose bytes are gone. */
export async function deleteOrphanRow(sql: Sql, key: string): Promise<void> {
  await sql.run('delete from loose_file where key = $1', [key])
}

/** Lets a key whose bytes could not be removed wait for an hour. */
export async function postponeOrphan(sql: Sql, key: string): Promise<void> {
  await sql.run(`update loose_file set kept_until = statement_timestamp() + interval '1 hour' where key = $1`, [key])
}

/** Deletes slots and documents that were never used; their bytes become loose. @returns how many. */
export async function deleteNeverUsed(sql: Sql, most: number): Promise<number> {
  const [row] = await sql.rows<{ deleted: number }>(
    `with old as (
       select id from document where used_at is null and created_at < statement_timestamp() - interval '7 days'
       order by created_at limit $1
     ), gone as (
       delete from document d using old where d.id = old.id and d.used_at is null returning d.storage_key
     ), loose as (
       insert into loose_file (key, kept_until)
       select storage_key, statement_timestamp() - interval '1 hour' from gone where storage_key is not null
     )
     select count(*) as deleted from gone`,
    [most],
  )
  return row?.deleted ?? 0
}

/**
 * Those of the ids that a movement of the caller may use: known, filled, of the caller's client, not used yet. Ids are
 * whatever text was sent.
 */
export async function usableDocuments(sql: Sql, caller: Caller, ids: readonly string[]): Promise<string[]> {
  const wellFormed = ids.filter(isDocumentId)
  if (wellFormed.length === 0) return []
  const rows = await sql.rows<{ id: string }>(
    `select id from document
     where id = any($2::uuid[]) and client_id = $1 and filled_at is not null and used_at is null`,
    [caller.clientId, wellFormed],
  )
  return rows.map((row) => row.id)
}

/**
 * Marks the documents as used by the request; run it in the transaction that accepts the request.
 * @returns false when one of them is not usable (any more): the transaction must then be rolled back.
 */
export async function useDocuments(
  sql: Sql,
  caller: Caller,
  companyId: string,
  requestId: string,
  ids: readonly string[],
): Promise<boolean> {
  const all = [...new Set(ids)].sort()
  if (all.length === 0) return true
  if (!all.every(isDocumentId)) return false
  const used = await sql.run(
    `update document set used_at = $5, company_id = $2, request_id = $3
     where id = any($4::uuid[]) and client_id = $1 and filled_at is not null and used_at is null`,
    [caller.clientId, companyId, requestId, all, new Date()],
  )
  return used === all.length
}

/** Whether it is a UUID in lower case: the service creates no others. */
function isDocumentId(id: string): boolean {
  return uuid.parse(id) === id
}

/** SQL of an enrollment's documents in the order in which they were sent, over the alias e (enrollment). */
const documentsOfEnrollment = `
  jsonb_array_elements(case jsonb_typeof(e.data -> 'documents') when 'array' then e.data -> 'documents' else '[]' end)
    with ordinality as sent(item, place)
  join document d on d.id = (sent.item ->> 'document-id')::uuid and d.company_id = e.company_id and d.request_id = e.request_id`

/** `{ "result": [...] }`: the documents of an enrollment, for an operator; null when there is no such enrollment. */
export async function listDocuments(sql: Sql, enrollmentId: string): Promise<string | null> {
  const rows = await sql.rows<{ body: string }>(
    `select json_build_object('result', (
       select coalesce(json_agg(json_build_object('document-id', d.id, 'document-type', sent.item ->> 'document-type',
         'name', d.name, 'content-type', d.content_type, 'size', d.size) order by sent.place), '[]')
       from ${documentsOfEnrollment}))::text as body
     from enrollment e where e.id = $1`,
    [enrollmentId],
  )
  return rows[0]?.body ?? null
}

export interface StoredDocument {
  readonly key: string
  readonly name: string
  readonly contentType: FileType
  readonly size: number
}

/** One document of an enrollment, for an operator; null when it is not of this enrollment, undefined without enrollment. */
export async function readDocument(
  sql: Sql,
  enrollmentId: string,
  documentId: string,
): Promise<StoredDocument | null | undefined> {
  const rows = await sql.rows<{ document: StoredDocument | null }>(
    `select (select json_build_object('key', d.storage_key, 'name', d.name, 'contentType', d.content_type, 'size', d.size)
       from ${documentsOfEnrollment} where d.id = $2 limit 1) as document
     from enrollment e where e.id = $1`,
    [enrollmentId, documentId],
  )
  return rows[0] === undefined ? undefined : rows[0].document
}
