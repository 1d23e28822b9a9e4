import type { Duplex } from 'node:stream'
import type pg from 'pg'
import Cursor from 'pg-cursor'
import type { Database, Sql } from '../platform/database.ts'
import { InvariantError } from '../platform/log.ts'
import type { Sequence, TableNote } from './frames.ts'

/** Runs `work` on a connection without timeouts, which an abort or an error closes. */
export async function withConnection<T>(
  database: Database,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await database.connect()
  // Closes the socket: in the middle of a COPY, or while a statement waits for a lock, an orderly end would wait too.
  const destroy = () => (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
  signal.addEventListener('abort', destroy)
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } catch (error) {
    destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', destroy)
    await client.end()
  }
}

type Queries = Pick<Sql, 'query'>

/** Every table with the columns that hold data, referenced tables before those that refer to them. */
export async function readTables(sql: Queries): Promise<TableNote[]> {
  const rows = await sql.query<{ table: string; columns: string[]; needs: string[] }>(
    `select c.relname as table,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' order by c.relname collate "C"`,
  )
  const ordered: typeof rows = []
  for (let left = rows; left.length > 0;) {
    const placed = new Set(ordered.map((one) => one.table))
    const next = left.filter((one) => one.needs.every((need) => placed.has(need)))
    if (next.length === 0) throw new InvariantError('tables refer to each other in a circle')
    ordered.push(...next)
    left = left.filter((one) => !next.includes(one))
  }
  return ordered.map(({ table, columns }) => ({ table, columns }))
}

/** The state of each sequence. */
export async function readSequences(sql: Queries): Promise<Sequence[]> {
  return sql.query<Sequence>(
    `select sequencename as name, coalesce(last_value, start_value)::text as value, last_value is not null as called
     from pg_sequences where schemaname = 'public' order by sequencename`,
  )
}

/** Restores the state of a sequence. */
export async function setSequence(sql: Queries, { name, value, called }: Sequence): Promise<void> {
  await sql.query('select setval(quote_ident($1)::regclass, $2::bigint, $3)', [name, value, called])
}

const keysAtOnce = 1_000

/** The storage keys of a table. */
export async function* readStorageKeys(client: pg.Client, { table, columns }: TableNote): AsyncGenerator<string> {
  if (!columns.includes('storage_key')) return
  const text = `select storage_key as key from ${client.escapeIdentifier(table)} where storage_key is not null`
  const cursor = client.query(new Cursor<{ key: string }>(text))
  for (;;) {
    const rows = await cursor.read(keysAtOnce)
    for (const { key } of rows) yield key
    if (rows.length < keysAtOnce) break
  }
  await cursor.close()
}

/** Whether the database has no tables, views or sequences. */
export async function isEmpty(sql: Queries): Promise<boolean> {
  const rows = await sql.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') limit 1`,
  )
  return rows.length === 0
}

/** The COPY statement of a table. */
export function copyText(
  client: pg.Client,
  { table, columns }: TableNote,
  direction: 'from stdin' | 'to stdout',
): string {
  return `copy ${client.escapeIdentifier(table)} (${columns.map((one) => client.escapeIdentifier(one)).join(', ')}) ${direction}`
}

/** A service key, which is encrypted under the master key; null when there is none yet. */
export async function readEncrypted(sql: Queries): Promise<{ name: string; value: Buffer } | null> {
  const rows = await sql.query<{ name: string; value: Buffer }>(
    'select name, value from encrypted_key order by name limit 1',
  )
  return rows[0] ?? null
}
