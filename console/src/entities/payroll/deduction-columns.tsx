import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { Badge, type BadgeColor } from '../../components/badge.tsx'
import type { Column } from '../../components/data-table.tsx'
import { ProductTypeText } from '../../components/product-type.tsx'
import { Absent } from '../../components/value.tsx'
import { formatMonth } from '../../format/month.ts'
import { column, money, side, text } from '../../lists/columns.tsx'

type Deduction = Item<'listDeductions'>

const colors: Readonly<Record<Deduction['status'], BadgeColor>> = {
  recurring: 'blue',
  difference: 'orange',
  settled: 'green',
  final: 'gray',
}

/** The columns of what employees owe for a month. @param nameOf the employee, as the way to the person. */
export const deductionColumns = (
  t: TFunction<['payroll']>,
  nameOf: (deduction: Deduction) => ReactNode,
): readonly Column<Deduction>[] => [
  column(t('payroll:employee'), 'minmax(11.5rem, 1.5fr)', nameOf),
  text(t('payroll:employeeId'), 'employee-id', '5.75rem'),
  column(t('payroll:kind'), '7.5rem', ({ kind }) => t(`payroll:kindOf.${kind}`)),
  money(t('payroll:due'), 'amount', '6.5rem'),
  money(t('payroll:exportedAmount'), 'exported', '6.5rem'),
  money(t('payroll:open'), 'open', '6.25rem'),
  money(t('payroll:held'), 'held', '6rem'),
  side(t('payroll:status'), '9.75rem', ({ status }) => (
    <Badge color={colors[status]}>{t(`payroll:statusOf.${status}`)}</Badge>
  )),
  column(t('payroll:destination'), '6rem', ({ destination }) => t(`payroll:destinationOf.${destination}`)),
  column(t('payroll:change'), 'minmax(12rem, 1fr)', ({ cause, 'since-month': since }) =>
    cause === null ? (
      <Absent />
    ) : (
      t('payroll:changeOf', { month: formatMonth(since), cause: t(`payroll:causeOf.${cause}`) })
    ),
  ),
  text(t('payroll:nextChange'), ({ 'next-change': next }) => (next === null ? null : formatMonth(next)), '9rem'),
  column(t('payroll:product'), 'minmax(7rem, 1fr)', (deduction) => (
    <ProductTypeText value={deduction['product-type']} />
  )),
]

/** Employees have a line for each deduction. */
export const idOfDeduction = ({ 'member-id': memberId, kind, 'product-type': type }: Deduction): string =>
  `${memberId} ${kind} ${type}`
