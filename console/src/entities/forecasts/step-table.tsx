import './forecasts.css'
import { useTranslation } from 'react-i18next'
import { numeric, plain, PlainTable } from '../../components/plain-table.tsx'
import { MoneyValue } from '../../components/value.tsx'
import type { KnownFigures, PeopleLink } from './forecast.ts'
import { type Bar, barsOf } from './waterfall.ts'

interface Step {
  readonly id: string
  readonly words: string
  readonly amount: number
  /** undefined: an amount, no change. */
  readonly search?: { readonly cause?: string; readonly certainty?: string }
  readonly bar: Bar | undefined
}

/** From the last invoice to the next, one step a cause, or to what is certain of it. */
export function StepTable(props: {
  readonly figures: KnownFigures
  readonly isCertain: boolean
  readonly people: PeopleLink
}) {
  const { figures, isCertain, people } = props
  const { t } = useTranslation(['forecasts', 'charges'])
  const { last, total, causes, amounts } = figures
  const changes = isCertain
    ? [{ id: 'firm', words: t('forecasts:certainChanges'), amount: amounts.firm - last, search: { certainty: 'firm' } }]
    : causes.map(({ cause, amount }) => ({
        id: cause,
        words: t(`charges:causeOf.${cause}`),
        amount,
        search: { cause },
      }))
  const bars = barsOf(
    last,
    changes.map(({ amount }) => amount),
  )
  const end = isCertain
    ? { words: t('forecasts:totalCertain'), amount: amounts.firm }
    : { words: t('forecasts:total'), amount: total }
  const steps: readonly Step[] = [
    { id: 'last', words: t('forecasts:lastAmount'), amount: last, bar: bars[0] },
    ...changes.map((change, index) => ({ ...change, bar: bars[index + 1] })),
    { id: 'total', ...end, bar: bars.at(-1) },
  ]
  return (
    <PlainTable<Step>
      label={t('forecasts:steps')}
      items={steps}
      idOf={({ id }) => id}
      rowOf={({ search }) => ({ fw: search === undefined ? 600 : 400 })}
      columns={[
        plain(t('forecasts:step'), ({ words, search }) => (search === undefined ? words : people(search, words))),
        numeric(t('forecasts:amount'), ({ amount }) => <MoneyValue value={amount} />),
        plain(
          t('forecasts:course'),
          ({ bar, amount, search }) =>
            bar !== undefined && (
              <div
                className="course"
                aria-hidden
                {...(search === undefined ? {} : { 'data-change': amount < 0 ? 'less' : 'more' })}
              >
                <span style={{ insetInlineStart: `${bar.start}%`, width: `${bar.width}%` }} />
              </div>
            ),
          { style: { width: '50%' } },
        ),
      ]}
    />
  )
}
