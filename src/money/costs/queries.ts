import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { ContributionRule } from '../rules/contribution.ts'
import type { Charge, ChargedPerson } from '../rules/cost.ts'
import type { Month } from '#registry/rules/cut-off.ts'

interface ChargeRow extends Omit<Charge, 'person'>, Omit<ChargedPerson, 'memberId'> {
  readonly memberId: string | null
}

/*
 * For a contract and month the last file counts: a carrier that corrects its invoice sends it again. An employee's cost center is that of the first
 * day of the month: the first change after it says which it was. A benefit that a line is of is gone when its inclusion was refused afterwards.
 */
const chargesStatement = `with file as (
    select distinct on (contract_id, kind) id, contract_id, kind from carrier_file
    where company_id = $1 and reference_month = $2 and kind in ('invoice', 'coparticipation') and status = 'read'
    order by contract_id, kind, created_at desc, id desc
  ), line as (
    select file.contract_id, carrier_line.benefit_id,
      case when file.kind = 'coparticipation' then 'coparticipation-statement'
        when carrier_line.entry_type = 'coparticipation' then 'coparticipation' else 'premium' end as source,
      carrier_line.benefit_id is null and carrier_line.kind = 'person' and num_nonnulls(carrier_line.card_number, carrier_line.certificate,
        carrier_line.tax_id, carrier_line.employee_id, carrier_line.name) > 0 as is_unmatched,
      sum(carrier_line.amount)::bigint as amount, sum(carrier_line.employee_amount)::bigint as employee_amount
    from file join carrier_line on carrier_line.company_id = $1 and carrier_line.file_id = file.id
    where carrier_line.amount is not null
    group by 1, 2, 3, 4
  )
  select line.contract_id as "contractId", line.source, line.amount, line.employee_amount as "employeeAmount",
    line.is_unmatched or line.benefit_id is not null and benefit.id is null as "isUnmatched",
    member.id as "memberId", member.name, benefit.type, employee.id as "employeeMemberId", employee.name as "employeeName",
    employee.employee_id as "employeeId", employee.details->>'job-title' as "jobTitle",
    case when former.changed_at is null then employee.cost_center else former.cost_center end as "costCenter",
    product.id as "productId", product.name as "productName"
  from line
  left join benefit on benefit.company_id = $1 and benefit.id = line.benefit_id
  left join member on member.company_id = $1 and member.id = benefit.member_id
  left join member employee on employee.company_id = $1 and employee.id = coalesce(benefit.primary_member_id, benefit.member_id)
  left join product on product.company_id = $1 and product.id = benefit.product_id
  left join lateral (
    select changed_at, cost_center from member_cost_center
    where company_id = $1 and member_id = employee.id
      and changed_at >= ((($2 || '-01')::date + 1)::timestamp at time zone 'America/Sao_Paulo')
    order by changed_at limit 1
  ) former on true
  order by line.contract_id, employee.id, benefit.id, line.source`

/** What the carriers' files of a month charge a company, by contract, person and source. */
export async function readCharges(sql: Sql, companyId: string, month: Month): Promise<Charge[]> {
  const rows = await sql.queryPlanned<ChargeRow>(chargesStatement, [companyId, month])
  return rows.map(({ contractId, source, amount, employeeAmount, isUnmatched, memberId, ...person }) => ({
    contractId,
    source,
    amount,
    employeeAmount,
    isUnmatched,
    person: memberId === null ? null : { memberId, ...person },
  }))
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
