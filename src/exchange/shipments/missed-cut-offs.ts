/* Movements that a cut-off of their carrier passed without: their cover is expected later than clients were told. */
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import type { Sql } from '#platform/core/database.ts'
import { type EventEnrollment, enrollmentEvent } from '#platform/core/events.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { type CutOffCalendar, formerCutOff } from '#registry/rules/cut-off.ts'
import { decidingProduct } from '#registry/contracts/carrier-cut-off.ts'
import { type HandOverFacts, handOverFacts, handOverOf } from '#coverage/enrollments/hand-over.ts'
import { startDate } from '#coverage/enrollments/queries.ts'
import type { Context } from '#platform/http/context.ts'
import { touchEnrollments } from '#movements/transition/enrollments.ts'
import { isInNoShipment } from './joining.ts'

interface DatedContract {
  readonly companyId: string
  readonly id: string
  readonly calendar: CutOffCalendar
}

/** SQL: the open movement waits for the carrier, or for what it needs first. */
const isWaiting = `open_movement.status <> 'carrier-processing' and ${isInNoShipment}`

/**
 * Tells clients of movements that missed the last cut-off of their carrier, once for each cut-off: `enrollment.updated` with `after-cut-off` and the
 * new promise. Several processes may run this at once: the row of each is inserted once.
 * @returns how many.
 */
export async function reportMissedCutOffs(
  { database }: Pick<Context, 'database'>,
  today: LocalDate,
  signal: AbortSignal,
): Promise<number> {
  let reported = 0
  const contracts = await readContracts(database)
  for (const contract of contracts) {
    const cutOff = formerCutOff(contract.calendar, today)['cut-off-date']
    let found = CHUNK_SIZE
    while (found === CHUNK_SIZE && !signal.aborted) {
      found = await write({ database }, { kind: 'clock' }, { may: 'service' }, (tx) =>
        reportOf(tx, contract, { cutOff, today }),
      )
      reported += found
    }
  }
  return reported
}

async function readContracts(sql: Sql): Promise<DatedContract[]> {
  return sql.query<DatedContract>(
    `select contract.company_id as "companyId", contract.id, contract.calendar from contract
     where contract.status = 'active' and contract.calendar is not null and exists (
       select from contract_plan join open_movement on open_movement.company_id = contract_plan.company_id
         and ${decidingProduct('open_movement')} = contract_plan.active_product_id
       where contract_plan.company_id = contract.company_id and contract_plan.contract_id = contract.id and ${isWaiting})
     order by contract.company_id, contract.id`,
  )
}

interface MissedMovement extends EventEnrollment {
  readonly handOver: HandOverFacts
}

async function reportOf(
  tx: Tx,
  { companyId, id }: DatedContract,
  { cutOff, today }: { readonly cutOff: LocalDate; readonly today: LocalDate },
): Promise<number> {
  const missed = await tx.query<MissedMovement>(
    `with late as (
       select open_movement.id from contract_plan join open_movement on open_movement.company_id = $1
         and ${decidingProduct('open_movement')} = contract_plan.active_product_id
       join enrollment on enrollment.company_id = $1 and enrollment.id = open_movement.id
       where contract_plan.company_id = $1 and contract_plan.contract_id = $2 and ${isWaiting} and enrollment.accepted_on <= $3
         and (open_movement.status <> 'scheduled' or open_movement.cut_off_date <= $3)
         and not exists (select from deadline_event where deadline_event.company_id = $1 and deadline_event.enrollment_id = open_movement.id
           and deadline_event.kind = 'cut-off' and deadline_event.until = $3)
       order by open_movement.id limit $4
     ), claimed as (
       insert into deadline_event (company_id, enrollment_id, kind, until) select $1, id, 'cut-off', $3 from late
       on conflict do nothing returning enrollment_id
     )
     select enrollment.id, enrollment.request_id as "requestId", enrollment.status, enrollment.reference,
       enrollment.alteration_kind as "alterationKind", ${handOverFacts(startDate)} as "handOver"
     from claimed join enrollment on enrollment.company_id = $1 and enrollment.id = claimed.enrollment_id order by enrollment.id`,
    [companyId, id, cutOff, CHUNK_SIZE],
  )
  if (missed.length === 0) return 0
  await touchEnrollments(
    { sql: tx, companyId, at: tx.at() },
    missed.map((one) => one.id),
  )
  tx.emit(
    companyId,
    missed.map((movement) => {
      const promise = required(handOverOf(movement.handOver, today), 'hand-over')
      const expected = promise['expected-start-date']
      return enrollmentEvent('enrollment.updated', movement, {
        warning: 'after-cut-off',
        'cut-off-date': required(promise['cut-off-date'], 'cut-off'),
        ...(expected === null ? {} : { 'expected-start-date': expected }),
      })
    }),
  )
  tx.audit(missed.map((one) => ({ action: 'enrollment-data.cut-off-missed', target: one.id, companyId })))
  return missed.length
}
