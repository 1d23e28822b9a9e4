import { termBadge } from '../../components/term-badge.tsx'

/** The status of a shipment. */
export const ShipmentStatusBadge = termBadge('shipmentStatus', {
  open: 'blue',
  closed: 'indigo',
  sent: 'orange',
  'partly-acknowledged': 'orange',
  acknowledged: 'green',
  finished: 'green',
  cancelled: 'gray',
})

/** The status of a movement in a shipment. */
export const ItemStatusBadge = termBadge('shipmentItemStatus', {
  'not-ready': 'red',
  ready: 'blue',
  sent: 'indigo',
  accepted: 'green',
  refused: 'red',
  unanswered: 'orange',
  cancelled: 'gray',
})
