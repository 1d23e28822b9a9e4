import { isMonthClosed } from '../months/open-month.ts'
import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { lockClaim, reopenDiscrepancies } from './queries.ts'

/** The invoice whose credits are looked for. */
interface CreditingInvoice {
  readonly companyId: string
  readonly contractId: string
  readonly fileId: string
  readonly month: Month
}

interface Credit {
  readonly claimId: string
  readonly discrepancyId: string
  readonly line: number
}

/** SQL: whether a line of an invoice and the line that was claimed name the same person. */
const isSamePerson = `(credit.benefit_id = discrepancy.benefit_id or discrepancy.benefit_id is null and credit.benefit_id is null
  and (credit.card_number = claimed.card_number or credit.tax_id = claimed.tax_id
    or credit.certificate = claimed.certificate and credit.dependent_code is not distinct from claimed.dependent_code
    or credit.name = claimed.name and credit.date_of_birth = claimed.date_of_birth))`

/** SQL: the lines of claims of earlier invoices that wait for a credit, over `claim` and `claim_line`. */
const waiting = `claim join claim_line on claim_line.company_id = claim.company_id and claim_line.claim_id = claim.id
  join discrepancy on discrepancy.company_id = claim_line.company_id and discrepancy.id = claim_line.discrepancy_id`
const isEarlier = `claim.company_id = $1 and claim.contract_id = $2 and claim.reference_month < $4`
/** What a refused claim still claims was credited before it was refused, or its month is closed. */
const isCreditable = `${isEarlier} and (claim.status in ('sent', 'accepted')
  or claim.status = 'refused' and discrepancy.status = 'claimed' and discrepancy.claim_id = claim.id)`

/** The invoices that a later one of their month and kind replaces. */
async function readReplaced(sql: Sql, companyId: string, fileId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select former.id from carrier_file join carrier_file former on former.company_id = $1 and former.contract_id = carrier_file.contract_id
       and former.kind = carrier_file.kind and former.reference_month = carrier_file.reference_month
       and former.invoice_kind = carrier_file.invoice_kind and (former.created_at, former.id) < (carrier_file.created_at, carrier_file.id)
     where carrier_file.company_id = $1 and carrier_file.id = $2`,
    [companyId, fileId],
  )
  return rows.map(({ id }) => id)
}

/** The lines of claims that invoices credit wait for their credit again. @returns the ids of the claims. */
export async function withdrawCredits(sql: Sql, companyId: string, fileIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update claim_line set credited_file_id = null, credited_line = null where company_id = $1 and credited_file_id = any($2::uuid[])
     returning claim_id as id`,
    [companyId, fileIds],
  )
  return [...new Set(rows.map(({ id }) => id))]
}

/** Opens what refused claims claim without a credit, as their refusal would have, unless the month is closed. */
export async function reopenRefused(sql: Sql, companyId: string, claimIds: readonly string[], at: Date): Promise<void> {
  for (const id of claimIds.toSorted()) {
    const { status, referenceMonth } = await lockClaim(sql, id)
    if (status === 'refused' && !(await isMonthClosed(sql, companyId, referenceMonth))) {
      await reopenDiscrepancies(sql, companyId, id, at)
    }
  }
}

/**
 * Marks the lines of claims that an invoice credits: each by a line of the same person with exactly its amount. What the invoice credited before is
 * looked for again.
 * @returns the numbers of the lines that credit.
 */
export async function creditClaims(
  sql: Sql,
  { companyId, contractId, fileId, month, at }: CreditingInvoice & { readonly at: Date },
): Promise<Set<number>> {
  const withdrawn = await withdrawCredits(sql, companyId, [fileId, ...(await readReplaced(sql, companyId, fileId))])
  const pairs = await sql.query<Credit>(
    `select claim_line.claim_id as "claimId", claim_line.discrepancy_id as "discrepancyId", credit.line_number as line
     from ${waiting}
     join reconciliation on reconciliation.company_id = claim.company_id and reconciliation.id = claim.reconciliation_id
     left join carrier_line claimed on claimed.company_id = claim.company_id and claimed.file_id = reconciliation.carrier_file_id
       and claimed.line_number = discrepancy.line_number
     join carrier_line credit on credit.company_id = $1 and credit.file_id = $3 and credit.amount = -claim_line.amount and ${isSamePerson}
     where ${isCreditable} and claim_line.credited_line is null
     order by claim.created_at, claim_line.claim_id, claim_line.discrepancy_id, credit.line_number`,
    [companyId, contractId, fileId, month],
  )
  const lines = new Set<number>()
  const credited = new Map<string, Credit>()
  for (const pair of pairs) {
    const key = `${pair.claimId} ${pair.discrepancyId}`
    if (lines.has(pair.line) || credited.has(key)) continue
    lines.add(pair.line)
    credited.set(key, pair)
  }
  await sql.execute(
    `update claim_line set credited_file_id = $2, credited_line = sent.line
     from json_to_recordset($3::json) as sent("claimId" uuid, "discrepancyId" uuid, line integer)
     where claim_line.company_id = $1 and claim_line.claim_id = sent."claimId" and claim_line.discrepancy_id = sent."discrepancyId"`,
    [companyId, fileId, Records.of([...credited.values()])],
  )
  await reopenRefused(sql, companyId, withdrawn, at)
  return lines
}

/**
 * SQL: what claims of the invoices of a contract of a company ($1) before a month ask for and was not credited: benefit_id, the month of cover as
 * period, amount, what of it was sent, and what was accepted.
 */
export const uncredited = (contract: string, month: string): string => `(
  select discrepancy.benefit_id, coalesce(discrepancy.cover_month, claim.reference_month) as period, sum(claim_line.amount)::bigint as amount,
    coalesce(sum(claim_line.amount) filter (where claim.status in ('sent', 'accepted')), 0)::bigint as sent,
    coalesce(sum(claim_line.amount) filter (where claim.status = 'accepted'), 0)::bigint as accepted
  from ${waiting}
  where claim.company_id = $1 and claim.contract_id = ${contract} and claim.reference_month < ${month} and claim_line.credited_line is null
    and discrepancy.status = 'claimed' and discrepancy.claim_id = claim.id
  group by 1, 2)`

/** What is claimed of people who are unknown here, was sent and not credited, in cents. What is claimed of a benefit is compared with it. */
export async function readUncreditedOfUnknown(
  sql: Sql,
  { companyId, contractId, month }: CreditingInvoice,
): Promise<number> {
  const rows = await sql.query<{ sent: number }>(
    `select coalesce(sum(sent), 0)::bigint as sent from ${uncredited('$2', '$3')} claimed where benefit_id is null`,
    [companyId, contractId, month],
  )
  return rows[0]?.sent ?? 0
}
