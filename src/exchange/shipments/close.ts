import { createHash } from 'node:crypto'
import { openNextShipment } from '#registry/contracts/open-shipment.ts'
import { isBeingDelivered, requestDelivery } from '../channels/delivery-queries.ts'
import { readDeliveryChannel } from '../channels/queries.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'
import { mayAct, SHIPMENT_ACTS, type ShipmentAct } from '../rules/shipment.ts'
import type { Context } from '#platform/http/context.ts'
import type { Language } from '#kernel/texts/texts.ts'
import { type OpenItem, problemsIn } from './items.ts'
import { cutOffOn, withOpenShipment } from './open.ts'
import { type ContractOfShipment, hasLaterShipment, readContractOf } from './queries.ts'
import { lockLayoutOf } from './render.ts'
import {
  cancelShipmentRow,
  type ClosedShipment,
  closeShipmentRow,
  finishShipmentRow,
  hasReadyItems,
  type LockedShipment,
  lockShipment,
  reopenShipmentRow,
  updateItemProtocol,
} from './write.ts'

/** The roles that write shipments, beside `admin`. */
export const mayWriteShipments = ['analyst'] as const

/** Items that the error names. */
const maxNamed = 10

/**
 * Locks a shipment for an act, in the transaction of a write.
 * @throws ApiError 404, 409 when its status does not allow the act.
 */
export async function lockFor(tx: Tx, id: string, act: ShipmentAct): Promise<LockedShipment> {
  const shipment = await lockShipment(tx, id)
  if (!mayAct(act, shipment.status)) throw refusedStatus(shipment, act)
  return shipment
}

/** 409: the status does not allow the act. */
export function refusedStatus({ status }: Pick<LockedShipment, 'status'>, act: ShipmentAct): ApiError {
  return new ApiError('shipment-status', { status, allowed: [...SHIPMENT_ACTS[act]] })
}

/** @throws ApiError 409 while a delivery of the shipment waits or is being made: the carrier may get it. */
export async function refuseWhileDelivered(tx: Tx, { companyId, id }: LockedShipment): Promise<void> {
  if (await isBeingDelivered(tx, companyId, id)) throw new ApiError('shipment-being-delivered')
}

const auditOf = (action: AuditAction, { id, companyId }: LockedShipment) => ({ action, target: id, companyId })

/**
 * Closes an open shipment: its movements become items, its file is made once, and the next shipment is open.
 * @param options `skipNotReady`: items with problems wait for the next one. `language`: of the problems in the error.
 * @throws ApiError 404, 409.
 */
export async function closeShipment(
  context: Context,
  actor: ClientActor,
  id: string,
  { skipNotReady, language }: { readonly skipNotReady: boolean; readonly language: Language },
): Promise<void> {
  await write(
    context,
    actor,
    { may: mayWriteShipments, lock: (tx) => lockFor(tx, id, 'close') },
    async (tx, shipment) => {
      const { companyId, contractId, number } = shipment
      const contract = required(await readContractOf(tx, companyId, contractId), 'contract')
      const cutOff = cutOffOn(context.today(), contract)
      await lockLayoutOf(tx, companyId, contractId)
      const { layout, file, items, notReady } = await withOpenShipment(tx, shipment, cutOff, async (open) => {
        return { layout: open.layout, ...(await open.close({ skipNotReady, maxNamed })) }
      })
      if (file === null) throw itemsNotReady(notReady, items, language)
      if (items.length === 0) throw new ApiError('shipment-empty')
      if (file.isTooLarge) throw new ApiError('shipment-too-large')
      const sha256 = createHash('sha256').update(file.content).digest()
      const closed = { ...cutOff, layout, file, items, fileName: fileName(contract, number, file), sha256 }
      await closeShipmentRow(tx, shipment, closed, tx.at())
      await openNextShipment(tx, { companyId, contractId }, tx.at())
      tx.audit(auditOf('shipment.closed', shipment))
      await deliverAutomatically(tx, shipment, actor)
    },
  )
}

