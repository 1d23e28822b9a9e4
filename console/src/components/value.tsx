import type { ReactNode } from 'react'
import { formatDate, formatTimestamp } from '../format/date.ts'
import { formatMoney, formatNumber } from '../format/number.ts'
import { formatCnpj } from '../../../src/kernel/tax-id.ts'
import { formatCpf } from '../format/tax-id.ts'

/** What is the same in every language: data of the service and what is made from them. */
export function Value({ children }: { readonly children: ReactNode }) {
  return <span translate="no">{children}</span>
}

/** In the place of a value that there is not. */
export const Absent = () => (
  <span className="absent" translate="no">
    —
  </span>
)

type Props<T> = { readonly value: T | null | undefined }

export const DateValue = ({ value }: Props<string>) => (value == null ? <Absent /> : <Value>{formatDate(value)}</Value>)

export function TimestampValue({ value }: Props<string>) {
  if (value == null) return <Absent />
  return (
    <time dateTime={value} translate="no">
      {formatTimestamp(value)}
    </time>
  )
}

export const MoneyValue = ({ value }: Props<number>) =>
  value == null ? <Absent /> : <Value>{formatMoney(value)}</Value>
export const NumberValue = ({ value }: Props<number>) =>
  value == null ? <Absent /> : <Value>{formatNumber(value)}</Value>
export const CpfValue = ({ value }: Props<string>) => (value == null ? <Absent /> : <Value>{formatCpf(value)}</Value>)
export const CnpjValue = ({ value }: Props<string>) => (value == null ? <Absent /> : <Value>{formatCnpj(value)}</Value>)
export const TextValue = ({ value }: Props<string>) => (value ? <Value>{value}</Value> : <Absent />)
