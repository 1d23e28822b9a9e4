import type { Records } from '#platform/core/records.ts'
import type { Sql } from '#platform/core/database.ts'
import { updateBenefits, type WrittenBenefit } from '#coverage/benefits/write.ts'
import { type TransferredBenefit, transferredWithCover } from './transfer-queries.ts'

export interface BenefitKey {
  readonly companyId: string
  readonly id: string
}

/**
 * SQL of a row `primary_benefit`: the primary's benefit of the product that a dependent's benefit or inclusion (alias) depends on. The active
 * one, else the latest.
 */
export function primaryOf(alias: string, company = `${alias}.company_id`): string {
  return `lateral (
    select primary_benefit.company_id, primary_benefit.id, primary_benefit.status from benefit primary_benefit
    where primary_benefit.company_id = ${company} and primary_benefit.member_id = ${alias}.primary_member_id
      and primary_benefit.product_id = ${alias}.product_id and primary_benefit.type = 'primary' and primary_benefit.status <> 'pending'
    order by primary_benefit.status = 'active' desc, primary_benefit.start_date desc, primary_benefit.created_at desc limit 1) primary_benefit`
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
  /** For a named pending benefit: the company of the benefit that it replaces. */
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
       select company_id, id, type, status, member_id, primary_member_id, product_id, replaces_company_id, replaces_id,
         $3::boolean as is_named, xmin::text as version
       from benefit where company_id = $1 and id = any($2::uuid[])
       union
       select related.company_id, related.id, related.type, related.status, related.member_id, related.primary_member_id, related.product_id,
         related.replaces_company_id, related.replaces_id, related.is_named, related.xmin::text
       from family cross join lateral (
         select replacement.*, replacement.xmin, false as is_named from benefit replacement
         where replacement.company_id = $1 and replacement.replaces_company_id = $1 and replacement.replaces_id = family.id
         union all
         select replaced.*, replaced.xmin, true from benefit replaced
         where family.is_named and family.status = 'pending' and family.replaces_company_id = $1 and replaced.company_id = $1
           and replaced.id = family.replaces_id
         union all
         select primary_benefit.*, primary_benefit.xmin, false from benefit primary_benefit
         where family.type = 'dependent' and primary_benefit.company_id = $1 and primary_benefit.member_id = family.primary_member_id
           and primary_benefit.product_id = family.product_id and primary_benefit.type = 'primary'
         union all
         select dependent_benefit.*, dependent_benefit.xmin, false from benefit dependent_benefit
         where family.is_named and family.type = 'primary' and dependent_benefit.company_id = $1
           and dependent_benefit.primary_member_id = family.member_id
           and dependent_benefit.product_id = family.product_id and dependent_benefit.type = 'dependent'
           and dependent_benefit.status in ('pending', 'active')
       ) related
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
      `select id, xmin::text as version from benefit where company_id = $1 and id = any($2::uuid[])
       order by id for update`,
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
       select dependent_benefit.id, dependent_benefit.type, dependent_benefit.member_id, dependent_benefit.start_date, dependent_benefit.end_date,
         member.tax_id, primary_benefit.id as primary_benefit_id, primary_benefit.status as primary_status
       from benefit dependent_benefit
       cross join ${primaryOf('dependent_benefit', '$1')}
       join member on member.company_id = $1 and member.id = dependent_benefit.member_id
       where dependent_benefit.company_id = $1 and dependent_benefit.id = any($2::uuid[]) and dependent_benefit.type = 'dependent'
         and dependent_benefit.status = 'active'
     ), transferred as materialized (
       select dependent.id as "benefitId", dependent.type, null as "newBenefitId", dependent.member_id as "memberId", dependent.tax_id as "taxId",
         primary_member.tax_id as "primaryTaxId", dependent.start_date as "startDate", least(dependent.end_date, replacement.end_date) as "endDate",
         replacement.start_date as "effectiveDate",
         replacement.status <> 'pending' as now, replacement.company_id as "destinationCompanyId", replacement.product_id as "destinationProductId"
       from dependent
       join benefit replacement on replacement.replaces_company_id = $1 and replacement.replaces_id = dependent.primary_benefit_id
         and (replacement.status = 'pending') = (dependent.primary_status = 'active')
       join member primary_member on primary_member.company_id = replacement.company_id and primary_member.id = replacement.member_id
       where dependent.id not in (select replaces_id from benefit where replaces_company_id = $1 and replaces_id = any($2::uuid[]))
     ) ${transferredWithCover}`,
    [companyId, benefitIds],
  )
}

/** A benefit that a statement deactivated. */
interface EndedBenefit extends WrittenBenefit {
  /** Inserted in the same transaction: no event has reported it as active. */
  readonly isNew: boolean
}

/**
 * Enforces the rule that a dependent's benefit of a product never ends after its primary's: sets its end to the primary's. A benefit that
 * would start after that end becomes void: it ends the day before its start. Call it after every change of a benefit's end. The benefits of
 * dependents who keep the plan after the primary's death go on.
 * @param benefits `{ companyId, id }`: benefits of dependents, and benefits of primaries for all their dependents.
 * @returns the benefits that it deactivated.
 */
export async function endWithPrimaries(sql: Sql, at: Date, today: string, benefits: Records): Promise<EndedBenefit[]> {
  const dependentBenefit = `dependent_benefit.company_id, dependent_benefit.id, dependent_benefit.primary_member_id, dependent_benefit.product_id,
    dependent_benefit.status, dependent_benefit.start_date, dependent_benefit.end_date, dependent_benefit.outlives_primary,
    dependent_benefit.status <> 'pending' or dependent_benefit.replaces_id is not null as is_effective`
  const updated = await updateBenefits<{ previousStatus: string; isNew: boolean }>(sql, at, {
    set: {
      end_date: 'late.last_day',
      status: `case when benefit.status = 'active' and (late.last_day <= $2::date or late.last_day < benefit.start_date)
        then 'inactive' else benefit.status end`,
    },
    from: `(
      with ended_primary as materialized (
        select primary_benefit.company_id, primary_benefit.member_id, primary_benefit.product_id
        from json_to_recordset($1::json) as key("companyId" uuid, id uuid)
        join benefit primary_benefit on primary_benefit.company_id = key."companyId" and primary_benefit.id = key.id
          and primary_benefit.type = 'primary' and primary_benefit.end_date is not null
      ), dependent as materialized (
        select ${dependentBenefit}
        from json_to_recordset($1::json) as key("companyId" uuid, id uuid)
        join benefit dependent_benefit on dependent_benefit.company_id = key."companyId" and dependent_benefit.id = key.id
          and dependent_benefit.type = 'dependent'
        union
        select ${dependentBenefit}
        from ended_primary
        join benefit dependent_benefit on dependent_benefit.company_id = ended_primary.company_id
          and dependent_benefit.primary_member_id = ended_primary.member_id and dependent_benefit.product_id = ended_primary.product_id
          and dependent_benefit.type = 'dependent'
      )
      select dependent.company_id, dependent.id, dependent.status,
        greatest(dependent.start_date - 1, max(coalesce(primary_benefit.end_date, 'infinity'))) as last_day
      from dependent
      join benefit primary_benefit on primary_benefit.company_id = dependent.company_id and primary_benefit.member_id = dependent.primary_member_id
        and primary_benefit.product_id = dependent.product_id
        and primary_benefit.type = 'primary' and (primary_benefit.status <> 'pending' or primary_benefit.replaces_id is not null)
        and primary_benefit.start_date <= coalesce(dependent.end_date, 'infinity')
      where dependent.is_effective and not dependent.outlives_primary and dependent.start_date <= coalesce(dependent.end_date, 'infinity')
      group by dependent.company_id, dependent.id, dependent.status, dependent.start_date, dependent.end_date
      having max(coalesce(primary_benefit.end_date, 'infinity')) < coalesce(dependent.end_date, 'infinity')
    ) late`,
    where: 'benefit.company_id = late.company_id and benefit.id = late.id',
    values: [benefits, today],
    returning: 'late.status as "previousStatus", benefit.created_at = benefit.updated_at as "isNew"',
  })
  return updated.filter(({ status, previousStatus }) => status === 'inactive' && previousStatus === 'active')
}
