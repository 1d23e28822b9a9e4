/* Shipments: the movements of a contract that are sent to its carrier at once. */
import type { ShipmentStatus } from '#kernel/broker-enums.ts'

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
