import type { Static } from 'typebox'
import { shareMonths } from '../months/open-month.ts'
import type { Sql } from '#platform/core/database.ts'
import { lockOne } from '#platform/core/lock-one.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages, readerOf } from '#platform/http/pages.ts'
import { holdsText } from '#kernel/search.ts'
import type { ClaimStatus } from '#kernel/broker-enums.ts'
import type { ClaimQuery, ClaimStep } from './schema.ts'

/** SQL: the status of a `claim`. @param company SQL of its company. */
const statusOf = (
  company: string,
) => `case when claim.status in ('sent', 'accepted') and not exists (select 1 from claim_line open_line
    where open_line.company_id = ${company} and open_line.claim_id = claim.id and open_line.credited_line is null)
  then 'credited' else claim.status end`
const status = statusOf('claim.company_id')

/** SQL: what a `claim` claims, and what later invoices credited of it. */
const claimed = `(select sum(claim_line.amount) from claim_line
    where claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id)`
const credited = `(select coalesce(sum(claim_line.amount), 0) from claim_line
    where claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id and claim_line.credited_line is not null)`

const columns = `'claim-id', claim.id, 'company-tax-id', company.tax_id, 'company-name', company.name, 'carrier-name', carrier.name,
  'contract-id', claim.contract_id, 'contract-number', contract.contract_number, 'sub-contract', contract.sub_contract,
  'reconciliation-id', claim.reconciliation_id, 'reference-month', claim.reference_month, 'status', ${status},
  'carrier-protocol', claim.carrier_protocol, 'note', claim.note,
  'total', ${claimed}, 'credited-total', ${credited},
  'sent-at', iso(claim.sent_at), 'created-by', claim.created_by, 'created-at', iso(claim.created_at), 'updated-at', iso(claim.updated_at)`

/** SQL: joins the discrepancy of a `claim_line`, with its line of the invoice and its person. */
const joinedLine = `join discrepancy on discrepancy.company_id = claim_line.company_id and discrepancy.id = claim_line.discrepancy_id
  join reconciliation on reconciliation.company_id = claim.company_id and reconciliation.id = claim.reconciliation_id
  left join carrier_line on carrier_line.company_id = claim.company_id and carrier_line.file_id = reconciliation.carrier_file_id
    and carrier_line.line_number = discrepancy.line_number
  left join benefit on benefit.company_id = discrepancy.company_id and benefit.id = discrepancy.benefit_id
  left join member on member.company_id = benefit.company_id and member.id = benefit.member_id`

const lines = `(select json_agg(json_build_object('discrepancy-id', claim_line.discrepancy_id, 'class', discrepancy.class,
    'benefit-id', discrepancy.benefit_id, 'member-name', coalesce(member.name, carrier_line.name), 'line-number', discrepancy.line_number,
    'amount', claim_line.amount, 'credited-in', crediting_file.reference_month)
    order by discrepancy.class, discrepancy.line_number, claim_line.discrepancy_id)
  from claim_line
  ${joinedLine}
  left join carrier_file crediting_file on crediting_file.company_id = claim_line.company_id and crediting_file.id = claim_line.credited_file_id
  where claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id)`

const joined = `claim join company on company.id = claim.company_id
  join contract on contract.company_id = claim.company_id and contract.id = claim.contract_id
  join carrier on carrier.id = contract.carrier_id`

/** A page of the claims, the newest first, with the sums of all that the filters select. */
export const claimPage = pages<Static<typeof ClaimQuery>>({
  from: joined,
  item: `json_build_object(${columns})`,
  order: 'claim.created_at desc, claim.id desc',
  where: {
    'carrier-id': equals('contract.carrier_id'),
    'contract-id': equals('claim.contract_id'),
    'company-tax-id': equals('company.tax_id'),
    'reference-month': equals('claim.reference_month'),
    status: equals(status),
    q: (text) => `(${holdsText('lower(claim.carrier_protocol)', text)} or ${holdsText('carrier.key', text)}
      or claim.reference_month = regexp_replace(btrim(${text}), '^([0-9]{2})/([0-9]{4})$', '\\2-\\1'))`,
  },
  totals: `json_build_object('total', coalesce(sum(${claimed}), 0), 'credited-total', coalesce(sum(${credited}), 0),
    'open-total', coalesce(sum(${claimed} - ${credited}) filter (where claim.status in ('sent', 'accepted')), 0))`,
})

/** `{ "result": claim }` with its lines; null when there is none. */
export const readClaim = readerOf({ from: joined, item: `json_build_object(${columns}, 'lines', ${lines})` })

/** A line of a claim, as the carrier gets it. */
export type ClaimedLine = Readonly<Record<string, string | number | null>>

