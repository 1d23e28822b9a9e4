import { Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ITEM_STATUSES } from '../../../../src/kernel/broker-enums.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { Absent, NumberValue } from '../../components/value.tsx'
import { column, cpf, number, side, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Shipment } from './shipment.ts'
import { ItemStatusBadge } from '../../entities/shipments/shipment-status.tsx'

const route = getRouteApi('/shell/carriers/shipments/$shipmentId')

type ShipmentItem = Item<'listShipmentItems'>

const columnsOf = (t: TFunction<['shipments', 'terms']>): readonly Column<ShipmentItem>[] => [
  number(t('shipments:position'), 'position', '3.5rem'),
  column(t('shipments:name'), 'minmax(11rem, 1.5fr)', (item) => (
    <TextLink to="/queue/$enrollmentId" params={{ enrollmentId: item['enrollment-id'] }}>
      <span translate="no" title={item['member-name']}>
        {item['member-name']}
      </span>
    </TextLink>
  )),
  column(t('shipments:member'), '7rem', (item) => t(`terms:beneficiaryType.${item['member-type']}`)),
  cpf(t('shipments:taxId'), 'member-tax-id'),
  column(t('shipments:type'), '8.5rem', (item) => <MovementType item={item} />),
  text(t('shipments:product'), 'product-name', 'minmax(8rem, 1fr)'),
  side(t('shipments:status'), '7.5rem', ({ status }) => <ItemStatusBadge status={status} />),
  column(t('shipments:answer'), 'minmax(11rem, 1.5fr)', (item) => <Answer item={item} />),
]

/** The type of the movement; for a plan change to another contract also which of its two sides it is. */
export function MovementType({ item }: { readonly item: Pick<ShipmentItem, 'enrollment-type' | 'side'> }) {
  const { t } = useTranslation(['shipments', 'terms'])
  const type = t(`terms:type.${item['enrollment-type']}`)
  if (item.side === null) return type
  const words = `${type}: ${t(`shipments:side.${item.side}`)}`
  return <span title={words}>{words}</span>
}

/** What the carrier said of a movement, or why it is not in the shipment any more. */
function Answer({ item }: { readonly item: ShipmentItem }) {
  const { t } = useTranslation('shipments')
  if (item.reason !== null) return t(`reasonOf.${item.reason}`)
  const parts = [
    item['carrier-code'] === null ? null : t('code', { code: item['carrier-code'] }),
    item['carrier-message'],
    item['carrier-protocol'],
  ].filter((part) => part !== null)
  if (parts.length === 0) return <Absent />
  const text = parts.join(' · ')
  return (
    <span translate="no" title={text}>
      {text}
    </span>
  )
}

/** The movements of a shipment by status, in the order of the file. */
export function ItemTable({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation(['shipments', 'terms'])
  const { status } = route.useSearch()
  const mayReadQueue = usePermission('listEnrollmentQueue')
  const list = usePagedList('listShipmentItems', status === undefined ? {} : { status }, {
    path: [shipment['shipment-id']],
    refetchInterval: 30_000,
  })
  const present = ITEM_STATUSES.filter((name) => (shipment.counts[name] ?? 0) > 0 || name === status)
  return (
    <>
      <Group component="nav" gap="lg" mb="xs" aria-label={t('shipments:counts')}>
        {[undefined, ...present].map((name) => (
          <TextLink
            to="/carriers/shipments/$shipmentId"
            params={{ shipmentId: shipment['shipment-id'] }}
            search={name === undefined ? {} : { status: name }}
            replace
            activeProps={{}}
            key={name ?? 'all'}
            {...(name === status ? { 'aria-current': 'true' as const, fw: 700 } : {})}
          >
            {name === undefined ? (
              t('shipments:all')
            ) : (
              <>
                {t(`terms:shipmentItemStatus.${name}`)} (<NumberValue value={shipment.counts[name]} />)
              </>
            )}
          </TextLink>
        ))}
      </Group>
      {shipment.status !== 'open' && mayReadQueue && (
        <TextLink to="/queue" search={{ status: 'all', 'shipment-id': shipment['shipment-id'] }}>
          {t('shipments:inQueue')}
        </TextLink>
      )}
      <DataTable
        label={t('shipments:items')}
        unit="movements"
        columns={columnsOf(t)}
        list={list}
        idOf={(item) => item['enrollment-id']}
        empty={t(status === undefined ? 'shipments:noItems' : 'shipments:noItemsOf')}
      />
    </>
  )
}
