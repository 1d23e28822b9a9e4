import { v7 as uuidv7 } from 'uuid'
import { insertFileWork, lockFile, requireFile } from '../carrier-files/queries.ts'
import { mayWriteFiles } from '../carrier-files/upload.ts'
import { requireOpenMonth } from '#money/months/open-month.ts'
import { requirePrices } from '#money/prices/pricing-queries.ts'
import { readRole } from '#platform/core/access.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { lastDayOf, type LocalDate } from '#kernel/calendar.ts'
import { RECONCILIATION_KINDS, type ReconciliationKind } from '#kernel/reconciliation.ts'
import type { Context } from '#platform/http/context.ts'
import { changeDiscrepancies, type DiscrepancyFilter } from './discrepancy-queries.ts'
import { type DiscrepancyChange, findOfFile, insertReconciliation, lockOpen, setComputing } from './queries.ts'

/** The kinds of files that are compared. */
const comparable: readonly string[] = RECONCILIATION_KINDS

/**
 * Compares a file that was read, once: the workers compute it.
 * @returns the id of the comparison, and whether it is new.
 * @throws ApiError 400 for another kind of file, 404, 409 while the file is read.
 */
export async function createReconciliation(
  context: Context,
  actor: ClientActor,
  fileId: string,
  asOf: LocalDate | null,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const file = await requireFile(context.database, fileId)
  if (!comparable.includes(file.kind)) throw invalidBody([{ field: 'carrier-file-id', code: 'invalid' }])
  if (file.status !== 'read') throw new ApiError('carrier-file-status', { status: file.status })
  const { companyId, contractId, referenceMonth } = file
  const [day = ''] = [context.today(), lastDayOf(referenceMonth)].toSorted()
  return write(context, actor, { may: mayWriteFiles, retriesUniqueViolation: true }, async (tx) => {
    if ((await lockFile(tx, companyId, fileId)) === null) throw new ApiError('carrier-file-not-found')
    const former = await findOfFile(tx, companyId, fileId)
    if (former !== null) return { id: former, isNew: false }
    await requireOpenMonth(tx, companyId, referenceMonth)
    if (file.kind === 'invoice') await requirePrices(tx, contractId, referenceMonth)
    const id = uuidv7()
    await insertReconciliation(tx, {
      companyId,
      id,
      contractId,
      kind: file.kind as ReconciliationKind,
      referenceMonth,
      fileId,
      asOf: asOf ?? day,
      createdBy: actor.clientId,
      at: tx.at(),
    })
    await insertFileWork(tx, 'reconciliation', actor, companyId, id)
    tx.audit({ action: 'reconciliation.created', target: id, companyId })
    return { id, isNew: true }
  })
}

/** Compares the file again. What operators did with discrepancies stays. @throws ApiError 404, 409 while it is computed, or closed. */
export async function repeatReconciliation(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may: mayWriteFiles }, async (tx) => {
    const { companyId, kind, contractId, referenceMonth } = await lockOpen(tx, id)
    if (kind === 'invoice') await requirePrices(tx, contractId, referenceMonth)
    await setComputing(tx, companyId, id)
    await insertFileWork(tx, 'reconciliation', actor, companyId, id)
    tx.audit({ action: 'reconciliation.repeated', target: id, companyId })
  })
}

/**
 * Explains, accepts, opens, notes or assigns discrepancies.
 * @returns how many were changed.
 * @throws ApiError 400 for nothing to change and for an unknown operator, 404, 409 of a closed comparison.
 */
export async function changeMany(
  context: Context,
  actor: ClientActor,
  id: string,
  which: readonly string[] | DiscrepancyFilter,
  change: DiscrepancyChange,
): Promise<number> {
  const { status, note, assignee } = change
  if (status === undefined && note === undefined && assignee === undefined) {
    throw invalidBody([{ field: 'status', code: 'missing' }])
  }
  return write(context, actor, { may: mayWriteFiles }, async (tx) => {
    const { companyId } = await lockOpen(tx, id)
    if (assignee !== undefined && assignee !== null && (await readRole(tx, assignee)) === null) {
      throw invalidBody([{ field: 'assignee', code: 'unknown' }])
    }
    const changed = await changeDiscrepancies(tx, { companyId, id }, which, change, tx.at())
    if (changed.length > 0) tx.audit({ action: 'discrepancy.updated', target: id, companyId })
    return changed.length
  })
}
