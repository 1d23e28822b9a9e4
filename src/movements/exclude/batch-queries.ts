import { usableDocuments } from '#registry/documents/queries.ts'
import type { ExclusionBatchFacts } from '../rules/exclusion-batch.ts'
import { activeClient, companiesOf, rowOfActiveClient } from '#platform/core/access.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { BatchKind } from '../batch/accept.ts'
import { readContractLimits } from '#registry/contracts/retroactive-limits.ts'
import { readRequirementFacts } from '../missing-documents/facts.ts'
import { benefitFactsFrom, benefitFactsJson } from './queries.ts'

type CompanyFacts = Pick<ExclusionBatchFacts, 'members' | 'taxIdsElsewhere' | 'benefits'> & {
  /** null: unknown, or not one of the caller's companies. */
  readonly companyId: string | null
}

/**
 * Reads the facts of the people of a batch and of their dependents, from one snapshot, within the caller's companies.
 * @throws ApiError 401 when the client is revoked.
 */
async function readCompanyFacts(
  sql: Sql,
  caller: Pick<ClientActor, 'clientId' | 'kind'>,
  companyTaxId: string,
  taxIds: readonly string[],
): Promise<CompanyFacts> {
  const rows = await sql.query<CompanyFacts>(
    `with caller as (
       select id from ${activeClient(caller)}
     ), target as materialized (
       select company.id from caller
       join company on company.tax_id = $2
       ${companiesOf(caller, 'company.id')}
     ), person as materialized (
       select member.company_id, member.id, member.tax_id
       from target
       join member on member.company_id = target.id and member.tax_id = any($3::bpchar[])
     ), in_force as materialized (
       select benefit.company_id, benefit.id, benefit.replaces_company_id, benefit.replaces_id from person
       join benefit on benefit.member_id = person.id and benefit.company_id = person.company_id
       where benefit.status in ('pending', 'active')
       union
       select benefit.company_id, benefit.id, benefit.replaces_company_id, benefit.replaces_id from person
       join benefit on benefit.primary_member_id = person.id and benefit.company_id = person.company_id and benefit.type = 'dependent'
       where benefit.status = 'active'
     )
     select (select id from target) as "companyId",
       coalesce((select json_agg(json_build_object('id', person.id, 'taxId', person.tax_id)) from person), '[]') as members,
       array(select distinct member.tax_id from caller
         join member on member.tax_id = any(array(select unnest($3::bpchar[]) except select tax_id from person))
         ${companiesOf(caller, 'member.company_id')}) as "taxIdsElsewhere",
       coalesce((select json_agg(${benefitFactsJson} order by benefit.id) from ${benefitFactsFrom}), '[]') as benefits
     from caller`,
    [caller.clientId, companyTaxId, taxIds],
  )
  return rowOfActiveClient(rows)
}

/** The batch of exclusions. */
export const exclusion: BatchKind<'exclusion'> = {
  movement: 'exclusion',
  async readFacts(sql, caller, { companyTaxId, taxIds, documentIds }, today) {
    const { companyId, ...facts } = await readCompanyFacts(sql, caller, companyTaxId, taxIds)
    if (companyId === null) return null
    const usableDocumentIds = await usableDocuments(sql, caller, documentIds)
    const benefitIds = facts.benefits.map(({ id }) => id)
    const requirements = await readRequirementFacts(sql, 'exclusion', { companyId, benefitIds }, today)
    const limits = await readContractLimits(sql, companyId)
    return { companyId, facts: { ...facts, limits, companyId, companyTaxId, today, usableDocumentIds, requirements } }
  },
}
