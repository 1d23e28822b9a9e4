import { v7 as uuidv7 } from 'uuid'
import { requireCompany } from '../companies/queries.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { insertHold, releaseHold } from './queries.ts'
import type { HoldInput } from './schema.ts'

/**
 * Sets a hold: neither retention nor erasure deletes what it is on.
 * @returns its id.
 * @throws ApiError 400 unless it is on one of the two, 404 for an unknown company, 409 when one is in force.
 */
export async function setHold(context: Context, actor: ClientActor, body: HoldInput): Promise<string> {
  const { 'tax-id': taxId = null, 'company-tax-id': companyTaxId = null, reason } = body
  if (taxId !== null && companyTaxId !== null) throw invalidBody([{ field: 'company-tax-id', code: 'not-applicable' }])
  return write(context, actor, { may: [] }, async (tx) => {
    const companyId = companyTaxId === null ? null : await requireCompany(tx, companyTaxId)
    if (taxId === null && companyId === null) throw invalidBody([{ field: 'tax-id', code: 'missing' }])
    const id = uuidv7()
    if (!(await insertHold(tx, { id, taxId, companyId, reason, actorId: actor.clientId }, tx.at()))) {
      throw new ApiError('legal-hold-in-force')
    }
    tx.audit({ action: 'legal-hold.set', target: id, companyId })
    return id
  })
}

/** Ends a hold. @throws ApiError 404, 409 when it was released. */
export async function endHold(context: Context, actor: ClientActor, id: string, reason: string): Promise<void> {
  await write(context, actor, { may: [] }, async (tx) => {
    const released = await releaseHold(tx, { id, reason, actorId: actor.clientId }, tx.at())
    if (released === 'unknown') throw new ApiError('legal-hold-not-found')
    if (released === 'released') throw new ApiError('legal-hold-released')
    tx.audit({ action: 'legal-hold.released', target: id, companyId: released.companyId })
  })
}
