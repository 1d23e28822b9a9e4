import type { ChargedBenefit, InvoiceLine } from '../rules/charged-benefit.ts'
import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import type { InvoiceDiscrepancy } from '../rules/invoice-comparison.ts'
import type { InvoiceKind, LineKind } from '#kernel/reconciliation.ts'
import { uncredited } from '#money/claims/credits.ts'
import { claimCredits, countedInvoices, premiumCharges } from '#money/ledger/queries.ts'
import { LEDGER_MONTHS } from '#money/rules/ledger.ts'
import { firstDay, lastDay } from '#money/rules/premium.ts'
import { byKind } from '#coverage/enrollments/kind.ts'
import { coversMonth, pricedBenefitColumns, pricedBenefits } from '#money/prices/pricing-queries.ts'

/** An invoice that is compared. */
export interface InvoiceKey {
  readonly companyId: string
  readonly contractId: string
  readonly reconciliationId: string
  readonly fileId: string
  readonly invoiceKind: InvoiceKind
  readonly month: Month
}

const lineJson = `json_build_object('lineNumber', carrier_line.line_number, 'amount', coalesce(carrier_line.amount, 0),
  'entryType', coalesce(carrier_line.entry_type, 'monthly'), 'entryPeriod', carrier_line.entry_period, 'claimedMonth', credit.month)`

/** SQL: what a movement is for the benefit that it is of; null: it changes no cover. */
const kindOfCover = (movement: string): string =>
  byKind(`${movement}.enrollment_type`, {
    inclusion: `'inclusion'`,
    exclusion: `'exclusion'`,
    alteration: `case when ${movement}.new_benefit_id is not null then 'departure' end`,
  })

/**
 * SQL: the movements of the covers of a company's benefits that are open, or the carrier was told after the day $6, as `CoverMovement`, by benefit. Those
 * of data and of cards change no charge.
 */
const coverMovements = `(select moved.benefit_id, json_agg(json_build_object('kind', moved.kind, 'isOpen', moved.is_open, 'date', moved.date,
    'newPlanCode', moved.new_plan_code) order by moved.is_open desc, moved.kind, moved.date) as movements
  from (
    select side.benefit_id, side.kind, enrollment.status not in ('completed', 'rejected', 'cancelled') as is_open,
      coalesce(enrollment.effective_date, enrollment.start_date) as date,
      case when side.kind = 'departure' then destination.carrier_plan_code end as new_plan_code
    from (
      select id from open_movement where company_id = $1 and ${kindOfCover('open_movement')} is not null
      union all
      select enrollment_id from enrollment_history where company_id = $1 and status = 'completed'
        and (coalesce(least(at, (select min(shipment.sent_at) from shipment_item
            join shipment on shipment.company_id = $1 and shipment.id = shipment_item.shipment_id
            where shipment_item.company_id = $1 and shipment_item.movement_company_id = $1
              and shipment_item.enrollment_id = enrollment_history.enrollment_id)), at) at time zone 'America/Sao_Paulo')::date > $6::date
    ) moving
    join enrollment on enrollment.company_id = $1 and enrollment.id = moving.id
    left join contract_plan destination on destination.company_id = $1 and destination.contract_id = $2
      and destination.product_id = enrollment.destination_product_id and coalesce(enrollment.destination_company_id, $1) = $1
    cross join lateral (values
      (enrollment.benefit_id, ${kindOfCover('enrollment')}),
      (enrollment.new_benefit_id, 'arrival')) side(benefit_id, kind)
    where side.benefit_id is not null and side.kind is not null and enrollment.status not in ('rejected', 'cancelled')
  ) moved group by moved.benefit_id) moving`

/** SQL: the invoices of a company ($1) and contract ($2) before the one of the month $7 and kind $8: to a supplementary one the main one of the month is. */
const invoicesBefore = countedInvoices(`carrier_file.contract_id = $2 and carrier_file.reference_month >= $9
  and (carrier_file.reference_month < $7 or carrier_file.reference_month = $7 and carrier_file.invoice_kind <> $8 and $8 = 'supplementary')`)