function itemsNotReady(total: number, named: readonly OpenItem[], language: Language): ApiError {
  const items = named.map(({ enrollmentId, problems }) => {
    return { 'enrollment-id': enrollmentId, problems: problemsIn(language, problems) }
  })
  return new ApiError('shipment-items-not-ready', { 'not-ready': total, items })
}

/** Requests the delivery of a shipment that was closed, where its contract says so. */
async function deliverAutomatically(
  tx: Tx,
  shipment: LockedShipment,
  { clientId, origin }: ClientActor,
): Promise<void> {
  const { companyId, contractId, id } = shipment
  const { channel, isAutomatic } = await readDeliveryChannel(tx, companyId, contractId)
  if (channel === null || !isAutomatic) return
  await requestDelivery(tx, { companyId, shipmentId: id }, channel, { clientId, ...origin }, tx.at())
  tx.audit(auditOf('shipment.delivery-requested', shipment))
}

/** The name of the file, in ASCII that every file system takes. */
function fileName(
  { contractNumber, subContract }: ContractOfShipment,
  number: number,
  file: ClosedShipment['file'],
): string {
  const parts = [contractNumber, ...(subContract === '' ? [] : [subContract]), String(number)]
  return `${parts.map((part) => part.replaceAll(/[^\w.-]/g, '_')).join('-')}${file.extension}`
}

/**
 * Takes the file and the items of a closed shipment back: it is the open one again, with the movements of the next one, which is deleted.
 * @throws ApiError 404, 409.
 */
export async function reopenShipment(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(
    context,
    actor,
    { may: mayWriteShipments, lock: (tx) => lockFor(tx, id, 'reopen') },
    async (tx, shipment) => {
      await refuseWhileDelivered(tx, shipment)
      const { companyId, contractId } = shipment
      const contract = required(await readContractOf(tx, companyId, contractId), 'contract')
      if (!contract.isActive || (await hasLaterShipment(tx, companyId, shipment)))
        throw new ApiError('shipment-not-latest')
      await reopenShipmentRow(tx, shipment, tx.at())
      tx.audit(auditOf('shipment.reopened', shipment))
    },
  )
}

/** Gives up an open or closed shipment: its movements are those of the next one. @throws ApiError 404, 409. */
export async function cancelShipment(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(
    context,
    actor,
    { may: mayWriteShipments, lock: (tx) => lockFor(tx, id, 'cancel') },
    async (tx, shipment) => {
      await refuseWhileDelivered(tx, shipment)
      await cancelShipmentRow(tx, shipment, tx.at())
      await openNextShipment(tx, shipment, tx.at())
      tx.audit(auditOf('shipment.cancelled', shipment))
    },
  )
}

/** Ends a sent shipment. What the carrier has not answered is overdue at the carrier. @throws ApiError 404, 409. */
export async function finishShipment(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(
    context,
    actor,
    { may: mayWriteShipments, lock: (tx) => lockFor(tx, id, 'finish') },
    async (tx, shipment) => {
      if (await hasReadyItems(tx, shipment)) throw new ApiError('shipment-being-sent')
      await finishShipmentRow(tx, shipment, tx.at())
      tx.audit(auditOf('shipment.finished', shipment))
    },
  )
}

/** A shipment that has items. */
const allowed = ['closed', 'sent', 'partly-acknowledged', 'acknowledged', 'finished']

/** Stores what the carrier calls an item by. @throws ApiError 404, 409 for an open or cancelled shipment. */
export async function putItemProtocol(
  context: Context,
  actor: ClientActor,
  id: string,
  position: number,
  protocol: string | null,
): Promise<void> {
  await write(context, actor, { may: mayWriteShipments, lock: (tx) => lockShipment(tx, id) }, async (tx, shipment) => {
    if (!allowed.includes(shipment.status)) throw new ApiError('shipment-status', { status: shipment.status, allowed })
    if (!(await updateItemProtocol(tx, shipment, position, protocol, tx.at())))
      throw new ApiError('shipment-item-not-found')
    tx.audit({ action: 'shipment.item-protocol-stored', target: id, companyId: shipment.companyId })
  })
}
