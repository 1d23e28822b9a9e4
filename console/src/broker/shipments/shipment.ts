import type { Item, ResponseBody } from '@vigencia/client'
import type { ShipmentAct } from '../../../../src/exchange/rules/shipment.ts'

export type Shipment = ResponseBody<'readShipment'>['result']

/** An attempt to take its file to the carrier. */
export type Delivery = Item<'listShipmentDeliveries'>

/** What a person does with a shipment; an acknowledgement is a file. */
export type PersonalAct = Exclude<ShipmentAct, 'acknowledge'> | 'deliver' | 'stopDelivery'