/** SQL: the supplementary invoice of the month, for the main one. */
const supplementaryInvoice = countedInvoices(`carrier_file.contract_id = $2 and carrier_file.reference_month = $7
  and carrier_file.invoice_kind = 'supplementary' and $8 = 'main'`)

/**
 * SQL: what comparisons of the invoices before reported of months of cover, as `ReportedDifference`, by benefit. What a movement explains was not
 * reported: the next invoice should correct it.
 */
const reportedDifferences = `(select discrepancy.benefit_id, json_agg(json_build_object('period', discrepancy.cover_month,
    'invoice', invoice.reference_month || ' ' || invoice.invoice_kind, 'amount', discrepancy.amount)
    order by invoice.reference_month, invoice.invoice_kind) as reported
  from ${invoicesBefore} invoice
  join reconciliation on reconciliation.company_id = $1 and reconciliation.carrier_file_id = invoice.id
  join discrepancy on discrepancy.company_id = $1 and discrepancy.reconciliation_id = reconciliation.id
  where discrepancy.benefit_id is not null and discrepancy.cover_month is not null and discrepancy.amount is not null
    and (discrepancy.status <> 'explained' or discrepancy.explanation not in ('open-movement', 'within-cut-off'))
    and discrepancy.status <> 'claimed'
  group by discrepancy.benefit_id)`

/** SQL: what claims of earlier invoices ask for and was not credited, as `ClaimedAmount`, by benefit. */
const claimedAmounts = `(select benefit_id, json_agg(json_build_object('period', period, 'amount', amount, 'sent', sent)) as claimed
  from ${uncredited('$2', '$7')} claimed where benefit_id is not null group by benefit_id)`

/**
 * Opens the list of those who are covered in the month or in one that was compared before, or have a line, each with its lines, charges and
 * movements: a cursor of the transaction.
 * @param cutOff movements of which the carrier was told later cannot be in the invoice; null: the contract has no calendar.
 */
export async function openChargedBenefits(
  sql: Sql,
  { companyId, contractId, fileId, invoiceKind, month }: InvoiceKey,
  comparedMonths: readonly Month[],
  cutOff: LocalDate | null,
): Promise<void> {
  const [first = month] = comparedMonths
  await sql.execute(
    `declare charged_benefit no scroll cursor for
     select json_build_object(${pricedBenefitColumns}, 'isPending', benefit.status = 'pending',
       'createdOn', (benefit.created_at at time zone 'America/Sao_Paulo')::date, 'lines', coalesce(charged.lines, '[]'),
       'charges', coalesce(former.charges, '[]'), 'supplementary', coalesce(supplementary.amount, 0), 'reported', coalesce(reported.reported, '[]'), 'claimed', coalesce(claimed.claimed, '[]'),
       'movements', coalesce(moving.movements, '[]')) as item
     from ${pricedBenefits}
     left join (select carrier_line.benefit_id, json_agg(${lineJson}) as lines from carrier_line
       left join ${claimCredits} credit on credit.file_id = $3 and credit.line_number = carrier_line.line_number
       where carrier_line.company_id = $1 and carrier_line.file_id = $3 and carrier_line.benefit_id is not null group by carrier_line.benefit_id)
       charged on charged.benefit_id = benefit.id
     left join (select benefit_id, json_agg(json_build_object('invoice', invoice, 'period', period,
         'amount', amount, 'isDirect', is_direct)) as charges from ${premiumCharges(invoicesBefore)} premium group by benefit_id) former on former.benefit_id = benefit.id
     left join (select benefit_id, sum(amount)::bigint as amount from ${premiumCharges(supplementaryInvoice)} premium
       where period = $7 group by benefit_id) supplementary on supplementary.benefit_id = benefit.id
     left join ${reportedDifferences} reported on reported.benefit_id = benefit.id
     left join ${claimedAmounts} claimed on claimed.benefit_id = benefit.id
     left join ${coverMovements} on moving.benefit_id = benefit.id
     where contract_plan.company_id = $1 and contract_plan.contract_id = $2
       and (charged.lines is not null or former.charges is not null or claimed.claimed is not null or ${coversMonth('$4', '$5')})
     order by benefit.id`,
    [
      companyId,
      contractId,
      fileId,
      firstDay(first),
      lastDay(month),
      cutOff,
      month,
      invoiceKind,
      addMonths(month, -LEDGER_MONTHS),
    ],
  )
}

