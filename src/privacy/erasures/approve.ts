import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { lockSubjectRequest } from '../subject-requests/queries.ts'
import { mayHandleSubjectRequests } from '../subject-requests/write.ts'
import { planErasure } from './plan.ts'
import { putPlan, readPlan, setApproved, setRetried } from './stored-plans.ts'

const may = mayHandleSubjectRequests

/** The CPF of an erasure with one of these statuses. @throws ApiError 404, 409. */
async function lockErasure(tx: Tx, id: string, allowed: readonly string[]): Promise<string> {
  const { kind, status, taxId } = await lockSubjectRequest(tx, id)
  if (kind !== 'erasure') throw new ApiError('subject-request-not-found')
  if (taxId === null || !allowed.includes(status)) throw new ApiError('subject-request-status', { status, allowed: [] })
  return taxId
}

/** Makes the plan of an erasure, or makes it again. @throws ApiError 404, 409 once it was approved. */
export async function makePlan(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may }, async (tx) => {
    const taxId = await lockErasure(tx, id, ['open', 'planned'])
    const { plan, mentions } = await planErasure(context, tx, taxId)
    await putPlan(tx, id, { plan, mentions }, actor.clientId, tx.at())
    tx.audit({ action: 'erasure.planned', target: id, companyId: null })
  })
}

/**
 * Approves the plan of another admin: it will be done.
 * @throws ApiError 404, 409 without a plan, for who made it, and when another plan follows from the data now.
 */
export async function approvePlan(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may }, async (tx) => {
    const taxId = await lockErasure(tx, id, ['planned'])
    const stored = await readPlan(tx, id)
    if (stored?.plannedBy === actor.clientId) throw new ApiError('second-admin-required')
    const { plan, mentions } = await planErasure(context, tx, taxId)
    const isSame =
      stored !== null && textOf(plan) === textOf(stored.plan) && textOf(mentions) === textOf(stored.mentions)
    if (!isSame) throw new ApiError('erasure-plan-changed')
    await setApproved(tx, id, actor.clientId, tx.at())
    tx.audit({ action: 'erasure.approved', target: id, companyId: null })
  })
}

/** Tries an erasure that failed again, at once. @throws ApiError 404, 409 when it did not fail. */
export async function retryErasure(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may }, async (tx) => {
    await lockErasure(tx, id, ['approved'])
    if (!(await setRetried(tx, id))) throw new ApiError('erasure-not-failed')
    tx.audit({ action: 'erasure.retried', target: id, companyId: null })
  })
}

/** The plan without the order of its keys, which the database changes. */
const textOf = (plan: readonly object[]) =>
  JSON.stringify(plan.map((item) => Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))))
