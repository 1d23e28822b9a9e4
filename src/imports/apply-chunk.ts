import { requireActiveClient } from '../http/active-client.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { sqlState, type Sql } from '../platform/database.ts'
import { endWithPrimaries } from '../enrollments/family-queries.ts'
import { activated, deactivated } from '../enrollments/benefit-events.ts'
import { writeEvents } from '../webhooks/outbox.ts'
import { InvariantError } from '../platform/log.ts'
import { memberId } from '../members/member-id.ts'
import type { Context } from '../http/context.ts'
import {
  claimBenefits,
  lockBenefits,
  insertBenefits,
  insertMembers,
  readImportFacts,
  readUnplaced,
  reassignIds,
  type Turned,
  updateBenefits,
  updateMembers,
} from './roster-queries.ts'
import type { ImportOrder } from './import-order.ts'
import { countLines } from './queries.ts'
import type { Reader } from './reader.ts'
import type { JudgedChunk, Listed } from './reader-thread.ts'

/** The facts changed between judging and keeping: `Database.transaction` tries again, as for a conflict of its own. */
class FactsChanged extends Error {
  override readonly name = 'FactsChanged'
  readonly code = '40001'
}

/**
 * Judges what was read last and keeps its good lines with its counts, errors and audit, all or nothing.
 * @param audited companies that the audit names already; grows.
 */
export async function applyChunk(
  context: Context,
  reading: Reader,
  asked: string,
  order: ImportOrder,
  audited: Set<string>,
): Promise<void> {
  const { id, dryRun, caller, origin } = order
  const judged = await context.database.transactionRetryingUniqueViolation(async (sql) => {
    const chunk = await reading.judge(await readImportFacts(sql, id, asked))
    if (!(await countLines(sql, id, chunk))) throw new InvariantError('an import was given up while it ran')
    if (dryRun) {
      for (const list of [chunk.begun, chunk.ended, chunk.kept]) {
        if (list.count > 0) await claimBenefits(sql, id, list.json)
      }
      return chunk
    }
    await keepLines(context, sql, chunk)
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

async function keepLines(context: Context, sql: Sql, chunk: JudgedChunk): Promise<void> {
  const at = new Date()
  try {
    if (chunk.newPeople.count > 0) await placePeople(context, sql, chunk.newPeople, at)
    if (chunk.knownPeople.count > 0) await updateMembers(sql, chunk.knownPeople.json, at)
    if (chunk.held.count > 0) demandAll(await lockBenefits(sql, chunk.held.json), chunk.held)
    const turned = await changeBenefits(sql, chunk.ended, at)
    turned.push(...(await changeBenefits(sql, chunk.kept, at)))
    if (chunk.begun.count > 0) demandAll(await insertBenefits(sql, chunk.begun.json, at), chunk.begun)
    for (const list of [chunk.ended, chunk.kept, chunk.begun]) {
      if (list.count === 0) continue
      const ended = await endWithPrimaries(sql, at, context.today(), list.json)
      turned.push(...ended.filter((one) => !one.isNew).map((one) => ({ ...one, status: 'inactive' as const })))
    }
    await tell(sql, turned, at)
  } catch (error) {
    // A member who was removed with a rejected inclusion meanwhile.
    if (sqlState(error) === '23503') throw new FactsChanged()
    throw error
  }
}

/** Gives everybody a row; whose id is taken by somebody whose CPF was corrected gets the next of the keyed hash. */
async function placePeople(context: Context, sql: Sql, people: Listed, at: Date): Promise<void> {
  let left = people.count - (await insertMembers(sql, people.json, at))
  for (let n = 1; left > 0; n += 1) {
    const unplaced = await readUnplaced(sql, people.json)
    // Somebody else made the others, with a profile that is not ours.
    if (unplaced.length < left) throw new FactsChanged()
    if (n > 100) throw new InvariantError('a hundred ids of one person are taken by others')
    const ids = unplaced.map((one) => ({ ...one, memberId: memberId(context.memberKey, one.taxId, n) }))
    left -= await insertMembers(sql, await reassignIds(sql, people.json, ids), at)
  }
}

async function changeBenefits(sql: Sql, list: Listed, at: Date): Promise<Turned[]> {
  if (list.count === 0) return []
  const { changed, turned } = await updateBenefits(sql, list.json, at)
  demandAll(changed, list)
  return turned
}

/** @throws FactsChanged where not all of the list were as they had been judged. */
function demandAll(done: number, { count }: Listed): void {
  if (done !== count) throw new FactsChanged()
}

/** Tells of benefits that the book knew and whose status turned; what comes new is no movement, and is not told. */
async function tell(sql: Sql, turned: readonly Turned[], at: Date): Promise<void> {
  for (const [companyId, benefits] of Map.groupBy(turned, (one) => one.companyId)) {
    await writeEvents(
      sql,
      companyId,
      at,
      benefits.map((one) => (one.status === 'active' ? activated(one) : deactivated(one))),
    )
  }
}
