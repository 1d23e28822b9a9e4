import type { LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType, EnrollmentStatus, MovementKind } from '#kernel/enums.ts'
import type { ClaimStatus } from '#kernel/broker-enums.ts'
import type { DiscrepancyStatus, EntryType, Explanation, InvoiceClass, LineKind } from '#kernel/reconciliation.ts'
import { likeName } from '#kernel/search.ts'
import { Parameters } from '#platform/core/parameters.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { claimCredits, countedInvoices } from '../ledger/queries.ts'
import { pricedBenefits } from '../prices/pricing-queries.ts'
import type { ChargeCause, ChargeLine } from '../rules/charge.ts'
import type { Certainty } from '../rules/forecast-causes.ts'
import type { VarianceClass } from '../rules/variance.ts'

/** What charges are selected by, beside the contract and the month. */
export interface ChargeFilter {
  readonly benefitId?: string | undefined
  readonly memberId?: string | undefined
  readonly lineNumber?: number | undefined
  readonly class?: InvoiceClass | undefined
  readonly hasDifference?: boolean | undefined
  /** As `parseSearch` makes it. */
  readonly name?: string | undefined
}

/** What follows from the explanation alone. */
export interface CauseFilter {
  readonly cause?: ChargeCause | undefined
  readonly certainty?: Certainty | undefined
}

export interface ChargeListFilter extends ChargeFilter, CauseFilter {
  readonly variance?: VarianceClass | undefined
}

export interface ChargeKey {
  readonly companyId: string
  readonly contractId: string
  readonly month: Month
}

/** A charge of a list: of a benefit, or a line of nobody. */
export interface ChargeRow {
  readonly benefitId: string | null
  readonly lineNumber: number | null
  readonly fileId: string | null
  readonly name: string | null
  /** Of a line of nobody: whether it names a person. */
  readonly isPerson: boolean
  readonly amount: number
  /** What comparisons of the invoice found too much, less what they found too little. */
  readonly difference: number
}

/** Whether the invoices of the month were compared; null: none was read. */
export async function readComparison(
  sql: Sql,
  { companyId, contractId, month }: ChargeKey,
): Promise<{ readonly isCompared: boolean } | null> {
  const rows = await sql.query<{ isCompared: boolean | null }>(
    `select bool_and(reconciliation.computed_at is not null) as "isCompared"
     from ${countedInvoices('carrier_file.contract_id = $2 and carrier_file.reference_month = $3')} invoice
     left join reconciliation on reconciliation.company_id = $1 and reconciliation.carrier_file_id = invoice.id`,
    [companyId, contractId, month],
  )
  const isCompared = rows[0]?.isCompared ?? null
  return isCompared === null ? null : { isCompared }
}

/** SQL: the discrepancies of a benefit or of a line of nobody in the invoices of the month. */
const discrepanciesOf = (condition: string): string => `discrepancy
  join reconciliation on reconciliation.company_id = $1 and reconciliation.id = discrepancy.reconciliation_id
  where discrepancy.company_id = $1 and discrepancy.class <> 'total-differs'
    and reconciliation.carrier_file_id in (select id from invoice) and ${condition}`
/**
 * The charges of the invoices of a month that a filter selects: people by name, then the lines of nobody by number. Whoever was forecast is there too.
 */
