import { Type } from 'typebox'
import { invalidParameter } from '../core/errors.ts'
import { parseCnpj } from '#kernel/tax-id.ts'

/** The path parameter of a company; its format and check digits are validated. */
export const CompanyPath = Type.Object({
  companyTaxId: Type.String({
    format: 'cnpj',
    description: 'CNPJ, formatted (the slash as `%2F`) or not, letters in either case.',
    examples: ['12ABC34501DE35'],
  }),
})

/** The CNPJ of a path. @throws ApiError 400 when it is not valid. */
export function companyTaxIdOf({ companyTaxId }: { companyTaxId: string }): string {
  const taxId = parseCnpj(companyTaxId)
  if (taxId === null) throw invalidParameter([], 'Invalid company-tax-id')
  return taxId
}
