import { type Query, checkInvariants, invariants, readHeldLocks } from '#apps/invariants/check.ts'
import type { Invariant } from '#platform/core/invariant.ts'
import type { Batch } from './load.ts'

export type { Query }

/** Counts the open work: 0 once the service has processed everything that is due. */
export async function readOpenWork(ask: Query, today: string): Promise<number> {
  const [row] = await ask<{ open: number }>(
    `select ((select count(*) from work where client_id is not null) + (select count(*) from movement_item)
       + (select count(*) from request where status = 'processing')
       + (select count(*) from enrollment where status = 'scheduled' and scheduled_action_date <= $1))::int as open`,
    [today],
  )
  return row?.open ?? -1
}

/**
 * Reads the violated rules with the ids of the first violations; empty without any.
 * @param day everything due up to that day must be processed; null: due work is not checked.
 * @param rules the rules to check.
 */
export async function readViolations(
  ask: Query,
  day: string | null = null,
  rules: readonly Invariant[] = invariants,
): Promise<Record<string, readonly string[]>> {
  const heldLocks = await readHeldLocks(ask)
  const checked = await checkInvariants(ask, { stuckAfterSeconds: 900, day, heldLocks }, rules)
  return Object.fromEntries(checked.filter(({ violations }) => violations > 0).map(({ rule, ids }) => [rule, ids]))
}

/** Reads violated rules, and batches that are not stored as they were sent; empty without any. Called when no work is open. */
export async function readDifferences(ask: Query, batches: readonly Batch[]): Promise<Record<string, unknown>> {
  const { differences } = await compare(ask, batches)
  return { ...(await readViolations(ask)), ...(differences.length > 0 ? { batches: differences.slice(0, 20) } : {}) }
}

export interface Comparison {
  /** Differences between the batches and the database. */
  readonly differences: readonly string[]
  /** Stored batches whose response was not received. */
  readonly withoutResponse: number
}

/** Compares the database with the batches: one with a response is stored once, others once or not at all, each completely. */
export async function compare(ask: Query, batches: readonly Batch[]): Promise<Comparison> {
  const requests = await ask<{ id: string; parts: string[] }>(
    `select request_id as id, array_agg(member_tax_id || ' ' || product_name order by member_tax_id, product_name) as parts
     from enrollment where enrollment_type = 'inclusion' group by request_id`,
  )
  const batchOfPart = new Map(batches.flatMap((batch) => batch.parts.map((part) => [part, batch] as const)))
  const found = new Map<Batch, string>()
  const differences: string[] = []
  let withoutResponse = 0
  for (const { id, parts } of requests) {
    const batch = batchOfPart.get(parts[0] ?? '')
    if (batch === undefined) continue
    if (found.has(batch)) differences.push(`${id} and ${found.get(batch)} have the same batch`)
    found.set(batch, id)
    if (batch.requestId === null) withoutResponse += 1
    else if (batch.requestId !== id) differences.push(`${id} is not ${batch.requestId}, the id in its response`)
    if (parts.join() !== batch.parts.toSorted().join()) {
      differences.push(`${id} has ${parts.length} parts of ${batch.parts.length}`)
    }
  }
  for (const batch of batches) {
    if (batch.requestId !== null && !found.has(batch))
      differences.push(`${batch.requestId} was accepted and is not stored`)
  }
  return { differences, withoutResponse }
}
