import { readRules } from '../costs/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import { contributionMonths, type OwnCover, type OwnPremium } from '../rules/contribution-months.ts'
import { claimCredits, countedInvoices, coverMonth } from '../ledger/queries.ts'
import type { Month } from '#registry/rules/cut-off.ts'

interface Employee {
  readonly companyId: string
  readonly memberId: string
  readonly costCenter: string | null
  readonly jobTitle: string | null
  readonly covers: readonly (Omit<OwnCover, 'rules'> & { readonly contractIds: readonly string[] })[]
}

/** The months, until one, in which the employee of a primary's benefit is known to have paid a part of the own plan; null: no such benefit. */
export async function readContributionMonths(sql: Sql, benefitId: string, until: Month): Promise<Month[] | null> {
  const employee = await findEmployee(sql, benefitId)
  if (employee === null) return null
  const { companyId, memberId, costCenter, jobTitle } = employee
  const rules = await readRules(sql, companyId)
  const covers = employee.covers.map(({ contractIds, ...cover }) => ({
    ...cover,
    rules: contractIds.flatMap((id) => rules.get(id) ?? []),
  }))
  const premiums = await readPremiums(sql, companyId, memberId)
  return contributionMonths({ covers, premiums, costCenter, jobTitle }, until)
}

/** The employee with all covers by products of the benefit's type. */
async function findEmployee(sql: Sql, benefitId: string): Promise<Employee | null> {
  const rows = await sql.query<Employee>(
    `select member.company_id as "companyId", member.id as "memberId", member.cost_center as "costCenter",
       member.details->>'job-title' as "jobTitle",
       (select coalesce(json_agg(json_build_object('productId', cover.product_id, 'startDate', cover.start_date, 'endDate', cover.end_date,
          'contractIds', array(select contract_id from contract_plan
            where contract_plan.company_id = cover.company_id and contract_plan.product_id = cover.product_id))), '[]')
        from benefit cover
        join product cover_product on cover_product.company_id = cover.company_id and cover_product.id = cover.product_id
        where cover.company_id = member.company_id and cover.member_id = member.id and cover.type = 'primary' and cover.status <> 'pending'
          and cover_product.product_type = product.product_type) as covers
     from benefit
     join member on member.company_id = benefit.company_id and member.id = benefit.member_id
     join product on product.company_id = benefit.company_id and product.id = benefit.product_id
     where benefit.id = $1 and benefit.type = 'primary'`,
    [benefitId],
  )
  return rows[0] ?? null
}

/** What carriers charged for the member as a primary; of a closed month what its closing has. */
async function readPremiums(sql: Sql, companyId: string, memberId: string): Promise<OwnPremium[]> {
  return sql.queryPlanned<OwnPremium>(
    `select benefit.product_id as "productId", ${coverMonth('invoice.reference_month')} as month, carrier_line.amount,
       carrier_line.employee_amount as "employeeAmount", null::bigint as share
     from ${countedInvoices(`carrier_file.reference_month not in (
       select reference_month from closing where company_id = $1 and status <> 'open')`)} invoice
     join carrier_line on carrier_line.company_id = $1 and carrier_line.file_id = invoice.id and carrier_line.amount is not null
       and carrier_line.entry_type is distinct from 'coparticipation'
     left join ${claimCredits} credit on credit.file_id = carrier_line.file_id and credit.line_number = carrier_line.line_number
     join benefit on benefit.company_id = $1 and benefit.id = carrier_line.benefit_id and benefit.member_id = $2 and benefit.type = 'primary'
     union all
     select closing_charge.product_id, closing_charge.entry_period, closing_charge.amount, closing_charge.employee_amount,
       coalesce(closing_charge.share, 0)
     from closing join closing_charge on closing_charge.company_id = $1 and closing_charge.closing_id = closing.id
       and closing_charge.member_id = $2 and closing_charge.member_type = 'primary' and closing_charge.source = 'premium'
     where closing.company_id = $1`,
    [companyId, memberId],
  )
}
