import { hasRule } from '#coverage/enrollments/kind.ts'
import type { Sql } from '#platform/core/database.ts'
import type { ExclusionFacts } from '../rules/exclusion.ts'
import { isChange } from '#coverage/enrollments/open-movement.ts'

/**
 * Locks the active and pending benefits of a member, of the member's dependents and of the member's primaries in one company. Every
 * movement of a member with benefits takes these locks first, so that concurrent movements are serialized.
 */
export async function lockActiveBenefits(sql: Sql, companyId: string, memberId: string): Promise<void> {
  await sql.query(
    `select benefit.id from benefit
     where benefit.company_id = $1 and benefit.status in ('pending', 'active') and benefit.id = any(array(
       select id from benefit where company_id = $1 and member_id = $2
       union
       select id from benefit where company_id = $1 and primary_member_id = $2 and type = 'dependent'
       union
       select primary_benefit.id from benefit dependent_benefit
       join benefit primary_benefit on primary_benefit.company_id = $1 and primary_benefit.member_id = dependent_benefit.primary_member_id
         and primary_benefit.product_id = dependent_benefit.product_id and primary_benefit.type = 'primary'
       where dependent_benefit.company_id = $1 and dependent_benefit.member_id = $2 and dependent_benefit.status in ('pending', 'active')))
     order by benefit.id for update`,
    [companyId, memberId],
  )
}

/** SQL: a primary's `benefit` of a product whose contract is contributory, and its items are not with a continuation already. */
export const isContributory = (company: string) => `(benefit.type = 'primary' and exists (select 1 from contract_plan
    join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
    where contract_plan.company_id = ${company} and contract_plan.active_product_id = benefit.product_id and contract.contributory)
    and not exists (select 1 from continuation where continuation.company_id = ${company} and continuation.benefit_id = benefit.id))`

/** SQL: a `benefit` of the rows `in_force` as the JSON of `BenefitFacts`, and what it is joined to. */
export const benefitFactsJson = `json_build_object('id', benefit.id, 'companyId', benefit.company_id, 'memberId', benefit.member_id,
  'taxId', member.tax_id, 'productId', benefit.product_id, 'productName', product.name, 'type', benefit.type,
  'primaryMemberId', benefit.primary_member_id, 'primaryTaxId', primary_member.tax_id, 'status', benefit.status, 'startDate', benefit.start_date,
  'isContributory', ${isContributory('benefit.company_id')},
  'isPrimaryExtended', benefit.type = 'dependent' and exists (select 1 from benefit primary_benefit
    where primary_benefit.company_id = benefit.company_id
    and primary_benefit.member_id = benefit.primary_member_id and primary_benefit.product_id = benefit.product_id
    and primary_benefit.type = 'primary' and primary_benefit.status = 'active'
    and primary_benefit.extension_plan and primary_benefit.end_date is null),
  'keepsContinuation', benefit.type = 'primary' and exists (select 1 from continuation where continuation.company_id = benefit.company_id
    and continuation.open_benefit_id = benefit.id and continuation.status in ('accepted', 'active')),
  'openChangeId', (select open_movement.id from open_movement where open_movement.company_id = benefit.company_id
    and open_movement.benefit_id = benefit.id and ${isChange('open_movement')}),
  'changeId', change.id,
  'replacesId', benefit.replaces_id)`

export const benefitFactsFrom = `in_force
  join benefit on benefit.company_id = in_force.company_id and benefit.id = in_force.id
  join member on member.company_id = benefit.company_id and member.id = benefit.member_id
  join product on product.company_id = benefit.company_id and product.id = benefit.product_id
  left join member primary_member on primary_member.company_id = benefit.company_id and primary_member.id = benefit.primary_member_id
  left join (
    select enrollment.id, in_force.id as benefit_id from in_force
    join benefit replaced on replaced.company_id = in_force.replaces_company_id and replaced.id = in_force.replaces_id
    join enrollment on enrollment.company_id = replaced.company_id and enrollment.member_id = replaced.member_id
      and enrollment.new_benefit_id = in_force.id
  ) change on change.benefit_id = benefit.id`

/** Reads the facts of a member in one company that an exclusion is judged by. */
export async function readExclusionFacts(sql: Sql, companyId: string, memberId: string): Promise<ExclusionFacts> {
  const [row] = await sql.query<Pick<ExclusionFacts, 'benefits' | 'openIds'>>(
    `with in_force as materialized (
       select benefit.* from benefit where benefit.company_id = $1 and benefit.member_id = $2 and benefit.status in ('pending', 'active')
       union all
       select benefit.* from benefit where benefit.company_id = $1 and benefit.primary_member_id = $2 and benefit.type = 'dependent'
         and benefit.member_id <> $2 and benefit.status in ('pending', 'active')
     ), movement as materialized (
       select enrollment.company_id, enrollment.id from enrollment where enrollment.company_id = $1 and enrollment.member_id = $2
     )
     select
       coalesce((select json_agg(${benefitFactsJson} order by benefit.id) from ${benefitFactsFrom}), '[]') as benefits,
       coalesce((select json_agg(open_movement.id) from movement join open_movement on open_movement.company_id = movement.company_id
         and open_movement.id = movement.id
         where not ${hasRule('open_movement.enrollment_type', 'altersBenefit')} or open_movement.new_benefit_id is not null), '[]') as "openIds"`,
    [companyId, memberId],
  )
  return { companyId, memberId, benefits: row?.benefits ?? [], openIds: row?.openIds ?? [] }
}
