import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FactList, fact } from '../../components/fact-list.tsx'
import { numeric, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { MoneyValue, NumberValue } from '../../components/value.tsx'
import { money } from '../../lists/columns.tsx'
import type { Variance } from './forecast.ts'

/** What became of a forecast once the invoice was read, by class. */
export function VarianceTable(props: {
  readonly variance: Variance
  readonly name?: string
  /** The way to the people of a class. */
  readonly people: (search: { readonly variance: string }, words: string) => ReactNode
}) {
  const { variance, name, people } = props
  const { t } = useTranslation('forecasts')
  const title = name === undefined ? t('variance') : `${t('variance')}: ${name}`
  return (
    <section>
      <SectionTitle>
        {t('variance')}
        {name !== undefined && <span translate="no">: {name}</span>}
      </SectionTitle>
      <FactList
        facts={[
          fact(t('varianceFacts.forecast'), <MoneyValue value={variance.total - variance.amount} />),
          fact(t('varianceFacts.invoice'), <MoneyValue value={variance.total} />),
          fact(t('varianceFacts.difference'), <MoneyValue value={variance.amount} />),
        ]}
      />
      <PlainTable<Variance['by-class'][number]>
        label={title}
        box={{ style: { maxWidth: '36rem', marginBlockStart: '0.5rem' } }}
        items={variance['by-class']}
        idOf={(one) => one.class}
        columns={[
          rowHeader(t('class'), (one) => people({ variance: one.class }, t(`classOf.${one.class}`))),
          numeric(t('count'), ({ count }) => <NumberValue value={count} />),
          money(t('varianceFacts.difference'), 'amount'),
        ]}
      />
    </section>
  )
}
