import type { Static } from 'typebox'
import type { Actor } from '../core/actor.ts'
import type { Database, Sql } from '../core/database.ts'
import { ApiError, type Detail, invalidBody } from '../core/errors.ts'
import { required } from '../core/log.ts'
import { write } from '../core/write.ts'
import type { MappedHeading } from '../domain/column-profile.ts'
import { importColumnOf, isErrorColumn } from '../domain/import-columns.ts'
import { productNameKey } from '../domain/product-name.ts'
import type { ColumnProfileBody } from './column-profile-schema.ts'

/** The roles that write column profiles, beside `admin`. */
export const mayWriteProfiles = ['analyst'] as const

export interface ColumnProfile {
  readonly 'company-tax-id': string
  readonly columns: MappedHeading[]
  /** null: the company has none. */
  readonly 'last-updated-at': string | null
}

/** The profile of a company, without columns when it has none; null for an unknown company. */
export async function readProfile(sql: Sql, companyTaxId: string): Promise<ColumnProfile | null> {
  const [row] = await sql.query<{ body: ColumnProfile }>(
    `select json_build_object('company-tax-id', company.tax_id, 'columns', coalesce(column_profile.columns, '[]'),
       'last-updated-at', iso(column_profile.updated_at)) as body
     from company left join column_profile on column_profile.company_id = company.id where company.tax_id = $1`,
    [companyTaxId],
  )
  return row?.body ?? null
}

/** Replaces the profile of a company. @throws ApiError 404, or 400 for a heading that an import has, or that is there twice. */
export async function replaceProfile(
  database: Database,
  actor: Actor,
  companyTaxId: string,
  { columns }: Static<typeof ColumnProfileBody>,
): Promise<ColumnProfile> {
  const seen = new Set<string>()
  const details = columns.flatMap(({ heading }, index): Detail[] => {
    const field = `columns[${index}].heading`
    const key = productNameKey(heading)
    if (key === '' || importColumnOf(heading) !== undefined || isErrorColumn(heading))
      return [{ field, code: 'invalid' }]
    return seen.size === seen.add(key).size ? [{ field, code: 'repeated' }] : []
  })
  if (details.length > 0) throw invalidBody(details)
  return write({ database }, actor, { may: mayWriteProfiles }, async (tx) => {
    const replaced = await tx.query<{ companyId: string }>(
      `insert into column_profile (company_id, columns, updated_at)
       select company.id, $2, $3 from company where company.tax_id = $1
       on conflict (company_id) do update set columns = excluded.columns, updated_at = excluded.updated_at
       returning company_id as "companyId"`,
      [companyTaxId, JSON.stringify(columns), tx.at()],
    )
    const companyId = replaced[0]?.companyId
    if (companyId === undefined) throw new ApiError('company-not-found')
    tx.audit({ action: 'column-profile.replaced', target: companyTaxId, companyId })
    return required(await readProfile(tx, companyTaxId), 'column profile')
  })
}

/** Deletes the profile of a company, if it has one. @throws ApiError 404 for an unknown company. */
export async function deleteProfile(database: Database, actor: Actor, companyTaxId: string): Promise<void> {
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
