import type { LocalDate } from '../domain/calendar.ts'
import { type CutOffCalendar, nextCutOff } from '../domain/cut-off.ts'
import { isTerminal } from '../domain/enrollment-status.ts'
import type { EnrollmentStatus, MovementKind } from '../domain/enums.ts'

/** How a movement goes to the carrier, as `GET /v1/enrollment/detail` has it. */
export interface HandOver {
  readonly 'cut-off-date': LocalDate | null
  readonly 'expected-start-date': LocalDate | null
  readonly 'sent-at': string | null
  readonly 'carrier-protocol': string | null
}

/** What a hand-over follows from. */
export interface HandOverFacts {
  readonly kind: MovementKind
  readonly status: EnrollmentStatus
  readonly start: LocalDate | null
  readonly protocol: string | null
  /** Of the shipment that it is in. */
  readonly shipment: {
    readonly cutOffDate: LocalDate | null
    readonly coverageStart: LocalDate | null
    readonly sentAt: string | null
    readonly protocol: string | null
  } | null
  /** The active contract of its product. */
  readonly contract: { readonly calendar: CutOffCalendar | null } | null
}

/** SQL of the facts, over `enrollment`. A movement that waits again is in the next shipment, not in that of its former answer. */
export const handOverFacts = (
  start: string,
) => `json_build_object('kind', enrollment.enrollment_type, 'status', enrollment.status, 'start', ${start},
  'protocol', enrollment.carrier_protocol,
  'shipment', (
    select json_build_object('cutOffDate', shipment.cut_off_date, 'coverageStart', shipment.coverage_start, 'sentAt', iso(shipment.sent_at),
      'protocol', coalesce(shipment_item.carrier_protocol, shipment.carrier_protocol))
    from shipment_item join shipment on shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id
    where shipment_item.company_id = enrollment.company_id and shipment_item.enrollment_id = enrollment.id
      and (shipment_item.status in ('ready', 'sent') or shipment_item.status <> 'cancelled'
        and enrollment.status in ('carrier-processing', 'completed', 'rejected', 'cancelled'))
    order by shipment.created_at desc limit 1),
  'contract', (
    select json_build_object('calendar', contract.calendar)
    from contract_plan join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
    where contract_plan.company_id = enrollment.company_id
      and contract_plan.active_product_id = case when enrollment.destination_company_id = enrollment.company_id
        then enrollment.destination_product_id else enrollment.product_id end))`

/** The hand-over of a movement; null where its product has no contract, and of one that ended without a shipment. */
export function handOverOf(facts: HandOverFacts, today: LocalDate): HandOver | null {
  const { status, shipment, contract } = facts
  if (shipment !== null) {
    return {
      'cut-off-date': shipment.cutOffDate,
      'expected-start-date': expectedStart(facts, shipment.coverageStart),
      'sent-at': shipment.sentAt,
      'carrier-protocol': shipment.protocol ?? facts.protocol,
    }
  }
  if (contract === null || isTerminal(status)) return null
  const isWaiting = status !== 'carrier-processing'
  const next = isWaiting && contract.calendar !== null ? nextCutOff(contract.calendar, today) : null
  return {
    'cut-off-date': next?.['cut-off-date'] ?? null,
    'expected-start-date': expectedStart(facts, next?.['coverage-start'] ?? null),
    'sent-at': null,
    'carrier-protocol': facts.protocol,
  }
}

/** The start of the cover, of an inclusion not before its own; an exclusion has none. */
function expectedStart({ kind, start }: HandOverFacts, coverage: LocalDate | null): LocalDate | null {
  if (coverage === null || kind === 'exclusion') return null
  return kind === 'inclusion' && start !== null && start > coverage ? start : coverage
}
