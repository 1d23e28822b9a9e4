import { Text } from '@mantine/core'
import type { ResponseBody } from '@vigencia/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numeric, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { Absent, MoneyValue, NumberValue } from '../../components/value.tsx'

type OfOperators = ResponseBody<'readDiscrepancyTrend'>['result'][number]
type OperatorsOnly = 'explained' | 'accepted' | 'median-days-to-credit' | 'repeated' | 'key' | 'name'
/** What was found in a month. Companies do not see what the broker did with it. */
export type Found = Omit<OfOperators, OperatorsOnly> & Partial<Pick<OfOperators, OperatorsOnly>>

const shared = ['found', 'too-much', 'too-little', 'claimed', 'credited'] as const
const ofOperators = ['explained', 'accepted'] as const
type Amount = (typeof shared)[number] | (typeof ofOperators)[number]

/** What was found in invoices month by month, the latest first, with what became of it. */
export function TrendTable<Item extends Found>(props: {
  readonly items: readonly Item[]
  /** What the amounts are of. */
  readonly group: string
  readonly wordsOf: (item: Item) => ReactNode
  readonly idOf: (item: Item) => string
  readonly monthOf: (item: Item) => ReactNode
}) {
  const { items, group, wordsOf, idOf, monthOf } = props
  const { t } = useTranslation('reconciliations')
  const isOfOperators = items.some(({ repeated }) => repeated !== undefined)
  const amount = (name: Amount) =>
    numeric<Item>(t(`trend.amounts.${name}`), (item) => {
      const value = item[name]
      if (value === undefined || value.count === 0) return <Absent />
      return (
        <>
          <MoneyValue value={value.total} />{' '}
          <Text span size="xs" c="dimmed">
            (<NumberValue value={value.count} />)
          </Text>
        </>
      )
    })
  return (
    <PlainTable<Item>
      label={t('trend.title')}
      miw={isOfOperators ? '60rem' : '48rem'}
      items={items.toReversed()}
      idOf={idOf}
      columns={[
        rowHeader(t('month'), monthOf),
        rowHeader(group, wordsOf),
        ...shared.map(amount),
        ...(isOfOperators ? ofOperators.map(amount) : []),
        isOfOperators &&
          numeric<Item>(t('trend.days'), (item) => <NumberValue value={item['median-days-to-credit'] ?? null} />),
        isOfOperators && numeric<Item>(t('trend.repeated'), (item) => <NumberValue value={item.repeated ?? null} />),
      ]}
    />
  )
}
