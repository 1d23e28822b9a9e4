import { hasRule } from '../../enrollments/kind.ts'
import type { Client } from '../../core/actor.ts'
import type { Sql } from '../../core/database.ts'
import type { ExclusionFacts } from '../../domain/exclusion.ts'
import { isChange } from '../../enrollments/open-movement.ts'

/**
 * Locks the active and pending benefits of a member, of the member's dependents and of the member's primaries in one company. Every
 * movement of a member with benefits takes these locks first, so that concurrent movements are serialized.
 */
export async function lockActiveBenefits(sql: Sql, companyId: string, memberId: string): Promise<void> {
  await sql.query(
    `select b.id from benefit b
     where b.company_id = $1 and b.status in ('pending', 'active') and b.id = any(array(
       select id from benefit where company_id = $1 and member_id = $2
       union
       select id from benefit where company_id = $1 and primary_member_id = $2 and type = 'dependent'
       union
       select p.id from benefit d
       join benefit p on p.company_id = $1 and p.member_id = d.primary_member_id and p.product_id = d.product_id and p.type = 'primary'
       where d.company_id = $1 and d.member_id = $2 and d.status in ('pending', 'active')))
     order by b.id for update`,
    [companyId, memberId],
  )
}

/** SQL: a benefit `b` of the rows `in_force` as the JSON of `BenefitFacts`, and what it is joined to. */
export const benefitFactsJson = `json_build_object('id', b.id, 'companyId', b.company_id, 'memberId', b.member_id,
  'taxId', m.tax_id, 'productId', b.product_id, 'productName', p.name, 'type', b.type,
  'primaryMemberId', b.primary_member_id, 'primaryTaxId', q.tax_id, 'status', b.status, 'startDate', b.start_date,
  'isPrimaryExtended', b.type = 'dependent' and exists (select 1 from benefit k where k.company_id = b.company_id
    and k.member_id = b.primary_member_id and k.product_id = b.product_id and k.type = 'primary' and k.status = 'active'
    and k.extension_plan and k.end_date is null),
  'openChangeId', (select o.id from open_movement o where o.company_id = b.company_id and o.benefit_id = b.id and ${isChange('o')}),
  'changeId', change.id,
  'replacesId', b.replaces_id)`

export const benefitFactsFrom = `in_force f
  join benefit b on b.company_id = f.company_id and b.id = f.id
  join member m on m.company_id = b.company_id and m.id = b.member_id
  join product p on p.company_id = b.company_id and p.id = b.product_id
  left join member q on q.company_id = b.company_id and q.id = b.primary_member_id
  left join (
    select e.id, f.id as benefit_id from in_force f
    join benefit r on r.company_id = f.replaces_company_id and r.id = f.replaces_id
    join enrollment e on e.company_id = r.company_id and e.member_id = r.member_id and e.new_benefit_id = f.id
  ) change on change.benefit_id = b.id`

/** Reads the facts of a member in one company that an exclusion is judged by, if the client is entitled to the company. */
export async function readExclusionFacts(
  sql: Sql,
  caller: Client,
  companyId: string,
  memberId: string,
): Promise<ExclusionFacts> {
  const [row] = await sql.query<Pick<ExclusionFacts, 'benefits' | 'openIds'>>(
    `with scope as (
       select company_id from entitlement where company_id = $1 and client_id = $3
     ), in_force as materialized (
       select b.* from scope s join benefit b on b.company_id = s.company_id
       where b.member_id = $2 and b.status in ('pending', 'active')
       union all
       select b.* from scope s join benefit b on b.company_id = s.company_id
       where b.primary_member_id = $2 and b.type = 'dependent' and b.member_id <> $2 and b.status in ('pending', 'active')
     ), movement as materialized (
       select e.company_id, e.id from scope s join enrollment e on e.company_id = s.company_id where e.member_id = $2
     )
     select
       coalesce((select json_agg(${benefitFactsJson} order by b.id) from ${benefitFactsFrom}), '[]') as benefits,
       coalesce((select json_agg(o.id) from movement e join open_movement o on o.company_id = e.company_id and o.id = e.id
         where not ${hasRule('o.enrollment_type', 'altersBenefit')} or o.new_benefit_id is not null), '[]') as "openIds"`,
    [companyId, memberId, caller.clientId],
  )
  return { companyId, memberId, benefits: row?.benefits ?? [], openIds: row?.openIds ?? [] }
}
