import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { mayWriteShipments } from './close.ts'
import { lockShipment, updateItemProtocol } from './write.ts'

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
