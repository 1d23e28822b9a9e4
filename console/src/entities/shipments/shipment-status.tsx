import { useTranslation } from 'react-i18next'
import type { ItemStatus, ShipmentStatus } from '../../../../src/kernel/operator-enums.ts'
import { Badge, type BadgeColor } from '../../components/badge.tsx'

const colors: Readonly<Record<ShipmentStatus, BadgeColor>> = {
  open: 'blue',
  closed: 'indigo',
  sent: 'orange',
  'partly-acknowledged': 'orange',
  acknowledged: 'green',
  finished: 'green',
  cancelled: 'gray',
}

/** The status of a shipment. */
export function ShipmentStatusBadge({ status }: { readonly status: ShipmentStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={colors[status]}>{t(`shipmentStatus.${status}`)}</Badge>
}

const itemColors: Readonly<Record<ItemStatus, BadgeColor>> = {
  'not-ready': 'red',
  ready: 'blue',
  sent: 'indigo',
  accepted: 'green',
  refused: 'red',
  unanswered: 'orange',
  cancelled: 'gray',
}

/** The status of a movement in a shipment. */
export function ItemStatusBadge({ status }: { readonly status: ItemStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={itemColors[status]}>{t(`shipmentItemStatus.${status}`)}</Badge>
}
