import { v7 as uuidv7 } from 'uuid'
import { isMonthClosed } from '../months/open-month.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { CLAIM_STEPS } from '../rules/claim.ts'
import { type StoredClaimStatus } from '#kernel/broker-enums.ts'
import type { Context } from '#platform/http/context.ts'
import {
  claimDiscrepancies,
  deleteClaimRows,
  insertClaim,
  lockClaim,
  lockClaimedReconciliation,
  reopenDiscrepancies,
  updateClaim,
} from './queries.ts'
import type { ClaimInput, ClaimStep } from './schema.ts'

/** The roles that claim, beside `admin`. */
export const mayClaim = ['finance'] as const

/**
 * Claims discrepancies of an invoice.
 * @returns the id of the claim, a draft.
 * @throws ApiError 404, 400 for what cannot be claimed, 409 while it is computed and once the month is closed.
 */
export async function createClaim(context: Context, actor: ClientActor, body: ClaimInput): Promise<string> {
  const { 'reconciliation-id': reconciliationId, 'discrepancy-ids': discrepancyIds, note = null } = body
  return write(context, actor, { may: mayClaim }, async (tx) => {
    const found = await lockClaimedReconciliation(tx, reconciliationId)
    if (found.status !== 'open') throw new ApiError('reconciliation-status', { status: found.status })
    const { companyId, contractId, referenceMonth } = found
    const id = uuidv7()
    const createdBy = actor.clientId
    await insertClaim(tx, { companyId, id, contractId, reconciliationId, referenceMonth, note, createdBy }, tx.at())
    const claimed = new Set(await claimDiscrepancies(tx, companyId, { id, reconciliationId, discrepancyIds }, tx.at()))
    const others = discrepancyIds.flatMap((id, index) =>
      claimed.has(id) ? [] : [{ field: `discrepancy-ids[${index}]`, code: 'not-applicable' as const }],
    )
    if (others.length > 0) throw invalidBody(others)
    tx.audit({ action: 'claim.created', target: id, companyId })
    return id
  })
}

const actions = { sent: 'claim.sent', accepted: 'claim.accepted', refused: 'claim.refused' } as const

/**
 * Says what became of a claim. What a refused one claimed is open again, unless the month is closed.
 * @throws ApiError 404, 409 for a step that does not follow.
 */
export async function moveClaim(context: Context, actor: ClientActor, id: string, step: ClaimStep): Promise<void> {
  await write(context, actor, { may: mayClaim }, async (tx) => {
    const { companyId, ...claim } = await lockClaim(tx, id)
    const allowed: readonly StoredClaimStatus[] = CLAIM_STEPS[claim.status]
    if (!allowed.includes(step.status)) throw new ApiError('claim-status', { status: claim.status, allowed })
    await updateClaim(tx, companyId, id, step, tx.at())
    if (step.status === 'refused' && !(await isMonthClosed(tx, companyId, claim.referenceMonth))) {
      await reopenDiscrepancies(tx, companyId, id, tx.at())
    }
    tx.audit({ action: actions[step.status], target: id, companyId })
  })
}

/** Deletes a draft; what it claimed is open again. @throws ApiError 404, 409 once it was sent, and once the month is closed. */
export async function deleteClaim(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may: mayClaim }, async (tx) => {
    const { companyId, ...claim } = await lockClaim(tx, id)
    if (claim.status !== 'draft') throw new ApiError('claim-status', { status: claim.status, allowed: [] })
    if (await isMonthClosed(tx, companyId, claim.referenceMonth)) {
      throw new ApiError('month-closed', { 'reference-month': claim.referenceMonth })
    }
    await reopenDiscrepancies(tx, companyId, id, tx.at())
    await deleteClaimRows(tx, companyId, id)
    tx.audit({ action: 'claim.deleted', target: id, companyId })
  })
}
