import { Anchor, Group } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ITEM_STATUSES } from '../../../../src/kernel/operator-enums.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { CpfValue, NumberValue, TextValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Shipment } from './shipment.ts'
import { ItemStatusBadge } from './shipment-status.tsx'

const route = getRouteApi('/shell/carriers/shipments/$shipmentId')

type ShipmentItem = Item<'listShipmentItems'>

const columnsOf = (t: TFunction<['shipments', 'terms']>): readonly Column<ShipmentItem>[] => [
  {
    id: 'position',
    header: t('shipments:position'),
    width: '3.5rem',
    isNumeric: true,
    cell: (item) => <NumberValue value={item.position} />,
  },
  {
    id: 'name',
    header: t('shipments:name'),
    width: 'minmax(11rem, 1.5fr)',
    cell: (item) => (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/queue/$enrollmentId" params={{ enrollmentId: item['enrollment-id'] }} {...props} />
        )}
      >
        <span translate="no" title={item['member-name']}>
          {item['member-name']}
        </span>
      </Anchor>
    ),
  },
  {
    id: 'memberType',
    header: t('shipments:member'),
    width: '7rem',
    cell: (item) => t(`terms:beneficiaryType.${item['member-type']}`),
  },
  {
    id: 'taxId',
    header: t('shipments:taxId'),
    width: '8.5rem',
    cell: (item) => <CpfValue value={item['member-tax-id']} />,
  },
  {
    id: 'type',
    header: t('shipments:type'),
    width: '8.5rem',
    cell: (item) => <MovementType item={item} />,
  },
  {
    id: 'product',
    header: t('shipments:product'),
    width: 'minmax(8rem, 1fr)',
    cell: (item) => <TextValue value={item['product-name']} />,
  },
  {
    id: 'status',
    header: t('shipments:status'),
    width: '7.5rem',
    cell: ({ status }) => <ItemStatusBadge status={status} />,
  },
  {
    id: 'answer',
    header: t('shipments:answer'),
    width: 'minmax(11rem, 1.5fr)',
    cell: (item) => <Answer item={item} />,
  },
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
  if (parts.length === 0) return <Value>—</Value>
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
          <Anchor
            key={name ?? 'all'}
            size="sm"
            {...(name === status ? { 'aria-current': 'true' as const, fw: 700 } : {})}
            renderRoot={(props) => (
              <Link
                to="/carriers/shipments/$shipmentId"
                params={{ shipmentId: shipment['shipment-id'] }}
                search={name === undefined ? {} : { status: name }}
                replace
                activeProps={{}}
                {...props}
              />
            )}
          >
            {name === undefined ? (
              t('shipments:all')
            ) : (
              <>
                {t(`terms:shipmentItemStatus.${name}`)} (<NumberValue value={shipment.counts[name]} />)
              </>
            )}
          </Anchor>
        ))}
      </Group>
      {shipment.status !== 'open' && mayReadQueue && (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/queue" search={{ status: 'all', 'shipment-id': shipment['shipment-id'] }} {...props} />
          )}
        >
          {t('shipments:inQueue')}
        </Anchor>
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
