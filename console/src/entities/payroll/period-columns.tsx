import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import type { Column } from '../../components/data-table.tsx'
import { Badge } from '../../components/badge.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { formatDate, saoPauloDay } from '../../format/date.ts'
import { formatMonth } from '../../format/month.ts'
import { column, money } from '../../lists/columns.tsx'

type Period = Item<'listPayrollPeriods'>
type Export = Period['first-export']

const dayOf = (instant: string | null) => (instant === null ? null : saoPauloDay(new Date(instant)))

/** The columns of the months of a payroll. @param linkOf the month, as the way to its people. */
export function periodColumns(
  t: TFunction<['payroll']>,
  linkOf: (month: string, words: ReactNode) => ReactNode,
): readonly Column<Period>[] {
  const exportWords = (made: Export) =>
    made === null ? (
      <Value>—</Value>
    ) : (
      t('payroll:exportOf', {
        day: formatDate(saoPauloDay(new Date(made['created-at']))),
        number: made.number,
        month: formatMonth(made['reference-month']),
      })
    )
  return [
    column(t('payroll:month'), '7rem', ({ 'reference-month': month }) =>
      linkOf(month, <Value>{formatMonth(month)}</Value>),
    ),
    column(t('payroll:firstExport'), 'minmax(13rem, 1fr)', (period) => exportWords(period['first-export'])),
    column(t('payroll:invoiceRead'), '7rem', (period) => <DateValue value={dayOf(period['invoice-read-at'])} />),
    column(t('payroll:closed'), '7rem', (period) =>
      period['is-reopened'] ? (
        <Badge color="orange">{t('payroll:isReopened')}</Badge>
      ) : (
        <DateValue value={dayOf(period['closed-at'])} />
      ),
    ),
    column(t('payroll:differenceExport'), 'minmax(13rem, 1fr)', (period) => exportWords(period['difference-export'])),
    money(t('payroll:exportedAmount'), 'exported'),
    money(t('payroll:open'), 'open', '7rem'),
    money(t('payroll:held'), 'held', '7rem'),
    money(t('payroll:toBill'), 'to-bill', '7rem'),
  ]
}
