import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { coverChange, type CutOffCalendar, cutOffFor, nextCutOff } from '#registry/rules/cut-off.ts'
import { isTerminal } from '../rules/enrollment-status.ts'
import type { EnrollmentStatus, MovementKind } from '#kernel/enums.ts'
import { decidingProduct } from '#registry/contracts/carrier-cut-off.ts'
import { hasRule } from './kind.ts'

/** How a movement goes to the carrier, as `GET /v1/enrollment/detail` has it. */
export interface HandOver {
  readonly 'cut-off-date': LocalDate | null
  readonly 'expected-start-date': LocalDate | null
  /** The cover that this cut-off reaches starts after the day that was asked for. */
  readonly 'after-cut-off': boolean
  readonly 'sent-at': string | null
  readonly 'carrier-protocol': string | null
}

/** What a hand-over follows from. */
export interface HandOverFacts {
  readonly kind: MovementKind
  readonly status: EnrollmentStatus
  readonly start: LocalDate | null
  /** For an exclusion: the last day of cover. */
  readonly end: LocalDate | null
  /** For a movement that waits for a coming day: the day. */
  readonly scheduledDate: LocalDate | null
  readonly protocol: string | null
  /** The shipment that it is in. */
  readonly shipment: {
    readonly cutOffDate: LocalDate | null
    readonly coverageStart: LocalDate | null
    readonly sentAt: string | null
    readonly protocol: string | null
  } | null
  /** The active contract of its product. */
  readonly contract: { readonly calendar: CutOffCalendar | null } | null
  /** Only for a change of company. */
  readonly destination: {
    readonly enrollmentId: string
    readonly companyId: string
    readonly productId: string
  } | null
}

/** SQL of the shipment of a company that a movement is in. One that waits again is in the next shipment, not in that of its former answer. */
const shipmentOf = (company: string, enrollment: string, status: string) => `(
    select json_build_object('cutOffDate', shipment.cut_off_date, 'coverageStart', shipment.coverage_start, 'sentAt', iso(shipment.sent_at),
      'protocol', coalesce(shipment_item.carrier_protocol, shipment.carrier_protocol))
    from shipment_item join shipment on shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id
    where shipment_item.company_id = ${company} and shipment_item.enrollment_id = ${enrollment}
      and shipment_item.side is distinct from 'leaving' and (shipment_item.status in ('ready', 'sent') or shipment_item.status <> 'cancelled'
        and ${status} in ('carrier-processing', 'completed', 'rejected', 'cancelled'))
    order by shipment.created_at desc limit 1)`

const contractOf = (company: string, product: string) => `(
    select json_build_object('calendar', contract.calendar)
    from contract_plan join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
    where contract_plan.company_id = ${company} and contract_plan.active_product_id = ${product})`

/** SQL of the facts, over `enrollment`. Those of a change of company are completed by `withDestination`. */
export const handOverFacts = (
  start: string,
) => `json_build_object('kind', enrollment.enrollment_type, 'status', enrollment.status, 'start', ${start},
  'end', case when ${hasRule('enrollment.enrollment_type', 'endsBenefit')} then enrollment.effective_date end,
  'scheduledDate', case when enrollment.status = 'scheduled' then enrollment.scheduled_action_date end,
  'protocol', enrollment.carrier_protocol,
  'shipment', ${shipmentOf('enrollment.company_id', 'enrollment.id', 'enrollment.status')},
  'contract', ${contractOf('enrollment.company_id', decidingProduct('enrollment'))},
  'destination', case when enrollment.destination_company_id <> enrollment.company_id then json_build_object('enrollmentId', enrollment.id,
    'companyId', enrollment.destination_company_id, 'productId', enrollment.destination_product_id) end)`

/** The facts with the shipment and the contract of the destination of a change of company, whose rows are elsewhere. */
export async function withDestination(sql: Sql, facts: HandOverFacts): Promise<HandOverFacts> {
  const { destination, status } = facts
  if (destination === null) return facts
  const [found] = await sql.query<Pick<HandOverFacts, 'shipment' | 'contract'>>(
    `select ${shipmentOf('$1', '$2', '$3::text')} as shipment, ${contractOf('$1', '$4')} as contract`,
    [destination.companyId, destination.enrollmentId, status, destination.productId],
  )
  return { ...facts, ...found }
}

/** The hand-over of a movement; null where its product has no contract, and of one that ended without a shipment. */
export function handOverOf(facts: HandOverFacts, today: LocalDate): HandOver | null {
  const { status, shipment, contract } = facts
  if (shipment !== null) {
    return {
      'cut-off-date': shipment.cutOffDate,
      ...promise(facts, shipment.coverageStart),
      'sent-at': shipment.sentAt,
      'carrier-protocol': shipment.protocol ?? facts.protocol,
    }
  }
  if (contract === null || isTerminal(status)) return null
  const isWaiting = status !== 'carrier-processing'
  const next = isWaiting && contract.calendar !== null ? cutOffOfMovement(contract.calendar, facts, today) : null
  return {
    'cut-off-date': next?.['cut-off-date'] ?? null,
    ...promise(facts, next?.['coverage-start'] ?? null),
    'sent-at': null,
    // That of an answer before is not the one of the next hand-over.
    'carrier-protocol': isWaiting ? null : facts.protocol,
  }
}

/** The cut-off of the shipment that a movement is in, or will join: one for a coming day waits for the last that reaches that day. */
function cutOffOfMovement(
  calendar: CutOffCalendar,
  { kind, scheduledDate }: Pick<HandOverFacts, 'kind' | 'scheduledDate'>,
  today: LocalDate,
) {
  const next = nextCutOff(calendar, today)
  if (scheduledDate === null) return next
  const own = cutOffFor(calendar, coverChange(kind, scheduledDate))
  return own['cut-off-date'] > next['cut-off-date'] ? own : next
}

/** When the carrier's cover is expected to start, not before the day that was asked for; an exclusion has no start. */
function promise({ kind, start, end }: HandOverFacts, coverage: LocalDate | null) {
  const asked = end === null ? start : coverChange(kind, end)
  const isLate = coverage !== null && asked !== null && asked < coverage
  const expected = asked === null || isLate ? coverage : asked
  return {
    'expected-start-date': coverage === null || end !== null ? null : expected,
    'after-cut-off': isLate,
  }
}