export async function readChargeRows(
  sql: Sql,
  { companyId, contractId, month }: ChargeKey,
  filter: ChargeFilter,
): Promise<ChargeRow[]> {
  const parameters = new Parameters(companyId, contractId, month)
  const of = filter.benefitId === undefined ? 'true' : `carrier_line.benefit_id = ${parameters.add(filter.benefitId)}`
  const ofForecast =
    filter.benefitId === undefined ? '' : `and forecast_line.benefit_id = ${parameters.add(filter.benefitId)}`
  const conditions = [
    ...(filter.benefitId === undefined ? [] : [`charge.benefit_id = ${parameters.add(filter.benefitId)}`]),
    ...(filter.memberId === undefined ? [] : [`member.id = ${parameters.add(filter.memberId)}`]),
    ...(filter.lineNumber === undefined ? [] : [`${parameters.add(filter.lineNumber)} = any(charge.line_numbers)`]),
    ...(filter.name === undefined
      ? []
      : [`fold_name(coalesce(member.name, charge.name)) like ${likeName(parameters.add(filter.name))}`]),
    ...(filter.class === undefined ? [] : [`${parameters.add(filter.class)} = any(found.classes)`]),
    ...(filter.hasDifference === undefined
      ? []
      : [`(found.classes is not null) = ${parameters.add(filter.hasDifference)}`]),
  ]
  return sql.queryPlanned<ChargeRow>(
    `with invoice as materialized (
       select id from ${countedInvoices('carrier_file.contract_id = $2 and carrier_file.reference_month = $3')} invoice
     ), line as materialized (
       select carrier_line.file_id, carrier_line.line_number, carrier_line.benefit_id, carrier_line.name, carrier_line.amount,
         carrier_line.kind = 'person' as is_person
       from invoice join carrier_line on carrier_line.company_id = $1 and carrier_line.file_id = invoice.id
         and carrier_line.amount is not null and carrier_line.kind <> 'total' and ${of}
     ), charge as materialized (
       select benefit_id, null::integer as line_number, null::uuid as file_id, null::text as name, true as is_person,
         coalesce(sum(amount), 0)::bigint as amount, array_remove(array_agg(line_number), null) as line_numbers
       from (
         select benefit_id, line_number, amount from line where benefit_id is not null
         union all
         select discrepancy.benefit_id, null, 0 from ${discrepanciesOf('discrepancy.benefit_id is not null')}
         union all
         select forecast_line.benefit_id, null, 0 from forecast
         join forecast_line on forecast_line.company_id = $1 and forecast_line.forecast_id = forecast.id
         join benefit on benefit.company_id = $1 and benefit.id = forecast_line.benefit_id
         where forecast.company_id = $1 and forecast.contract_id = $2 and forecast.reference_month = $3 ${ofForecast}
       ) charged group by benefit_id
       union all
       select null, line_number, file_id, name, is_person, amount, array[line_number] from line where benefit_id is null
     ), differing as materialized (
       select discrepancy.benefit_id, case when discrepancy.benefit_id is null then discrepancy.line_number end as line_number,
         case when discrepancy.benefit_id is null then reconciliation.carrier_file_id end as file_id,
         sum(discrepancy.amount)::bigint as amount, array_agg(discrepancy.class) as classes
       from ${discrepanciesOf('true')} group by 1, 2, 3
     )
     select charge.benefit_id as "benefitId", charge.line_number as "lineNumber", charge.file_id as "fileId", member.name, charge.is_person as "isPerson", charge.amount,
       coalesce(found.amount, 0)::bigint as difference
     from charge
     left join benefit on benefit.company_id = $1 and benefit.id = charge.benefit_id
     left join member on member.company_id = $1 and member.id = benefit.member_id
     left join differing found on found.benefit_id is not distinct from charge.benefit_id
       and (charge.benefit_id is not null or found.line_number = charge.line_number and found.file_id = charge.file_id)
     ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
     order by charge.benefit_id is null, fold_name(member.name) collate "C", charge.benefit_id, charge.line_number`,
    parameters.values,
  )
}

/** The benefits of a contract that a filter selects, by name. @param among only of these; null: of all. */
export async function readBenefitNames(
  sql: Sql,
  { companyId, contractId }: Pick<ChargeKey, 'companyId' | 'contractId'>,
  { benefitId, memberId, name }: ChargeFilter,
  among: readonly string[] | null,
): Promise<{ readonly benefitId: string; readonly name: string }[]> {
  const parameters = new Parameters(companyId, contractId, among)
  const conditions = [
    ...(benefitId === undefined ? [] : [`benefit.id = ${parameters.add(benefitId)}`]),
    ...(memberId === undefined ? [] : [`member.id = ${parameters.add(memberId)}`]),
    ...(name === undefined ? [] : [`fold_name(member.name) like ${likeName(parameters.add(name))}`]),
  ]
  return sql.queryPlanned(
    `select benefit.id as "benefitId", member.name from ${pricedBenefits}
     where contract_plan.company_id = $1 and contract_plan.contract_id = $2 and ($3::uuid[] is null or benefit.id = any($3))
       ${conditions.map((condition) => `and ${condition}`).join(' ')}
     order by fold_name(member.name) collate "C", benefit.id`,
    parameters.values,
  )
}

