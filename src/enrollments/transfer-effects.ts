import { v7 as uuidv7 } from 'uuid'
import { type Happening, writeEvents } from '../webhooks/outbox.ts'
import { InvariantError } from '../platform/log.ts'
import { memberId } from '../members/member-id.ts'
import { changeOf } from '../domain/benefit-transfer.ts'
import {
  endOld,
  insertMovers,
  insertNew,
  type Mover,
  type NewBenefit,
  type Placement,
  readClashes,
  readMovers,
} from './transfer-queries.ts'
import { voidSuccessors } from './exclusion-queries.ts'
import { endWithPrimaries, readFollowers } from './family-queries.ts'
import { activated, deactivated } from './benefit-events.ts'
import type { EffectContext } from './transition.ts'
import type { OpenEnrollment } from './transition-queries.ts'

/** Carries out completed plan and company changes; a change that lay ahead before is void. */
export async function applyChanges(context: EffectContext, changes: readonly OpenEnrollment[]): Promise<Happening[]> {
  if (changes.length === 0) return []
  const { sql, companyId, at } = context
  const ids = changes.map((change) => change.id)
  let movers = await readMovers(sql, companyId, ids)
  const replaced = movers.map((mover) => mover.benefitId)
  if ((await voidSuccessors(sql, at, replaced)) > 0) movers = await readMovers(sql, companyId, ids)
  return tellOthers(context, await moveBenefits(context, movers))
}

/**
 * Moves active benefits of dependents to where their primaries' have gone, or will go on a day ahead, step by step where those
 * went on from there; none of them ends after its primary's.
 */
export async function followPrimaries(
  context: Omit<EffectContext, 'move'>,
  companyId: string,
  benefitIds: readonly string[],
): Promise<Happening[]> {
  if (benefitIds.length === 0) return []
  const { sql } = context
  const happened: Happening[] = []
  let left = new Map([[companyId, benefitIds]])
  while (left.size > 0) {
    const next: Mover[] = []
    for (const [home, ids] of left) {
      const movers = (await readFollowers(sql, home, ids)).map((mover) => ({ ...mover, newBenefitId: uuidv7() }))
      happened.push(...(await tellOthers(context, await moveBenefits({ ...context, companyId: home }, movers))))
      happened.push(
        ...(await tellOthers(context, new Map([[home, await endLate({ ...context, companyId: home }, ids)]]))),
      )
      next.push(...movers)
    }
    const byHome = Map.groupBy(next, (mover) => mover.destinationCompanyId)
    left = new Map([...byHome].map(([home, some]) => [home, some.map((mover) => mover.newBenefitId ?? '')]))
  }
  return happened
}

/** Ends what would end after a primary's: of these dependents, and of the dependents of these primaries. */
export async function endLate(
  context: Pick<EffectContext, 'sql' | 'companyId' | 'at' | 'today'>,
  benefitIds: readonly string[],
): Promise<Happening[]> {
  const { sql, companyId, at, today } = context
  const ended = await endWithPrimaries(sql, at, today, JSON.stringify(benefitIds.map((id) => ({ companyId, id }))))
  return ended.map(deactivated)
}

/** Writes the events of other companies. @returns those of the context's own. */
async function tellOthers(
  { sql, companyId, at }: Omit<EffectContext, 'move'>,
  happened: ReadonlyMap<string, Happening[]>,
): Promise<Happening[]> {
  for (const [home, some] of happened) if (home !== companyId) await writeEvents(sql, home, at, some)
  return happened.get(companyId) ?? []
}

/**
 * Moves benefits of one company, a primary's with those of its dependents: each ends on the day before and starts anew in the
 * destination on the day; ahead of it the new ones wait as `pending` for the clock.
 * @returns what happened, by the company in which it did.
 */
export async function moveBenefits(
  context: Omit<EffectContext, 'move'>,
  movers: readonly Mover[],
): Promise<Map<string, Happening[]>> {
  const { sql, companyId, at, today } = context
  const moves = movers.flatMap((mover) => {
    const change = changeOf(mover, mover.day, today)
    if (change === null) return []
    return [{ mover, change: { ...change, now: mover.now ?? change.now }, newId: mover.newBenefitId ?? uuidv7() }]
  })
  // Whoever ends before the change stays unknown where the others go.
  await placeMovers(
    context,
    moves.map(({ mover }) => mover),
  )
  const old = moves.map(({ mover, change }) => ({ id: mover.benefitId, endDate: change.oldEnd, now: change.now }))
  const ended = await endOld(sql, companyId, at, old)
  const starting = moves.filter(({ mover }) => !mover.covered)
  const begun = starting.map(({ mover, change, newId }): NewBenefit => ({
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
  const late = await endLate(
    context,
    movers.map((mover) => mover.benefitId),
  )
  const begins = Map.groupBy(started, (benefit) => benefit.companyId)
  const homes = new Set([companyId, ...begins.keys()])
  return new Map(
    [...homes].map((home) => [
      home,
      [...(home === companyId ? [...ended.map(deactivated), ...late] : []), ...(begins.get(home) ?? []).map(activated)],
    ]),
  )
}

/**
 * Makes people known in the company that they move to. Whoever the company knows keeps the id there; an id that somebody else
 * has there, whose CPF was corrected, gives way to the next one of the keyed hash.
 */
async function placeMovers(
  { sql, companyId, at, memberKey }: Omit<EffectContext, 'move'>,
  movers: readonly Mover[],
): Promise<void> {
  let people: Placement[] = movers
    .filter((mover) => mover.destinationCompanyId !== companyId)
    .map(({ destinationCompanyId, memberId: id, taxId }) => ({ destinationCompanyId, id, taxId }))
  if (people.length === 0) return
  for (let n = 1; n <= 100; n += 1) {
    const clashes = new Set(await readClashes(sql, people))
    if (clashes.size === 0) {
      await insertMovers(sql, companyId, at, people)
      return
    }
    const other = n
    people = people.map((one) => (clashes.has(one.taxId) ? { ...one, id: memberId(memberKey, one.taxId, other) } : one))
  }
  throw new InvariantError('a hundred ids of one person are taken by others')
}
