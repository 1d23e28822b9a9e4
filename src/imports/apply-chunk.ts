import { requireActiveClient } from '../http/active-client.ts'
import type { WrittenBenefit } from '../benefits/write.ts'
import { writeAudit } from '../audit/audit-log.ts'
import type { Sql } from '../platform/database.ts'
import { sqlState } from '../platform/database-errors.ts'
import { closeMovementsOfEnded } from '../enrollments/close-ended.ts'
import { endWithPrimaries } from '../enrollments/family-queries.ts'
import { activated, deactivated } from '../enrollments/benefit-events.ts'
import { writeEvents } from '../webhooks/outbox.ts'
import { InvariantError } from '../platform/log.ts'
import type { Caller, Origin } from '../http/caller.ts'
import type { Context } from '../http/context.ts'
import {
  type ChangedBenefit,
  insertDryRunBenefits,
  insertNewBenefits,
  insertNewMembers,
  lockPrimaryBenefits,
  readImportFacts,
  updateKnownBenefits,
  updateKnownMembers,
} from './roster-queries.ts'
import { countLines } from './queries.ts'
import type { Reader } from './reader.ts'
import type { JudgedChunk, Listed } from './reader-thread.ts'

/** The parameters of an import. */
export interface ImportOrder {
  readonly id: string
  readonly dryRun: boolean
  readonly caller: Caller
  readonly origin: Origin
}

/** The facts changed between the judgement and the write: `Database.transaction` retries, as after a serialization failure. */
class FactsChangedError extends Error {
  override readonly name = 'FactsChangedError'
  readonly code = '40001'
}

/**
 * Judges the lines that were read last and saves the accepted ones with counts, errors and audit in one transaction.
 * @param audited companies that have their audit row already; this adds to them.
 */
export async function applyChunk(
  context: Context,
  reader: Reader,
  people: string,
  order: ImportOrder,
  audited: Set<string>,
): Promise<void> {
  const { id, dryRun, caller, origin } = order
  const judged = await context.database.transactionRetryingUniqueViolation(async (sql) => {
    const chunk = await reader.judge(await readImportFacts(sql, id, people))
    if (!(await countLines(sql, id, chunk))) throw new InvariantError('an import was marked as broken while it ran')
    if (dryRun) {
      for (const list of [chunk.begun, chunk.ended, chunk.updated]) {
        if (list.count > 0) await insertDryRunBenefits(sql, id, list.json)
      }
      return chunk
    }
    const changed = await saveLines(context, sql, chunk)
    const actor = { kind: 'operator', id: caller.clientId, origin } as const
    for (const [companyId, benefits] of Map.groupBy(changed, (one) => one.companyId)) {
      const ended = benefits.filter(({ status }) => status === 'inactive').map((one) => one.id)
      await closeMovementsOfEnded(sql, companyId, ended, actor, context)
    }
    const unaudited = chunk.companyIds.filter((companyId) => !audited.has(companyId))
    await writeAudit(
      sql,
      unaudited.map((companyId) => ({
        actor: caller.clientId,
        action: 'member.imported',
        target: id,
        companyId,
        origin,
      })),
    )
    await requireActiveClient(sql, caller)
    return chunk
  })
  for (const companyId of judged.companyIds) audited.add(companyId)
}

/** @returns the benefits whose status changed. */
async function saveLines(context: Context, sql: Sql, chunk: JudgedChunk): Promise<WrittenBenefit[]> {
  const at = sql.now()
  const { newPeople, knownPeople, held, ended, updated, begun } = chunk
  try {
    if (newPeople.count > 0) {
      expectAll(await insertNewMembers(sql, context.memberKey, newPeople.json, at), newPeople)
    }
    if (knownPeople.count > 0) await updateKnownMembers(sql, knownPeople.json, at)
    if (held.count > 0 && (await lockPrimaryBenefits(sql, held.json)) !== held.count) throw new FactsChangedError()
    const written: ChangedBenefit[] = []
    for (const list of [ended, updated]) {
      if (list.count > 0) written.push(...expectAll(await updateKnownBenefits(sql, list.json, at), list))
    }
    if (begun.count > 0) expectAll(await insertNewBenefits(sql, begun.json, at), begun)
    const changed: WrittenBenefit[] = written.filter(({ status, previousStatus }) => status !== previousStatus)
    for (const list of [ended, updated, begun]) {
      if (list.count === 0) continue
      const endedWithPrimary = await endWithPrimaries(sql, at, context.today(), list.json)
      changed.push(...endedWithPrimary.filter((one) => !one.isNew))
    }
    await writeStatusEvents(sql, changed, at)
    return changed
  } catch (error) {
    // A member was deleted with a rejected inclusion since the facts were read.
    if (sqlState(error) === '23503') throw new FactsChangedError()
    throw error
  }
}

/** @throws FactsChangedError unless every row of the list was written. */
function expectAll<Row>(written: Row[], { count }: Listed): Row[] {
  if (written.length !== count) throw new FactsChangedError()
  return written
}

/** Writes the events of benefits whose status changed; new benefits of an import have none. */
async function writeStatusEvents(sql: Sql, changed: readonly WrittenBenefit[], at: Date): Promise<void> {
  for (const [companyId, benefits] of Map.groupBy(changed, (one) => one.companyId)) {
    await writeEvents(
      sql,
      companyId,
      at,
      benefits.map((one) => (one.status === 'active' ? activated(one) : deactivated(one))),
    )
  }
}
