import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { Absent, Value } from '../../components/value.tsx'
import { formatDate, businessDate } from '../../format/date.ts'
import { formatNumber } from '../../format/number.ts'
import { isOverdue } from './overdue.ts'

type Shipment = Item<'listShipments'>

/** All shipments of a status: an active contract has one that is open, and few that wait for an answer. */
const shipmentsIn = (status: 'open' | 'sent' | 'partly-acknowledged') =>
  queryOptions({
    queryKey: ['listShipments', 'all', status],
    queryFn: async ({ signal }) => {
      const shipments: Shipment[] = []
      for await (const one of api.shipments.list({ status, 'items-per-page': 500 }, { signal })) shipments.push(one)
      return shipments
    },
  })

/** The open shipment of a contract: what is ready, and what is not. */
export function OpenShipment({ contractId }: { readonly contractId: string }) {
  const { t } = useTranslation('shipments')
  const open = useQuery(shipmentsIn('open'))
  const shipment = open.data?.find((one) => one['contract-id'] === contractId)
  const id = shipment?.['shipment-id'] ?? ''
  const { data } = useOperation('readShipment', { path: [id] }, { enabled: (shipment?.counts.waiting ?? 0) > 0 })
  if (shipment === undefined) return <Absent />
  const ready = data?.result.counts.ready ?? null
  const notReady = data?.result.counts['not-ready'] ?? 0
  return (
    <ShipmentLink shipment={shipment}>
      {shipment.counts.waiting === 0 ? (
        t('nothing')
      ) : ready === null ? (
        <Value>{formatNumber(shipment.counts.waiting)}</Value>
      ) : (
        <>
          {ready > 0 && t('ready', { count: ready, formatted: formatNumber(ready) })}
          {ready > 0 && notReady > 0 && ', '}
          {notReady > 0 && (
            <Text span size="sm" fw={600} c="var(--mantine-color-error)">
              {t('notReady', { count: notReady, formatted: formatNumber(notReady) })}
            </Text>
          )}
        </>
      )}
    </ShipmentLink>
  )
}

/** The oldest shipment of a contract that the carrier has not answered, and how many movements all of them have. */
export function UnansweredShipments({ contractId }: { readonly contractId: string }) {
  const { t } = useTranslation('shipments')
  const sent = useQuery(shipmentsIn('sent'))
  const partly = useQuery(shipmentsIn('partly-acknowledged'))
  const shipments = [...(sent.data ?? []), ...(partly.data ?? [])]
    .filter((one) => one['contract-id'] === contractId)
    .toSorted((one, other) => one.number - other.number)
  const [oldest] = shipments
  if (oldest === undefined) return <Absent />
  const count = shipments.reduce((sum, { counts }) => sum + counts.sent, 0)
  const until = oldest['answer-until']
  return (
    <>
      <ShipmentLink shipment={oldest}>
        {t('sentMovements', {
          count,
          formatted: formatNumber(count),
          date: until === null ? '—' : formatDate(until),
        })}
      </ShipmentLink>
      {isOverdue(oldest, businessDate()) && (
        <Text span size="xs" fw={600} c="var(--mantine-color-error)">
          {' '}
          {t('overdue')}
        </Text>
      )}
    </>
  )
}

function ShipmentLink({ shipment, children }: { readonly shipment: Shipment; readonly children: ReactNode }) {
  return (
    <TextLink to="/carriers/shipments/$shipmentId" params={{ shipmentId: shipment['shipment-id'] }}>
      {children}
    </TextLink>
  )
}
