import { Text } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { businessDate } from '../../format/date.ts'
import { column, date, number, side, text, timestamp } from '../../lists/columns.tsx'
import { isOverdue } from './overdue.ts'
import { ShipmentStatusBadge } from './shipment-status.tsx'
import { listTable } from '../../lists/list-page.tsx'

const Table = listTable('listShipments')

type Shipment = Item<'listShipments'>

function totalOf({ ready, sent, accepted, refused, unanswered, cancelled }: Shipment['counts']): number {
  return (ready ?? 0) + sent + accepted + refused + unanswered + cancelled
}

/** The shipments of a contract, the latest first. */
export function ShipmentTable({ contractId }: { readonly contractId: string }) {
  const { t } = useTranslation(['shipments', 'terms'])
  const today = businessDate()
  return (
    <Table
      label={t('shipments:title')}
      query={{ 'contract-id': contractId }}
      columns={[
        column(t('shipments:number'), '5.5rem', (one) => (
          <TextLink to="/carriers/shipments/$shipmentId" params={{ shipmentId: one['shipment-id'] }}>
            <Value>{one.number}</Value>
          </TextLink>
        )),
        side(t('shipments:status'), '8.5rem', (one) => <ShipmentStatusBadge status={one.status} />),
        date(t('shipments:cutOff'), 'cut-off-date', '7.5rem'),
        number(
          t('shipments:waiting'),
          ({ counts, status }) => (status === 'open' ? counts.waiting : totalOf(counts)),
          '4.5rem',
        ),
        ...(['accepted', 'refused'] as const).map((name) =>
          number(t(`terms:shipmentItemStatus.${name}`), ({ counts }: Shipment) => counts[name]),
        ),
        timestamp(t('shipments:sentAt'), 'sent-at', '9rem'),
        column(t('shipments:answerUntil'), '11.5rem', (one) => (
          <>
            <DateValue value={one['answer-until']} />{' '}
            {isOverdue(one, today) && (
              <Text span size="xs" fw={600} c="var(--mantine-color-error)">
                {t('shipments:overdue')}
              </Text>
            )}
          </>
        )),
        text(t('shipments:protocolColumn'), 'carrier-protocol', 'minmax(7rem, 1fr)'),
      ]}
      idOf={(one) => one['shipment-id']}
      empty={t('shipments:empty')}
      maxHeight="40vh"
    />
  )
}
