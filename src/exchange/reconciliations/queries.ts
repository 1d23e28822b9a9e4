import type { Sql } from '#platform/core/database.ts'
import { type Conditions, equals, Parameters } from '#platform/core/parameters.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { CutOffCalendar } from '#registry/rules/cut-off.ts'
import type { DiscrepancyStatus, ReconciliationKind, ReconciliationStatus } from '#kernel/reconciliation.ts'
import type { FileFilter } from '../carrier-files/filter.ts'
import type { Page } from '#platform/http/page.ts'

/** A reconciliation that a worker computes. */
interface LockedReconciliation {
  readonly kind: ReconciliationKind
  readonly status: ReconciliationStatus
  readonly contractId: string
  readonly referenceMonth: string
  readonly fileId: string
  readonly asOf: LocalDate
  readonly calendar: CutOffCalendar | null
  readonly layoutId: string
  readonly layoutVersion: number
}

/** Locks a reconciliation until the transaction ends; null: there is none. */
export async function lockReconciliation(
  sql: Sql,
  companyId: string,
  id: string,
): Promise<LockedReconciliation | null> {
  const rows = await sql.query<LockedReconciliation>(
    `select reconciliation.kind, reconciliation.status, reconciliation.contract_id as "contractId",
       reconciliation.reference_month as "referenceMonth", reconciliation.carrier_file_id as "fileId", reconciliation.as_of as "asOf", contract.calendar,
       carrier_file.layout_id as "layoutId", carrier_file.layout_version as "layoutVersion"
     from reconciliation
     join contract on contract.company_id = reconciliation.company_id and contract.id = reconciliation.contract_id
     join carrier_file on carrier_file.company_id = reconciliation.company_id and carrier_file.id = reconciliation.carrier_file_id
     where reconciliation.company_id = $1 and reconciliation.id = $2 for update of reconciliation`,
    [companyId, id],
  )
  return rows[0] ?? null
}

export async function openReconciliation(sql: Sql, companyId: string, id: string, at: Date): Promise<void> {
  await sql.execute(`update reconciliation set status = 'open', computed_at = $3 where company_id = $1 and id = $2`, [
    companyId,
    id,
    at,
  ])
}

export async function setComputing(sql: Sql, companyId: string, id: string): Promise<void> {
  await sql.execute(`update reconciliation set status = 'computing' where company_id = $1 and id = $2`, [companyId, id])
}

interface NewReconciliation {
  readonly companyId: string
  readonly id: string
  readonly contractId: string
  readonly kind: ReconciliationKind
  readonly referenceMonth: string
  readonly fileId: string
  readonly asOf: LocalDate
  readonly createdBy: string
  readonly at: Date
}

export async function insertReconciliation(sql: Sql, one: NewReconciliation): Promise<void> {
  await sql.execute(
    `insert into reconciliation (company_id, id, contract_id, kind, reference_month, carrier_file_id, as_of, status, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'computing', $8, $9)`,
    [one.companyId, one.id, one.contractId, one.kind, one.referenceMonth, one.fileId, one.asOf, one.createdBy, one.at],
  )
}

/** SQL of the counts by class and status, as `[{ class, open, …, amount }]`, over `reconciliation`. */
const countsJson = `coalesce((select json_agg(json_build_object('class', counted.class, 'open', counted.open, 'explained', counted.explained,
    'claimed', counted.claimed, 'corrected', counted.corrected, 'accepted', counted.accepted, 'amount', counted.amount) order by counted.class)
  from (select class, count(*) filter (where status = 'open') as open, count(*) filter (where status = 'explained') as explained,
      count(*) filter (where status = 'claimed') as claimed, count(*) filter (where status = 'corrected') as corrected,
      count(*) filter (where status = 'accepted') as accepted, sum(amount)::bigint as amount
    from discrepancy where discrepancy.company_id = reconciliation.company_id and discrepancy.reconciliation_id = reconciliation.id
    group by class) counted), '[]')`

/** SQL of a Reconciliation over `reconciliation`, `carrier_file`, `contract`, `company` and `carrier`. */
const reconciliationJson = `json_build_object('reconciliation-id', reconciliation.id, 'contract-id', contract.id,
  'company-tax-id', company.tax_id, 'company-name', company.name, 'carrier-name', carrier.name,
  'contract-number', contract.contract_number, 'sub-contract', contract.sub_contract, 'kind', reconciliation.kind,
  'reference-month', reconciliation.reference_month, 'as-of', reconciliation.as_of, 'carrier-file-id', reconciliation.carrier_file_id,
  'status', reconciliation.status, 'lines', carrier_file.lines, 'carrier-total', reconciliation.carrier_total,
  'expected-total', reconciliation.expected_total, 'discrepancy', reconciliation.discrepancy, 'counts', ${countsJson},
  'created-by', reconciliation.created_by, 'created-at', iso(reconciliation.created_at), 'computed-at', iso(reconciliation.computed_at))`

const joined = `reconciliation
  join contract on contract.company_id = reconciliation.company_id and contract.id = reconciliation.contract_id
  join carrier_file on carrier_file.company_id = reconciliation.company_id and carrier_file.id = reconciliation.carrier_file_id
  join company on company.id = reconciliation.company_id join carrier on carrier.id = contract.carrier_id`

/** `{ "result": reconciliation }`; null when there is none. */
export async function readReconciliation(sql: Sql, id: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', ${reconciliationJson})::text as body from ${joined} where reconciliation.id = $1`,
    [id],
  )
  return rows[0]?.body ?? null
}

const conditions: Conditions<FileFilter> = [
  ['contractId', equals('reconciliation.contract_id')],
  ['companyTaxId', equals('company.tax_id')],
  ['kind', equals('reconciliation.kind')],
  ['referenceMonth', equals('reconciliation.reference_month')],
  ['status', equals('reconciliation.status')],
]

/** A page of the reconciliations, the latest month first, with their total. */
export async function listReconciliations(
  sql: Sql,
  filter: FileFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page> {
  const parameters = new Parameters()
  const named = parameters.conditions(filter, conditions)
  const from = `${joined}${named.length === 0 ? '' : ` where ${named.join(' and ')}`}`
  const rows = await sql.queryPlanned<Page>(
    `select (select count(*) from ${from}) as total, (
       select coalesce(json_agg(page.item), '[]')::text from (
         select ${reconciliationJson} as item from ${from}
         order by reconciliation.reference_month desc, reconciliation.created_at desc, reconciliation.id desc
         limit ${parameters.add(limit)} offset ${parameters.add(offset)}) page) as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

interface FoundReconciliation {
  readonly companyId: string
  readonly kind: ReconciliationKind
  readonly status: ReconciliationStatus
}

export async function findReconciliation(sql: Sql, id: string): Promise<FoundReconciliation | null> {
  const rows = await sql.query<FoundReconciliation>(
    `select company_id as "companyId", kind, status from reconciliation where id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** The reconciliation of a file; null: it was not compared. */
export async function findOfFile(sql: Sql, companyId: string, fileId: string): Promise<string | null> {
  const rows = await sql.query<{ id: string }>(
    `select id from reconciliation where company_id = $1 and carrier_file_id = $2`,
    [companyId, fileId],
  )
  return rows[0]?.id ?? null
}

/** What becomes of discrepancies by hand. Absent: it stays. */
export interface DiscrepancyChange {
  readonly status?: Extract<DiscrepancyStatus, 'open' | 'explained' | 'accepted'> | undefined
  readonly note?: string | null | undefined
  readonly assignee?: string | null | undefined
}
