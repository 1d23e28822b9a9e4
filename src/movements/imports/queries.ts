import { write } from '#platform/core/write.ts'
import type { Client } from 'pg'
import type { MappedHeading } from '../rules/column-profile.ts'
import type { SheetRead } from '#platform/tables/joined-columns.ts'
import type { ImportOffense } from '#kernel/offenses.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import type { JudgedChunk } from './reader-thread.ts'
import type { FileWarning } from './records.ts'

const maxErrorsShown = 1_000
const maxWarnings = 1_000
const maxRowsDeleted = 50_000

/** The lock on an import's id; it is free when its connection ends. */
interface ImportLock {
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

/** An import as it begins. */
interface NewImport {
  readonly id: string
  readonly actor: string
  readonly dryRun: boolean
  /** null: the client did not name it. */
  readonly fileName: string | null
  readonly companyTaxId: string | null
  readonly at: Date
}

/** Inserts the import. @returns false when the id was used before. */
export async function insertImport(
  sql: Sql,
  { id, actor, dryRun, fileName, companyTaxId, at }: NewImport,
): Promise<boolean> {
  const inserted = await sql.execute(
    `insert into member_import (id, actor, dry_run, file_name, company_tax_id, status, created_at)
     values ($1, $2, $3, $4, $5, 'running', $6)
     on conflict do nothing`,
    [id, actor, dryRun, fileName, companyTaxId, at],
  )
  return inserted === 1
}

/** Deletes an import whose file was rejected as a whole, so that no line was judged. */
export async function deleteImport(sql: Sql, id: string): Promise<void> {
  await sql.execute(`delete from member_import where id = $1 and status = 'running' and lines = 0`, [id])
}

/**
 * Saves what is known of the file: the header of a table (null: NDJSON), columns or keys that no import has, and other warnings.
 */
export async function describeFile(
  sql: Sql,
  id: string,
  file: {
    csvHeader: string | null
    unknownColumns: readonly string[]
    warnings: readonly FileWarning[]
    columnProfile: object | null
    sheets: object | null
  },
): Promise<void> {
  await sql.execute(
    `update member_import set csv_header = $2, unknown_columns = $3, file_warnings = $4, column_profile = $5, sheets = $6 where id = $1`,
    [id, file.csvHeader, file.unknownColumns, JSON.stringify(file.warnings), file.columnProfile, file.sheets],
  )
}

/**
 * Counts a validated chunk and saves its errors and warnings, in the transaction that stores its valid lines.
 * @param chunk its errors as JSON of `[{ line, offenses, content }]`.
 * @returns false when the import is no longer `running`.
 */
export async function countLines(
  sql: Sql,
  id: string,
  { accepted, rejected, errors, warnings }: Pick<JudgedChunk, 'accepted' | 'rejected' | 'errors' | 'warnings'>,
): Promise<boolean> {
  const counted = await sql.execute(
    `update member_import set lines = lines + $2::int + $3::int, accepted = accepted + $2::int, rejected = rejected + $3::int
     where id = $1 and status = 'running'`,
    [id, accepted, rejected],
  )
  if (counted === 1 && rejected > 0) {
    await sql.queryPlanned(
      `insert into member_import_error (import_id, line, offenses, content)
       select $1::uuid, line, offenses, content
       from json_to_recordset($2::json) as sent(line integer, offenses text[], content text)`,
      [id, errors],
    )
  }
  if (counted === 1 && warnings.count > 0) {
    await sql.execute(
      `update member_import set warnings = warnings || $2::jsonb where id = $1 and jsonb_array_length(warnings) < ${maxWarnings}`,
      [id, warnings.json],
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
  for (const run of running) {
    await write({ database }, { kind: 'service' }, { may: 'service' }, async (tx) => {
      const [lock] = await tx.query<{ free: boolean }>(`select pg_try_advisory_xact_lock(${lockKey}) as free`, [run.id])
      if (lock?.free === true) await finishImport(tx, run.id, 'broken', tx.at())
    })
  }
}

interface StoredImport {
  readonly status: string
  readonly csvHeader: string | null
  /** The headings to which a column profile has given a column. */
  readonly profile: readonly MappedHeading[]
  /** With its first errors, as JSON in wire format. */
  readonly body: string
}

interface ImportRow {
  readonly status: string
  readonly header: string | null
  readonly unknown: readonly string[]
  readonly read: readonly FileWarning[]
  readonly warnings: readonly object[]
  readonly fields: object
  readonly profile: { readonly columns: readonly MappedHeading[] } | null
  readonly sheets: { readonly read: readonly SheetRead[]; readonly notRead: readonly string[] } | null
}

/** null when there is none of that id. */
export async function readImport(sql: Sql, id: string): Promise<StoredImport | null> {
  const [row] = await sql.query<ImportRow>(
    `select status, csv_header as header, unknown_columns as unknown, file_warnings as read, warnings, column_profile as profile, sheets,
       json_build_object('import-id', id, 'status', status, 'dry-run', dry_run, 'lines', lines, 'accepted', accepted,
         'rejected', rejected, 'created-at', iso(created_at), 'finished-at', iso(finished_at),
         'errors', coalesce((select json_agg(json_build_object('line', line, 'offenses', offenses) order by line)
           from (select line, offenses from member_import_error where import_id = member_import.id
             order by line limit ${maxErrorsShown}) failed),
           '[]')) as fields
     from member_import where id = $1`,
    [id],
  )
  if (row === undefined) return null
  const warnings = [
    ...row.unknown.map((field) => ({ warning: 'unknown-column', field })),
    ...row.read,
    ...row.warnings.slice(0, maxWarnings),
  ]
  const body = JSON.stringify({
    ...row.fields,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(row.profile === null ? {} : { 'column-profile': row.profile }),
    ...((row.sheets?.read.length ?? 0) > 1 && { 'sheets-read': row.sheets?.read }),
    ...((row.sheets?.notRead.length ?? 0) > 0 && { 'sheets-not-read': row.sheets?.notRead }),
  })
  return { status: row.status, csvHeader: row.header, profile: row.profile?.columns ?? [], body }
}

export interface RejectedLine {
  readonly line: number
  readonly offenses: readonly ImportOffense[]
  /** As it came; null: longer than a line may be, or of an import before contents were stored. */
  readonly content: string | null
}

/** Up to `limit` rejected lines after `after`, in their order. */
export async function readErrors(sql: Sql, id: string, after: number, limit: number): Promise<RejectedLine[]> {
  return sql.query<RejectedLine>(
    `select line, offenses, content from member_import_error where import_id = $1 and line > $2 order by line limit $3`,
    [id, after, limit],
  )
}
