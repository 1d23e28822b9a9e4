import { useTranslation } from 'react-i18next'
import { MoneyValue, NumberValue, Value } from '../../components/value.tsx'
import { type Amount, claimsOf, invoicesOf, type Month, shortMonth } from './months.ts'
import type { CostsSearch } from './search.ts'
import { PlainTable, rowHeader, numeric } from '../../components/plain-table.tsx'
import { TextLink } from '../../components/link.tsx'

const amounts: readonly Amount[] = [
  'carrier-total',
  'expected-total',
  'overcharged-total',
  'claimed-total',
  'credited-total',
]

const ofClaims: ReadonlySet<Amount> = new Set(['claimed-total', 'credited-total'])

/** The numbers of each month, the last month first; each leads to what it is of. */
export function MonthTable({ months, search }: { readonly months: readonly Month[]; readonly search: CostsSearch }) {
  const { t } = useTranslation('costs')
  return (
    <PlainTable<Month>
      label={t('table')}
      miw="52rem"
      items={months.toReversed()}
      idOf={(month) => month['reference-month']}
      columns={[
        rowHeader(t('month'), (month) => <Value>{shortMonth(month['reference-month'])}</Value>, {}),
        numeric(t('series.covered-lives'), (month) => (
          <LivesLink lives={month['covered-lives']} taxId={search['company-tax-id']} />
        )),
        ...amounts.map((name) =>
          numeric<Month>(t(`series.${name}`), (month) => <AmountLink month={month} name={name} search={search} />),
        ),
      ]}
    />
  )
}

/** An amount, which leads to the claims or the invoices that it is of. */
function AmountLink(props: { readonly month: Month; readonly name: Amount; readonly search: CostsSearch }) {
  const { month, name, search } = props
  const value = <MoneyValue value={month[name]} />
  if (month[name] === null || month[name] === 0) return value
  return ofClaims.has(name) ? (
    <TextLink to="/claims" search={claimsOf(month, search)}>
      {value}
    </TextLink>
  ) : (
    <TextLink to="/reconciliations" search={invoicesOf(month, search)}>
      {value}
    </TextLink>
  )
}

function LivesLink({ lives, taxId }: { readonly lives: number; readonly taxId: string | undefined }) {
  const value = <NumberValue value={lives} />
  if (lives === 0) return value
  return taxId === undefined ? (
    <TextLink to="/companies">{value}</TextLink>
  ) : (
    <TextLink to="/companies/$taxId" params={{ taxId }}>
      {value}
    </TextLink>
  )
}
