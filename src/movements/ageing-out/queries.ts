import type { Sql } from '#platform/core/database.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import { type AgeLimit, ageLimitOf, lastCoveredDay, tooOldFrom } from '#registry/rules/age-limit.ts'
import { isChange } from '#coverage/enrollments/open-movement.ts'

interface Row {
  readonly companyId: string
  readonly companyTaxId: string
  readonly companyName: string
  readonly benefitId: string
  readonly startDate: LocalDate
  readonly dependentType: string
  readonly memberId: string
  readonly memberName: string
  readonly dateOfBirth: LocalDate
  readonly studentUntil: LocalDate | null
  readonly disabled: boolean
  readonly productId: string
  readonly productName: string
  readonly ageLimits: readonly AgeLimit[]
  readonly billingDay: number | null
  readonly contractId: string | null
  readonly anniversary: string | null
  /** The ends for which clients got an event. */
  readonly reported: readonly LocalDate[]
  readonly drafts: readonly { readonly id: string; readonly endDate: LocalDate; readonly isOpen: boolean }[]
}

/** The active benefit of a dependent, and when its limit of age ends it. */
export interface AgeingBenefit extends Row {
  readonly limit: AgeLimit | null
  /** null: never. */
  readonly tooOldFrom: LocalDate | null
  /** null: never, or the contract has no `anniversary-month`. */
  readonly lastDay: LocalDate | null
}

/** null: of all. */
interface AgeingFilter {
  readonly companyTaxId: string | null
  readonly contractId: string | null
}

/** After which benefit to go on. */
export interface Position {
  readonly companyId: string
  readonly benefitId: string
}

const start: Position = {
  companyId: '00000000-0000-0000-0000-000000000000',
  benefitId: '00000000-0000-0000-0000-000000000000',
}

const birth = 'member.date_of_birth'

/**
 * Active benefits of dependents who reach the limit for others than students by the day, and of those with an open draft. One that ends anyway,
 * or that an open movement may end, is none of them.
 */
export async function readAgeing(
  sql: Sql,
  by: LocalDate,
  { companyTaxId, contractId }: AgeingFilter,
  { limit, after = start }: { readonly limit: number | null; readonly after?: Position },
): Promise<AgeingBenefit[]> {
  const rows = await sql.queryPlanned<Row>(
    `select benefit.company_id as "companyId", company.tax_id as "companyTaxId", company.name as "companyName",
       benefit.id as "benefitId", benefit.start_date as "startDate", benefit.dependent_type as "dependentType",
       member.id as "memberId", member.name as "memberName", ${birth} as "dateOfBirth", member.details->>'student-until' as "studentUntil",
       coalesce((member.details->>'disabled')::boolean, false) as disabled, product.id as "productId", product.name as "productName",
       product.age_limits as "ageLimits", product.billing_day as "billingDay", contract.id as "contractId",
       lpad(contract.anniversary_month::text, 2, '0') || case when extract(month from contract.contract_start) = contract.anniversary_month
         then to_char(contract.contract_start, '-DD') else '-01' end as anniversary,
       array(select end_date::text from benefit_ending where company_id = benefit.company_id and benefit_id = benefit.id
         and cause = 'age-limit') as reported,
       coalesce((select json_agg(json_build_object('id', id, 'endDate', end_date, 'isOpen', status = 'open')) from draft_exclusion
         where company_id = benefit.company_id and benefit_id = benefit.id and cause = 'age-limit'), '[]') as drafts
     from company
     join product on product.company_id = company.id
     join benefit on benefit.company_id = product.company_id and benefit.product_id = product.id
     join member on member.company_id = benefit.company_id and member.id = benefit.member_id
     left join contract_plan on contract_plan.company_id = benefit.company_id and contract_plan.active_product_id = product.id
     left join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
     where benefit.status = 'active' and benefit.type = 'dependent' and benefit.end_date is null
       and (benefit.company_id, benefit.id) > ($5::uuid, $6::uuid)
       and ($2::text is null or company.tax_id = $2) and ($3::uuid is null or contract.id = $3)
       and (exists (select 1 from jsonb_array_elements(product.age_limits) age_limit
           where age_limit->>'dependent-type' = benefit.dependent_type
             and ${birth} + make_interval(years => (age_limit->>'max-age')::int) <= $1::date + 1)
         or exists (select 1 from draft_exclusion where company_id = benefit.company_id and benefit_id = benefit.id
           and cause = 'age-limit' and status = 'open'))
       and not exists (select 1 from open_movement where open_movement.company_id = benefit.company_id
         and open_movement.benefit_id = benefit.id and ${isChange('open_movement')})
     order by benefit.company_id, benefit.id limit $4`,
    [by, companyTaxId, contractId, limit, after.companyId, after.benefitId],
  )
  return rows.map(withEnd)
}

function withEnd(row: Row): AgeingBenefit {
  const limit = ageLimitOf(row.ageLimits, row.dependentType) ?? null
  const day = limit === null ? null : tooOldFrom(row, limit)
  const lastDay = limit === null || day === null ? null : lastCoveredDay(day, limit.ends, row)
  // A benefit that started too late is covered for a day.
  return {
    ...row,
    limit,
    tooOldFrom: day,
    lastDay: lastDay !== null && lastDay < row.startDate ? row.startDate : lastDay,
  }
}

/** Whether the cover ends by the day; also where it would but for what the contract lacks. */
export function endsBy(benefit: AgeingBenefit, by: LocalDate): boolean {
  if (benefit.tooOldFrom === null) return false
  return (benefit.lastDay ?? addDays(benefit.tooOldFrom, -1)) <= by
}
