import type { ReactNode } from 'react'
import type { Column } from '../components/data-table.tsx'
import { CpfValue, DateValue, MoneyValue, NumberValue, TextValue, TimestampValue } from '../components/value.tsx'

type Fields<T, V> = { readonly [Name in keyof T]-?: T[Name] extends V ? Name : never }[keyof T] & string
/** What a column shows of an item: a field, or what is made of it. */
type Shown<T, V> = Fields<T, V> | ((item: T) => V)

/** A column of anything. */
export const column = <T,>(header: string, width: string, cell: (item: T) => ReactNode): Column<T> => ({
  id: header,
  header,
  width,
  cell,
})

const columnOf =
  <V,>(look: (value: V) => ReactNode, usual: Pick<Column<unknown>, 'width' | 'isNumeric'>) =>
  <T,>(header: string, shown: Shown<T, V>, width = usual.width): Column<T> => ({
    ...usual,
    ...column(header, width, (item) => look(typeof shown === 'function' ? shown(item) : (item[shown as keyof T] as V))),
  })

type Maybe<V> = V | null | undefined

/** Data of the service, such as a name; no text of the console. */
export const text = columnOf<Maybe<string>>((value) => <TextValue value={value} />, { width: 'minmax(9rem, 1fr)' })
export const cpf = columnOf<Maybe<string>>((value) => <CpfValue value={value} />, { width: '8.5rem' })
export const date = columnOf<Maybe<string>>((value) => <DateValue value={value} />, { width: '7rem' })
export const timestamp = columnOf<Maybe<string>>((value) => <TimestampValue value={value} />, { width: '9.5rem' })
export const money = columnOf<Maybe<number>>((value) => <MoneyValue value={value} />, {
  width: '8rem',
  isNumeric: true,
})
export const number = columnOf<Maybe<number>>((value) => <NumberValue value={value} />, {
  width: '6rem',
  isNumeric: true,
})
