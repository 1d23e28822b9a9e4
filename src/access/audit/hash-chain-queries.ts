import type { Sql } from '#platform/core/database.ts'
import type { Head, Block, ChainedRow, Finding } from './hash-chain.ts'

// As text with microseconds: a digest must be the same in every process and version of PostgreSQL.
const utc = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`
const row = `audit.id::text as id, to_char(audit.at at time zone 'UTC', ${utc}) as at, audit.actor, audit.action, audit.target,
  audit.company_id::text as "companyId", audit.address, audit.request_trace_id as "traceId"`
const block = `position, to_char(created_at at time zone 'UTC', ${utc}) as "createdAt", row_ids::text[] as "rowIds", digests, previous, hash`

/** The name of the stored key of the chain, encrypted under the master key. */
export const auditKeyName = 'audit-chain'

/** Whether there are pending rows. */
export async function hasPendingRows(sql: Sql): Promise<boolean> {
  const rows = await sql.query('select id from audit_pending limit 1')
  return rows.length > 0
}

const chainLock = 7_446_103_216

/** Locks the chain until the transaction ends; false when another transaction has the lock. */
export async function lockChain(sql: Sql): Promise<boolean> {
  const rows = await sql.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [chainLock])
  return rows[0]?.locked === true
}

/** Up to `limit` pending rows, by id. Each is looked up: joined, the planner may read the whole audit when it knows of many pending ones. */
export async function readPendingRows(sql: Sql, limit: number): Promise<ChainedRow[]> {
  return sql.queryPlanned<ChainedRow>(
    `select ${row} from audit_pending cross join lateral (select * from audit where id = audit_pending.id limit 1) audit
     order by audit_pending.id limit $1`,
    [limit],
  )
}

/** The head of the chain; null before the first block. */
export async function readHead(sql: Sql): Promise<Head | null> {
  const rows = await sql.query<Head>('select position, hash, mac from audit_head')
  return rows[0] ?? null
}

/** The position of the last stored block; 0 when there is none. */
export async function lastPosition(sql: Sql): Promise<number> {
  const rows = await sql.query<{ position: number }>('select coalesce(max(position), 0) as position from audit_block')
  return rows[0]?.position ?? 0
}

/** Inserts a block, makes it the head, and removes its rows from the pending ones. */
export async function insertBlock(sql: Sql, inserted: Block, mac: Buffer): Promise<void> {
  await sql.execute(
    `with block as (
       insert into audit_block (position, created_at, row_ids, digests, previous, hash)
       values ($1, $2::timestamptz, $3::uuid[], $4::bytea[], $5, $6)
     ), head as (
       insert into audit_head (position, hash, mac) values ($1, $6, $7)
       on conflict (singleton) do update set position = excluded.position, hash = excluded.hash, mac = excluded.mac
     )
     delete from audit_pending where id = any($3::uuid[])`,
    [inserted.position, inserted.createdAt, inserted.rowIds, inserted.digests, inserted.previous, inserted.hash, mac],
  )
}

/** Up to `limit` blocks after a position, in order. */
export async function readBlocks(sql: Sql, after: number, limit: number): Promise<Block[]> {
  const text = `select ${block} from audit_block where position > $1 order by position limit $2`
  return sql.query<Block>(text, [after, limit])
}

/** The audit rows of these ids that exist, by id. */
export async function readChainedRows(sql: Sql, ids: readonly string[]): Promise<Map<string, ChainedRow>> {
  const rows = await sql.queryPlanned<ChainedRow>(`select ${row} from audit where id = any($1::uuid[])`, [ids])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Up to `limit` pending rows that are not in the audit any more, and up to `limit` audit rows that are neither in a block nor pending. */
export async function readUnchained(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.queryPlanned<Finding>(
    `(select 'removed' as kind, audit_pending.id::text as row from audit_pending
      where not exists (select 1 from audit where id = audit_pending.id) order by audit_pending.id limit $1)
     union all
     (select 'inserted', audit.id::text from audit
      where not exists (select 1 from audit_pending where id = audit.id)
        and not exists (select 1 from (select unnest(row_ids) as id from audit_block) chained where chained.id = audit.id)
      order by audit.id limit $1)`,
    [limit],
  )
}

/** The number of pending rows. */
export async function countPendingRows(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>('select count(*) as count from audit_pending')
  return rows[0]?.count ?? 0
}
