import { Table, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numeric, plain, PlainTable } from '../../components/plain-table.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'
import { formatMonth } from '../../format/month.ts'
import type { Charge, ChargeLinks, Term } from './charge.ts'

interface Row {
  readonly id: string
  readonly month: string
  readonly isFirst: boolean
  readonly amount: number
  /** null: the sum of the month. */
  readonly term: Term | null
}

/** The terms of each month of cover with their sum, and the sum of the months. */
function rowsOf({ months }: Charge): readonly Row[] {
  return months.flatMap(({ month, amount, terms }) => {
    const rows: Row[] = terms.map((term, index) => ({
      id: `${month} ${index}`,
      month,
      isFirst: index === 0,
      amount: term.amount,
      term,
    }))
    // A single term is the sum, and a single month is the invoice.
    return terms.length === 1 || months.length === 1
      ? rows
      : [...rows, { id: month, month, isFirst: false, amount, term: null }]
  })
}

/** What the amount of a charge is made of. */
export function TermTable({ charge, links }: { readonly charge: Charge; readonly links: ChargeLinks }) {
  const { t } = useTranslation(['charges', 'terms'])
  const isSum = ({ term }: Row) => ({ fw: term === null ? 600 : 400 })
  return (
    <PlainTable<Row>
      label={t('charges:terms')}
      box={{ style: { maxWidth: '52rem' } }}
      items={rowsOf(charge)}
      idOf={({ id }) => id}
      columns={[
        plain(t('charges:coverMonth'), ({ month, isFirst }) => isFirst && <Value>{formatMonth(month)}</Value>, {
          className: 'nowrap',
        }),
        plain(
          t('charges:term'),
          ({ term, month }) =>
            term === null ? (
              t('charges:sumOf', { month: formatMonth(month) })
            ) : (
              <TermWords t={t} term={term} month={month} charge={charge} links={links} />
            ),
          isSum,
        ),
        { ...numeric<Row>(t('charges:amount'), ({ amount }) => <MoneyValue value={amount} />), look: isSum },
      ]}
      foot={
        <Table.Tfoot>
          <Table.Tr>
            <Table.Td />
            <Table.Th scope="row">{t('charges:total')}</Table.Th>
            <Table.Th ta="end">
              <MoneyValue value={charge.amount} />
            </Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      }
    />
  )
}

interface OfTerm {
  readonly t: TFunction<['charges', 'terms']>
  readonly term: Term
  readonly month: string
  readonly charge: Charge
  readonly links: ChargeLinks
}

function TermWords(props: OfTerm) {
  const { t, term, month, charge, links } = props
  switch (term.term) {
    case 'price':
      return <PriceWords {...props} />
    case 'proration':
      return (
        <>
          {prorationWords(t, term)}
          {term.rule !== undefined && <Small>{t(`charges:proration.${term.rule}`)}</Small>}
        </>
      )
    case 'entry':
      return t(`terms:entryType.${term['entry-type'] ?? 'other'}`)
    case 'as-charged':
      return (
        <>
          {t('charges:termOf.as-charged')}
          {term['missing-settings']?.map((name) => (
            <Small key={name}>
              <links.Contract charge={charge}>
                {name === 'price-table'
                  ? t('charges:noPrice', { product: charge['product-name'] ?? '—', month: formatMonth(month) })
                  : t(`charges:missing.${name}`)}
              </links.Contract>
            </Small>
          ))}
        </>
      )
    case 'charged-before':
    case 'difference':
      return t(`charges:termOf.${term.term}`)
    default:
      return term.term satisfies never
  }
}

function PriceWords({ t, term, charge, links }: OfTerm) {
  const { category = 'person', age = 0, 'age-day': day = null, 'moved-by': moved = null, 'valid-from': from } = term
  return (
    <>
      {day === null
        ? t('charges:termOf.price', { category: categoryWords(t, category) })
        : t('charges:termOf.priceByAge', { category, age, day: formatDate(day) })}
      {from !== undefined && (
        <Small>
          <links.Contract charge={charge}>{t('charges:termOf.table', { date: formatDate(from) })}</links.Contract>
          {moved !== null && (
            <>
              {'; '}
              {t('charges:termOf.moved', {
                birthday: formatDate(moved.birthday),
                category: moved['from-category'],
              })}
            </>
          )}
        </Small>
      )}
    </>
  )
}

function categoryWords(t: OfTerm['t'], category: NonNullable<Term['category']>): string {
  return category === 'person' || category === 'primary' || category === 'dependent'
    ? t(`charges:category.${category}`)
    : category
}

function prorationWords(t: OfTerm['t'], term: Term): string {
  const count = term['covered-days'] ?? 0
  const from = formatDate(term.from ?? '')
  return term.until == null
    ? t('charges:termOf.proration', { count, from })
    : t('charges:termOf.prorationUntil', { count, from, until: formatDate(term.until) })
}

const Small = ({ children }: { readonly children: ReactNode }) => (
  <Text component="div" size="xs" c="dimmed">
    {children}
  </Text>
)
