/* Shipments: the movements of a contract that are sent to its carrier at once. */

/** An open one takes movements; a closed one has its file; the acknowledgements are those of the carrier. */
export const SHIPMENT_STATUSES = [
  'open',
  'closed',
  'sent',
  'partly-acknowledged',
  'acknowledged',
  'finished',
  'cancelled',
] as const
export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number]

/** Of the items of a shipment that was closed. */
export const STORED_ITEM_STATUSES = ['ready', 'sent', 'accepted', 'refused', 'unanswered', 'cancelled'] as const
export type StoredItemStatus = (typeof STORED_ITEM_STATUSES)[number]

/** Those of an open shipment are `ready` or `not-ready`, as the layout of the contract can write them now. */
export const ITEM_STATUSES = ['not-ready', ...STORED_ITEM_STATUSES] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** Why an item of a shipment is cancelled. `movement-changed`: it had another status when the shipment was sent. */
export const CANCELLED_ITEM_REASONS = ['shipment-cancelled', 'movement-cancelled', 'movement-changed'] as const
export type CancelledItemReason = (typeof CANCELLED_ITEM_REASONS)[number]

/** Of a plan change to another contract: the carrier that gains the person, and the one that loses it. */
export const ITEM_SIDES = ['joining', 'leaving'] as const
export type ItemSide = (typeof ITEM_SIDES)[number]

/** Most items of a shipment. */
export const MAX_SHIPMENT_ITEMS = 10_000

/** The statuses in which each act is done. */
export const SHIPMENT_ACTS = {
  close: ['open'],
  reopen: ['closed'],
  cancel: ['open', 'closed'],
  send: ['closed'],
  acknowledge: ['sent', 'partly-acknowledged', 'acknowledged', 'finished'],
  finish: ['sent', 'partly-acknowledged', 'acknowledged'],
} as const satisfies Readonly<Record<string, readonly ShipmentStatus[]>>
export type ShipmentAct = keyof typeof SHIPMENT_ACTS

/** Whether a shipment in this status allows the act. */
export function mayAct(act: ShipmentAct, status: ShipmentStatus): boolean {
  return (SHIPMENT_ACTS[act] as readonly ShipmentStatus[]).includes(status)
}
