import type { Database } from '#platform/core/database.ts'
import type { Invariant } from '#platform/core/invariant.ts'
import { invariants as platform } from '#platform/invariants.ts'
import { invariants as access } from '#access/invariants.ts'
import { invariants as registry } from '#registry/invariants.ts'
import { invariants as events } from '#events/invariants.ts'
import { invariants as coverage } from '#coverage/invariants.ts'
import { invariants as money } from '#money/invariants.ts'
import { invariants as movements } from '#movements/invariants.ts'
import { invariants as exchange } from '#exchange/invariants.ts'

export const invariants: readonly Invariant[] = [
  ...platform,
  ...access,
  ...registry,
  ...events,
  ...coverage,
  ...money,
  ...movements,
  ...exchange,
]

/** Runs one statement and returns its rows. */
export type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

export interface CheckOptions {
  /** Work that waits for longer counts as stuck. */
  readonly stuckAfterSeconds: number
  /** `YYYY-MM-DD`: what was due up to this business day must be done; null checks no days. */
  readonly day: string | null
  /** From `readHeldLocks`. */
  readonly heldLocks: readonly string[]
}

export interface Checked {
  readonly rule: string
  readonly description: string
  readonly violations: number
  /** The first `maxIds` of the violations, in order. */
  readonly ids: readonly string[]
}

const maxIds = 5
const eventDays = 89

const given = `given as materialized (
  select moment.*, (lpad(to_hex((extract(epoch from moment.since) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid as since_id
  from (
    select coalesce($1::date, '-infinity') as day, now() - $2::double precision * interval '1 second' as since,
      now() - interval '${eventDays} days' as events_since, $3::bigint[] as held) moment)`

/** Checks the rules on the connection and in the transaction of `query`. */
export async function checkInvariants(
  query: Query,
  options: CheckOptions,
  rules: readonly Invariant[] = invariants,
): Promise<Checked[]> {
  const { stuckAfterSeconds, day, heldLocks } = options
  const checked: Checked[] = []
  for (const { name, description, violations } of rules) {
    const [row] = await query<{ violations: number; ids: string[] }>(
      `with ${given}, violation as materialized (select found.id::text as id from (${violations}) found)
       select count(*)::int as violations, array(select id from violation order by id limit ${maxIds}) as ids from violation`,
      [day, stuckAfterSeconds, heldLocks],
    )
    checked.push({ rule: name, description, violations: row?.violations ?? 0, ids: row?.ids ?? [] })
  }
  return checked
}

/**
 * The keys of the advisory locks held in this database. Read before the snapshot that is checked: an import that the snapshot
 * shows as running had its lock by then, and may have ended since.
 */
export async function readHeldLocks(query: Query): Promise<string[]> {
  const rows = await query<{ key: string }>(
    `select (pg_locks.classid::bigint << 32 | pg_locks.objid::bigint)::text as key from pg_locks
     join pg_database on pg_database.oid = pg_locks.database and pg_database.datname = current_database()
     where pg_locks.locktype = 'advisory' and pg_locks.granted and pg_locks.objsubid = 1`,
  )
  return rows.map(({ key }) => key)
}

/** Checks every rule in one read-only snapshot of the database, while services write to it. */
export async function checkDatabase(database: Database, options: Omit<CheckOptions, 'heldLocks'>): Promise<Checked[]> {
  const heldLocks = await readHeldLocks((text) => database.query(text))
  return database.snapshot((sql) =>
    checkInvariants((text, values) => sql.queryPlanned(text, values), { ...options, heldLocks }),
  )
}
