import { type Query, checkInvariants, invariants, readHeldLocks } from '../../src/invariants/check.ts'
import type { Invariant } from '../../src/invariants/rule.ts'
import type { Batch } from './load.ts'

export type { Query }

/** What is still to be done: nothing, once the service has caught up. */
export async function readOpenWork(ask: Query, today: string): Promise<number> {
  const [row] = await ask<{ open: number }>(
    `select ((select count(*) from work) + (select count(*) from staged_enrollment)
       + (select count(*) from request where status = 'processing')
       + (select count(*) from enrollment where status = 'scheduled' and scheduled_action_date <= $1))::int as open`,
    [today],
  )
  return row?.open ?? -1
}

/**
 * Every rule that the database breaks, with the first of what breaks it; empty when all is well.
 * @param day what was due up to that day must be done; null: nothing is said of days, as long as a clock has not caught up.
 * @param rules those to check; all unless told.
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

/** What is wrong, once nothing is open: rules that are broken, and batches otherwise than they were sent. Empty when all is well. */
export async function readProblems(ask: Query, batches: readonly Batch[]): Promise<Record<string, unknown>> {
  const { problems } = await compare(ask, batches)
  return { ...(await readViolations(ask)), ...(problems.length > 0 ? { batches: problems.slice(0, 20) } : {}) }
}

export interface Comparison {
  /** What the database holds of the batches otherwise than it should. */
  readonly problems: readonly string[]
  /** Batches that are there although nobody got their answer. */
  readonly withoutResponse: number
}

/** Compares the database with what was sent: answered batches stand there once, the others once or not at all, each whole. */
export async function compare(ask: Query, batches: readonly Batch[]): Promise<Comparison> {
  const requests = await ask<{ id: string; parts: string[] }>(
    `select request_id as id, array_agg(member_tax_id || ' ' || product_name order by member_tax_id, product_name) as parts
     from enrollment group by request_id`,
  )
  const batchOfPart = new Map(batches.flatMap((batch) => batch.parts.map((part) => [part, batch] as const)))
  const found = new Map<Batch, string>()
  const problems: string[] = []
  let withoutResponse = 0
  for (const { id, parts } of requests) {
    const batch = batchOfPart.get(parts[0] ?? '')
    if (batch === undefined) continue
    if (found.has(batch)) problems.push(`${id} and ${found.get(batch)} hold the same batch`)
    found.set(batch, id)
    if (batch.requestId === null) withoutResponse += 1
    else if (batch.requestId !== id) problems.push(`${id} is not ${batch.requestId}, which was answered`)
    if (parts.join() !== batch.parts.toSorted().join()) {
      problems.push(`${id} holds ${parts.length} parts of ${batch.parts.length}`)
    }
  }
  for (const batch of batches) {
    if (batch.requestId !== null && !found.has(batch)) problems.push(`${batch.requestId} was answered and is not there`)
  }
  return { problems, withoutResponse }
}
