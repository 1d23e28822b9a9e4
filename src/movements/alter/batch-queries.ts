import { usableDocuments } from '#registry/documents/queries.ts'
import type { AlteredPerson } from '../rules/alteration-batch.ts'
import { activeClient, companiesOf, rowOfActiveClient } from '#platform/core/access.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { chunksOf } from '#platform/core/chunk.ts'
import type { Sql } from '#platform/core/database.ts'
import type { BatchKind } from '../batch/accept.ts'
import { readRequirementFacts } from '../missing-documents/facts.ts'
import type { SummarizedAlteration } from '../batch/parse-and-judge.ts'
import { mayAlterDependents } from './alter.ts'
import { readAlterationFacts, readDestinationProducts } from './queries.ts'

interface BatchScope {
  /** null: unknown, or not one of the caller's companies. */
  readonly companyId: string | null
  readonly members: readonly { readonly id: string; readonly taxId: string }[]
  /** The caller's companies of `new-company-tax-id`. */
  readonly destinations: readonly { readonly id: string; readonly taxId: string }[]
}

/**
 * Reads who of a batch is a member of its company, and which of the companies that it names are the caller's.
 * @throws ApiError 401 when the client is revoked.
 */
async function readScope(
  sql: Sql,
  caller: ClientActor,
  companyTaxId: string,
  taxIds: readonly string[],
  newCompanyTaxIds: readonly string[],
): Promise<BatchScope> {
  const rows = await sql.query<BatchScope>(
    `with caller as (
       select id from ${activeClient(caller)}
     ), entitled_company as materialized (
       select company.id, company.tax_id from caller
       join company on company.tax_id = $2 or company.tax_id = any($4::bpchar[])
       ${companiesOf(caller, 'company.id')}
     )
     select (select id from entitled_company where tax_id = $2) as "companyId",
       coalesce((select json_agg(json_build_object('id', member.id, 'taxId', member.tax_id))
         from entitled_company join member on member.company_id = entitled_company.id
         where entitled_company.tax_id = $2 and member.tax_id = any($3::bpchar[])), '[]') as members,
       coalesce((select json_agg(json_build_object('id', id, 'taxId', tax_id)) from entitled_company), '[]') as destinations
     from caller`,
    [caller.clientId, companyTaxId, taxIds, newCompanyTaxIds],
  )
  return rowOfActiveClient(rows)
}

async function readPeople(
  sql: Sql,
  caller: ClientActor,
  companyId: string,
  { members, destinations }: BatchScope,
  alterations: readonly SummarizedAlteration[],
): Promise<Map<number, AlteredPerson>> {
  const memberIds = new Map(members.map(({ id, taxId }) => [taxId, id]))
  const companyIds = new Map(destinations.map(({ id, taxId }) => [taxId, id]))
  const subjects = alterations.flatMap(({ index, taxId, newTaxId, newCompanyTaxId }) => {
    const memberId = memberIds.get(taxId)
    if (memberId === undefined) return []
    const destinationId = newCompanyTaxId === null ? companyId : (companyIds.get(newCompanyTaxId) ?? null)
    return [{ index, memberId, newTaxId, destinationId, destinationCompanyId: destinationId ?? companyId }]
  })
  const people = new Map<number, AlteredPerson>()
  for (const chunk of chunksOf(subjects.map((subject) => [subject]))) {
    const page = chunk.flat()
    for (const { index: place, taxId: _, ...facts } of await readAlterationFacts(sql, caller, companyId, page)) {
      const subject = page[place]
      if (subject === undefined) continue
      people.set(subject.index, { memberId: subject.memberId, destinationCompanyId: subject.destinationId, facts })
    }
  }
  return people
}

/** The batch of alterations. */
export const alteration: BatchKind<'alteration'> = {
  movement: 'alteration',
  async readFacts(sql, caller, { companyTaxId, taxIds, documentIds, alterations = [] }, today) {
    const newCompanyTaxIds = [...new Set(alterations.flatMap(({ newCompanyTaxId }) => newCompanyTaxId ?? []))]
    const scope = await readScope(sql, caller, companyTaxId, taxIds, newCompanyTaxIds)
    const { companyId, destinations } = scope
    if (companyId === null) return null
    const people = await readPeople(sql, caller, companyId, scope, alterations)
    const destinationIds = destinations.map(({ id }) => id)
    const products = await readDestinationProducts(sql, destinationIds)
    const usableDocumentIds = await usableDocuments(sql, caller, documentIds)
    const benefitIds = [...people.values()].flatMap(({ facts: { benefits } }) => benefits.map(({ id }) => id))
    const asked = { companyId, destinationIds, benefitIds }
    const requirements = await readRequirementFacts(sql, 'alteration', asked, today)
    const dependentsAlterable = mayAlterDependents(caller.kind)
    const judgedBy = { people, products, usableDocumentIds, dependentsAlterable, requirements }
    return { companyId, facts: { companyTaxId, companyId, today, ...judgedBy } }
  },
}
