import { isLocalDate } from '../../../src/kernel/calendar.ts'
import { parseDate } from '../format/parse-date.ts'

type Reader<Value> = (value: unknown) => Value | undefined
type Readers = Readonly<Record<string, Reader<unknown>>>
type SearchOf<Fields extends Readers> = {
  readonly [Name in keyof Fields]?: Exclude<ReturnType<Fields[Name]>, undefined>
}

/** Without the absent ones. */
export function present<T extends object>(values: { readonly [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

/** Reads the parameters of an address; what is absent or has another value is left out. */
export const searchOf =
  <const Fields extends Readers>(fields: Fields) =>
  (raw: Readonly<Record<string, unknown>>): SearchOf<Fields> =>
    present(
      Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(raw[name])])),
    ) as SearchOf<Fields>

const matching =
  (pattern: RegExp): Reader<string> =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined

export const text = matching(/\S/)
export const id = matching(/^[0-9a-f-]{36}$/)
export const month = matching(/^2[01]\d{2}-(0[1-9]|1[0-2])$/)
export const day: Reader<string> = (value) => (isLocalDate(value) ? value : undefined)
/** A day as people write it. */
export const anyDay: Reader<string> = (value) =>
  typeof value === 'string' ? (parseDate(value) ?? undefined) : undefined
export const instant: Reader<string> = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined
export const flag: Reader<true> = (value) => (value === true ? value : undefined)

/** One of a closed set. */
export const oneOf =
  <const Value>(values: readonly Value[]): Reader<Value> =>
  (value) =>
    values.find((known) => known === value)
