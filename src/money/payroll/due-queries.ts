/* What the deductions of a company by month of cover follow from. */
import type { Sql } from '#platform/core/database.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { countedInvoices, premiumCharges } from '../ledger/queries.ts'
import { pricedBenefitColumns, pricedBenefits } from '../prices/pricing-queries.ts'
import type { AcceptedAmount, ClosedShare, DeductedBenefit, DeductionMonths } from '../rules/deduction.ts'
import { firstDay, lastDay } from '../rules/premium.ts'

/** Days of changes of the cost center are those of the broker. */
const localDay = (column: string): string => `(${column} at time zone 'America/Sao_Paulo')::date`

const benefitsStatement = `select json_build_object(${pricedBenefitColumns}, 'isPending', benefit.status = 'pending',
    'contractId', contract_plan.contract_id, 'memberId', member.id, 'employeeMemberId', coalesce(primary_member.id, member.id),
    'productType', product.product_type, 'employedUntil', continuation.leaving_date,
    'formerCostCenters', coalesce(former.list, '[]')) as item
  from ${pricedBenefits}
  join product on product.company_id = $1 and product.id = benefit.product_id
  left join (
    select benefit_id, min(leaving_date) as leaving_date from continuation
    where company_id = $1 and status in ('accepted', 'active', 'ended') group by 1
  ) continuation on continuation.benefit_id = benefit.id
  left join (
    select member_id, json_agg(json_build_object('until', ${localDay('changed_at')}, 'costCenter', cost_center) order by changed_at) as list
    from member_cost_center where company_id = $1 and ${localDay('changed_at')} > $2::date group by 1
  ) former on former.member_id = coalesce(primary_member.id, member.id)
  where contract_plan.company_id = $1 and (benefit.start_date <= $3::date and (benefit.end_date is null or benefit.end_date >= $2::date)
    or benefit.id = any($4::uuid[]) or coalesce(primary_member.id, member.id) = any($6::uuid[]))
    and ($5::uuid is null or coalesce(primary_member.id, member.id) = $5)
  order by benefit.id`

interface DeductionKey extends DeductionMonths {
  readonly companyId: string
  /** Only of this employee; null: of all. */
  readonly memberId: string | null
}

/** The benefits of a company that are covered in the months; those that are charged, and all of employees with charges for older months, as well. */
export async function readDeductedBenefits(
  sql: Sql,
  { companyId, from, through, memberId }: DeductionKey,
  shares: readonly ClosedShare[],
): Promise<DeductedBenefit[]> {
  const older = shares.filter(({ period }) => period < from)
  const rows = await sql.queryPlanned<{ item: DeductedBenefit }>(benefitsStatement, [
    companyId,
    firstDay(from),
    lastDay(through),
    [...new Set(shares.flatMap(({ benefitId }) => benefitId ?? []))],
    memberId,
    [...new Set(older.map(({ employeeMemberId }) => employeeMemberId))],
  ])
  return rows.map(({ item }) => item)
}

/**
 * What employees pay of charges for the months, as the closed months have it, and for older months of employees of whom a month since then
 * charges one. What was closed before the first month is `isBefore`.
 */
export async function readClosedShares(
  sql: Sql,
  { companyId, from, through, memberId, firstMonth }: DeductionKey,
): Promise<ClosedShare[]> {
  return sql.queryPlanned<ClosedShare>(
    `with charge as not materialized (
       select closing_charge.*, closing.reference_month from closing
       join closing_charge on closing_charge.company_id = $1 and closing_charge.closing_id = closing.id
       where closing.company_id = $1 and closing.status <> 'open' and closing_charge.member_id is not null and closing_charge.entry_period <= $3
         and ($5::uuid is null or closing_charge.employee_member_id = $5)
     )
     select charge.benefit_id as "benefitId", charge.contract_id as "contractId", charge.member_id as "memberId", charge.employee_member_id as "employeeMemberId",
       charge.member_type as type, charge.source = 'premium' as "isPremium", coalesce(product.product_type, 'health-insurance') as "productType",
       charge.entry_period as period, charge.amount, coalesce(to_jsonb(charge.share), to_jsonb(charge.missing_share)) as share,
       charge.reference_month < $4 as "isBefore", charge.benefit_id is not null and benefit.id is null as "isGone"
     from charge
     left join benefit on benefit.company_id = $1 and benefit.id = charge.benefit_id
     left join product on product.company_id = $1 and product.id = charge.product_id
     where charge.entry_period >= $2
       or (charge.employee_member_id, charge.entry_period) in (
         select employee_member_id, entry_period from charge where entry_period < $2 and reference_month >= $2)
     order by charge.closing_id, charge.number`,
    [companyId, from, through, firstMonth, memberId],
  )
}

/** What is charged too much and is not contested any more: accepted, explained by more than a credit to come, or claimed and refused. */
export async function readAcceptedAmounts(
  sql: Sql,
  { companyId, through, memberId }: DeductionKey,
): Promise<AcceptedAmount[]> {
  return sql.queryPlanned<AcceptedAmount>(
    `select discrepancy.benefit_id as "benefitId", coalesce(discrepancy.cover_month, reconciliation.reference_month) as period,
       sum(discrepancy.amount)::bigint as amount
     from ${countedInvoices('true')} invoice
     join reconciliation on reconciliation.company_id = $1 and reconciliation.carrier_file_id = invoice.id
     join discrepancy on discrepancy.company_id = $1 and discrepancy.reconciliation_id = reconciliation.id
     join benefit on benefit.company_id = $1 and benefit.id = discrepancy.benefit_id
     left join claim on claim.company_id = $1 and claim.id = discrepancy.claim_id
     where discrepancy.amount > 0 and coalesce(discrepancy.cover_month, reconciliation.reference_month) <= $2
       and ($3::uuid is null or coalesce(benefit.primary_member_id, benefit.member_id) = $3)
       and (discrepancy.status = 'accepted' or discrepancy.status = 'claimed' and claim.status = 'refused'
         or discrepancy.status = 'explained' and discrepancy.explanation not in ('open-movement', 'within-cut-off'))
     group by 1, 2`,
    [companyId, through, memberId],
  )
}

/** The months of cover of which nothing is exported: those of months that were closed and are open again, and those that their invoices charge. */
export async function readReopenedMonths(sql: Sql, companyId: string): Promise<Set<Month>> {
  const rows = await sql.query<{ month: Month }>(
    `with reopened as (select reference_month as month from closing where company_id = $1 and status = 'open')
     select month from reopened
     union
     select period from ${premiumCharges(countedInvoices('carrier_file.reference_month in (select month from reopened)'))} premium`,
    [companyId],
  )
  return new Set(rows.map((row) => row.month))
}

/** The months since one whose files were read and that are not closed. */
export async function readOpenMonths(sql: Sql, companyId: string, from: Month): Promise<Month[]> {
  const rows = await sql.query<{ month: Month }>(
    `select distinct reference_month as month from carrier_file
     where company_id = $1 and status = 'read' and kind in ('invoice', 'coparticipation') and reference_month >= $2
       and reference_month not in (select reference_month from closing where company_id = $1 and status <> 'open')
     order by 1`,
    [companyId, from],
  )
  return rows.map((row) => row.month)
}
