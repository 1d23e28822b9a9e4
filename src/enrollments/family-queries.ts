import type { Sql } from '../platform/database.ts'
import { updateBenefits, type WrittenBenefit } from '../benefits/write.ts'
import { coveredIn, type TransferredBenefit } from './transfer-queries.ts'

export interface BenefitKey {
  readonly companyId: string
  readonly id: string
}

/**
 * SQL of a row `o`: the primary's benefit of the product that a dependent's benefit or inclusion (alias) depends on. The active one, else
 * the latest.
 */
export function primaryOf(alias: string): string {
  return `lateral (
    select p.company_id, p.id, p.status from benefit p
    where p.company_id = ${alias}.company_id and p.member_id = ${alias}.primary_member_id and p.product_id = ${alias}.product_id
      and p.type = 'primary' and p.status <> 'pending'
    order by p.status = 'active' desc, p.start_date desc, p.created_at desc limit 1) o`
}

/** SQL: the primary of a dependent's inclusion `e` has an active benefit, of the product or one that replaced it. */
export const isPrimaryCovered = `exists (
  with recursive chain as (
    select o.company_id, o.id, o.status from ${primaryOf('e')}
    union all
    select n.company_id, n.id, n.status from chain c
    join benefit n on n.replaces_company_id = c.company_id and n.replaces_id = c.id
    where c.status = 'inactive' and n.status <> 'pending'
  ) select 1 from chain where status = 'active')`

/**
 * Locks families: the benefits, the primary's benefit of a dependent, the dependents' benefits of a primary, their replacements, and the
 * benefit that a pending one will replace. Every change of a family takes these locks first, benefits before enrollments and in the order
 * of their ids, so that two changes of one family are serialized.
 */
export async function lockFamilies(sql: Sql, companyId: string, benefitIds: readonly string[]): Promise<void> {
  // A row that changed while this statement waited may have been replaced: the replacement is locked too.
  while ((await lockOnce(sql, companyId, benefitIds)).some((row) => row.changed));
}

function lockOnce(sql: Sql, companyId: string, benefitIds: readonly string[]): Promise<{ changed: boolean }[]> {
  return sql.queryPlanned<{ changed: boolean }>(
    `with recursive family as (
       select b.company_id, b.id, b.type, b.status, b.member_id, b.primary_member_id, b.product_id, b.replaces_company_id,
         b.replaces_id, true as is_named, b.xmin::text as version
       from benefit b where b.company_id = $1 and b.id = any($2::uuid[])
       union
       select x.company_id, x.id, x.type, x.status, x.member_id, x.primary_member_id, x.product_id, x.replaces_company_id,
         x.replaces_id, x.is_named, x.xmin::text
       from family f cross join lateral (
         select n.*, n.xmin, false as is_named from benefit n
         where n.replaces_company_id = f.company_id and n.replaces_id = f.id
         union all
         select o.*, o.xmin, true from benefit o
         where f.is_named and f.status = 'pending' and o.company_id = f.replaces_company_id and o.id = f.replaces_id
         union all
         select p.*, p.xmin, false from benefit p
         where f.type = 'dependent' and p.company_id = f.company_id and p.member_id = f.primary_member_id
           and p.product_id = f.product_id and p.type = 'primary'
         union all
         select d.*, d.xmin, false from benefit d
         where f.is_named and f.type = 'primary' and d.company_id = f.company_id and d.primary_member_id = f.member_id
           and d.product_id = f.product_id and d.type = 'dependent' and d.status in ('pending', 'active')
       ) x
     )
     select b.xmin::text <> f.version as changed
     from (select distinct company_id, id, version from family) f
     join benefit b on b.company_id = f.company_id and b.id = f.id
     order by b.id for update of b`,
    [companyId, benefitIds],
  )
}