/** The next benefits of the list; none at its end, which closes it. So few that reads do not wait for them to be compared. */
export async function nextChargedBenefits(sql: Sql): Promise<ChargedBenefit[]> {
  const rows = await sql.query<{ item: ChargedBenefit }>('fetch forward 500 from charged_benefit')
  if (rows.length === 0) await sql.execute('close charged_benefit')
  return rows.map(({ item }) => item)
}

/** The months before one whose invoices were read, and those of the ledger whose invoices were compared, the first first. */
export async function readEarlierMonths(
  sql: Sql,
  { companyId, contractId, month }: InvoiceKey,
): Promise<{ readonly knownMonths: ReadonlySet<Month>; readonly comparedMonths: readonly Month[] }> {
  const rows = await sql.query<{ month: Month; isCompared: boolean }>(
    `select invoice.reference_month as month, bool_and(reconciliation.computed_at is not null) as "isCompared"
     from ${countedInvoices('carrier_file.contract_id = $2 and carrier_file.reference_month < $3')} invoice
     left join reconciliation on reconciliation.company_id = $1 and reconciliation.carrier_file_id = invoice.id
     group by 1 order by 1`,
    [companyId, contractId, month],
  )
  const first = addMonths(month, -LEDGER_MONTHS)
  return {
    knownMonths: new Set(rows.map((row) => row.month)),
    comparedMonths: rows.filter((row) => row.isCompared && row.month >= first).map((row) => row.month),
  }
}

/** A line that is of no benefit of the contract. */
interface StoredUnmatchedLine extends InvoiceLine {
  readonly isAmbiguous: boolean
  readonly kind: LineKind
  readonly entryCode: string | null
  readonly isRefused: boolean
  /** For a total: what it says, and the sum of the lines that it is of. */
  readonly statedTotal: number | null
  readonly summedTotal: number | null
}

/** The lines of no benefit, and those that were refused. */
export async function readUnmatched(sql: Sql, { companyId, fileId }: InvoiceKey): Promise<StoredUnmatchedLine[]> {
  return sql.query<StoredUnmatchedLine>(
    `select carrier_line.line_number as "lineNumber", coalesce(carrier_line.amount, 0) as amount,
       coalesce(carrier_line.entry_type, 'monthly') as "entryType", carrier_line.entry_period as "entryPeriod",
       carrier_line.is_ambiguous as "isAmbiguous", carrier_line.problems is not null as "isRefused",
       carrier_line.kind, carrier_line.entry_code as "entryCode", carrier_line.stated_total as "statedTotal",
       carrier_line.summed_total as "summedTotal"
     from carrier_line where carrier_line.company_id = $1 and carrier_line.file_id = $2 and carrier_line.benefit_id is null
     order by carrier_line.line_number`,
    [companyId, fileId],
  )
}

/** A person who comes to a plan of the contract by an open change, with the line that charges for it. */
interface ArrivingLine extends Omit<
  ChargedBenefit,
  'lines' | 'supplementary' | 'movements' | 'charges' | 'reported' | 'claimed'
> {
  readonly lineNumber: number
}

