import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import type { Column } from '../../components/data-table.tsx'
import { Badge } from '../../components/badge.tsx'
import { Absent, DateValue, Value } from '../../components/value.tsx'
import { formatDate, saoPauloDay } from '../../format/date.ts'
import { formatMonth } from '../../format/month.ts'
import { column, labeled, money } from '../../lists/columns.tsx'

type Period = Item<'listPayrollPeriods'>
type Export = Period['first-export']

const dayOf = (instant: string | null) => (instant === null ? null : saoPauloDay(new Date(instant)))

/** The columns of the months of a payroll. @param linkOf the month, as the way to its people. */
export function periodColumns(
  t: TFunction<['payroll']>,
  linkOf: (month: string, words: ReactNode) => ReactNode,
): readonly Column<Period>[] {
  const exportWords = (made: Export, ofMonth: string) => {
    if (made === null) return <Absent />
    const day = formatDate(saoPauloDay(new Date(made['created-at'])))
    const month = made['reference-month']
    if (month === ofMonth) return t('payroll:exportOf', { day, number: made.number })
    return t('payroll:exportOfMonth', { day, number: made.number, month: formatMonth(month) })
  }
  return [
    column(t('payroll:month'), '7rem', ({ 'reference-month': month }) =>
      linkOf(month, <Value>{formatMonth(month)}</Value>),
    ),
    money(t('payroll:exportedAmount'), 'exported', '6.5rem'),
    money(t('payroll:open'), 'open', '6.5rem'),
    money(t('payroll:held'), 'held', '6rem'),
    money(t('payroll:toBill'), 'to-bill', '6.25rem'),
    labeled(t('payroll:firstExport'), 'minmax(9rem, 1fr)', (period) =>
      exportWords(period['first-export'], period['reference-month']),
    ),
    labeled(t('payroll:invoiceRead'), '6.75rem', (period) => <DateValue value={dayOf(period['invoice-read-at'])} />),
    labeled(t('payroll:closed'), '6.5rem', (period) =>
      period['is-reopened'] ? (
        <Badge color="orange">{t('payroll:isReopened')}</Badge>
      ) : (
        <DateValue value={dayOf(period['closed-at'])} />
      ),
    ),
    labeled(t('payroll:differenceExport'), 'minmax(9.75rem, 1.5fr)', (period) =>
      exportWords(period['difference-export'], period['reference-month']),
    ),
  ]
}
