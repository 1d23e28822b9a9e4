import { type TProperties, Type } from 'typebox'
import { cnpjFilterOf } from '#platform/http/parse-parameter.ts'
import { Closed, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { ReferenceMonth } from './schema.ts'

/** Conditions joined by AND, of carriers' files and of reconciliations; null: no condition. */
export interface FileFilter {
  readonly contractId: string | null
  readonly companyTaxId: string | null
  readonly kind: string | null
  readonly referenceMonth: string | null
  readonly status: string | null
}

/** The query of a list. @param kind and `status` are the schemas of the sets. */
export const fileQuery = <Kind extends TProperties[string], Status extends TProperties[string]>(
  kind: Kind,
  status: Status,
) =>
  Closed({
    'contract-id': Type.Optional({ ...Uuid, description: 'Of one contract.' }),
    'company-tax-id': Type.Optional(Type.String({ format: 'cnpj', description: 'CNPJ, formatted or not.' })),
    kind: Type.Optional(kind),
    'reference-month': Type.Optional(ReferenceMonth),
    status: Type.Optional(status),
    ...pageQuery,
  })

/** The filter of a query. @throws ApiError 400 */
export function fileFilterOf(query: {
  readonly 'contract-id'?: string
  readonly 'company-tax-id'?: string
  readonly kind?: string
  readonly 'reference-month'?: string
  readonly status?: string
}): FileFilter {
  return {
    contractId: query['contract-id'] ?? null,
    companyTaxId: cnpjFilterOf(query),
    kind: query.kind ?? null,
    referenceMonth: query['reference-month'] ?? null,
    status: query.status ?? null,
  }
}
