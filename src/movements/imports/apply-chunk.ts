import { Records } from '#platform/core/records.ts'
import type { WrittenBenefit } from '#coverage/benefits/write.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { sqlState } from '#platform/core/database-errors.ts'
import { closeMovementsOfEnded } from '../transition/close-ended.ts'
import { endWithPrimaries } from '../transition/families.ts'
import { activated, deactivated } from '#platform/core/events.ts'
import { InvariantError } from '#platform/core/log.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Context } from '#platform/http/context.ts'
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
  /** The sheet of a workbook; undefined: the one with the columns of an import. */
  readonly sheet: string | undefined
  /** Whose column profile is used; null: none. */
  readonly companyTaxId: string | null
  readonly fileName: string | null
  readonly actor: ClientActor
}

/** The facts changed between the judgement and the write: `write` retries, as after a serialization failure. */
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
  const { id, dryRun, actor } = order
  const judged = await write(context, actor, { may: ['analyst'], retriesUniqueViolation: true }, async (sql) => {
    const chunk = await reader.judge(await readImportFacts(sql, id, people))
    if (!(await countLines(sql, id, chunk))) throw new InvariantError('an import was marked as broken while it ran')
    if (dryRun) {
      for (const list of [chunk.begun, chunk.ended, chunk.updated]) {
        if (list.count > 0) await insertDryRunBenefits(sql, id, records(list))
      }
      return chunk
    }
    const changed = await saveLines(context, sql, chunk)
    for (const [companyId, benefits] of Map.groupBy(changed, (benefit) => benefit.companyId)) {
      const ended = benefits.filter(({ status }) => status === 'inactive').map((benefit) => benefit.id)
      await closeMovementsOfEnded(sql, companyId, ended, context)
    }
    const unaudited = chunk.companyIds.filter((companyId) => !audited.has(companyId))
    sql.audit(unaudited.map((companyId) => ({ action: 'member.imported', target: id, companyId })))
    return chunk
  })
  for (const companyId of judged.companyIds) audited.add(companyId)
}

/** @returns the benefits whose status changed. */
async function saveLines(context: Context, sql: Tx, chunk: JudgedChunk): Promise<WrittenBenefit[]> {
  const at = sql.at()
  const { newPeople, knownPeople, held, ended, updated, begun } = chunk
  try {
    if (newPeople.count > 0) {
      expectAll(await insertNewMembers(sql, context.memberKey, records(newPeople), at), newPeople)
    }
    if (knownPeople.count > 0) await updateKnownMembers(sql, records(knownPeople), at)
    if (held.count > 0 && (await lockPrimaryBenefits(sql, records(held))) !== held.count) throw new FactsChangedError()
    const written: ChangedBenefit[] = []
    for (const list of [ended, updated]) {
      if (list.count > 0) written.push(...expectAll(await updateKnownBenefits(sql, records(list), at), list))
    }
    if (begun.count > 0) expectAll(await insertNewBenefits(sql, records(begun), at), begun)
    const changed: WrittenBenefit[] = written.filter(({ status, previousStatus }) => status !== previousStatus)
    for (const list of [ended, updated, begun]) {
      if (list.count === 0) continue
      const endedWithPrimary = await endWithPrimaries(sql, at, context.today(), records(list))
      changed.push(...endedWithPrimary.filter((benefit) => !benefit.isNew))
    }
    emitStatuses(sql, changed)
    return changed
  } catch (error) {
    // A member was deleted with a rejected inclusion since the facts were read.
    if (sqlState(error) === '23503') throw new FactsChangedError()
    throw error
  }
}

const records = ({ json, count }: Listed): Records => new Records(json, count)

/** @throws FactsChangedError unless every row of the list was written. */
function expectAll<Row>(written: Row[], { count }: Listed): Row[] {
  if (written.length !== count) throw new FactsChangedError()
  return written
}

/** Reports benefits whose status changed; new benefits of an import have no event. */
function emitStatuses(tx: Tx, changed: readonly WrittenBenefit[]): void {
  for (const benefit of changed)
    tx.emit(benefit.companyId, benefit.status === 'active' ? activated(benefit) : deactivated(benefit))
}
