import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Item, ResponseBody } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { listOf } from '../../api/list-of.ts'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { errorWords } from '../../components/error-words.ts'
import { Absent } from '../../components/value.tsx'
import { number, text, cpf, column, date } from '../../lists/columns.tsx'

const outcomeColors = { accepted: 'green', refused: 'red', 'in-analysis': 'gray' } as const

type Result = ResponseBody<'acknowledgeShipment'>['result'][number]
type ShipmentItem = Item<'listShipmentItems'>

const columnsOf = (
  t: TFunction<['shipments', 'terms', 'queue']>,
  items: ReadonlyMap<string, ShipmentItem>,
): readonly Column<Result>[] => {
  const itemOf = ({ 'enrollment-id': id }: Result) => (id === null ? undefined : items.get(id))
  return [
    number(t('queue:file.line'), 'line', '3.5rem'),
    text(t('shipments:name'), (one) => itemOf(one)?.['member-name'], 'minmax(9rem, 1fr)'),
    cpf(t('shipments:taxId'), (one) => itemOf(one)?.['member-tax-id']),
    column(t('shipments:carrierSays'), '8.5rem', ({ outcome }) =>
      outcome === undefined ? (
        <Absent />
      ) : (
        <Badge color={outcomeColors[outcome]}>
          {outcome === 'in-analysis' ? t('shipments:inAnalysis') : t(`terms:shipmentItemStatus.${outcome}`)}
        </Badge>
      ),
    ),
    text(t('queue:cards.card'), 'card-number', 'minmax(7rem, 12rem)'),
    date(t('queue:cards.start'), (one) => one['start-date'] ?? one['end-date'], '6.5rem'),
    column(t('shipments:becomes'), 'minmax(21rem, 4fr)', (one) => (
      // In two lines rather than cut: it is what is checked here.
      <Text span size="xs" lh={1.2} lineClamp={2} style={{ whiteSpace: 'normal' }}>
        <Outcome one={one} />
      </Text>
    )),
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