/** The lines without a benefit whose people come to a plan of the contract: what they cost from then on. */
export async function readArriving(sql: Sql, { companyId, contractId, fileId }: InvoiceKey): Promise<ArrivingLine[]> {
  const rows = await sql.query<{ item: ArrivingLine }>(
    `with line as materialized (
       select line_number, tax_id from carrier_line
       where company_id = $1 and file_id = $3 and benefit_id is null and tax_id is not null
     ), plan as materialized (
       select product_id, carrier_plan_code from contract_plan where company_id = $1 and contract_id = $2
     )
     select json_build_object('lineNumber', line.line_number, 'benefitId', enrollment.new_benefit_id, 'type', enrollment.member_type,
       'dateOfBirth', member.date_of_birth, 'startDate', enrollment.effective_date, 'endDate', null,
       'productId', enrollment.destination_product_id, 'planCode', plan.carrier_plan_code, 'costCenter', null, 'jobTitle', null,
       'isPending', false, 'createdOn', enrollment.accepted_on) as item
     from line
     join open_movement on open_movement.destination_company_id = $1 and open_movement.member_tax_id = line.tax_id
       and open_movement.new_benefit_id is not null
     join enrollment on enrollment.company_id = open_movement.company_id and enrollment.id = open_movement.id
     join member on member.company_id = enrollment.company_id and member.id = enrollment.member_id
     join plan on plan.product_id = enrollment.destination_product_id
     where enrollment.effective_date is not null`,
    [companyId, contractId, fileId],
  )
  return rows.map(({ item }) => item)
}

/** Stores what differs. What an operator did with a discrepancy stays; one that no one changed and that is none any more is deleted. */
export async function storeDiscrepancies(
  sql: Sql,
  { companyId, reconciliationId }: InvoiceKey,
  found: readonly InvoiceDiscrepancy[],
  kept: (column: 'explanation' | 'status') => string,
  at: Date,
): Promise<void> {
  await sql.query(
    `with found as materialized (
       select class, "benefitId" as benefit_id, "lineNumber" as line_number, "coverMonth" as cover_month, expected::text as expected, found::text as found, amount, days,
         explanation, case when explanation is null then 'open' else 'explained' end as status
       from json_to_recordset($3::json) as sent(class text, "benefitId" uuid, "lineNumber" integer, "coverMonth" text, expected bigint, found bigint, amount bigint,
         days integer, explanation text)
     ), gone as (
       delete from discrepancy where discrepancy.company_id = $1 and discrepancy.reconciliation_id = $2 and discrepancy.status in ('open', 'explained')
         and not exists (select 1 from found where found.class = discrepancy.class
           and coalesce(found.benefit_id::text, '') = coalesce(discrepancy.benefit_id::text, '')
           and coalesce(found.line_number, 0) = coalesce(discrepancy.line_number, 0)
           and coalesce(found.cover_month, '') = coalesce(discrepancy.cover_month, ''))
     )
     insert into discrepancy (company_id, id, reconciliation_id, class, benefit_id, line_number, cover_month, expected, found, amount, days,
       explanation, status, created_at, updated_at)
     select $1, gen_random_uuid(), $2, class, benefit_id, line_number, cover_month, expected, found, amount, days, explanation, status, $4, $4 from found
     on conflict (company_id, reconciliation_id, class, benefit_id, line_number, cover_month) do update
     set expected = excluded.expected, found = excluded.found, amount = excluded.amount, days = excluded.days, updated_at = excluded.updated_at,
       explanation = ${kept('explanation')}, status = ${kept('status')}
     where (discrepancy.expected, discrepancy.found, discrepancy.amount, discrepancy.days, discrepancy.explanation, discrepancy.status)
       is distinct from (excluded.expected, excluded.found, excluded.amount, excluded.days, ${kept('explanation')}, ${kept('status')})`,
    [companyId, reconciliationId, Records.of(found), at],
    found.length,
  )
}

/** What the file says that it charges, and what its lines do, in cents. */
export async function readTotals(
  sql: Sql,
  { companyId, fileId }: InvoiceKey,
): Promise<{ readonly declared: number | null; readonly computed: number }> {
  const rows = await sql.query<{ declared: number | null; computed: number }>(
    `select declared_total as declared, coalesce(computed_total, 0) as computed from carrier_file where company_id = $1 and id = $2`,
    [companyId, fileId],
  )
  return rows[0] ?? { declared: null, computed: 0 }
}

export async function setTotals(
  sql: Sql,
  { companyId, reconciliationId }: InvoiceKey,
  carrierTotal: number,
  expectedTotal: number,
): Promise<void> {
  await sql.execute(
    `update reconciliation set carrier_total = $3, expected_total = $4, discrepancy = $3::bigint - $4::bigint where company_id = $1 and id = $2`,
    [companyId, reconciliationId, carrierTotal, expectedTotal],
  )
}
