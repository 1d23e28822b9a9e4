import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import type { Column } from '../../components/data-table.tsx'
import { Absent, Value } from '../../components/value.tsx'
import { column, money, text } from '../../lists/columns.tsx'
import type { Charge } from './charge.ts'

/** The columns of a list of charges. @param nameOf the person, as the way to why the amount is what it is. */
export const chargeColumns = (
  t: TFunction<['charges']>,
  nameOf: (charge: Charge) => ReactNode,
): readonly Column<Charge>[] => [
  column(t('charges:person'), 'minmax(12rem, 1.5fr)', nameOf),
  money(t('charges:lastAmount'), 'last-amount', '7.75rem'),
  money(t('charges:change'), (charge) => charge.amount - charge['last-amount'], '7rem'),
  column(t('charges:cause'), 'minmax(9rem, 1.5fr)', ({ causes }) => {
    const words = causes.map(({ cause }) => t(`charges:causeOf.${cause}`)).join(', ')
    return words === '' ? <Absent /> : <span title={words}>{words}</span>
  }),
  money(t('charges:amount'), 'amount', '7rem'),
  money(t('charges:difference'), 'difference', '6.5rem'),
  money(t('charges:employee'), ({ employee }) => employee.amount, '11rem'),
  money(t('charges:company'), 'company-amount', '10rem'),
  text(t('charges:product'), 'product-name', 'minmax(8rem, 1fr)'),
]

/** The name of the person who is charged for. */
export function nameOfCharge(t: TFunction<['charges']>, charge: Charge): ReactNode {
  if (charge['member-name'] !== null && charge['benefit-id'] !== null) return <Value>{charge['member-name']}</Value>
  return t('charges:nobody')
}
