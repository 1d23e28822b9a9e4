import type { ResponseBody } from '@vigencia/client'
import type { ShipmentAct } from '../../../../src/domain/shipment.ts'

export type Shipment = ResponseBody<'readShipment'>['result']

/** What a person does with a shipment; an acknowledgement is a file. */
export type PersonalAct = Exclude<ShipmentAct, 'acknowledge'>
