import type { Sql } from '#platform/core/database.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { parseCnpj } from '#kernel/tax-id.ts'
import { findCompanies } from './queries.ts'

/** The CNPJs of a body, each once. @throws ApiError 400 for what is none. */
export function readTaxIds(values: readonly string[]): string[] {
  const taxIds = values.map(parseCnpj)
  const details = taxIds.flatMap((taxId, index) =>
    taxId === null ? [{ field: `company-tax-ids[${index}]`, code: 'invalid' as const }] : [],
  )
  if (details.length > 0) throw invalidBody(details)
  return [...new Set(taxIds.filter((taxId) => taxId !== null))]
}

/** The ids of the companies. @throws ApiError 404 when one does not exist. */
export async function companyIdsOf(sql: Sql, taxIds: readonly string[]): Promise<string[]> {
  const companies = await findCompanies(sql, taxIds)
  if (companies.length < taxIds.length) throw new ApiError('company-not-found')
  return companies.map((company) => company.id)
}
