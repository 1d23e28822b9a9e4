import type { ReactNode } from 'react'
import type { Column } from '../components/data-table.tsx'
import { DueDate } from '../components/due-date.tsx'
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

/** The column whose cell is the title of a card. */
export const asTitle = <T,>(one: Column<T>): Column<T> => ({ ...one, inCard: 'title' })

/** A column of anything whose cell says too little on a card without the header. */
export const labeled = <T,>(header: string, width: string, cell: (item: T) => ReactNode): Column<T> => ({
  ...column(header, width, cell),
  isLabeled: true,
})

/** A column that stands at the side of a card: a state, actions. */
export const side = <T,>(header: string, width: string, cell: (item: T) => ReactNode): Column<T> => ({
  ...column(header, width, cell),
  inCard: 'side',
})

/** By when something is due. @param options.isOpen whether it still is. */
export const due = <T,>(
  header: string,
  shown: Shown<T, string | null>,
  options: { readonly isOpen?: (item: NoInfer<T>) => boolean; readonly hasDay?: boolean; readonly width?: string } = {},
): Column<T> => {
  const { isOpen = () => true, hasDay = false, width = hasDay ? '12rem' : '8.25rem' } = options
  return side(header, width, (item) => (
    <DueDate
      day={typeof shown === 'function' ? shown(item) : (item[shown as keyof T] as string | null)}
      isOpen={isOpen(item)}
      hasDay={hasDay}
    />
  ))
}

const columnOf =
  <V,>(look: (value: V) => ReactNode, usual: Pick<Column<unknown>, 'width' | 'isNumeric' | 'isLabeled'>) =>
  <T,>(header: string, shown: Shown<T, V>, width = usual.width): Column<T> => ({
    ...usual,
    ...column(header, width, (item) => look(typeof shown === 'function' ? shown(item) : (item[shown as keyof T] as V))),
  })

type Maybe<V> = V | null | undefined

/** Data of the service, such as a name; no text of the console. */
export const text = columnOf<Maybe<string>>((value) => <TextValue value={value} />, { width: 'minmax(9rem, 1fr)' })
export const cpf = columnOf<Maybe<string>>((value) => <CpfValue value={value} />, { width: '8.5rem' })
export const date = columnOf<Maybe<string>>((value) => <DateValue value={value} />, { width: '7rem', isLabeled: true })
export const timestamp = columnOf<Maybe<string>>((value) => <TimestampValue value={value} />, {
  width: '9.5rem',
  isLabeled: true,
})
export const money = columnOf<Maybe<number>>((value) => <MoneyValue value={value} />, {
  width: '8rem',
  isNumeric: true,
  isLabeled: true,
})
export const number = columnOf<Maybe<number>>((value) => <NumberValue value={value} />, {
  width: '6rem',
  isNumeric: true,
  isLabeled: true,
})
