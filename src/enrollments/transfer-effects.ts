import { v7 as uuidv7 } from 'uuid'
import { type DomainEvent, writeEvents } from '../webhooks/outbox.ts'
import { transferOf } from '../domain/benefit-transfer.ts'
import {
  endReplacedBenefits,
  insertReplacementBenefits,
  type TransferredBenefit,
  type NewBenefit,
  readTransferredBenefits,
  saveTransferredMembers,
} from './transfer-queries.ts'
import { voidReplacements } from './exclusion-queries.ts'
import { endWithPrimaries, readFollowers } from './family-queries.ts'
import { activated, deactivated } from './benefit-events.ts'
import type { EffectContext } from './transition-types.ts'
import type { OpenEnrollment } from './transition-queries.ts'

/** Applies completed plan and company changes; an earlier change that was still to come is void. */
export async function applyTransfers(
  context: EffectContext,
  changes: readonly OpenEnrollment[],
): Promise<DomainEvent[]> {
  if (changes.length === 0) return []
  const { sql, companyId, at } = context
  const ids = changes.map((change) => change.id)
  let transferred = await readTransferredBenefits(sql, companyId, ids)
  const replaced = transferred.map((transferredBenefit) => transferredBenefit.benefitId)
  if ((await voidReplacements(sql, at, replaced)) > 0) transferred = await readTransferredBenefits(sql, companyId, ids)
  return writeOtherEvents(context, await transferBenefits(context, transferred))
}

/**
 * Transfers active benefits of dependents after those of their primaries, also those of a later day, step by step where a primary's was
 * transferred more than once; none of them ends after its primary's.
 */
export async function followPrimaries(
  context: Omit<EffectContext, 'move'>,
  companyId: string,
  benefitIds: readonly string[],
): Promise<DomainEvent[]> {
  if (benefitIds.length === 0) return []
  const { sql } = context
  const events: DomainEvent[] = []
  let left = new Map([[companyId, benefitIds]])
  while (left.size > 0) {
    const next: TransferredBenefit[] = []
    for (const [company, ids] of left) {
      const transferred = (await readFollowers(sql, company, ids)).map((transferredBenefit) => ({
        ...transferredBenefit,
        newBenefitId: uuidv7(),
      }))
      events.push(
        ...(await writeOtherEvents(context, await transferBenefits({ ...context, companyId: company }, transferred))),
      )
      events.push(
        ...(await writeOtherEvents(
          context,
          new Map([[company, await endLate({ ...context, companyId: company }, ids)]]),
        )),
      )
      next.push(...transferred)
    }
    const byDestination = Map.groupBy(next, (transferredBenefit) => transferredBenefit.destinationCompanyId)
    left = new Map(
      [...byDestination].map(([company, some]) => [
        company,
        some.map((transferredBenefit) => transferredBenefit.newBenefitId ?? ''),
      ]),
    )
  }
  return events
}

/** Ends benefits that would end after the primary's: of these dependents, and of the dependents of these primaries. */
export async function endLate(
  context: Pick<EffectContext, 'sql' | 'companyId' | 'at' | 'today'>,
  benefitIds: readonly string[],
): Promise<DomainEvent[]> {
  const { sql, companyId, at, today } = context
  const ended = await endWithPrimaries(sql, at, today, JSON.stringify(benefitIds.map((id) => ({ companyId, id }))))
  return ended.map(deactivated)
}

/** Writes the events of other companies. @returns those of the context's company. */
async function writeOtherEvents(
  { sql, companyId, at }: Omit<EffectContext, 'move'>,
  events: ReadonlyMap<string, DomainEvent[]>,
): Promise<DomainEvent[]> {
  for (const [company, some] of events) if (company !== companyId) await writeEvents(sql, company, at, some)
  return events.get(companyId) ?? []
}

/**
 * Transfers benefits of one company, a primary's with those of its dependents: each ends on the day before, and a new one starts in the
 * destination on the day; until then it is `pending`.
 * @returns the events by company.
 */
export async function transferBenefits(
  context: Omit<EffectContext, 'move'>,
  transferred: readonly TransferredBenefit[],
): Promise<Map<string, DomainEvent[]>> {
  const { sql, companyId, at, today, memberKey } = context
  const moves = transferred.flatMap((transferredBenefit) => {
    const change = transferOf(transferredBenefit, transferredBenefit.day, today)
    if (change === null) return []
    return [
      {
        transferredBenefit,
        change: { ...change, now: transferredBenefit.now ?? change.now },
        newId: transferredBenefit.newBenefitId ?? uuidv7(),
      },
    ]
  })
  // Only of benefits that move: a member whose benefit ends before the change stays unknown in the destination.
  const leaving = moves.map(({ transferredBenefit: { destinationCompanyId, memberId: id } }) => ({
    destinationCompanyId,
    id,
  }))
  const members = leaving.filter(({ destinationCompanyId }) => destinationCompanyId !== companyId)
  if (members.length > 0) await saveTransferredMembers(sql, memberKey, companyId, at, members)
  const old = moves.map(({ transferredBenefit, change }) => ({
    id: transferredBenefit.benefitId,
    endDate: change.oldEnd,
    now: change.now,
  }))
  const ended = await endReplacedBenefits(sql, companyId, at, old)
  const starting = moves.filter(({ transferredBenefit }) => !transferredBenefit.covered)
  const begun = starting.map(({ transferredBenefit, change, newId }): NewBenefit => ({
    id: newId,
    companyId: transferredBenefit.destinationCompanyId,
    productId: transferredBenefit.destinationProductId,
    taxId: transferredBenefit.taxId,
    primaryTaxId: transferredBenefit.primaryTaxId,
    replacesId: transferredBenefit.benefitId,
    status: change.now ? 'active' : 'pending',
    startDate: change.newStart,
    endDate: change.newEnd,
  }))
  const started = await insertReplacementBenefits(sql, companyId, at, begun)
  const late = await endLate(
    context,
    transferred.map((transferredBenefit) => transferredBenefit.benefitId),
  )
  const begins = Map.groupBy(started, (benefit) => benefit.companyId)
  const companyIds = new Set([companyId, ...begins.keys()])
  return new Map(
    [...companyIds].map((company) => [
      company,
      [
        ...(company === companyId ? [...ended.map(deactivated), ...late] : []),
        ...(begins.get(company) ?? []).map(activated),
      ],
    ]),
  )
}
