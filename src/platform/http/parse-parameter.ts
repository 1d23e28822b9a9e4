import { invalidParameter } from '../core/errors.ts'

/** Parses a query parameter; null when it is absent. @throws ApiError 400 when `parse` returns null. */
export function parseParameter<T>(
  field: string,
  value: string | undefined,
  parse: (value: string) => T | null,
): T | null {
  if (value === undefined) return null
  const parsed = parse(value)
  if (parsed === null) throw invalidParameter([{ field, code: 'invalid' }])
  return parsed
}
