import { Anchor, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { MoneyValue, NumberValue, Value } from '../../components/value.tsx'
import { type Amount, claimsOf, invoicesOf, type Month, shortMonth } from './months.ts'
import type { CostsSearch } from './search.ts'

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
    <div className="plain-table" role="region" aria-label={t('table')} tabIndex={0}>
      <Table verticalSpacing={6} miw="52rem">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('month')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('series.covered-lives')}
            </Table.Th>
            {amounts.map((name) => (
              <Table.Th key={name} scope="col" ta="end">
                {t(`series.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.toReversed().map((month) => (
            <Table.Tr key={month['reference-month']}>
              <Table.Th scope="row">
                <Value>{shortMonth(month['reference-month'])}</Value>
              </Table.Th>
              <Table.Td ta="end">
                <LivesLink lives={month['covered-lives']} taxId={search['company-tax-id']} />
              </Table.Td>
              {amounts.map((name) => (
                <Table.Td key={name} ta="end">
                  {month[name] === null || month[name] === 0 ? (
                    <MoneyValue value={month[name]} />
                  ) : (
                    <Anchor
                      size="sm"
                      renderRoot={(props) =>
                        ofClaims.has(name) ? (
                          <Link to="/claims" search={claimsOf(month, search)} {...props} />
                        ) : (
                          <Link to="/reconciliations" search={invoicesOf(month, search)} {...props} />
                        )
                      }
                    >
                      <MoneyValue value={month[name]} />
                    </Anchor>
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function LivesLink({ lives, taxId }: { readonly lives: number; readonly taxId: string | undefined }) {
  const value = <NumberValue value={lives} />
  if (lives === 0) return value
  return (
    <Anchor
      size="sm"
      renderRoot={(props) =>
        taxId === undefined ? (
          <Link to="/companies" {...props} />
        ) : (
          <Link to="/companies/$taxId" params={{ taxId }} {...props} />
        )
      }
    >
      {value}
    </Anchor>
  )
}
