import { v7 as uuidv7 } from 'uuid'
import type { Happening } from '../events/outbox.ts'
import { changeOf } from '../rules/change.ts'
import { endOld, insertNew, type NewBenefit, placeMovers, readMovers } from './change-queries.ts'
import { voidSuccessors } from './ending-queries.ts'
import { deactivated } from './exclusion-effects.ts'
import type { EffectContext } from './transition.ts'
import type { OpenEnrollment } from './transition-queries.ts'

/**
 * Carries out completed plan and company changes: each benefit that moves, and those of the primary's dependents, end on the
 * day before and start anew in the destination on the day; ahead of it the new ones wait as `pending` for the clock.
 */
export async function applyChanges(context: EffectContext, changes: readonly OpenEnrollment[]): Promise<Happening[]> {
  if (changes.length === 0) return []
  const { sql, companyId, at, today } = context
  const movers = await readMovers(
    sql,
    companyId,
    changes.map((change) => change.id),
  )
  await voidSuccessors(
    sql,
    movers.map((mover) => mover.benefitId),
  )
  const moves = movers.flatMap((mover) => {
    const change = changeOf(mover, mover.day, today)
    return change === null ? [] : [{ mover, change, newId: mover.newBenefitId ?? uuidv7() }]
  })
  await placeMovers(sql, companyId, at, movers)
  const old = moves.map(({ mover, change }) => ({ id: mover.benefitId, endDate: change.oldEnd, now: change.now }))
  const ended = await endOld(sql, companyId, at, old)
  const begun = moves.map(({ mover, change, newId }): NewBenefit => ({
    id: newId,
    companyId: mover.destinationCompanyId,
    productId: mover.destinationProductId,
    taxId: mover.taxId,
    primaryTaxId: mover.primaryTaxId,
    replacesId: mover.benefitId,
    status: change.now ? 'active' : 'pending',
    startDate: change.newStart,
    endDate: change.newEnd,
  }))
  const started = await insertNew(sql, companyId, at, begun)
  return [
    ...ended.map(deactivated),
    ...started.map(({ id, memberId }) => ({
      type: 'benefit.activated',
      data: { 'benefit-id': id, 'member-id': memberId, status: 'active' },
    })),
  ]
}
