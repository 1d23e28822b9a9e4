import type { Static } from 'typebox'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import { ApiError, type Detail, invalidBody, notEntitled } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { write } from '#platform/core/write.ts'
import { readCompany } from '#registry/companies/queries.ts'
import type { TableProfile } from '../rules/column-profile.ts'
import { importColumnOf, isErrorColumn } from '../rules/import-columns.ts'
import { headingKey } from '#kernel/heading.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { valuesOfField } from '../rules/table-columns.ts'
import type { ColumnProfileBody, ColumnProfileResponse } from './column-profile-schema.ts'

/** The roles that write column profiles, beside `admin`. */
export const mayWriteProfiles = ['analyst'] as const

/** Without columns and values, and `last-updated-at` null, when the company has none. */
type ColumnProfile = Static<typeof ColumnProfileResponse>['result']

/** The profile of a company, without columns when it has none; null for an unknown company. */
export async function readProfile(sql: Sql, companyTaxId: string): Promise<ColumnProfile | null> {
  const [row] = await sql.query<{ body: ColumnProfile }>(
    `select json_build_object('company-tax-id', company.tax_id, 'columns', coalesce(column_profile.columns, '[]'),
       'values', coalesce(column_profile.words, '[]'), 'last-updated-at', iso(column_profile.updated_at)) as body
     from company left join column_profile on column_profile.company_id = company.id where company.tax_id = $1`,
    [companyTaxId],
  )
  return row?.body ?? null
}

/** The id of a company of the partner. @throws ApiError 401, or 403 when the caller is not entitled to it. */
export async function companyIdOf(sql: Sql, caller: ClientActor, companyTaxId: string): Promise<string> {
  const { body } = await readCompany(sql, caller, companyTaxId)
  if (body === null) throw notEntitled('company')
  return (JSON.parse(body) as { result: { id: string } }).result.id
}

/**
 * Replaces the profile of a company.
 * @throws ApiError 403 for a partner of another company, 404 for an unknown one; 400 for a heading that an import has, or that is there twice,
 * and for a word twice, or of a value that the field does not have.
 */
export async function replaceProfile(
  database: Database,
  actor: ClientActor,
  companyTaxId: string,
  body: Static<typeof ColumnProfileBody>,
): Promise<ColumnProfile> {
  const { columns, values = [] } = body
  const details = [...headingErrors(columns), ...wordErrors(values)]
  if (details.length > 0) throw invalidBody(details)
  const isPartner = actor.kind === 'partner'
  const ids = isPartner ? [await companyIdOf(database, actor, companyTaxId)] : []
  const companies = { ids, entitled: 'all', error: () => notEntitled('company') } as const
  return write({ database }, actor, { may: isPartner ? 'partner' : mayWriteProfiles, companies }, async (tx) => {
    const replaced = await tx.query<{ companyId: string }>(
      `insert into column_profile (company_id, columns, words, updated_at)
       select company.id, $2, $3, $4 from company where company.tax_id = $1
       on conflict (company_id) do update set columns = excluded.columns, words = excluded.words, updated_at = excluded.updated_at
       returning company_id as "companyId"`,
      [companyTaxId, JSON.stringify(columns), JSON.stringify(values), tx.at()],
    )
    const companyId = replaced[0]?.companyId
    if (companyId === undefined) throw new ApiError('company-not-found')
    tx.audit({ action: 'column-profile.replaced', target: companyTaxId, companyId })
    return required(await readProfile(tx, companyTaxId), 'column profile')
  })
}

function headingErrors(columns: TableProfile['columns']): Detail[] {
  const seen = new Set<string>()
  return columns.flatMap(({ heading }, index): Detail[] => {
    const field = `columns[${index}].heading`
    const key = headingKey(heading)
    if (key === '' || importColumnOf(heading) !== undefined || isErrorColumn(heading))
      return [{ field, code: 'invalid' }]
    return seen.size === seen.add(key).size ? [{ field, code: 'repeated' }] : []
  })
}

function wordErrors(values: TableProfile['values']): Detail[] {
  const seen = new Set<string>()
  return values.flatMap(({ field, value, as }, index): Detail[] => {
    const known = valuesOfField(field)
    if (known !== undefined && !known.includes(as))
      return [{ field: `values[${index}].as`, code: 'invalid', allowed: [...known] }]
    const key = `${field} ${productNameKey(value)}`
    return seen.size === seen.add(key).size ? [{ field: `values[${index}].value`, code: 'repeated' }] : []
  })
}

/** Deletes the profile of a company, if it has one. @throws ApiError 404 for an unknown company. */
export async function deleteProfile(database: Database, actor: ClientActor, companyTaxId: string): Promise<void> {
  await write({ database }, actor, { may: mayWriteProfiles }, async (tx) => {
    if ((await readProfile(tx, companyTaxId)) === null) throw new ApiError('company-not-found')
    const deleted = await tx.query<{ companyId: string }>(
      `delete from column_profile using company where company.id = column_profile.company_id and company.tax_id = $1
       returning company_id as "companyId"`,
      [companyTaxId],
    )
    for (const { companyId } of deleted) tx.audit({ action: 'column-profile.deleted', target: companyTaxId, companyId })
  })
}