/** A movement that changed a cover, with when it was told and answered. */
interface ChargeMovement {
  readonly enrollmentId: string
  readonly enrollmentType: MovementKind
  readonly status: EnrollmentStatus
  readonly requestedAt: string
  readonly sentAt: string | null
  readonly answeredAt: string | null
}

interface ChargeDiscrepancy {
  readonly discrepancyId: string
  readonly class: InvoiceClass
  readonly amount: number | null
  readonly status: DiscrepancyStatus
  readonly explanation: Explanation | null
  readonly coverMonth: Month | null
  readonly claim: {
    readonly claimId: string
    readonly status: ClaimStatus
    readonly amount: number
    readonly creditedIn: Month | null
    readonly carrierProtocol: string | null
  } | null
}

/** What a list shows of the charge of a benefit. */
export interface ChargedBenefitFacts {
  readonly benefitId: string
  readonly memberId: string
  readonly memberName: string
  readonly type: BeneficiaryType
  readonly employeeId: string | null
  readonly productName: string
  readonly startDate: LocalDate
  readonly endDate: LocalDate | null
  readonly lines: readonly ChargeLine[]
  readonly discrepancies: readonly ChargeDiscrepancy[]
  /** The last movement that began it, and the last that ended it. */
  readonly began: ChargeMovement | null
  readonly ended: ChargeMovement | null
}

const discrepancyJson = `json_build_object('discrepancyId', discrepancy.id, 'class', discrepancy.class, 'amount', discrepancy.amount,
  'status', discrepancy.status, 'explanation', discrepancy.explanation, 'coverMonth', discrepancy.cover_month,
  'claim', (select json_build_object('claimId', claim.id, 'status', claim.status, 'amount', claim_line.amount,
      'creditedIn', credit.reference_month, 'carrierProtocol', claim.carrier_protocol)
    from claim_line join claim on claim.company_id = $1 and claim.id = claim_line.claim_id
    left join carrier_file credit on credit.company_id = $1 and credit.id = claim_line.credited_file_id
    where claim_line.company_id = $1 and claim_line.claim_id = discrepancy.claim_id and claim_line.discrepancy_id = discrepancy.id))`

/** SQL: the last movement of a benefit that is completed, or ($5) open, over `enrollment`. */
const movement = (condition: string): string => `(
  select json_build_object('enrollmentId', enrollment.id, 'enrollmentType', enrollment.enrollment_type, 'status', enrollment.status,
    'requestedAt', iso(enrollment.created_at),
    'sentAt', (select iso(min(shipment.sent_at)) from shipment_item
      join shipment on shipment.company_id = $1 and shipment.id = shipment_item.shipment_id
      where shipment_item.company_id = $1 and shipment_item.movement_company_id = $1 and shipment_item.enrollment_id = enrollment.id),
    'answeredAt', (select iso(max(at)) from enrollment_history where enrollment_history.company_id = $1
      and enrollment_history.enrollment_id = enrollment.id and enrollment_history.status = 'completed'))
  from enrollment where enrollment.company_id = $1 and enrollment.member_id in (benefit.member_id, benefit.primary_member_id)
    and (enrollment.status = 'completed' or $5 and enrollment.status not in ('rejected', 'cancelled')) and ${condition}
  order by enrollment.created_at desc, enrollment.id desc limit 1)`

