import { Records } from '#platform/core/records.ts'
import { v7 as uuidv7 } from 'uuid'
import type { BenefitEvent } from '#platform/core/events.ts'
import { dayAfterCover, transferOf } from '../rules/benefit-transfer.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import {
  endReplacedBenefits,
  insertLeavingMovements,
  insertReplacementBenefits,
  type TransferredBenefit,
  type NewBenefit,
  readTransferredBenefits,
  saveTransferredMembers,
} from './transfer-queries.ts'
import { deletePendingReplacements } from './exclusion-queries.ts'
import { endWithPrimaries, readDependentsToTransfer } from './families.ts'
import { activated, deactivated } from '#platform/core/events.ts'
import type { CompanyWrite, EffectContext, TransferContext } from './types.ts'
import type { OpenEnrollment } from './queries.ts'

/** Applies completed plan and company changes. They replace earlier changes of the same benefits that have not taken effect yet. */
export async function applyTransfers(
  context: EffectContext,
  enrollments: readonly OpenEnrollment[],
): Promise<BenefitEvent[]> {
  if (enrollments.length === 0) return []
  const { sql, companyId, at } = context
  await insertLeavingMovements(
    context,
    enrollments.map(({ id }) => id),
  )
  const transfers = enrollments.map(({ id }) => ({ ...context.decisions.get(id), id }))
  let benefits = await readTransferredBenefits(sql, companyId, transfers)
  const keys = benefits.map(({ benefitId: id }) => ({ companyId, id }))
  if ((await deletePendingReplacements(sql, at, keys)) > 0)
    benefits = await readTransferredBenefits(sql, companyId, transfers)
  return emitOfOthers(context, await transferBenefits(context, benefits))
}

/**
 * Transfers active benefits of dependents to the product and company that their primaries were, or will be, transferred to; repeated
 * for each transfer of the primary. None of them ends after the primary's benefit.
 */
export async function transferDependents(
  context: TransferContext,
  benefitIds: readonly string[],
): Promise<BenefitEvent[]> {
  if (benefitIds.length === 0) return []
  const events: BenefitEvent[] = []
  let pending = new Map([[context.companyId, benefitIds]])
  while (pending.size > 0) {
    const transferred: { destinationCompanyId: string; newBenefitId: string }[] = []
    for (const [ownCompanyId, ids] of pending) {
      const own = { ...context, companyId: ownCompanyId }
      const benefits = (await readDependentsToTransfer(context.sql, ownCompanyId, ids)).map((benefit) => ({
        ...benefit,
        newBenefitId: uuidv7(),
      }))
      const eventsByCompany = await transferBenefits(own, benefits)
      eventsByCompany.get(ownCompanyId)?.push(...(await endLate(own, ids)))
      events.push(...emitOfOthers(context, eventsByCompany))
      transferred.push(...benefits)
    }
    const byDestination = Map.groupBy(transferred, (benefit) => benefit.destinationCompanyId)
    pending = new Map([...byDestination].map(([id, benefits]) => [id, benefits.map((benefit) => benefit.newBenefitId)]))
  }
  return events
}

/** Ends benefits that would end after the primary's: of these dependents, and of the dependents of these primaries. */
export async function endLate(
  { sql, companyId, at, today }: Omit<TransferContext, 'memberKey'>,
  benefitIds: readonly string[],
): Promise<BenefitEvent[]> {
  const ended = await endWithPrimaries(sql, at, today, Records.of(benefitIds.map((id) => ({ companyId, id }))))
  return ended.map(deactivated)
}

/** Emits the events of other companies. @returns those of the context's company. */
function emitOfOthers(
  { sql, companyId }: CompanyWrite,
  eventsByCompany: ReadonlyMap<string, BenefitEvent[]>,
): BenefitEvent[] {
  for (const [id, events] of eventsByCompany) if (id !== companyId) sql.emit(id, events)
  return eventsByCompany.get(companyId) ?? []
}

/** Those who are transferred together: the CPF of their primary and the destination. */
const familyOf = ({ taxId, primaryTaxId, destinationCompanyId, destinationProductId }: TransferredBenefit): string =>
  `${primaryTaxId ?? taxId} ${destinationCompanyId} ${destinationProductId}`

/** The days on which primaries among these are transferred, for them and their dependents: after former cover in the destination. */
function familyDays(benefits: readonly TransferredBenefit[]): Map<string, LocalDate> {
  const primaries = benefits.filter(({ primaryTaxId }) => primaryTaxId === null)
  return new Map(
    primaries.map((primary) => [familyOf(primary), dayAfterCover(primary.effectiveDate, primary.formerEnd)]),
  )
}

/**
 * Transfers benefits of one company, a primary's with those of its dependents: each ends on the day before, and a new one starts in the
 * destination on the day; until then it is `pending`.
 * @returns the events by company; the company itself is always among them.
 */
export async function transferBenefits(
  context: TransferContext,
  benefits: readonly TransferredBenefit[],
): Promise<Map<string, BenefitEvent[]>> {
  const { companyId, today } = context
  const days = familyDays(benefits)
  const transfers = benefits.flatMap((benefit) => {
    const transfer = transferOf(benefit, days.get(familyOf(benefit)) ?? benefit.effectiveDate, today, benefit.formerEnd)
    return transfer === null ? [] : [{ ...transfer, now: benefit.now ?? transfer.now, benefit }]
  })
  // A member whose benefit ends before the transfer is not inserted in the destination.
  const members = transfers
    .map(({ benefit }) => ({ destinationCompanyId: benefit.destinationCompanyId, id: benefit.memberId }))
    .filter(({ destinationCompanyId }) => destinationCompanyId !== companyId)
  if (members.length > 0) await saveTransferredMembers(context, context.memberKey, members)
  // A benefit without a day of cover that none will replace has ended.
  const replaced = transfers.map(({ benefit, oldEnd, now }) => ({
    id: benefit.benefitId,
    endDate: oldEnd,
    now: now || (benefit.covered && oldEnd < benefit.startDate),
  }))
  const ended = await endReplacedBenefits(context, replaced)
  const replacements = transfers
    .filter(({ benefit, newStart, newEnd }) => !benefit.covered && (newEnd === null || newEnd >= newStart))
    .map(({ benefit, newStart, newEnd, now }): NewBenefit => ({
      id: benefit.newBenefitId ?? uuidv7(),
      companyId: benefit.destinationCompanyId,
      productId: benefit.destinationProductId,
      taxId: benefit.taxId,
      primaryTaxId: benefit.primaryTaxId,
      replacesId: benefit.benefitId,
      cardNumber: benefit.cardNumber ?? null,
      status: now ? 'active' : 'pending',
      startDate: newStart,
      endDate: newEnd,
    }))
  const started = await insertReplacementBenefits(context, replacements)
  const benefitIds = benefits.map(({ benefitId }) => benefitId)
  const events = new Map([[companyId, [...ended.map(deactivated), ...(await endLate(context, benefitIds))]]])
  for (const [destinationId, rows] of Map.groupBy(started, (benefit) => benefit.companyId)) {
    events.set(destinationId, [...(events.get(destinationId) ?? []), ...rows.map(activated)])
  }
  return events
}
