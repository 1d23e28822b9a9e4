import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { lockOne } from '#platform/core/lock-one.ts'
import { equals } from '#platform/core/parameters.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { CutOffCalendar } from '#registry/rules/cut-off.ts'
import {
  DISCREPANCY_STATUSES,
  type DiscrepancyStatus,
  FILE_CLASSES,
  type InvoiceKind,
  type ReconciliationKind,
  type ReconciliationStatus,
} from '#kernel/reconciliation.ts'
import type { DiscrepancyCount } from '#platform/core/events.ts'
import { shareMonths } from '#money/months/open-month.ts'
import { invoiceKind } from '../carrier-files/queries.ts'
import { pages, readerOf } from '#platform/http/pages.ts'
import type { ReconciliationQuery } from './schema.ts'

/** A reconciliation that a worker computes. */
interface LockedReconciliation {
  readonly kind: ReconciliationKind
  readonly status: ReconciliationStatus
  readonly contractId: string
  readonly referenceMonth: string
  readonly fileId: string
  readonly invoiceKind: InvoiceKind
  readonly asOf: LocalDate
  readonly wasComputed: boolean
  /** Whether the company sees what differs. */
  readonly isShown: boolean
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
       reconciliation.reference_month as "referenceMonth", reconciliation.carrier_file_id as "fileId", reconciliation.as_of as "asOf",
       reconciliation.computed_at is not null as "wasComputed", contract.show_discrepancies as "isShown", contract.calendar,
       carrier_file.layout_id as "layoutId", carrier_file.layout_version as "layoutVersion", carrier_file.invoice_kind as "invoiceKind"
     from reconciliation
     join contract on contract.company_id = reconciliation.company_id and contract.id = reconciliation.contract_id
     join carrier_file on carrier_file.company_id = reconciliation.company_id and carrier_file.id = reconciliation.carrier_file_id
     where reconciliation.company_id = $1 and reconciliation.id = $2 for update of reconciliation`,
    [companyId, id],
  )
  return rows[0] ?? null
}

/** Locks an open reconciliation until the transaction ends, and the months of its company, which the closing of one waits for. @throws ApiError 404, 409 */
export async function lockOpen(sql: Sql, id: string) {
  const found = await lockOne<Pick<LockedReconciliation, 'kind' | 'status' | 'contractId' | 'referenceMonth'>>(
    sql,
    'reconciliation',
    id,
    'kind, status, contract_id as "contractId", reference_month as "referenceMonth"',
    'reconciliation-not-found',
    (companyId) => shareMonths(sql, companyId),
  )
  if (found.status !== 'open') throw new ApiError('reconciliation-status', { status: found.status })
  return found
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

export async function insertReconciliation(sql: Sql, reconciliation: NewReconciliation): Promise<void> {
  await sql.execute(
    `insert into reconciliation (company_id, id, contract_id, kind, reference_month, carrier_file_id, as_of, status, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'computing', $8, $9)`,
    [
      reconciliation.companyId,
      reconciliation.id,
      reconciliation.contractId,
      reconciliation.kind,
      reconciliation.referenceMonth,
      reconciliation.fileId,
      reconciliation.asOf,
      reconciliation.createdBy,
      reconciliation.at,
    ],
  )
}

/** SQL: whether a `discrepancy` is of a class that companies see. */
export const isOfCompany = `discrepancy.class not in (${FILE_CLASSES.map((name) => `'${name}'`).join(', ')})`

/** SQL: whether a `discrepancy` is of the `reconciliation`. */
export const ofReconciliation = `discrepancy.company_id = reconciliation.company_id and discrepancy.reconciliation_id = reconciliation.id`

const statuses = DISCREPANCY_STATUSES.map(
  (status) => `'${status}', count(*) filter (where discrepancy.status = '${status}')`,
)

/** SQL of the counts by class and status, as `[{ class, open, …, more }]`, over `reconciliation`. @param where on `discrepancy`. @param more SQL of further fields. */
export const countsJson = (
  where: string,
  more: string,
) => `coalesce((select json_agg(counted.item order by counted.class)
  from (select discrepancy.class, json_build_object('class', discrepancy.class, ${statuses.join(', ')}${more}) as item
    from discrepancy where ${ofReconciliation} and ${where} group by discrepancy.class) counted), '[]')`

/** SQL for `countsJson`: what is charged too much. */
export const amountOfClass = `, 'amount', sum(discrepancy.amount)::bigint`

/** SQL: the count of the discrepancies that a condition selects, and their cents without signs. */
export const counted = (condition: string, amount = 'abs(amount)') =>
  `json_build_object('count', count(*) filter (where ${condition}), 'total', coalesce(sum(${amount}) filter (where ${condition}), 0)::bigint)`

/** SQL: whether a `discrepancy` repeats neither the total of its file nor an open claim, which are none of their own. */
export const isOwn = `discrepancy.class <> 'total-differs' and (discrepancy.class <> 'credit-expected-missing' or discrepancy.cover_month is not null)`

/** SQL of the amounts of an invoice by their sign and by what became of them, over `reconciliation`. */
const amountsJson = `case when reconciliation.kind = 'invoice' then (
  select json_build_object('too-much', ${counted('amount > 0')}, 'too-little', ${counted('amount < 0')},
    ${(['open', 'explained', 'claimed'] as const satisfies readonly DiscrepancyStatus[]).map((status) => `'${status}', ${counted(`discrepancy.status = '${status}'`)}`).join(', ')})
  from discrepancy where ${ofReconciliation} and ${isOwn}) end`

/** SQL of a Reconciliation over `reconciliation`, `carrier_file`, `contract`, `company` and `carrier`. */
const reconciliationJson = `json_build_object('reconciliation-id', reconciliation.id, 'contract-id', contract.id,
  'company-tax-id', company.tax_id, 'company-name', company.name, 'carrier-name', carrier.name,
  'contract-number', contract.contract_number, 'sub-contract', contract.sub_contract, 'kind', reconciliation.kind,
  'invoice-kind', ${invoiceKind}, 'reference-month', reconciliation.reference_month, 'as-of', reconciliation.as_of, 'carrier-file-id', reconciliation.carrier_file_id,
  'status', reconciliation.status, 'lines', carrier_file.lines, 'carrier-total', reconciliation.carrier_total,
  'expected-total', reconciliation.expected_total, 'discrepancy', reconciliation.discrepancy, 'counts', ${countsJson('true', amountOfClass)}, 'amounts', ${amountsJson},
  'created-by', reconciliation.created_by, 'created-at', iso(reconciliation.created_at), 'computed-at', iso(reconciliation.computed_at))`

const joined = `reconciliation
  join contract on contract.company_id = reconciliation.company_id and contract.id = reconciliation.contract_id
  join carrier_file on carrier_file.company_id = reconciliation.company_id and carrier_file.id = reconciliation.carrier_file_id
  join company on company.id = reconciliation.company_id join carrier on carrier.id = contract.carrier_id`

/** `{ "result": reconciliation }`; null when there is none. */
export const readReconciliation = readerOf({ from: joined, item: reconciliationJson })

/** A page of the reconciliations, the latest month first. */
export const reconciliationPage = pages<Static<typeof ReconciliationQuery>>({
  from: joined,
  item: reconciliationJson,
  order: 'reconciliation.reference_month desc, reconciliation.created_at desc, reconciliation.id desc',
  where: {
    'contract-id': equals('reconciliation.contract_id'),
    'company-tax-id': equals('company.tax_id'),
    kind: equals('reconciliation.kind'),
    'reference-month': equals('reconciliation.reference_month'),
    status: equals('reconciliation.status'),
  },
})

/** @throws ApiError 404 */
export async function requireReconciliation(
  sql: Sql,
  id: string,
): Promise<{ readonly companyId: string; readonly kind: ReconciliationKind }> {
  const [found] = await sql.query<{ companyId: string; kind: ReconciliationKind }>(
    `select company_id as "companyId", kind from reconciliation where id = $1`,
    [id],
  )
  if (found === undefined) throw new ApiError('reconciliation-not-found')
  return found
}

/** The reconciliation of a file; null: it was not compared. */
export async function findOfFile(sql: Sql, companyId: string, fileId: string): Promise<string | null> {
  const rows = await sql.query<{ id: string }>(
    `select id from reconciliation where company_id = $1 and carrier_file_id = $2`,
    [companyId, fileId],
  )
  return rows[0]?.id ?? null
}

/** What companies see of a comparison: the counts, and a digest of all of it. */
export async function readShown(
  sql: Sql,
  companyId: string,
  id: string,
): Promise<{ readonly counts: readonly DiscrepancyCount[]; readonly digest: string }> {
  const [shown] = await sql.query<{ counts: DiscrepancyCount[]; digest: string }>(
    `select ${countsJson(isOfCompany, '')} as counts,
       md5(concat_ws(' ', reconciliation.carrier_total, reconciliation.expected_total, (
         select string_agg(md5((discrepancy.id, discrepancy.class, discrepancy.status, discrepancy.explanation, discrepancy.expected,
           discrepancy.found, discrepancy.amount, discrepancy.days)::text), '' order by discrepancy.id)
         from discrepancy where ${ofReconciliation} and ${isOfCompany}))) as digest
     from reconciliation where reconciliation.company_id = $1 and reconciliation.id = $2`,
    [companyId, id],
  )
  return required(shown, 'reconciliation')
}

/** What becomes of discrepancies by hand. Absent: it stays. */
export interface DiscrepancyChange {
  readonly status?: Extract<DiscrepancyStatus, 'open' | 'explained' | 'accepted'> | undefined
  readonly note?: string | null | undefined
  readonly assignee?: string | null | undefined
}
