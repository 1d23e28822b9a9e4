import { mayAct } from '../../../../src/exchange/rules/shipment.ts'
import { type ShipmentStatus } from '../../../../src/kernel/broker-enums.ts'

/** Whether the carrier should have answered before today. */
export function isOverdue(
  shipment: { readonly status: ShipmentStatus; readonly 'answer-until': string | null },
  today: string,
): boolean {
  const { status, 'answer-until': until } = shipment
  return until !== null && until < today && status !== 'acknowledged' && mayAct('finish', status)
}
