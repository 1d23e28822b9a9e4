import { usableDocuments } from '../../documents/queries.ts'
import type { ExclusionBatchFacts } from '../../domain/exclusion-batch.ts'
import { activePartner, rowOfActivePartner } from '../../core/access.ts'
import type { Client } from '../../core/actor.ts'
import type { Sql } from '../../core/database.ts'
import type { BatchKind } from '../batch/accept.ts'
import { benefitFactsFrom, benefitFactsJson } from './queries.ts'

type CompanyFacts = Pick<ExclusionBatchFacts, 'members' | 'benefits'> & {
  /** null: unknown, or not one of the caller's companies. */
  readonly companyId: string | null
}

/**
 * Reads the facts of the people of a batch and of their dependents, from one snapshot, within the caller's entitlements.
 * @throws ApiError 401 when the client is revoked.
 */
async function readCompanyFacts(
  sql: Sql,
  caller: Client,
  companyTaxId: string,
  taxIds: readonly string[],
): Promise<CompanyFacts> {
  const rows = await sql.query<CompanyFacts>(
    `with caller as (
       select id from ${activePartner}
     ), target as materialized (
       select c.id from caller k
       join company c on c.tax_id = $2
       join entitlement t on t.company_id = c.id and t.client_id = k.id
     ), person as materialized (
       select m.company_id, m.id, m.tax_id
       from target t
       join member m on m.company_id = t.id and m.tax_id = any($3::bpchar[])
     ), in_force as materialized (
       select b.company_id, b.id, b.replaces_company_id, b.replaces_id from person m
       join benefit b on b.member_id = m.id and b.company_id = m.company_id
       where b.status in ('pending', 'active')
       union
       select b.company_id, b.id, b.replaces_company_id, b.replaces_id from person m
       join benefit b on b.primary_member_id = m.id and b.company_id = m.company_id and b.type = 'dependent'
       where b.status = 'active'
     )
     select (select id from target) as "companyId",
       coalesce((select json_agg(json_build_object('id', m.id, 'taxId', m.tax_id)) from person m), '[]') as members,
       coalesce((select json_agg(${benefitFactsJson} order by b.id) from ${benefitFactsFrom}), '[]') as benefits
     from caller`,
    [caller.clientId, companyTaxId, taxIds],
  )
  return rowOfActivePartner(rows)
}

/** The batch of exclusions. */
export const exclusion: BatchKind<'exclusion'> = {
  movement: 'exclusion',
  async readFacts(context, caller, { companyTaxId, taxIds, documentIds }) {
    const { database } = context
    const { companyId, ...facts } = await readCompanyFacts(database, caller, companyTaxId, taxIds)
    if (companyId === null) return null
    const usableDocumentIds = await usableDocuments(database, caller, documentIds)
    return { companyId, facts: { ...facts, companyId, companyTaxId, today: context.today(), usableDocumentIds } }
  },
}
