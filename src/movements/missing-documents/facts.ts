import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { MovementKind } from '#kernel/enums.ts'
import type { ProductSubject, RequestedBenefit, RequirementFacts } from '#registry/rules/requested-documents.ts'
import { plansOf, productSubjects, readRulesInForce, subjectJson } from '#registry/requirements/queries.ts'
import type { Tx } from '#platform/core/write.ts'
import { reasonOfMissing } from '#registry/rules/requirement.ts'
import type { Context } from '#platform/http/context.ts'
import { transitionEach } from '../transition/transition.ts'
import type { Decision, PendingItem } from '../transition/types.ts'

interface RequestedBenefits {
  readonly companyId: string
  readonly destinationIds?: readonly string[]
  readonly benefitIds: readonly string[]
}

/**
 * Reads what the documents of exclusions or alterations of benefits of a company are judged by. The caller is entitled to the companies.
 * @param destinationIds companies that benefits move to.
 * @returns undefined when no rule in force is about them.
 */
export async function readRequirementFacts(
  sql: Sql,
  movement: MovementKind,
  { companyId, destinationIds = [], benefitIds }: RequestedBenefits,
  today: LocalDate,
): Promise<RequirementFacts | undefined> {
  const all = await readRulesInForce(sql, today)
  const rules = all.filter(({ when: { movements } }) => movements.length === 0 || movements.includes(movement))
  if (rules.length === 0 || benefitIds.length === 0) return undefined
  const benefits = await sql.query<RequestedBenefit>(
    `select benefit.id, benefit.type as "beneficiaryType", benefit.dependent_type as "dependentType",
       member.details->>'work-contract-type' as "workContractType", member.date_of_birth as "dateOfBirth",
       case when benefit.primary_member_id is null then member.admission_date else primary_member.admission_date end as "admissionDate"
     from benefit
     join member on member.company_id = $1 and member.id = benefit.member_id
     left join member primary_member on primary_member.company_id = $1 and primary_member.id = benefit.primary_member_id
     where benefit.company_id = $1 and benefit.id = any($2::uuid[])`,
    [companyId, benefitIds],
  )
  const products = await sql.query<{ product: ProductSubject }>(
    `with ${plansOf('= any($1::uuid[])')} select ${subjectJson} as product from ${productSubjects}
     where company.id = any($1::uuid[])`,
    [[companyId, ...destinationIds]],
  )
  return { rules, benefits, products: products.map(({ product }) => product) }
}

/** What new movements wait for, by their ids. */
export type ItemsOfMovements = ReadonlyMap<string, readonly PendingItem[]>

/** Lets new movements wait for the documents that they lack. @returns the ids of the others. */
export async function decideMissing(
  tx: Tx,
  context: Context,
  companyId: string,
  enrollmentIds: readonly string[],
  missing: ItemsOfMovements,
): Promise<readonly string[]> {
  const decisions = new Map<string, Decision>()
  for (const id of enrollmentIds) {
    const pendingItems = missing.get(id)
    if (pendingItems === undefined) continue
    decisions.set(id, { status: 'pending-documents', reason: reasonOfMissing(pendingItems), pendingItems })
  }
  if (decisions.size === 0) return enrollmentIds
  const { origin } = tx.actor
  const service = tx.as({ kind: 'service', ...(origin === undefined ? {} : { origin }) })
  await transitionEach(service, companyId, decisions, context)
  return enrollmentIds.filter((id) => !decisions.has(id))
}
