import type { Client } from 'pg'
import type { Database, Sql } from '../platform/database.ts'

const maxErrorsShown = 1_000
const maxRowsDeleted = 50_000

/** The lock on an import's id; it is free when its connection ends. */
export interface ImportLock {
  release(): Promise<void>
}

/** SQL: the key of the advisory lock of an import. @param id SQL expression of its id. */
export const importLockKey = (id: string): string => `hashtextextended(${id}::text, 20261121)`

const lockKey = importLockKey('$1')

/**
 * Locks the id of an import on a connection of its own: the lock shows every process that the import runs, and is free as soon as
 * its process ends.
 * @returns null when it is locked already.
 */
export async function lockImport(database: Database, id: string): Promise<ImportLock | null> {
  const client: Client = await database.connect()
  const release = () => client.end().catch(() => {})
  try {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${lockKey}) as locked`, [id])
    if (rows[0]?.locked === true) return { release }
  } catch (error) {
    await release()
    throw error
  }
  await release()
  return null
}

/** Inserts the import. @returns false when the id was used before. */
export async function insertImport(
  sql: Sql,
  { id, actor, dryRun, at }: { id: string; actor: string; dryRun: boolean; at: Date },
): Promise<boolean> {
  const inserted = await sql.execute(
    `insert into member_import (id, actor, dry_run, status, created_at) values ($1, $2, $3, 'running', $4)
     on conflict do nothing`,
    [id, actor, dryRun, at],
  )
  return inserted === 1
}

/** Deletes an import whose file was rejected as a whole, so that no line was judged. */
export async function deleteImport(sql: Sql, id: string): Promise<void> {
  await sql.execute(`delete from member_import where id = $1 and status = 'running' and lines = 0`, [id])
}

/**
 * Counts a validated chunk and inserts its errors, in the transaction that stores its valid lines.
 * @param errors JSON of `[{ line, offenses }]`.
 * @returns false when the import is no longer `running`.
 */
export async function countLines(
  sql: Sql,
  id: string,
  { accepted, rejected, errors }: { accepted: number; rejected: number; errors: string },
): Promise<boolean> {
  const counted = await sql.execute(
    `update member_import set lines = lines + $2::int + $3::int, accepted = accepted + $2::int, rejected = rejected + $3::int
     where id = $1 and status = 'running'`,
    [id, accepted, rejected],
  )
  if (counted === 1 && rejected > 0) {
    await sql.queryPlanned(
      `insert into member_import_error (import_id, line, offenses)
       select $1::uuid, e.line, e.offenses from json_to_recordset($2::json) as e(line integer, offenses text[])`,
      [id, errors],
    )
  }
  return counted === 1
}

/** Ends a running import, and deletes the benefits of its dry run. */
export async function finishImport(sql: Sql, id: string, status: 'done' | 'broken', at: Date): Promise<void> {
  for (let deleted = maxRowsDeleted; deleted === maxRowsDeleted;) {
    deleted = await sql.execute(
      `delete from member_import_dry_run_benefit where (company_id, import_id, tax_id, benefit_id) in (
         select company_id, import_id, tax_id, benefit_id from member_import_dry_run_benefit where import_id = $1 limit ${maxRowsDeleted})`,
      [id],
    )
  }
  await sql.execute(`update member_import set status = $2, finished_at = $3 where id = $1 and status = 'running'`, [
    id,
    status,
    at,
  ])
}

/**
 * Marks `running` imports that no process has locked as broken: their process has ended.
 * @param id only this one; null: all.
 */
export async function markBrokenImports(database: Database, id: string | null): Promise<void> {
  const running = await database.query<{ id: string }>(
    `select id from member_import where status = 'running' and ($1::uuid is null or id = $1)`,
    [id],
  )
  for (const one of running) {
    await database.transaction(async (sql) => {
      const [lock] = await sql.query<{ free: boolean }>(`select pg_try_advisory_xact_lock(${lockKey}) as free`, [
        one.id,
      ])
      if (lock?.free === true) await finishImport(sql, one.id, 'broken', new Date())
    })
  }
}

/** An import with its first errors, as JSON in wire format; null when there is none of that id. */
export async function readImport(sql: Sql, id: string): Promise<{ status: string; body: string } | null> {
  const rows = await sql.query<{ status: string; body: string }>(
    `select i.status, json_build_object('import-id', i.id, 'status', i.status, 'dry-run', i.dry_run, 'lines', i.lines,
       'accepted', i.accepted, 'rejected', i.rejected, 'created-at', iso(i.created_at), 'finished-at', iso(i.finished_at),
       'errors', coalesce((select json_agg(json_build_object('line', e.line, 'offenses', e.offenses) order by e.line)
         from (select line, offenses from member_import_error where import_id = i.id order by line limit ${maxErrorsShown}) e),
         '[]'))::text as body
     from member_import i where i.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** Errors of lines after `after`, as NDJSON, and the last line of them; null when there are none. */
export async function readErrors(
  sql: Sql,
  id: string,
  after: number,
  limit: number,
): Promise<{ text: string; last: number } | null> {
  const [row] = await sql.query<{ text: string | null; last: number }>(
    `select string_agg(json_build_object('line', e.line, 'offenses', e.offenses)::text || chr(10), '' order by e.line) as text,
       max(e.line) as last
     from (select line, offenses from member_import_error where import_id = $1 and line > $2 order by line limit $3) e`,
    [id, after, limit],
  )
  return row === undefined || row.text === null ? null : { text: row.text, last: row.last }
}
