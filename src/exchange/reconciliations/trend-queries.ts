import type { Sql } from '#platform/core/database.ts'
import { required } from '#platform/core/log.ts'
import { COMPANY_CLASSES } from '#kernel/reconciliation.ts'
import { countedInvoicesOf } from '#money/ledger/queries.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { counted, isOwn } from './queries.ts'

/** What a trend is grouped by. */
export const TREND_GROUPS = ['class', 'contract', 'company', 'carrier'] as const
export type TrendGroup = (typeof TREND_GROUPS)[number]

interface TrendFilter {
  /** Both included. */
  readonly from: Month
  readonly until: Month
  /** null: of all. */
  readonly companyTaxId: string | null
  readonly contractId: string | null
}

/** SQL: the key and the name of a group, over `discrepancy`, `contract`, `company` and `carrier`. */
const groups: Readonly<Record<TrendGroup, { readonly key: string; readonly name: string }>> = {
  class: { key: 'discrepancy.class', name: 'null::text' },
  contract: {
    key: 'contract.id::text',
    name: `concat_ws(' ', carrier.name, contract.contract_number, nullif(contract.sub_contract, ''))`,
  },
  company: { key: 'company.tax_id', name: 'company.name' },
  carrier: { key: 'carrier.id::text', name: 'carrier.name' },
}

/**
 * SQL: the discrepancies of the invoices that count, of the months $1 to $2, with what was credited of them. What repeats the total of a file or an
 * open claim is none of its own. @param where a condition of `contract` and `company`.
 */
const found = (group: TrendGroup, where: string) => `
  select invoice.reference_month as month, ${groups[group].key} as key, ${groups[group].name} as name, discrepancy.amount, discrepancy.status,
    claim_line.amount as claimed, credit.created_at is not null as is_credited,
    (credit.created_at at time zone 'America/Sao_Paulo')::date - (claim.sent_at at time zone 'America/Sao_Paulo')::date as days,
    exists (select 1 from ${countedInvoicesOf(`carrier_file.company_id = contract.company_id and carrier_file.contract_id = contract.id
        and carrier_file.reference_month = to_char((invoice.reference_month || '-01')::date - 1, 'YYYY-MM')`)} former
      join reconciliation before on before.company_id = contract.company_id and before.carrier_file_id = former.id
      join discrepancy earlier on earlier.company_id = contract.company_id and earlier.reconciliation_id = before.id
      where earlier.class = discrepancy.class and earlier.benefit_id = discrepancy.benefit_id) as is_repeated
  from contract
  join company on company.id = contract.company_id
  join carrier on carrier.id = contract.carrier_id
  cross join lateral ${countedInvoicesOf(`carrier_file.company_id = contract.company_id and carrier_file.contract_id = contract.id
    and carrier_file.reference_month between $1 and $2`)} invoice
  join reconciliation on reconciliation.company_id = contract.company_id and reconciliation.carrier_file_id = invoice.id
  join discrepancy on discrepancy.company_id = contract.company_id and discrepancy.reconciliation_id = reconciliation.id
    and ${isOwn}
  left join claim_line on claim_line.company_id = discrepancy.company_id and claim_line.claim_id = discrepancy.claim_id
    and claim_line.discrepancy_id = discrepancy.id
  left join claim on claim.company_id = claim_line.company_id and claim.id = claim_line.claim_id
  left join carrier_file credit on credit.company_id = claim_line.company_id and credit.id = claim_line.credited_file_id
  where ${where}`

const amounts = `'found', ${counted('true')}, 'too-much', ${counted('amount > 0')}, 'too-little', ${counted('amount < 0')},
  'claimed', ${counted(`status = 'claimed'`, 'claimed')}, 'credited', ${counted('is_credited', 'claimed')}`

/** `{ "result": months }`: what was found in the invoices of each month by group, from one snapshot. */
export async function readTrend(sql: Sql, group: TrendGroup, filter: TrendFilter): Promise<string> {
  const where = `($3::text is null or company.tax_id = $3) and ($4::uuid is null or contract.id = $4)`
  const rows = await sql.queryPlanned<{ body: string }>(
    `with found as materialized (${found(group, where)})
     select json_build_object('result', coalesce(json_agg(item order by month, key collate "C"), '[]'))::text as body from (
       select month, key, json_build_object('reference-month', month, 'key', key, 'name', name, ${amounts},
         'explained', ${counted(`status = 'explained'`)}, 'accepted', ${counted(`status = 'accepted'`)},
         'median-days-to-credit', percentile_disc(0.5) within group (order by days) filter (where is_credited),
         'repeated', count(*) filter (where is_repeated)) as item
       from found group by month, key, name) grouped`,
    [filter.from, filter.until, filter.companyTaxId, filter.contractId],
  )
  return required(rows[0], 'row of the trend').body
}

/** The same for a company, by class: of the contracts that show what differs. */
export async function readCompanyTrend(sql: Sql, companyId: string, from: Month, until: Month): Promise<string> {
  const classes = COMPANY_CLASSES.map((name) => `'${name}'`).join(', ')
  const where = `contract.company_id = $3 and contract.show_discrepancies and discrepancy.class in (${classes})`
  const rows = await sql.queryPlanned<{ body: string }>(
    `with found as materialized (${found('class', where)})
     select json_build_object('result', coalesce(json_agg(item order by month, key collate "C"), '[]'))::text as body from (
       select month, key, json_build_object('reference-month', month, 'class', key, ${amounts}) as item
       from found group by month, key) grouped`,
    [from, until, companyId],
  )
  return required(rows[0], 'row of the trend').body
}