/** What the charges of a page of benefits are explained from. @param withOpen whether open movements count. */
export async function readChargeFacts(
  sql: Sql,
  { companyId, contractId, month }: ChargeKey,
  benefitIds: readonly string[],
  withOpen: boolean,
): Promise<Map<string, ChargedBenefitFacts>> {
  const rows = await sql.queryPlanned<{ item: ChargedBenefitFacts }>(
    `with invoice as materialized (
       select id from ${countedInvoices('carrier_file.contract_id = $2 and carrier_file.reference_month = $3')} invoice
     ), line as materialized (
       select carrier_line.benefit_id, json_agg(json_build_object('lineNumber', carrier_line.line_number, 'amount', carrier_line.amount,
           'entryType', coalesce(carrier_line.entry_type, 'monthly'), 'entryPeriod', carrier_line.entry_period, 'claimedMonth', credit.month)
           order by carrier_line.line_number) as lines
       from invoice join carrier_line on carrier_line.company_id = $1 and carrier_line.file_id = invoice.id
       left join ${claimCredits} credit on credit.file_id = carrier_line.file_id and credit.line_number = carrier_line.line_number
       where carrier_line.benefit_id = any($4::uuid[]) and carrier_line.amount is not null group by 1
     ), found as materialized (
       select discrepancy.benefit_id, json_agg(${discrepancyJson} order by discrepancy.class, discrepancy.id) as discrepancies
       from ${discrepanciesOf('discrepancy.benefit_id = any($4::uuid[])')} group by 1
     )
     select json_build_object('benefitId', benefit.id, 'memberId', member.id, 'memberName', member.name, 'type', benefit.type,
       'employeeId', member.employee_id, 'productName', product.name, 'startDate', benefit.start_date, 'endDate', benefit.end_date,
       'lines', coalesce(line.lines, '[]'), 'discrepancies', coalesce(found.discrepancies, '[]'),
       'began', ${movement(`(enrollment.benefit_id = benefit.id and enrollment.enrollment_type = 'inclusion' or enrollment.new_benefit_id = benefit.id)`)},
       'ended', ${movement(`(enrollment.benefit_id = benefit.id and (enrollment.enrollment_type = 'exclusion' or enrollment.new_benefit_id is not null)
         or $5 and enrollment.enrollment_type = 'exclusion' and enrollment.status <> 'completed' and enrollment.member_id = benefit.primary_member_id
           and enrollment.product_id = benefit.product_id)`)}) as item
     from benefit
     join member on member.company_id = $1 and member.id = benefit.member_id
     join product on product.company_id = $1 and product.id = benefit.product_id
     left join line on line.benefit_id = benefit.id
     left join found on found.benefit_id = benefit.id
     where benefit.company_id = $1 and benefit.id = any($4::uuid[])`,
    [companyId, contractId, month, benefitIds, withOpen],
  )
  return new Map(rows.map(({ item }) => [item.benefitId, item]))
}

/** A line of nobody, with what differs of it. */
export interface LineOfNobody {
  readonly fileId: string
  readonly lineNumber: number
  readonly amount: number
  readonly kind: LineKind
  readonly entryType: EntryType
  readonly name: string | null
  readonly discrepancies: readonly ChargeDiscrepancy[]
}

export async function readLinesOfNobody(
  sql: Sql,
  companyId: string,
  lines: readonly { readonly fileId: string | null; readonly lineNumber: number | null }[],
): Promise<LineOfNobody[]> {
  return sql.queryPlanned<LineOfNobody>(
    `select carrier_line.file_id as "fileId", carrier_line.line_number as "lineNumber", carrier_line.amount, carrier_line.kind,
       coalesce(carrier_line.entry_type, 'monthly') as "entryType", carrier_line.name,
       coalesce((select json_agg(${discrepancyJson} order by discrepancy.class, discrepancy.id) from discrepancy
         join reconciliation on reconciliation.company_id = $1 and reconciliation.id = discrepancy.reconciliation_id
         where discrepancy.company_id = $1 and discrepancy.benefit_id is null and discrepancy.line_number = carrier_line.line_number
           and reconciliation.carrier_file_id = carrier_line.file_id and discrepancy.class <> 'total-differs'), '[]') as discrepancies
     from unnest($2::uuid[], $3::integer[]) as sent(file_id, line_number)
     join carrier_line on carrier_line.company_id = $1 and carrier_line.file_id = sent.file_id and carrier_line.line_number = sent.line_number`,
    [companyId, lines.map(({ fileId }) => fileId), lines.map(({ lineNumber }) => lineNumber)],
  )
}
