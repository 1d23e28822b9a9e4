import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { ProductSubject } from '../rules/requested-documents.ts'
import { LATE_AFTER_DAYS, matches, type RequirementRule, type RequirementSubject } from '../rules/requirement.ts'
import { startOfDay } from '#platform/http/date-range.ts'
import { plansOf, productSubjects, subjectJson } from './queries.ts'

/** Movements that rules cannot tell apart. */
interface Group {
  readonly subject: RequirementSubject
  readonly productId: string
  /** How many of `limits` the days since the admission are over; null: not known. */
  readonly limit: number | null
  readonly count: number
}

/**
 * Counts the movements of partners of the last 30 days that the conditions of each rule hold for, also of one that is off: by what is stored of
 * them now, with the age and the days of the day on which they were accepted.
 */
export async function countMovements(
  sql: Sql,
  rules: readonly RequirementRule[],
  today: LocalDate,
): Promise<Map<string, number>> {
  const limits = [...new Set(rules.flatMap(({ when }) => when['days-since-admission-over'] ?? []))].toSorted(
    (a, b) => a - b,
  )
  const groups = rules.length === 0 ? [] : await readGroups(sql, limits, today)
  const products = await readProducts(sql, [...new Set(groups.map(({ productId }) => productId))])
  const counts = new Map(rules.map((rule) => [rule['rule-id'], 0]))
  for (const { subject, productId, limit, count } of groups) {
    // Over the last of the limits that it is over, and not over the next.
    const daysSinceAdmission = limit === null ? null : limit === 0 ? 0 : (limits[limit - 1] ?? 0) + 1
    const whole = { ...subject, ...products.get(productId), daysSinceAdmission }
    for (const rule of rules) {
      if (matches(rule, whole)) counts.set(rule['rule-id'], (counts.get(rule['rule-id']) ?? 0) + count)
    }
  }
  return counts
}

async function readGroups(sql: Sql, limits: readonly number[], today: LocalDate): Promise<Group[]> {
  // The creation has an index. The clock of a test or of the sandbox may be ahead of it.
  return sql.query<Group>(
    `with movement as (
       select enrollment.enrollment_type, enrollment.member_type, benefit.dependent_type, enrollment.accepted_on, member.date_of_birth,
         coalesce(enrollment.destination_product_id, enrollment.product_id) as product_id,
         coalesce(enrollment.data->>'work-contract-type', member.details->>'work-contract-type') as work_contract_type,
         enrollment.data->'exclusion-details'->>'exclusion-reason' as exclusion_reason,
         case when enrollment.primary_member_id is null then member.admission_date else primary_member.admission_date end as admission_date,
         case when enrollment.primary_member_id is not null then (enrollment.data->>'dependency-date')::date end as dependency_date
       from enrollment
       join benefit on benefit.company_id = enrollment.company_id and benefit.id = enrollment.benefit_id
       join member on member.company_id = enrollment.company_id and member.id = enrollment.member_id
       left join member primary_member on primary_member.company_id = enrollment.company_id and primary_member.id = enrollment.primary_member_id
       where enrollment.created_at >= least(${startOfDay('$1::date - 29')}, now() - interval '30 days')
         and enrollment.accepted_on > $1::date - 30 and enrollment.initial_actor in ('partner', 'operator') and enrollment.alteration_kind is null
     ), described as (
       select json_build_object('movement', enrollment_type, 'beneficiaryType', member_type, 'dependentType', dependent_type,
           'workContractType', work_contract_type, 'exclusionReason', exclusion_reason,
           'age', case when date_of_birth <= accepted_on then extract(year from age(accepted_on, date_of_birth)) end,
           'late', case when enrollment_type = 'inclusion'
             then coalesce(accepted_on - coalesce(dependency_date, admission_date) > $3, false) end)::text as subject,
         product_id, width_bucket(accepted_on - admission_date, $2::int[]) as over_limits
       from movement
     )
     select subject::json as subject, product_id as "productId", over_limits as limit, count(*)::int as count
     from described group by described.subject, product_id, over_limits`,
    [today, limits.map((limit) => limit + 1), LATE_AFTER_DAYS],
  )
}

async function readProducts(sql: Sql, ids: readonly string[]): Promise<Map<string, ProductSubject>> {
  const rows = await sql.query<{ product: ProductSubject }>(
    `with ${plansOf('in (select company_id from product where id = any($1::uuid[]))')}
     select ${subjectJson} as product from ${productSubjects} where product.id = any($1::uuid[])`,
    [ids],
  )
  return new Map(rows.map(({ product }) => [product.productId, product]))
}
