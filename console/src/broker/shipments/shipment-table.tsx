import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { DateValue, NumberValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { saoPauloDay } from '../../format/date.ts'
import { isOverdue } from './overdue.ts'
import { ShipmentStatusBadge } from './shipment-status.tsx'

type Shipment = Item<'listShipments'>

const columnsOf = (t: TFunction<['shipments', 'terms']>, today: string): readonly Column<Shipment>[] => [
  {
    id: 'number',
    header: t('shipments:number'),
    width: '5.5rem',
    cell: (one) => (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/carriers/shipments/$shipmentId" params={{ shipmentId: one['shipment-id'] }} {...props} />
        )}
      >
        <Value>{one.number}</Value>
      </Anchor>
    ),
  },
  {
    id: 'status',
    header: t('shipments:status'),
    width: '8.5rem',
    cell: (one) => <ShipmentStatusBadge status={one.status} />,
  },
  {
    id: 'cutOff',
    header: t('shipments:cutOff'),
    width: '7.5rem',
    cell: (one) => <DateValue value={one['cut-off-date']} />,
  },
  {
    id: 'waiting',
    header: t('shipments:waiting'),
    width: '4.5rem',
    isNumeric: true,
    cell: ({ counts, status }) => <NumberValue value={status === 'open' ? counts.waiting : totalOf(counts)} />,
  },
  ...(['accepted', 'refused'] as const).map((name) => ({
    id: name,
    header: t(`terms:shipmentItemStatus.${name}`),
    width: '6rem',
    isNumeric: true,
    cell: ({ counts }: Shipment) => <NumberValue value={counts[name]} />,
  })),
  {
    id: 'sentAt',
    header: t('shipments:sentAt'),
    width: '9rem',
    cell: (one) => <TimestampValue value={one['sent-at']} />,
  },
  {
    id: 'answerUntil',
    header: t('shipments:answerUntil'),
    width: '11.5rem',
    cell: (one) => (
      <>
        <DateValue value={one['answer-until']} />{' '}
        {isOverdue(one, today) && (
          <Text span size="xs" fw={600} c="var(--mantine-color-error)">
            {t('shipments:overdue')}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'protocol',
    header: t('shipments:protocolColumn'),
    width: 'minmax(7rem, 1fr)',
    cell: (one) => <TextValue value={one['carrier-protocol']} />,
  },
]

function totalOf({ ready, sent, accepted, refused, unanswered, cancelled }: Shipment['counts']): number {
  return (ready ?? 0) + sent + accepted + refused + unanswered + cancelled
}

/** The shipments of a contract, the latest first. */
export function ShipmentTable({ contractId }: { readonly contractId: string }) {
  const { t } = useTranslation(['shipments', 'terms'])
  const list = usePagedList('listShipments', { 'contract-id': contractId })
  return (
    <DataTable
      label={t('shipments:title')}
      columns={columnsOf(t, saoPauloDay())}
      list={list}
      idOf={(one) => one['shipment-id']}
      empty={t('shipments:empty')}
      maxHeight="40vh"
    />
  )
}
