import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { ContributionRule } from '../rules/contribution.ts'
import { claimCredits, countedFilesOf, countedInvoices, coverMonth, isPremiumLine } from '../ledger/queries.ts'
import type { UnsharedCharge } from '../rules/cost.ts'
import type { Month } from '#registry/rules/cut-off.ts'

/** SQL: the month of cover of a `carrier_line` of an `invoice`; all but premiums are of the month of the file. */
const period = `case when ${isPremiumLine} then ${coverMonth('invoice.reference_month')} else invoice.reference_month end`
const linesOf = (invoices: string) => `${invoices} invoice
  join carrier_line on carrier_line.company_id = $1 and carrier_line.file_id = invoice.id and carrier_line.amount is not null
  left join ${claimCredits} credit on credit.file_id = carrier_line.file_id and credit.line_number = carrier_line.line_number`

/** SQL: the cost center of an `employee` on the first day of a month: the first change after it says which it was. */
const costCenterOn = (month: string, name: string) => `left join lateral (
    select changed_at, cost_center from member_cost_center
    where company_id = $1 and member_id = employee.id
      and changed_at >= (((${month} || '-01')::date + 1)::timestamp at time zone 'America/Sao_Paulo')
    order by changed_at limit 1
  ) ${name} on true`
const costCenter = (name: string) =>
  `case when ${name}.changed_at is null then employee.cost_center else ${name}.cost_center end`

/* A benefit that a line is of is gone when its inclusion was refused afterwards. */
const chargesStatement = `with line as materialized (
    select invoice.contract_id, carrier_line.benefit_id, invoice.kind, ${period} as period,
      case when invoice.kind = 'coparticipation' then 'coparticipation-statement'
        when carrier_line.entry_type = 'coparticipation' then 'coparticipation' else 'premium' end as source,
      carrier_line.benefit_id is null and carrier_line.kind = 'person' and num_nonnulls(carrier_line.card_number, carrier_line.certificate,
        carrier_line.tax_id, carrier_line.employee_id, carrier_line.name) > 0 as is_unmatched,
      sum(carrier_line.amount)::bigint as amount, sum(carrier_line.employee_amount)::bigint as employee_amount
    from ${linesOf(
      countedFilesOf(`carrier_file.company_id = $1 and carrier_file.reference_month = $2
      and carrier_file.kind in ('invoice', 'coparticipation')`),
    )}
    where $3::uuid[] is null or carrier_line.benefit_id = any($3)
    group by 1, 2, 3, 4, 5, 6
  ), before as materialized (
    select invoice.contract_id, carrier_line.benefit_id, ${period} as period, sum(carrier_line.amount)::bigint as amount,
      bool_or(closed.reference_month is null) as is_open
    from ${linesOf(countedInvoices(`carrier_file.reference_month <> $2`))}
    left join (select reference_month from closing where company_id = $1 and status <> 'open') closed
      on closed.reference_month = invoice.reference_month
    where carrier_line.benefit_id is not null and ($3::uuid[] is null or carrier_line.benefit_id = any($3))
      and carrier_line.entry_type is distinct from 'coparticipation'
      and ${period} in (select period from line) and (closed.reference_month is not null or invoice.reference_month < $2)
    group by 1, 2, 3
  ), shared as materialized (
    select closing_charge.contract_id, closing_charge.benefit_id, closing_charge.entry_period, sum(closing_charge.share)::bigint as share
    from closing join closing_charge on closing_charge.company_id = $1 and closing_charge.closing_id = closing.id
    where closing.company_id = $1 and closing.status <> 'open' and closing.reference_month <> $2 and closing_charge.source = 'premium'
      and closing_charge.entry_period in (select period from line) and closing_charge.share is not null
    group by 1, 2, 3
  )
  select line.contract_id as "contractId", line.source, line.period, line.amount, line.employee_amount as "employeeAmount",
    case when line.source = 'premium' then coalesce(before.amount, 0) else 0 end as before,
    case when not before.is_open then shared.share end as "beforeShare",
    line.is_unmatched or line.benefit_id is not null and benefit.id is null as "isUnmatched", ${costCenter('former_then')} as "costCenter",
    case when member.id is not null then json_build_object('benefitId', benefit.id, 'memberId', member.id, 'name', member.name,
      'type', benefit.type, 'employeeMemberId', employee.id, 'employeeName', employee.name, 'employeeId', employee.employee_id,
      'jobTitle', employee.details->>'job-title', 'costCenter', ${costCenter('former')}, 'productId', product.id,
      'productName', product.name, 'productType', product.product_type) end as person
  from line
  left join before on before.contract_id = line.contract_id and before.benefit_id = line.benefit_id and before.period = line.period
  left join shared on shared.contract_id = line.contract_id and shared.benefit_id = line.benefit_id and shared.entry_period = line.period
  left join benefit on benefit.company_id = $1 and benefit.id = line.benefit_id
  left join member on member.company_id = $1 and member.id = benefit.member_id
  left join member employee on employee.company_id = $1 and employee.id = coalesce(benefit.primary_member_id, benefit.member_id)
  left join product on product.company_id = $1 and product.id = benefit.product_id
  ${costCenterOn('$2', 'former')}
  ${costCenterOn('line.period', 'former_then')}
  order by line.contract_id, employee.id, benefit.id, line.source, line.period`

/** What the carriers' files of a month charge a company, by contract, person, source and month of cover. @param benefitIds only these; null: all. */
export async function readCharges(
  sql: Sql,
  companyId: string,
  month: Month,
  benefitIds: readonly string[] | null = null,
): Promise<UnsharedCharge[]> {
  return sql.queryPlanned<UnsharedCharge>(chargesStatement, [companyId, month, benefitIds])
}

/** The contribution rules of a company, by contract. */
export async function readRules(sql: Sql, companyId: string): Promise<Map<string, ContributionRule[]>> {
  const rows = await sql.query<ContributionRule & { readonly contractId: string }>(
    `select contract_id as "contractId", id, product_id as "productId", valid_from as "validFrom", primary_share as "primaryShare",
       dependent_share as "dependentShare", coparticipation_share as "coparticipationShare", cost_centers as "costCenters",
       job_titles as "jobTitles"
     from contribution_rule where company_id = $1`,
    [companyId],
  )
  return Map.groupBy(rows, ({ contractId }) => contractId)
}

/** The company of a CNPJ whose money the caller sees; null: none. @throws ApiError 401 when the client is revoked. */
export async function findCompanyOfCaller(sql: Sql, caller: Client, taxId: string): Promise<string | null> {
  const rows = await sql.query<{ id: string | null }>(
    `select (select company.id from entitlement join company on company.id = entitlement.company_id
       where entitlement.client_id = client.id and entitlement.see_money and company.tax_id = $2) as id
     from ${activePartner}`,
    [caller.clientId, taxId],
  )
  return rowOfActiveClient(rows).id
}
