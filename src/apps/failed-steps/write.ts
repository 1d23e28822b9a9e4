import { deleteComparison } from '#exchange/carrier-files/delete.ts'
import { endReading, lockFile } from '#exchange/carrier-files/queries.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { CAN_BE_DELETED } from '#kernel/steps.ts'
import type { Context } from '#platform/http/context.ts'
import { discardFile } from '#privacy/subject-requests/file-queries.ts'
import { deleteStep, lockStep, type LockedStep, retryStep } from '#platform/steps/queries.ts'

/** Tries a failed step again now. @throws ApiError 404. */
export async function retryFailedStep(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may: [] }, async (tx) => {
    const { companyId } = await requireStep(tx, id)
    await retryStep(tx, id)
    tx.audit({ action: 'step.retried', target: id, companyId })
  })
}

/**
 * Gives a failed step up. The reading of a file ends as failed, a comparison and the order of a copy are deleted; what runs by the clock is tried again
 * when it is due again.
 * @throws ApiError 404, 409 for one that a caller waits for.
 */
export async function deleteFailedStep(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may: [] }, async (tx) => {
    const step = await requireStep(tx, id)
    if (!CAN_BE_DELETED.includes(step.kind)) throw new ApiError('step-not-deletable', { kind: step.kind })
    await giveUp(tx, step)
    await deleteStep(tx, id)
    tx.audit({ action: 'step.deleted', target: id, companyId: step.companyId })
  })
}

async function requireStep(tx: Tx, id: string): Promise<LockedStep> {
  const step = await lockStep(tx, id)
  if (step === null) throw new ApiError('step-not-found')
  return step
}

async function giveUp(tx: Tx, { kind, companyId, targetId }: LockedStep): Promise<void> {
  switch (kind) {
    case 'carrier-file': {
      const company = required(companyId, 'company of the file')
      const file = await lockFile(tx, company, targetId)
      if (file?.status === 'reading')
        await endReading(tx, company, targetId, [{ field: 'file', code: 'given-up' }], tx.at())
      return
    }
    case 'reconciliation':
      return deleteComparison(tx, required(companyId, 'company of the comparison'), targetId)
    case 'subject-request':
      return discardFile(tx, targetId)
    default:
  }
}
