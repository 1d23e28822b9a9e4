import { required } from '#platform/core/log.ts'
import type { Sql } from '#platform/core/database.ts'
import { countedInvoicesOf } from '#money/ledger/queries.ts'
import type { Month } from '#registry/rules/cut-off.ts'

/** null: of all. */
interface InvoiceStatisticsFilter {
  /** Both included. */
  readonly from: Month
  readonly until: Month
  readonly companyTaxId: string | null
  readonly contractId: string | null
}

// A life counts from the month of its start until that of the day after its end: the sum of both is who is covered on the last day of a month.
const text = `
with month as materialized (
  select to_char(day, 'YYYY-MM') as name from generate_series(($1 || '-01')::date, ($2 || '-01')::date, interval '1 month') day
), agreed as materialized (
  select contract.company_id, contract.id from contract join company on company.id = contract.company_id
  where ($3::text is null or company.tax_id = $3) and ($4::uuid is null or contract.id = $4)
), product_of_contract as materialized (
  select distinct contract_plan.company_id, contract_plan.product_id from agreed
  join contract_plan on contract_plan.company_id = agreed.company_id and contract_plan.contract_id = agreed.id
), life as (
  select benefit.start_date, benefit.end_date from product_of_contract
  join benefit on benefit.company_id = product_of_contract.company_id and benefit.product_id = product_of_contract.product_id
  where benefit.status <> 'pending' and (benefit.end_date is null or benefit.end_date >= benefit.start_date)
), change as materialized (
  select to_char(changed.day, 'YYYY-MM') as month, sum(changed.lives) as lives from (
    select start_date as day, 1 as lives from life union all select end_date + 1, -1 from life where end_date is not null) changed
  group by 1
), invoice as materialized (
  select counted.reference_month as month, counted.computed_total as carrier_total, reconciliation.company_id,
    reconciliation.id as reconciliation_id, reconciliation.expected_total
  from ${countedInvoicesOf(`(carrier_file.company_id, carrier_file.contract_id) in (select company_id, id from agreed)
    and carrier_file.reference_month between $1 and $2`)} counted
  left join reconciliation on reconciliation.company_id = counted.company_id and reconciliation.carrier_file_id = counted.id
), charged as materialized (
  select month, sum(carrier_total)::bigint as carrier_total, sum(expected_total)::bigint as expected_total from invoice group by month
), overcharged as materialized (
  select invoice.month, sum(discrepancy.amount)::bigint as total from invoice
  join discrepancy on discrepancy.company_id = invoice.company_id and discrepancy.reconciliation_id = invoice.reconciliation_id
    and discrepancy.amount > 0 and discrepancy.class not in ('total-differs', 'credit-expected-missing')
  group by invoice.month
), claimed as materialized (
  select claim.reference_month as month, sum(claim_line.amount)::bigint as total,
    (sum(claim_line.amount) filter (where claim_line.credited_line is not null))::bigint as credited
  from agreed
  join claim on claim.company_id = agreed.company_id and claim.contract_id = agreed.id
    and claim.reference_month >= $1 and claim.reference_month <= $2
  join claim_line on claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id
  group by 1
)
select json_build_object('result', coalesce(json_agg(json_build_object('reference-month', month.name,
    'covered-lives', (select coalesce(sum(change.lives), 0)::bigint from change where change.month <= month.name),
    'carrier-total', charged.carrier_total, 'expected-total', charged.expected_total, 'overcharged-total', coalesce(overcharged.total, 0),
    'claimed-total', coalesce(claimed.total, 0), 'credited-total', coalesce(claimed.credited, 0)) order by month.name), '[]'))::text as body
from month
left join charged on charged.month = month.name
left join overcharged on overcharged.month = month.name
left join claimed on claimed.month = month.name`

/** `{ "result": months }` of contracts, from one snapshot, of the invoices that count. */
export async function readInvoiceStatistics(sql: Sql, filter: InvoiceStatisticsFilter): Promise<string> {
  const values = [filter.from, filter.until, filter.companyTaxId, filter.contractId]
  const rows = await sql.queryPlanned<{ body: string }>(text, values)
  return required(rows[0], 'row of the statistics').body
}
