import type { Actor, ClientActor } from '#platform/core/actor.ts'
import { byCompany } from '#platform/core/by-company.ts'
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { businessDaysAfter } from '#kernel/business-days.ts'
import { addDays, businessDate, daysBetween } from '#kernel/calendar.ts'
import { businessDaysOf } from '#registry/rules/cut-off.ts'
import type { TransitionResult } from '#movements/rules/transitions.ts'
import type { EnrollmentStatus } from '#kernel/enums.ts'
import type { CancelledItemReason } from '#kernel/broker-enums.ts'
import type { Context } from '#platform/http/context.ts'
import { lockFamilies } from '#movements/transition/families.ts'
import { readBenefitIds } from '#movements/transition/queries.ts'
import { transitionAll } from '#movements/transition/transition.ts'
import { mayWriteShipments, refusedStatus, refuseWhileDelivered } from './close.ts'
import { wholeFamilies } from './joining.ts'
import { readContractOf } from './queries.ts'
import { type ChangedItem, type ReadyItem, readChangedItems, readReadyItems, readStatuses } from './send-queries.ts'
import { type ItemChange, type LockedShipment, lockShipment, sendShipmentRow, updateItems } from './write.ts'

interface SendInput {
  /** Absent: now. */
  readonly sentAt: Date | null
  readonly carrierProtocol: string | null
}

/** Items that the error names. */
const maxNamed = 20

/**
 * Marks a closed shipment as sent; the workers move its movements. The same call again does nothing.
 * @throws ApiError 400, 404, 409 when its status does not allow it, or movements of it have changed since it was closed.
 */
export async function sendShipment(context: Context, actor: ClientActor, id: string, input: SendInput): Promise<void> {
  await write(
    context,
    actor,
    { may: mayWriteShipments, lock: (tx) => lockToSend(tx, id, input) },
    async (tx, shipment) => {
      if (shipment.status !== 'closed') return
      await refuseWhileDelivered(tx, shipment)
      const at = tx.at()
      const sentAt = input.sentAt ?? at
      if (sentAt > at) throw invalidBody([{ field: 'sent-at', code: 'invalid', message: { key: 'not-in-future' } }])
      await checkUnchanged(tx, shipment)
      await markSent(context, tx, shipment, actor, { sentAt, carrierProtocol: input.carrierProtocol })
    },
  )
}

/** @throws ApiError 409 when movements of a closed shipment have changed since. */
export async function checkUnchanged(tx: Tx, shipment: LockedShipment): Promise<void> {
  const changed = await readChangedItems(tx, shipment, maxNamed)
  if (changed.total > 0) throw itemsChanged(changed.total, changed.items)
}

/** Marks a locked shipment as sent by the sender; the workers move its movements. */
export async function markSent(
  context: Pick<Context, 'today'>,
  tx: Tx,
  shipment: LockedShipment,
  { clientId, origin }: Pick<ClientActor, 'clientId' | 'origin'>,
  { sentAt, carrierProtocol }: { readonly sentAt: Date; readonly carrierProtocol: string | null },
): Promise<void> {
  const { companyId, contractId, id } = shipment
  const contract = required(await readContractOf(tx, companyId, contractId), 'contract')
  // Days are those of the business clock, which in staging may be ahead of the time.
  const ahead = Math.max(0, daysBetween(businessDate(tx.at()), context.today()))
  const sentOn = addDays(businessDate(sentAt), ahead)
  const answerUntil = businessDaysAfter(sentOn, contract.answerDays, businessDaysOf(contract.calendar))
  const sending = { sentAt, sentBy: clientId, ...origin, carrierProtocol, answerUntil }
  await sendShipmentRow(tx, shipment, sending, tx.at())
  tx.audit({ action: 'shipment.sent', target: id, companyId })
}

/** Also a shipment that was sent with the same values. */
async function lockToSend(tx: Tx, id: string, { sentAt, carrierProtocol }: SendInput): Promise<LockedShipment> {
  const shipment = await lockShipment(tx, id)
  if (shipment.status === 'closed') return shipment
  const isSame =
    shipment.sentAt !== null &&
    (sentAt === null || sentAt.getTime() === shipment.sentAt.getTime()) &&
    (carrierProtocol === null || carrierProtocol === shipment.carrierProtocol)
  if (!isSame) throw refusedStatus(shipment, 'send')
  return shipment
}

