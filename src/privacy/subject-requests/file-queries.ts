import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'

/** For how long a copy of a person's data is stored. */
const FILE_DAYS = 7

/** Gives the workers the copy of the data of a request; a former one is deleted. */
export async function requestFile(
  sql: Sql,
  { clientId }: Pick<ClientActor, 'clientId'>,
  id: string,
  at: Date,
): Promise<void> {
  await discardFile(sql, id)
  await sql.execute('update subject_request set file_requested_at = $2 where id = $1', [id, at])
  await sql.execute(
    `with new_work_client as (
       -- selected first: an insert would wait for the worker's step that locks the row
       insert into work_client (client_id, last_served_at)
       select $2, $3 where not exists (select 1 from work_client where client_id = $2)
       on conflict do nothing
     ), work as (
       insert into work (id, kind, client_id, target_id, run_at, created_at) values ($1, 'subject-request', $2, $4, now(), $3)
     )
     select pg_notify('vigencia_work', '')`,
    [uuidv7(), clientId, at, id],
  )
}

/** Deletes the copy of the data of a request, if there is one; its file is deleted by the sweep of orphans. */
export async function discardFile(sql: Sql, id: string): Promise<void> {
  await sql.execute(
    `with orphan as (
       insert into orphan_file (key, delete_after)
       select file_key, statement_timestamp() - interval '1 hour' from subject_request where id = $1 and file_key is not null
     )
     update subject_request set file_requested_at = null, file_made_at = null, file_expires_at = null, file_key = null, file_size = null
     where id = $1`,
    [id],
  )
}

/** A request whose copy is to be made. */
interface FileToMake {
  readonly taxId: string
}

/** Locks a request until the transaction ends; null: no copy of its data is to be made. */
export async function lockFileToMake(sql: Sql, id: string): Promise<FileToMake | null> {
  const rows = await sql.query<FileToMake>(
    `select tax_id as "taxId" from subject_request
     where id = $1 and file_requested_at is not null and file_made_at is null and tax_id is not null for update`,
    [id],
  )
  return rows[0] ?? null
}

export async function storeFileOf(
  sql: Sql,
  id: string,
  { key, size }: { readonly key: string; readonly size: number },
  at: Date,
): Promise<void> {
  await sql.execute(
    `update subject_request set file_key = $2, file_size = $3, file_made_at = $4::timestamptz, file_expires_at = $4::timestamptz + make_interval(days => $5)
     where id = $1`,
    [id, key, size, at, FILE_DAYS],
  )
}

/** The copy of the data of a request; undefined: there is no request, null: no copy that has not expired. */
export async function readFileOf(
  sql: Sql,
  id: string,
  at: Date,
): Promise<{ readonly key: string; readonly size: number } | null | undefined> {
  const rows = await sql.query<{ key: string | null; size: number }>(
    `select case when file_expires_at > $2 then file_key end as key, file_size as size from subject_request where id = $1`,
    [id, at],
  )
  const [row] = rows
  return row === undefined ? undefined : row.key === null ? null : { key: row.key, size: row.size }
}

/** Deletes the copies that have expired. */
export async function expireFiles(sql: Sql): Promise<void> {
  await sql.execute(
    `with expired as (
       select id, file_key from subject_request where file_key is not null and file_expires_at <= now() for update
     ), orphan as (
       insert into orphan_file (key, delete_after) select file_key, statement_timestamp() - interval '1 hour' from expired
     )
     update subject_request set file_key = null, file_size = null from expired where subject_request.id = expired.id`,
  )
}
