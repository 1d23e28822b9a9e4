import { getRouteApi, Link } from '@tanstack/react-router'
import { PresenceMark } from './presence-mark.tsx'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { createContext, lazy, Suspense, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { isTerminal } from '../../../../src/coverage/rules/enrollment-status.ts'
import { RowIndex } from '../../components/data-row.tsx'
import type { Column } from '../../components/data-table.tsx'
import { DueDate } from '../../components/due-date.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Absent, CpfValue, DateValue, NumberValue, Value } from '../../components/value.tsx'
import { formatDuration, formatTimestamp, businessDate } from '../../format/date.ts'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { roleTerm, typeTerm } from '../../format/movement-type.ts'
import { withLaterTexts } from '../../language/language.ts'
import { orderOf, type QueueOrder, type QueueSearch } from '../../entities/queue/queue-search.ts'

const MoneyCell = lazy(() => withLaterTexts(import('./money-cell.tsx')))
const AnsweredFields = lazy(() => import('./answered-fields.tsx'))
const route = getRouteApi('/shell/queue')

export type QueueItem = Item<'listEnrollmentQueue'>

/** The ids of the rows that stand below their primary. A context: else each page that arrives would render every row. */
export const BelowPrimary = createContext<ReadonlySet<string>>(new Set())

const widths = {
  name: 'minmax(13.125rem, 1.4fr)',
  company: 'minmax(11.5rem, 1.1fr)',
  product: 'minmax(10rem, 1fr)',
  status: '7.125rem',
  due: '7.875rem',
  type: '5.375rem',
  taxId: '7.25rem',
  age: '5.5rem',
  money: '8rem',
  shipment: '10rem',
  protocol: 'minmax(7rem, 0.6fr)',
  assignee: 'minmax(6rem, 0.6fr)',
  notes: '4rem',
} as const
export type ColumnId = keyof typeof widths
export const columnIds = Object.keys(widths) as readonly ColumnId[]

/** The columns in which the filters leave one value. */
function isFixed(id: ColumnId, search: QueueSearch): boolean {
  switch (id) {
    case 'status':
      return search.status !== undefined && search.status !== 'open' && search.status !== 'all'
    case 'company':
      return search['company-tax-id'] !== undefined
    case 'product':
      return search['product-id'] !== undefined
    case 'type':
      return search['enrollment-type'] !== undefined
    case 'assignee':
      return search.assignee !== undefined
    default:
      return false
  }
}

/**
 * The columns of the queue, but for those that a filter fixes and those that the person does not want.
 * @param options.nameOf the name of an operator.
 * @param options.now in milliseconds since the epoch, for the ages.
 */
export function queueColumns(
  t: TFunction<['queue', 'terms']>,
  options: {
    readonly search: QueueSearch
    readonly choice: { readonly hidden: readonly string[]; readonly widths: Readonly<Record<string, number>> }
    readonly nameOf: (clientId: string) => string
    readonly now: number
    readonly onSort: (sort: QueueOrder) => void
  },
): readonly Column<QueueItem>[] {
  const { search, choice, nameOf, now, onSort } = options
  const today = businessDate()
  // With the filter of answers it names the fields that they changed.
  const widthOf = (id: ColumnId) => (id === 'status' && search.answered === true ? '14rem' : widths[id])
  const header = (id: ColumnId) => ({
    id,
    header: t(`queue:columns.${id}`),
    width: choice.widths[id] === undefined ? widthOf(id) : `${choice.widths[id]}px`,
  })
  const sorted = (sort: QueueOrder) => ({
    sort: { isOn: orderOf(search) === sort, isDescending: sort === 'money-at-risk', onSort: () => onSort(sort) },
  })
  const isShown = (id: ColumnId) => !isFixed(id, search) && !choice.hidden.includes(id)
  const columns = [
    {
      ...header('name'),
      isPinned: true,
      cell: (item: QueueItem) => <NameCell item={item} hasMark={!isShown('status')} />,
    },
    {
      ...header('company'),
      cell: (item: QueueItem) => (
        <span
          className="two-line-text"
          translate="no"
          title={`${item['company-name']} · ${formatCnpj(item['company-tax-id'])}`}
        >
          {item['company-name']}
        </span>
      ),
    },
    {
      ...header('product'),
      cell: (item: QueueItem) => (
        <span className="two-lines">
          <Titled>{item['product-name']}</Titled>
          {search['carrier-name'] === undefined && (
            <small>
              <Titled>{item['carrier-name']}</Titled>
            </small>
          )}
        </span>
      ),
    },
    { ...header('status'), inCard: 'side' as const, cell: (item: QueueItem) => <StatusCell item={item} /> },
    {
      ...header('due'),
      ...sorted('due-date'),
      inCard: 'side' as const,
      cell: (item: QueueItem) => <DueDate day={item['due-date']} isOpen={!isTerminal(item.status)} today={today} />,
    },
    {
      ...header('type'),
      inCard: 'side' as const,
      cell: (item: QueueItem) => (
        <span className="two-line-text">{t(typeTerm(item['enrollment-type'], item['alteration-kind']))}</span>
      ),
    },
    { ...header('taxId'), cell: (item: QueueItem) => <CpfValue value={item['member-tax-id']} /> },
    {
      ...header('age'),
      ...sorted('created-at'),
      isNumeric: true,
      cell: (item: QueueItem) => (
        <Value>{formatDuration(Math.max(0, now - Date.parse(item['created-at'])) / 1_000)}</Value>
      ),
    },
    {
      ...header('money'),
      ...sorted('money-at-risk'),
      isNumeric: true,
      cell: ({ money }: QueueItem) =>
        money === null ? (
          <Absent />
        ) : (
          <Suspense fallback={<Value>…</Value>}>
            <MoneyCell money={money} />
          </Suspense>
        ),
    },
    { ...header('shipment'), cell: ({ shipment }: QueueItem) => <ShipmentCell shipment={shipment} /> },
    { ...header('protocol'), cell: (item: QueueItem) => <Titled>{item['carrier-protocol'] ?? '—'}</Titled> },
    {
      ...header('assignee'),
      cell: ({ assignee }: QueueItem) => <Titled>{assignee === null ? '—' : nameOf(assignee)}</Titled>,
    },
    {
      ...header('notes'),
      isNumeric: true,
      cell: (item: QueueItem) => <NumberValue value={item['notes-count'] || null} />,
    },
  ]
  const shown = columns.filter(({ id }) => isShown(id))
  const money = shown.find(({ id }) => id === 'money')
  if (money === undefined || orderOf(search) !== 'money-at-risk') return shown
  // What the list is ordered by is in view.
  const others = shown.filter((column) => column !== money)
  return [...others.slice(0, 2), money, ...others.slice(2)]
}

/** A decision that can still be undone is shown with the status that it leads to; an answer of the partner instead of the status. */
function StatusCell({ item }: { readonly item: QueueItem }) {
  const { t } = useTranslation(['queue', 'terms'])
  if (isMarked(item)) return <StatusMark item={item} />
  return (
    <span title={t(`terms:status.${item.status}`)}>
      <StatusBadge status={item.status} label={t(`queue:status.${item.status}`)} />
    </span>
  )
}

const isMarked = (item: QueueItem) => item['held-decision'] !== null || item['answered-at'] !== null

/** What a movement has beside its status: a decision that can still be undone, or an answer of the partner. */
function StatusMark({ item }: { readonly item: QueueItem }) {
  const { t } = useTranslation(['queue', 'terms'])
  const held = item['held-decision']
  if (held !== null) {
    return (
      <span className="two-lines">
        <StatusBadge status={held.status} label={t(`queue:status.${held.status}`)} />
        <small title={t('queue:heldTitle')}>{t('queue:held')}</small>
      </span>
    )
  }
  const at = formatTimestamp(item['answered-at'] ?? '')
  return (
    <span className="two-lines" title={t('queue:answeredTitle', { status: t(`terms:status.${item.status}`), at })}>
      <Badge color="orange">{t('queue:answered')}</Badge>
      {item['answered-fields'].length > 0 && (
        <small>
          <Suspense fallback={<Value>…</Value>}>
            <AnsweredFields fields={item['answered-fields']} />
          </Suspense>
        </small>
      )}
    </span>
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

/**
 * The name; of a dependent also the kinship, and whose, unless the primary stands above.
 * @param props.hasMark there is no column of the status.
 */
function NameCell({ item, hasMark }: { readonly item: QueueItem; readonly hasMark: boolean }) {
  const { t } = useTranslation(['queue', 'terms'])
  const search = route.useSearch()
  const index = useContext(RowIndex)
  const isBelow = useContext(BelowPrimary).has(item.id)
  const primary = item['primary-member-name']
  const isDependent = item['member-type'] === 'dependent'
  return (
    <span className="two-lines" data-below={isBelow}>
      <span className="member">
        <Link
          className="row-link member-name"
          to="/queue/$enrollmentId"
          params={{ enrollmentId: item.id }}
          search={{ ...search, index }}
          translate="no"
          title={item['member-name']}
        >
          {item['member-name']}
        </Link>
        <PresenceMark enrollmentId={item.id} />
      </span>
      {(isDependent || (hasMark && isMarked(item))) && (
        <small className="member-facts">
          {hasMark && isMarked(item) && <StatusMark item={item} />}
          {isDependent && (
            <span>
              {t(roleTerm('dependent', item['dependent-type']))}
              {primary !== null && !isBelow && (
                <>
                  <Value>{' · '}</Value>
                  {t('queue:primary')} <Titled>{primary}</Titled>
                </>
              )}
            </span>
          )}
        </small>
      )}
    </span>
  )
}

/** The number of the shipment of a movement, and by when the carrier must have it. */
function ShipmentCell({ shipment }: { readonly shipment: QueueItem['shipment'] }) {
  if (shipment === null) return <Absent />
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
