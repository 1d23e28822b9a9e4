import type { LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType, EnrollmentStatus, MovementKind } from '#kernel/enums.ts'
import type { ClaimStatus } from '#kernel/broker-enums.ts'
import type { DiscrepancyStatus, EntryType, Explanation, InvoiceClass, LineKind } from '#kernel/reconciliation.ts'
import { foldName } from '#kernel/name.ts'
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
  /** For a line of nobody: whether it names a person. */
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

/** SQL: the value for a line of nobody; null: of a benefit. */
const ofNobody = (table: string, value: string): string => `case when ${table}.benefit_id is null then ${value} end`

/**
 * The charges of the invoices of a month that a filter selects: people by name, then the lines of nobody by number. Whoever was forecast is there too.
 */
export async function readChargeRows(
  sql: Sql,
  { companyId, contractId, month }: ChargeKey,
  filter: ChargeFilter,
): Promise<ChargeRow[]> {
  const parameters = new Parameters(companyId, contractId, month)
  const benefit = filter.benefitId === undefined ? null : parameters.add(filter.benefitId)
  const ofBenefit = (table: string) => (benefit === null ? 'true' : `${table}.benefit_id = ${benefit}`)
  const conditions = [
    ...(filter.memberId === undefined ? [] : [`member.id = ${parameters.add(filter.memberId)}`]),
    ...(filter.name === undefined
      ? []
      : [`fold_name(coalesce(member.name, charge.name)) like ${likeName(parameters.add(filter.name))}`]),
  ]
  const having = [
    '(benefit_id is not null or bool_or(has_line))',
    ...(filter.lineNumber === undefined ? [] : [`bool_or(own_line = ${parameters.add(filter.lineNumber)})`]),
    ...(filter.class === undefined ? [] : [`bool_or(class = ${parameters.add(filter.class)})`]),
    ...(filter.hasDifference === undefined
      ? []
      : [`(count(class) > 0) = ${parameters.add(filter.hasDifference)}::boolean`]),
  ]
  const rows = await sql.queryPlanned<ChargeRow>(
    `with invoice as materialized (
       select id from ${countedInvoices('carrier_file.contract_id = $2 and carrier_file.reference_month = $3')} invoice
     )
     select charge.benefit_id as "benefitId", charge.line_number as "lineNumber", charge.file_id as "fileId", member.name,
       charge.is_person as "isPerson", charge.amount, charge.difference
     from (
       select benefit_id, line_number, file_id, min(name) as name, coalesce(bool_and(is_person), true) as is_person,
         sum(amount)::bigint as amount, coalesce(sum(found), 0)::bigint as difference
       from (
         select carrier_line.benefit_id, ${ofNobody('carrier_line', 'carrier_line.line_number')} as line_number,
           ${ofNobody('carrier_line', 'carrier_line.file_id')} as file_id, ${ofNobody('carrier_line', 'carrier_line.name')} as name,
           ${ofNobody('carrier_line', `carrier_line.kind = 'person'`)} as is_person, carrier_line.amount, null::bigint as found,
           null as class, carrier_line.line_number as own_line, true as has_line
         from invoice join carrier_line on carrier_line.company_id = $1 and carrier_line.file_id = invoice.id
           and carrier_line.amount is not null and carrier_line.kind <> 'total' and ${ofBenefit('carrier_line')}
         union all
         select discrepancy.benefit_id, ${ofNobody('discrepancy', 'discrepancy.line_number')},
           ${ofNobody('discrepancy', 'reconciliation.carrier_file_id')}, null, null, 0, discrepancy.amount, discrepancy.class, null, false
         from ${discrepanciesOf(ofBenefit('discrepancy'))}
         union all
         select forecast_line.benefit_id, null, null, null, null, 0, null, null, null, false
         from forecast join forecast_line on forecast_line.company_id = $1 and forecast_line.forecast_id = forecast.id
         join benefit on benefit.company_id = $1 and benefit.id = forecast_line.benefit_id
         where forecast.company_id = $1 and forecast.contract_id = $2 and forecast.reference_month = $3 and ${ofBenefit('forecast_line')}
       ) part
       group by benefit_id, line_number, file_id having ${having.join(' and ')}
     ) charge
     left join benefit on benefit.company_id = $1 and benefit.id = charge.benefit_id
     left join member on member.company_id = $1 and member.id = benefit.member_id
     ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}`,
    parameters.values,
  )
  return byName(rows)
}

/** People by name, then the lines of nobody by number. In memory: the database takes far longer to fold names. */
function byName<Row extends Pick<ChargeRow, 'benefitId' | 'name' | 'lineNumber'>>(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, name: row.name === null ? null : foldName(row.name) }))
    .toSorted(
      (a, b) =>
        Number(a.row.benefitId === null) - Number(b.row.benefitId === null) ||
        Number(a.name === null) - Number(b.name === null) ||
        compare(a.name ?? '', b.name ?? '') ||
        compare(a.row.benefitId ?? '', b.row.benefitId ?? '') ||
        (a.row.lineNumber ?? 0) - (b.row.lineNumber ?? 0),
    )
    .map(({ row }) => row)
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

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
  const rows = await sql.queryPlanned<{ benefitId: string; name: string }>(
    `select benefit.id as "benefitId", member.name from ${pricedBenefits}
     where contract_plan.company_id = $1 and contract_plan.contract_id = $2 and ($3::uuid[] is null or benefit.id = any($3))
       ${conditions.map((condition) => `and ${condition}`).join(' ')}`,
    parameters.values,
  )
  return byName(rows.map((row) => ({ ...row, lineNumber: null })))
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
