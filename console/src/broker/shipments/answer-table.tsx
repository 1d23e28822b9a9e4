import { useQuery } from '@tanstack/react-query'
import type { Item, ResponseBody } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { listOf } from '../../api/list-of.ts'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { errorWords } from '../../components/error-words.ts'
import { CpfValue, DateValue, NumberValue, TextValue, Value } from '../../components/value.tsx'

const outcomeColors = { accepted: 'green', refused: 'red', 'in-analysis': 'gray' } as const

type Result = ResponseBody<'acknowledgeShipment'>['result'][number]
type ShipmentItem = Item<'listShipmentItems'>

const columnsOf = (
  t: TFunction<['shipments', 'terms', 'queue']>,
  items: ReadonlyMap<string, ShipmentItem>,
): readonly Column<Result>[] => {
  const itemOf = ({ 'enrollment-id': id }: Result) => (id === null ? undefined : items.get(id))
  return [
    {
      id: 'line',
      header: t('queue:file.line'),
      width: '4rem',
      isNumeric: true,
      cell: ({ line }) => <NumberValue value={line} />,
    },
    {
      id: 'name',
      header: t('shipments:name'),
      width: 'minmax(10rem, 1fr)',
      cell: (one) => <TextValue value={itemOf(one)?.['member-name']} />,
    },
    {
      id: 'taxId',
      header: t('shipments:taxId'),
      width: '8.5rem',
      cell: (one) => <CpfValue value={itemOf(one)?.['member-tax-id']} />,
    },
    {
      id: 'outcome',
      header: t('shipments:carrierSays'),
      width: '7.5rem',
      cell: ({ outcome }) =>
        outcome === undefined ? (
          <Value>—</Value>
        ) : (
          <Badge color={outcomeColors[outcome]}>
            {outcome === 'in-analysis' ? t('shipments:inAnalysis') : t(`terms:shipmentItemStatus.${outcome}`)}
          </Badge>
        ),
    },
    {
      id: 'card',
      header: t('queue:cards.card'),
      width: 'minmax(9rem, 12rem)',
      cell: (one) => <TextValue value={one['card-number']} />,
    },
    {
      id: 'start',
      header: t('queue:cards.start'),
      width: '6.5rem',
      cell: (one) => <DateValue value={one['start-date'] ?? one['end-date']} />,
    },
    {
      id: 'becomes',
      header: t('shipments:becomes'),
      width: 'minmax(26rem, 4fr)',
      cell: (one) => <Outcome one={one} />,
    },
  ]
}

/** The new status with what is worth knowing about it, or why nothing is done. */
function Outcome({ one }: { readonly one: Result }) {
  const { t } = useTranslation(['shipments', 'terms', 'queue'])
  if (one.error !== undefined) {
    const words = errorWords({ ...one, error: one.error })
    return (
      <>
        <b>{t('queue:file.error')}</b>{' '}
        <span translate="no" title={words}>
          {words}
        </span>
      </>
    )
  }
  const flags = (one.flags ?? []).map((flag) => t(`shipments:flags.${flag}`))
  return [...(one.status === undefined ? [] : [t(`terms:status.${one.status}`)]), ...flags].join('; ')
}

/** What becomes of each line of an acknowledgement: those with an error first, then those with a remark. */
export function AnswerTable(props: { readonly shipmentId: string; readonly results: readonly Result[] }) {
  const { shipmentId, results } = props
  const { t } = useTranslation(['shipments', 'terms', 'queue'])
  const { data: items = new Map<string, ShipmentItem>() } = useQuery({
    queryKey: ['listShipmentItems', 'all', shipmentId],
    queryFn: async ({ signal }) => {
      const found = new Map<string, ShipmentItem>()
      for await (const item of api.shipments.items(shipmentId, { 'items-per-page': 500 }, { signal })) {
        found.set(item['enrollment-id'], item)
      }
      return found
    },
  })
  const rank = ({ error, flags = [] }: Result) => (error !== undefined ? 0 : flags.length > 0 ? 1 : 2)
  return (
    <DataTable
      label={t('shipments:answerLines')}
      unit="lines"
      columns={columnsOf(t, items)}
      list={listOf(results.toSorted((one, other) => rank(one) - rank(other)))}
      idOf={({ line }) => String(line)}
      maxHeight="45vh"
    />
  )
}