/** The lines of a claim, in the order of the invoice; none when there is no claim. */
export async function readClaimedLines(sql: Sql, id: string): Promise<ClaimedLine[]> {
  const rows = await sql.query<{ line: ClaimedLine }>(
    `select json_build_object('carrier-name', carrier.name, 'contract-number', contract.contract_number, 'sub-contract', contract.sub_contract,
       'company-name', company.name, 'company-tax-id', company.tax_id, 'reference-month', claim.reference_month,
       'line-number', discrepancy.line_number, 'card-number', coalesce(carrier_line.card_number, benefit.card_number),
       'certificate', coalesce(carrier_line.certificate, benefit.carrier_certificate),
       'dependent-code', coalesce(carrier_line.dependent_code, benefit.carrier_dependent_code),
       'member-name', coalesce(carrier_line.name, member.name), 'plan-code', carrier_line.plan_code, 'class', discrepancy.class,
       'expected', discrepancy.expected, 'found', discrepancy.found, 'amount', claim_line.amount) as line
     from ${joined}
     join claim_line on claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id
     ${joinedLine}
     where claim.id = $1 order by discrepancy.line_number, claim_line.discrepancy_id`,
    [id],
  )
  return rows.map(({ line }) => line)
}

interface LockedClaim {
  readonly status: ClaimStatus
  readonly referenceMonth: string
}

/** Locks a claim until the transaction ends, and the months of its company, which the closing of one waits for. @throws ApiError 404 */
export const lockClaim = (sql: Sql, id: string) =>
  lockOne<LockedClaim>(
    sql,
    'claim',
    id,
    `${statusOf('$1')} as status, claim.reference_month as "referenceMonth"`,
    'claim-not-found',
    (companyId) => shareMonths(sql, companyId),
  )

interface ClaimedReconciliation {
  readonly companyId: string
  readonly contractId: string
  readonly kind: string
  readonly referenceMonth: string
  readonly status: string
}

/** Locks a reconciliation until the transaction ends, and the months of its company, as `lockClaim`. @throws ApiError 404 */
export const lockClaimedReconciliation = (sql: Sql, id: string) =>
  lockOne<Omit<ClaimedReconciliation, 'companyId'>>(
    sql,
    'reconciliation',
    id,
    'contract_id as "contractId", kind, reference_month as "referenceMonth", status',
    'reconciliation-not-found',
    (companyId) => shareMonths(sql, companyId),
  )

/** Claims discrepancies of a reconciliation that are open or explained, with an amount. @returns the ids of those that it claimed. */
export async function claimDiscrepancies(
  sql: Sql,
  companyId: string,
  claim: { readonly id: string; readonly reconciliationId: string; readonly discrepancyIds: readonly string[] },
  at: Date,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `with claimed as (
       update discrepancy set status = 'claimed', claim_id = $2, updated_at = $5
       where company_id = $1 and reconciliation_id = $3 and id = any($4::uuid[]) and status in ('open', 'explained') and amount > 0
         and class not in ('total-differs', 'price-missing')
       returning id, amount
     )
     insert into claim_line (company_id, claim_id, discrepancy_id, amount) select $1, $2, id, amount from claimed
     returning discrepancy_id as id`,
    [companyId, claim.id, claim.reconciliationId, claim.discrepancyIds, at],
  )
  return rows.map(({ id }) => id)
}

interface NewClaim extends Omit<ClaimedReconciliation, 'kind' | 'status'> {
  readonly id: string
  readonly reconciliationId: string
  readonly note: string | null
  readonly createdBy: string
}

export async function insertClaim(sql: Sql, claim: NewClaim, at: Date): Promise<void> {
  await sql.execute(
    `insert into claim (company_id, id, contract_id, reconciliation_id, reference_month, status, note, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $8)`,
    [
      claim.companyId,
      claim.id,
      claim.contractId,
      claim.reconciliationId,
      claim.referenceMonth,
      claim.note,
      claim.createdBy,
      at,
    ],
  )
}

export async function updateClaim(sql: Sql, companyId: string, id: string, change: ClaimStep, at: Date): Promise<void> {
  await sql.execute(
    `update claim set status = $3, carrier_protocol = coalesce($4, carrier_protocol), note = coalesce($5, note),
       sent_at = coalesce(sent_at, $6), updated_at = $6
     where company_id = $1 and id = $2`,
    [companyId, id, change.status, change['carrier-protocol'], change.note, at],
  )
}

/** What a claim claimed and was not credited is open again. */
export async function reopenDiscrepancies(sql: Sql, companyId: string, claimId: string, at: Date): Promise<void> {
  await sql.execute(
    `update discrepancy set status = 'open', claim_id = null, explanation = null, updated_at = $3
     where company_id = $1 and claim_id = $2 and status = 'claimed' and not exists (select 1 from claim_line
       where claim_line.company_id = $1 and claim_line.claim_id = $2 and claim_line.discrepancy_id = discrepancy.id
         and claim_line.credited_line is not null)`,
    [companyId, claimId, at],
  )
}

export async function deleteClaimRows(sql: Sql, companyId: string, id: string): Promise<void> {
  await sql.execute('delete from claim_line where company_id = $1 and claim_id = $2', [companyId, id])
  await sql.execute('delete from claim where company_id = $1 and id = $2', [companyId, id])
}
