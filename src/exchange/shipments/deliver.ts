import type { ClientActor } from '#platform/core/actor.ts'
import { logUnlessAway } from '#platform/core/database-errors.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { WorkSlots } from '#platform/core/work-slots.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { nextAttempt } from '#events/rules/webhook.ts'
import type { Context } from '#platform/http/context.ts'
import {
  claimDelivery,
  type DueDelivery,
  readDueDeliveries,
  requestDelivery,
  saveDelivery,
  stopDelivery,
} from '../channels/delivery-queries.ts'
import { readDeliveryChannel } from '../channels/queries.ts'
import { counted, forget } from '#platform/steps/attempts.ts'
import { lockFor, mayWriteShipments } from './close.ts'
import { type Delivered, takeToCarrier } from './delivery-call.ts'
import { checkUnchanged, markSent } from './send.ts'
import { lockShipment } from './write.ts'

/** Longer than an attempt can last. After it, another process repeats the attempt of one that was killed. */
const leaseMs = 180_000

/** Errors that a further attempt would get again. */
const finalErrors = new Set(['host-key-changed', 'file-differs', 'package-missing', 'not-closed', 'channel-not-set'])

/**
 * Requests that a closed shipment is delivered by the channel of its contract; one that waits for its next attempt is delivered now.
 * @throws ApiError 404, 409.
 */
export async function deliverShipment(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(
    context,
    actor,
    { may: mayWriteShipments, lock: (tx) => lockFor(tx, id, 'send') },
    async (tx, shipment) => {
      const { companyId, contractId } = shipment
      await checkUnchanged(tx, shipment)
      const { channel } = await readDeliveryChannel(tx, companyId, contractId)
      if (channel === null) throw new ApiError('channel-not-set')
      const requester = { clientId: actor.clientId, ...actor.origin }
      await requestDelivery(tx, { companyId, shipmentId: id }, channel, requester, tx.at())
      await forget(tx, 'delivery', id)
      tx.audit({ action: 'shipment.delivery-requested', target: id, companyId })
    },
  )
}

/** Makes no further attempt. @throws ApiError 404, 409 while one is being made. */
export async function stopShipmentDelivery(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(
    context,
    actor,
    { may: mayWriteShipments, lock: (tx) => lockFor(tx, id, 'send') },
    async (tx, shipment) => {
      if (!(await stopDelivery(tx, shipment.companyId, id, tx.at()))) throw new ApiError('shipment-being-delivered')
      await forget(tx, 'delivery', id)
      tx.audit({ action: 'shipment.delivery-stopped', target: id, companyId: shipment.companyId })
    },
  )
}

/**
 * Delivers the shipments that are due, each by itself: a server that hangs delays no other. Any number of processes may run it at once: an attempt
 * is claimed by a lease.
 */
export async function deliverDue(context: Context, signal: AbortSignal, slots: WorkSlots): Promise<void> {
  const { database } = context
  const attempts = counted(context)
  const kind = 'delivery'
  if (slots.free === 0) return
  const without = [...slots.keys, ...(await attempts.waiting(kind))]
  for (const due of await readDueDeliveries(database, database.now(), slots.free, without)) {
    const { companyId, shipmentId } = due
    slots.start(shipmentId, async () => {
      const logged = (error: unknown) => logUnlessAway(context.log, error, 'a shipment could not be delivered')
      await attempts.run({ kind, targetId: shipmentId, companyId }, () => deliver(context, due, signal)).catch(logged)
    })
  }
}

async function deliver(context: Context, due: DueDelivery, signal: AbortSignal): Promise<void> {
  const now = context.database.now()
  const leasedUntil = new Date(now.getTime() + leaseMs)
  if (!(await claimDelivery(context.database, due, now, leasedUntil))) return
  const delivered = await takeToCarrier(context, due, signal)
  // The lease ends, and the attempt is made again.
  if (delivered.error === 'stopped') return
  await save(context, due, leasedUntil, now, delivered)
}

/** Stores the result, and that the shipment is sent. */
async function save(
  context: Context,
  due: DueDelivery,
  leasedUntil: Date,
  attemptedAt: Date,
  { responseStatus, error, carrierProtocol, isDone }: Delivered,
): Promise<void> {
  const { shipmentId, attempt, step, requester } = due
  const isFinal = isDone || finalErrors.has(error ?? '') || isRefusal(responseStatus)
  const nextAttemptAt = isFinal ? null : nextAttempt(step, context.database.now(), Math.random())
  const status = isDone ? 'succeeded' : 'failed'
  const result = { status, responseStatus, error, attemptedAt, nextAttemptAt } as const
  const lock = (tx: Tx) => lockShipment(tx, shipmentId)
  await write(context, { kind: 'service' }, { may: 'service', lock }, async (tx, shipment) => {
    const isSaved = await saveDelivery(tx, due, leasedUntil, result, tx.at())
    if (!isSaved || !isDone || shipment.status !== 'closed') return
    const { clientId, ...origin } = requester
    // What it may was checked when it requested the delivery.
    await markSent(
      context,
      tx.as({ kind: 'operator', clientId, origin }),
      shipment,
      { clientId, origin },
      {
        sentAt: tx.at(),
        carrierProtocol,
      },
    )
  })
  if (!isDone)
    context.log.warn({ 'shipment-id': shipmentId, attempt, status: responseStatus, error }, 'shipment not delivered')
}

/** The receiver will say the same again. */
function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429
}
