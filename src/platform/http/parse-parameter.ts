import { invalidParameter } from '../core/errors.ts'
import { parseCnpj } from '#kernel/tax-id.ts'

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

/** The CNPJ that a list is filtered by, unformatted; null when it is absent. @throws ApiError 400 */
export const cnpjFilterOf = (query: { readonly 'company-tax-id'?: string }): string | null =>
  parseParameter('company-tax-id', query['company-tax-id'], parseCnpj)
