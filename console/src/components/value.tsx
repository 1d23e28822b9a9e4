import type { ReactNode } from 'react'
import { formatDate, formatTimestamp } from '../format/date.ts'
import { formatMoney, formatNumber } from '../format/number.ts'
import { formatCnpj } from '../../../src/kernel/tax-id.ts'
import { formatCpf } from '../format/tax-id.ts'

/** What is the same in every language: data of the service and what is made from them. */
export function Value({ children }: { readonly children: ReactNode }) {
  return <span translate="no">{children}</span>
}

const absent = '—'

type Props<T> = { readonly value: T | null | undefined }

export const DateValue = ({ value }: Props<string>) => <Value>{value == null ? absent : formatDate(value)}</Value>

export function TimestampValue({ value }: Props<string>) {
  if (value == null) return <Value>{absent}</Value>
  return (
    <time dateTime={value} translate="no">
      {formatTimestamp(value)}
    </time>
  )
}

export const MoneyValue = ({ value }: Props<number>) => <Value>{value == null ? absent : formatMoney(value)}</Value>
export const NumberValue = ({ value }: Props<number>) => <Value>{value == null ? absent : formatNumber(value)}</Value>
export const CpfValue = ({ value }: Props<string>) => <Value>{value == null ? absent : formatCpf(value)}</Value>
export const CnpjValue = ({ value }: Props<string>) => <Value>{value == null ? absent : formatCnpj(value)}</Value>
export const TextValue = ({ value }: Props<string>) => <Value>{value || absent}</Value>
