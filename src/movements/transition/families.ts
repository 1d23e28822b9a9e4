import type { Records } from '../../core/records.ts'
import type { Sql } from '../../core/database.ts'
import { updateBenefits, type WrittenBenefit } from '../../benefits/write.ts'
import { type TransferredBenefit, transferredWithCover } from './transfer-queries.ts'

export interface BenefitKey {
  readonly companyId: string
  readonly id: string
}

/**
 * SQL of a row `o`: the primary's benefit of the product that a dependent's benefit or inclusion (alias) depends on. The active one, else
 * the latest.
 */
export function primaryOf(alias: string, company = `${alias}.company_id`): string {
  return `lateral (
    select p.company_id, p.id, p.status from benefit p
    where p.company_id = ${company} and p.member_id = ${alias}.primary_member_id and p.product_id = ${alias}.product_id
      and p.type = 'primary' and p.status <> 'pending'
    order by p.status = 'active' desc, p.start_date desc, p.created_at desc limit 1) o`
}

/**
 * Locks families: the benefits, the primary's benefit of a dependent, the dependents' benefits of a primary, their replacements, and the
 * benefit that a pending one will replace. Every change of a family takes these locks first, benefits before enrollments and in the order
 * of their ids, so that two changes of one family are serialized.
 */
export async function lockFamilies(sql: Sql, companyId: string, benefitIds: readonly string[]): Promise<void> {
  // A row that changed while the lock waited may have been replaced: the replacement is locked too.
  let isChanged = true
  while (isChanged) {
    const found = new Map<string, FamilyBenefit>()
    await findFamilies(sql, companyId, benefitIds, true, found)
    isChanged = await lockFound(sql, [...found.values()])
  }
}

interface FamilyBenefit extends BenefitKey {
  readonly version: string
  /** Of a named pending benefit: the company of the benefit that it replaces. */
  readonly replacedCompanyId: string | null
  readonly replacedId: string | null
}

/**
 * Collects the families of benefits of one company, and from those that were transferred to or from another one, there too. A family is
 * mostly in one company: each statement names it.
 * @param isNamed also collects the dependents and the replaced benefits, not only the replacements and the primaries.
 */
async function findFamilies(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
  isNamed: boolean,
  found: Map<string, FamilyBenefit>,
): Promise<void> {
  const rows = await sql.query<FamilyBenefit>(
    `with recursive family as (
       select b.company_id, b.id, b.type, b.status, b.member_id, b.primary_member_id, b.product_id, b.replaces_company_id,
         b.replaces_id, $3::boolean as is_named, b.xmin::text as version
       from benefit b where b.company_id = $1 and b.id = any($2::uuid[])
       union
       select x.company_id, x.id, x.type, x.status, x.member_id, x.primary_member_id, x.product_id, x.replaces_company_id,
         x.replaces_id, x.is_named, x.xmin::text
       from family f cross join lateral (
         select n.*, n.xmin, false as is_named from benefit n
         where n.company_id = $1 and n.replaces_company_id = $1 and n.replaces_id = f.id
         union all
         select o.*, o.xmin, true from benefit o
         where f.is_named and f.status = 'pending' and f.replaces_company_id = $1 and o.company_id = $1 and o.id = f.replaces_id
         union all
         select p.*, p.xmin, false from benefit p
         where f.type = 'dependent' and p.company_id = $1 and p.member_id = f.primary_member_id
           and p.product_id = f.product_id and p.type = 'primary'
         union all
         select d.*, d.xmin, false from benefit d
         where f.is_named and f.type = 'primary' and d.company_id = $1 and d.primary_member_id = f.member_id
           and d.product_id = f.product_id and d.type = 'dependent' and d.status in ('pending', 'active')
       ) x
     )
     select distinct $1::uuid as "companyId", id, version,
       case when is_named and status = 'pending' and replaces_company_id <> $1 then replaces_company_id end as "replacedCompanyId",
       case when is_named and status = 'pending' and replaces_company_id <> $1 then replaces_id end as "replacedId"
     from family`,
    [companyId, benefitIds, isNamed],
  )
  const unseen = rows.filter(({ id }) => !found.has(id))
  for (const row of rows) found.set(row.id, row)
  for (const { replacedCompanyId, replacedId } of rows) {
    if (replacedCompanyId !== null && replacedId !== null) {
      await findFamilies(sql, replacedCompanyId, [replacedId], true, found)
    }
  }
  const replacements = await readReplacements(
    sql,
    companyId,
    unseen.map(({ id }) => id),
  )
  const elsewhere = replacements.filter((row) => row.companyId !== companyId && !found.has(row.id))
  for (const [otherId, others] of Map.groupBy(elsewhere, (row) => row.companyId)) {
    await findFamilies(
      sql,
      otherId,
      others.map(({ id }) => id),
      false,
      found,
    )
  }
}

/** The benefits, of any company, that replace these of the company. */
async function readReplacements(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
): Promise<(BenefitKey & { readonly status: string; readonly replacedId: string })[]> {
  return sql.query(
    `select company_id as "companyId", id, status, replaces_id as "replacedId" from benefit
     where replaces_company_id = $1 and replaces_id = any($2::uuid[])`,
    [companyId, ids],
  )
}

