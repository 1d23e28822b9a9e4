import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages, readerOf } from '#platform/http/pages.ts'
import { countedInvoices } from '../ledger/queries.ts'
import type { ListedMonth } from '../rules/closing.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { ClosingQuery } from './schema.ts'

const closingJson = `json_build_object('closing-id', closing.id, 'company-tax-id', company.tax_id, 'company-name', company.name,
  'reference-month', closing.reference_month, 'status', closing.status, 'acts', closing.acts, 'updated-at', iso(closing.updated_at))`

const joined = 'closing join company on company.id = closing.company_id'

/** A page of the closings, the latest month first. */
export const closingPage = pages<Static<typeof ClosingQuery>>({
  from: joined,
  item: closingJson,
  order: 'closing.reference_month desc, company.search_name collate "C", closing.id',
  where: {
    'company-tax-id': equals('company.tax_id'),
    'reference-month': equals('closing.reference_month'),
    status: equals('closing.status'),
  },
})

/** `{ "result": closing }`; null when there is none. */
export const readClosing = readerOf({ from: joined, item: closingJson })

const comparedRoster = `case when roster.id is not null then json_build_object('isComputed', roster.status <> 'computing',
  'openDiscrepancies', (select count(*) from discrepancy where discrepancy.company_id = $1 and discrepancy.reconciliation_id = roster.id
    and discrepancy.status = 'open')) end`

const latestRoster = `lateral (select reconciliation.* from reconciliation
    where reconciliation.company_id = $1 and reconciliation.contract_id = contract.id and reconciliation.kind = 'roster'
      and reconciliation.reference_month = $2
    order by reconciliation.created_at desc, reconciliation.id desc limit 1) roster on true`

const countedMonth = countedInvoices('carrier_file.contract_id = contract.id and carrier_file.reference_month = $2')

/** SQL: the invoices of the month that count, together; without a row where none was compared. */
const comparedInvoices = `lateral (select min(reconciliation.id::text) as id,
      bool_and(coalesce(reconciliation.status <> 'computing', false)) as is_computed,
      sum(reconciliation.carrier_total)::bigint as carrier_total, sum(reconciliation.expected_total)::bigint as expected_total,
      sum(reconciliation.discrepancy)::bigint as discrepancy,
      (sum((select count(*) from discrepancy where discrepancy.company_id = $1 and discrepancy.reconciliation_id = reconciliation.id
        and discrepancy.status = 'open')))::bigint as open
    from ${countedMonth} file
    left join reconciliation on reconciliation.company_id = $1 and reconciliation.carrier_file_id = file.id
    having count(reconciliation.id) > 0) invoice on true`

/** The contracts of a company in a month: the active ones, and those that have a file of it. Of several rosters the latest counts. */
export async function readMonth(sql: Sql, companyId: string, month: Month): Promise<ListedMonth[]> {
  return sql.query<ListedMonth>(
    `select contract.id as "contractId", carrier.name as "carrierName", contract.contract_number as "contractNumber",
       contract.sub_contract as "subContract", ${comparedRoster} as roster,
       case when invoice.id is not null then json_build_object('isComputed', invoice.is_computed, 'openDiscrepancies', invoice.open) end as invoice,
       (select count(*) from claim where claim.company_id = $1 and claim.contract_id = contract.id and claim.reference_month = $2
         and claim.status = 'draft') as "draftClaims",
       (select coalesce(sum(claim_line.amount), 0)::bigint from claim
         join claim_line on claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id
         where claim.company_id = $1 and claim.contract_id = contract.id and claim.reference_month = $2) as "claimedTotal",
       invoice.carrier_total as "carrierTotal", invoice.expected_total as "expectedTotal", invoice.discrepancy,
       (select coalesce(json_agg(json_build_object('file-id', file.id, 'invoice-kind', file.invoice_kind) order by file.invoice_kind), '[]')
         from ${countedMonth} file) as invoices
     from contract join carrier on carrier.id = contract.carrier_id
     left join ${latestRoster} left join ${comparedInvoices}
     where contract.company_id = $1 and (contract.status = 'active' or roster.id is not null or invoice.id is not null)
     order by carrier.key collate "C", contract.contract_number collate "C", contract.sub_contract collate "C", contract.id`,
    [companyId, month],
  )
}

/** Whether a file of the month is being compared. */
export async function isComputing(sql: Sql, companyId: string, month: Month): Promise<boolean> {
  const rows = await sql.query(
    `select from reconciliation where company_id = $1 and reference_month = $2 and status = 'computing' limit 1`,
    [companyId, month],
  )
  return rows.length > 0
}

/** Whether a file of the month is being read: what it charges is not known yet. */
export async function isReading(sql: Sql, companyId: string, month: Month): Promise<boolean> {
  const rows = await sql.query(
    `select from carrier_file where company_id = $1 and reference_month = $2 and status = 'reading' limit 1`,
    [companyId, month],
  )
  return rows.length > 0
}

/** Closes the comparisons of a month, or opens them again. */
export async function setReconciliations(
  sql: Sql,
  companyId: string,
  month: Month,
  status: 'open' | 'closed',
): Promise<void> {
  await sql.execute(
    `update reconciliation set status = $3 where company_id = $1 and reference_month = $2 and status = $4`,
    [companyId, month, status, status === 'closed' ? 'open' : 'closed'],
  )
}