/** Active benefits of dependents whose primary's benefit has been replaced, or will be on a later day. */
export async function readDependentsToTransfer(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
): Promise<TransferredBenefit[]> {
  return sql.queryPlanned<TransferredBenefit>(
    `select d.id as "benefitId", null as "newBenefitId", d.member_id as "memberId", m.tax_id as "taxId",
       q.tax_id as "primaryTaxId", d.start_date as "startDate", least(d.end_date, n.end_date) as "endDate", n.start_date as "effectiveDate",
       n.status <> 'pending' as now, n.company_id as "destinationCompanyId", n.product_id as "destinationProductId",
       ${coveredIn('n.company_id', 'n.product_id', 'd')} as covered
     from benefit d
     cross join ${primaryOf('d')}
     join benefit n on n.replaces_company_id = d.company_id and n.replaces_id = o.id
       and (n.status = 'pending') = (o.status = 'active')
     join member m on m.company_id = d.company_id and m.id = d.member_id
     join member q on q.company_id = n.company_id and q.id = n.member_id
     where d.company_id = $1 and d.id = any($2::uuid[]) and d.type = 'dependent' and d.status = 'active'
       and not exists (select 1 from benefit s where s.replaces_company_id = d.company_id and s.replaces_id = d.id)
     order by d.id`,
    [companyId, benefitIds],
  )
}

/** A benefit that a statement deactivated. */
export interface EndedBenefit extends WrittenBenefit {
  /** Inserted in the same transaction: no event has reported it as active. */
  readonly isNew: boolean
}

/**
 * Enforces the rule that a dependent's benefit of a product never ends after its primary's: sets its end to the primary's. A benefit that
 * would start after that end becomes void: it ends the day before its start. Call it after every change of a benefit's end.
 * @param benefits JSON of `[{ companyId, id }]`: benefits of dependents, and benefits of primaries for all their dependents.
 * @returns the benefits that it deactivated.
 */
export async function endWithPrimaries(sql: Sql, at: Date, today: string, benefits: string): Promise<EndedBenefit[]> {
  const dependentBenefit = `d.company_id, d.id, d.primary_member_id, d.product_id, d.status, d.start_date, d.end_date,
    d.status <> 'pending' or d.replaces_id is not null as is_effective`
  const updated = await updateBenefits<{ previousStatus: string; isNew: boolean }>(sql, at, {
    set: {
      end_date: 'late.last_day',
      status: `case when b.status = 'active' and (late.last_day <= $2::date or late.last_day < b.start_date) then 'inactive' else b.status end`,
    },
    from: `(
      with dependent as materialized (
        select ${dependentBenefit}
        from json_to_recordset($1::json) as a("companyId" uuid, id uuid)
        join benefit d on d.company_id = a."companyId" and d.id = a.id and d.type = 'dependent'
        union
        select ${dependentBenefit}
        from json_to_recordset($1::json) as a("companyId" uuid, id uuid)
        join benefit p on p.company_id = a."companyId" and p.id = a.id and p.type = 'primary' and p.end_date is not null
        join benefit d on d.company_id = p.company_id and d.primary_member_id = p.member_id and d.product_id = p.product_id
          and d.type = 'dependent'
      )
      select n.company_id, n.id, n.status, greatest(n.start_date - 1, f.last_day) as last_day
      from dependent n
      cross join lateral (
        select max(coalesce(p.end_date, 'infinity')) as last_day from benefit p
        where p.company_id = n.company_id and p.member_id = n.primary_member_id and p.product_id = n.product_id
          and p.type = 'primary' and (p.status <> 'pending' or p.replaces_id is not null)
          and p.start_date <= coalesce(n.end_date, 'infinity')) f
      where n.is_effective and f.last_day < coalesce(n.end_date, 'infinity') and n.start_date <= coalesce(n.end_date, 'infinity')
    ) late`,
    where: 'b.company_id = late.company_id and b.id = late.id',
    values: [benefits, today],
    returning: 'late.status as "previousStatus", b.created_at = b.updated_at as "isNew"',
  })
  return updated.filter(({ status, previousStatus }) => status === 'inactive' && previousStatus === 'active')
}