/** Locks the benefits in the order of their ids. @returns whether one had changed meanwhile. */
async function lockFound(sql: Sql, found: readonly FamilyBenefit[]): Promise<boolean> {
  let isChanged = false
  const byCompany = [...Map.groupBy(found, (row) => row.companyId)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [companyId, rows] of byCompany) {
    const locked = await sql.query<{ id: string; version: string }>(
      `select b.id, b.xmin::text as version from benefit b where b.company_id = $1 and b.id = any($2::uuid[])
       order by b.id for update`,
      [companyId, rows.map(({ id }) => id)],
    )
    const versions = new Map(locked.map(({ id, version }) => [id, version]))
    isChanged ||= rows.some(({ id, version }) => versions.has(id) && versions.get(id) !== version)
  }
  return isChanged
}

/** Those of these ended benefits that another, now active one has replaced, in the same company or in another one. */
export async function readReplacedByActive(sql: Sql, companyId: string, ids: readonly string[]): Promise<Set<string>> {
  const active = new Set<string>()
  if (ids.length === 0) return active
  const replacements = await readReplacements(sql, companyId, ids)
  for (const [otherId, rows] of Map.groupBy(replacements, (row) => row.companyId)) {
    const ended = rows.filter(({ status }) => status === 'inactive').map(({ id }) => id)
    const followed = await readReplacedByActive(sql, otherId, ended)
    for (const { id, status, replacedId } of rows) if (status === 'active' || followed.has(id)) active.add(replacedId)
  }
  return active
}

/** Active benefits of dependents whose primary's benefit has been replaced, or will be on a later day. */
export async function readDependentsToTransfer(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
): Promise<TransferredBenefit[]> {
  return sql.query<TransferredBenefit>(
    `with dependent as materialized (
       select d.id, d.type, d.member_id, d.start_date, d.end_date, m.tax_id, o.id as primary_benefit_id, o.status as primary_status
       from benefit d
       cross join ${primaryOf('d', '$1')}
       join member m on m.company_id = $1 and m.id = d.member_id
       where d.company_id = $1 and d.id = any($2::uuid[]) and d.type = 'dependent' and d.status = 'active'
     ), transferred as materialized (
       select d.id as "benefitId", d.type, null as "newBenefitId", d.member_id as "memberId", d.tax_id as "taxId",
         q.tax_id as "primaryTaxId", d.start_date as "startDate", least(d.end_date, n.end_date) as "endDate", n.start_date as "effectiveDate",
         n.status <> 'pending' as now, n.company_id as "destinationCompanyId", n.product_id as "destinationProductId"
       from dependent d
       join benefit n on n.replaces_company_id = $1 and n.replaces_id = d.primary_benefit_id
         and (n.status = 'pending') = (d.primary_status = 'active')
       join member q on q.company_id = n.company_id and q.id = n.member_id
       where d.id not in (select s.replaces_id from benefit s where s.replaces_company_id = $1 and s.replaces_id = any($2::uuid[]))
     ) ${transferredWithCover}`,
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
 * @param benefits `{ companyId, id }`: benefits of dependents, and benefits of primaries for all their dependents.
 * @returns the benefits that it deactivated.
 */
export async function endWithPrimaries(sql: Sql, at: Date, today: string, benefits: Records): Promise<EndedBenefit[]> {
  const dependentBenefit = `d.company_id, d.id, d.primary_member_id, d.product_id, d.status, d.start_date, d.end_date,
    d.status <> 'pending' or d.replaces_id is not null as is_effective`
  const updated = await updateBenefits<{ previousStatus: string; isNew: boolean }>(sql, at, {
    set: {
      end_date: 'late.last_day',
      status: `case when b.status = 'active' and (late.last_day <= $2::date or late.last_day < b.start_date) then 'inactive' else b.status end`,
    },
    from: `(
      with ended_primary as materialized (
        select p.company_id, p.member_id, p.product_id
        from json_to_recordset($1::json) as a("companyId" uuid, id uuid)
        join benefit p on p.company_id = a."companyId" and p.id = a.id and p.type = 'primary' and p.end_date is not null
      ), dependent as materialized (
        select ${dependentBenefit}
        from json_to_recordset($1::json) as a("companyId" uuid, id uuid)
        join benefit d on d.company_id = a."companyId" and d.id = a.id and d.type = 'dependent'
        union
        select ${dependentBenefit}
        from ended_primary p
        join benefit d on d.company_id = p.company_id and d.primary_member_id = p.member_id and d.product_id = p.product_id
          and d.type = 'dependent'
      )
      select n.company_id, n.id, n.status, greatest(n.start_date - 1, max(coalesce(p.end_date, 'infinity'))) as last_day
      from dependent n
      join benefit p on p.company_id = n.company_id and p.member_id = n.primary_member_id and p.product_id = n.product_id
        and p.type = 'primary' and (p.status <> 'pending' or p.replaces_id is not null)
        and p.start_date <= coalesce(n.end_date, 'infinity')
      where n.is_effective and n.start_date <= coalesce(n.end_date, 'infinity')
      group by n.company_id, n.id, n.status, n.start_date, n.end_date
      having max(coalesce(p.end_date, 'infinity')) < coalesce(n.end_date, 'infinity')
    ) late`,
    where: 'b.company_id = late.company_id and b.id = late.id',
    values: [benefits, today],
    returning: 'late.status as "previousStatus", b.created_at = b.updated_at as "isNew"',
  })
  return updated.filter(({ status, previousStatus }) => status === 'inactive' && previousStatus === 'active')
}