function itemsChanged(total: number, items: readonly ChangedItem[]): ApiError {
  return new ApiError('shipment-items-changed', { changed: total, items })
}

/**
 * Moves one chunk of families of a sent shipment to the carrier, in the worker's transaction. Safe to run twice: an item that is not `ready` is done.
 */
export async function processShipment(context: Context, tx: Tx, id: string): Promise<'more' | 'done'> {
  const shipment = await lockShipment(tx, id)
  const ready = await readReadyItems(tx, shipment, CHUNK_SIZE + 1)
  const chunk = wholeFamilies(ready, CHUNK_SIZE)
  if (chunk.length === 0) return 'done'
  await moveItems(context, tx, shipment, chunk)
  return chunk.length < ready.length ? 'more' : 'done'
}

async function moveItems(
  context: Context,
  tx: Tx,
  shipment: LockedShipment,
  items: readonly ReadyItem[],
): Promise<void> {
  const families = byCompany(items)
  for (const [companyId, own] of families) {
    const ids = own.map(({ enrollmentId }) => enrollmentId)
    await lockFamilies(tx, companyId, await readBenefitIds(tx, companyId, ids))
  }
  const changes: ItemChange[] = []
  for (const [companyId, own] of families) changes.push(...(await moveOf(context, tx, shipment, companyId, own)))
  await updateItems(tx, shipment, changes, tx.at())
}

/** Moves the movements of one company. */
async function moveOf(
  context: Context,
  tx: Tx,
  shipment: LockedShipment,
  companyId: string,
  items: readonly ReadyItem[],
): Promise<ItemChange[]> {
  const { carrierProtocol } = shipment
  const daysAgo = daysBetween(businessDate(required(shipment.sentAt, 'sent-at')), businessDate(tx.at()))
  const ids = items.map(({ enrollmentId }) => enrollmentId)
  const statuses = await readStatuses(tx, companyId, ids)
  const having = (status: EnrollmentStatus) => ids.filter((id) => statuses.get(id) === status)
  const sender = tx.as(actorOf(shipment))
  const scheduled = having('scheduled')
  const created = [...scheduled, ...having('created')]
  if (scheduled.length > 0)
    await transitionAll(sender, companyId, scheduled, { status: 'created', reason: null }, context)
  const toBroker = { status: 'broker-processing', reason: null } as const
  if (created.length > 0) await transitionAll(sender, companyId, created, toBroker, context)
  const movable = [...created, ...having('broker-processing')]
  const informedOn = addDays(context.today(), -daysAgo)
  const toCarrier = { status: 'carrier-processing', reason: null, carrierProtocol, informedOn } as const
  const results = movable.length === 0 ? new Map() : await transitionAll(sender, companyId, movable, toCarrier, context)
  // The movement of the side that leaves is completed already.
  const leaving = new Set(items.flatMap(({ enrollmentId, side }) => (side === 'leaving' ? [enrollmentId] : [])))
  return ids.map((id): ItemChange =>
    leaving.has(id)
      ? { enrollment_id: id, status: 'sent', reason: null }
      : changeOf(id, statuses.get(id) ?? 'cancelled', results.get(id)),
  )
}

/** Who sent it: `send` has checked that it may. */
function actorOf({ sentBy, sentAddress, sentTraceId }: LockedShipment): Actor {
  const origin = { address: sentAddress ?? '', traceId: sentTraceId ?? '' }
  return { kind: 'operator', clientId: sentBy ?? '', origin }
}

/** A movement that was at the carrier before was sent. */
function changeOf(enrollment_id: string, status: EnrollmentStatus, result: TransitionResult | undefined): ItemChange {
  if (result?.accepted === true || status === 'carrier-processing')
    return { enrollment_id, status: 'sent', reason: null }
  const reason: CancelledItemReason = status === 'cancelled' ? 'movement-cancelled' : 'movement-changed'
  return { enrollment_id, status: 'cancelled', reason }
}
