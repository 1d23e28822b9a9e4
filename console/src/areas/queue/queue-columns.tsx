import { Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { isTerminal } from '../../../../src/domain/enrollment-status.ts'
import { type Column, RowIndex } from '../../components/data-table.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { CpfValue, DateValue, NumberValue, Value } from '../../components/value.tsx'
import { formatDuration, saoPauloDay } from '../../format/date.ts'
import { formatCnpj } from '../../format/tax-id.ts'
import { typeTerm } from '../../format/movement-type.ts'

const route = getRouteApi('/shell/queue')

export type QueueItem = Item<'listEnrollmentQueue'>

/** The columns of the queue. @param nameOf the name of an operator. @param now in milliseconds since the epoch, for the ages. */
export function queueColumns(
  t: TFunction<['queue', 'terms']>,
  nameOf: (clientId: string) => string,
  now: number,
): readonly Column<QueueItem>[] {
  const today = saoPauloDay(new Date(now))
  const header = (id: keyof typeof widths) => ({ id, header: t(`queue:columns.${id}`), width: widths[id] })
  return [
    { ...header('name'), cell: (item) => <NameCell item={item} /> },
    { ...header('status'), cell: (item) => <StatusCell item={item} /> },
    { ...header('type'), cell: (item) => t(typeTerm(item['enrollment-type'], item['alteration-kind'])) },
    { ...header('taxId'), cell: (item) => <CpfValue value={item['member-tax-id']} /> },
    { ...header('due'), cell: (item) => <DueCell item={item} today={today} /> },
    {
      ...header('age'),
      isNumeric: true,
      cell: (item) => <Value>{formatDuration(Math.max(0, now - Date.parse(item['created-at'])) / 1_000)}</Value>,
    },
    {
      ...header('company'),
      cell: (item) => (
        <span translate="no" title={`${item['company-name']} · ${formatCnpj(item['company-tax-id'])}`}>
          {item['company-name']}
        </span>
      ),
    },
    { ...header('product'), cell: (item) => <Titled>{item['product-name']}</Titled> },
    { ...header('carrier'), cell: (item) => <Titled>{item['carrier-name']}</Titled> },
    { ...header('shipment'), cell: ({ shipment }) => <ShipmentCell shipment={shipment} /> },
    {
      ...header('protocol'),
      cell: (item) => <Titled>{item['carrier-protocol'] ?? '—'}</Titled>,
    },
    { ...header('assignee'), cell: ({ assignee }) => <Titled>{assignee === null ? '—' : nameOf(assignee)}</Titled> },
    {
      ...header('notes'),
      isNumeric: true,
      cell: (item) => <NumberValue value={item['notes-count'] || null} />,
    },
  ]
}

const widths = {
  name: 'minmax(10rem, 1.6fr)',
  status: '11rem',
  type: '5.5rem',
  taxId: '8rem',
  due: '9rem',
  age: '5.5rem',
  company: 'minmax(8rem, 1fr)',
  product: 'minmax(8rem, 1fr)',
  carrier: 'minmax(7rem, 0.8fr)',
  shipment: '10rem',
  protocol: 'minmax(7rem, 0.6fr)',
  assignee: 'minmax(6rem, 0.6fr)',
  notes: '4rem',
} as const

/** A decision that can still be undone is shown with the status that it leads to. */
function StatusCell({ item }: { readonly item: QueueItem }) {
  const { t } = useTranslation('queue')
  const held = item['held-decision']
  if (held === null) return <StatusBadge status={item.status} />
  return (
    <>
      <StatusBadge status={held.status} /> <span title={t('heldTitle')}>{t('held')}</span>
    </>
  )
}

/** Data that may be cut off. */
function Titled({ children }: { readonly children: string }) {
  return (
    <span translate="no" title={children}>
      {children}
    </span>
  )
}

function NameCell({ item }: { readonly item: QueueItem }) {
  const search = route.useSearch()
  const index = useContext(RowIndex)
  return (
    <Link
      className="row-link"
      to="/queue/$enrollmentId"
      params={{ enrollmentId: item.id }}
      search={{ ...search, index }}
      translate="no"
      title={item['member-name']}
    >
      {item['member-name']}
    </Link>
  )
}

/** The number of the shipment of a movement, and by when the carrier must have it. */
function ShipmentCell({ shipment }: { readonly shipment: QueueItem['shipment'] }) {
  if (shipment === null) return <Value>—</Value>
  return (
    <>
      <Link
        className="row-link"
        to="/carriers/shipments/$shipmentId"
        params={{ shipmentId: shipment['shipment-id'] }}
        translate="no"
      >
        {shipment.number}
      </Link>
      {shipment['cut-off-date'] !== null && (
        <Value>
          {' · '}
          <DateValue value={shipment['cut-off-date']} />
        </Value>
      )}
    </>
  )
}

function DueCell({ item, today }: { readonly item: QueueItem; readonly today: string }) {
  const due = item['due-date']
  const isOverdue = due !== null && due < today && !isTerminal(item.status)
  return (
    <>
      <DateValue value={due} />
      {isOverdue && <Overdue />}
    </>
  )
}

function Overdue() {
  const { t } = useTranslation('queue')
  return (
    <Text span size="xs" fw={600} c="var(--mantine-color-error)">
      {' '}
      {t('overdue')}
    </Text>
  )
}
