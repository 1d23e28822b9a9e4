/* Movements that a cut-off of their carrier passed without: their cover is expected later than clients know. */
import { byCompany } from '#platform/core/by-company.ts'
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
  /** The companies of the movements on which it decides: its own company, or those that people leave for it. */
  readonly movementCompanyIds: readonly string[]
}

/** SQL: the open movement waits for the carrier, or for what it needs first. */
const isWaiting = `open_movement.status <> 'carrier-processing'`
const isWaitingHere = `${isWaiting} and ${isInNoShipment('open_movement.company_id')}`

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
  const contracts = [...(await readContracts(database)), ...(await readContractsOfIncoming(database))]
  for (const contract of contracts) {
    const cutOff = formerCutOff(contract.calendar, today)['cut-off-date']
    for (const companyId of contract.movementCompanyIds) {
      let found = CHUNK_SIZE
      while (found === CHUNK_SIZE && !signal.aborted) {
        found = await write({ database }, { kind: 'clock' }, { may: 'service' }, (tx) =>
          reportOf(tx, contract, companyId, { cutOff, today }),
        )
        reported += found
      }
    }
  }
  return reported
}

/** The contracts that decide on waiting movements of their companies. */
async function readContracts(sql: Sql): Promise<DatedContract[]> {
  return sql.query<DatedContract>(
    `select contract.company_id as "companyId", contract.id, contract.calendar, array[contract.company_id] as "movementCompanyIds" from contract
     where contract.status = 'active' and contract.calendar is not null and exists (
       select 1 from contract_plan join open_movement on open_movement.company_id = contract_plan.company_id
         and ${decidingProduct('open_movement')} = contract_plan.active_product_id
       where contract_plan.company_id = contract.company_id and contract_plan.contract_id = contract.id and ${isWaitingHere})
     order by contract.company_id, contract.id`,
  )
}

/** Those that decide on waiting changes of company, of which there are few. */
async function readContractsOfIncoming(sql: Sql): Promise<DatedContract[]> {
  const incoming = await sql.query<{ companyId: string; productId: string; movementCompanyIds: string[] }>(
    `select destination_company_id as "companyId", destination_product_id as "productId", array_agg(distinct company_id) as "movementCompanyIds"
     from open_movement where destination_company_id <> company_id and ${isWaiting} group by destination_company_id, destination_product_id`,
  )
  const contracts: DatedContract[] = []
  for (const [companyId, changes] of byCompany(incoming)) {
    const found = await sql.query<Omit<DatedContract, 'movementCompanyIds'> & { readonly productIds: string[] }>(
      `select contract.company_id as "companyId", contract.id, contract.calendar, array_agg(contract_plan.active_product_id) as "productIds"
       from contract_plan join contract on contract.company_id = $1 and contract.id = contract_plan.contract_id and contract.calendar is not null
       where contract_plan.company_id = $1 and contract_plan.active_product_id = any($2::uuid[])
       group by contract.company_id, contract.id, contract.calendar order by contract.id`,
      [companyId, changes.map(({ productId }) => productId)],
    )
    for (const { productIds, ...contract } of found) {
      const from = changes.filter(({ productId }) => productIds.includes(productId))
      contracts.push({
        ...contract,
        movementCompanyIds: [...new Set(from.flatMap((contract) => contract.movementCompanyIds))],
      })
    }
  }
  return contracts
}

/** SQL of the waiting movements of the company $1 on which the contract $2 of it decides. */
const ofContract = `contract_plan join open_movement on open_movement.company_id = $1
    and ${decidingProduct('open_movement')} = contract_plan.active_product_id
    and contract_plan.company_id = $1 and contract_plan.contract_id = $2 and ${isWaitingHere}`

/** SQL of the waiting movements of the company $1 that have the ids $2. */
const ofIds = `(select * from open_movement where company_id = $1 and id = any($2::uuid[]) and ${isWaiting}) open_movement`

/** The changes of a company to another one on which a contract there decides, and which are in no shipment. */
async function readIncomingOf(
  sql: Sql,
  { companyId, id }: DatedContract,
  movementCompanyId: string,
): Promise<string[]> {
  const plans = await sql.query<{ id: string }>(
    'select active_product_id as id from contract_plan where company_id = $1 and contract_id = $2 and active_product_id is not null',
    [companyId, id],
  )
  const movements = await sql.query<{ id: string }>(
    `select id from open_movement
     where company_id = $1 and destination_company_id = $2 and destination_product_id = any($3::uuid[]) and ${isWaiting}`,
    [movementCompanyId, companyId, plans.map((plan) => plan.id)],
  )
  const ids = movements.map((movement) => movement.id)
  const inShipments = await sql.query<{ id: string }>(
    'select unfinished_enrollment_id as id from shipment_item where company_id = $1 and unfinished_enrollment_id = any($2::uuid[])',
    [companyId, ids],
  )
  const taken = new Set(inShipments.map((item) => item.id))
  return ids.filter((id) => !taken.has(id))
}

interface MissedMovement extends EventEnrollment {
  readonly handOver: HandOverFacts
}

/** @param companyId of the movements. */
async function reportOf(
  tx: Tx,
  contract: DatedContract,
  companyId: string,
  { cutOff, today }: { readonly cutOff: LocalDate; readonly today: LocalDate },
): Promise<number> {
  const isOwn = companyId === contract.companyId
  const missed = await tx.query<MissedMovement>(
    `with late as (
       select open_movement.id from ${isOwn ? ofContract : ofIds}
       join enrollment on enrollment.company_id = $1 and enrollment.id = open_movement.id
       where enrollment.accepted_on <= $3
         and (open_movement.status <> 'scheduled' or open_movement.cut_off_date <= $3)
         and not exists (select 1 from deadline_event where deadline_event.company_id = $1 and deadline_event.enrollment_id = open_movement.id
           and deadline_event.kind = 'cut-off' and deadline_event.until = $3)
       order by open_movement.id limit $4
     ), claimed as (
       insert into deadline_event (company_id, enrollment_id, kind, until) select $1, id, 'cut-off', $3 from late
       on conflict do nothing returning enrollment_id
     )
     select enrollment.id, enrollment.request_id as "requestId", enrollment.status, enrollment.reference,
       enrollment.alteration_kind as "alterationKind", ${handOverFacts(startDate)} as "handOver"
     from claimed join enrollment on enrollment.company_id = $1 and enrollment.id = claimed.enrollment_id order by enrollment.id`,
    [companyId, isOwn ? contract.id : await readIncomingOf(tx, contract, companyId), cutOff, CHUNK_SIZE],
  )
  if (missed.length === 0) return 0
  await touchEnrollments(
    { sql: tx, companyId, at: tx.at() },
    missed.map((movement) => movement.id),
  )
  tx.emit(
    companyId,
    missed.map((movement) => {
      // Waiting movements are in no shipment; that of a change of company has the contract elsewhere.
      const facts = { ...movement.handOver, contract: { calendar: contract.calendar } }
      const promise = required(handOverOf(facts, today), 'hand-over')
      const expected = promise['expected-start-date']
      return enrollmentEvent('enrollment.updated', movement, {
        warning: 'after-cut-off',
        'cut-off-date': required(promise['cut-off-date'], 'cut-off'),
        ...(expected === null ? {} : { 'expected-start-date': expected }),
      })
    }),
  )
  tx.audit(missed.map((movement) => ({ action: 'enrollment-data.cut-off-missed', target: movement.id, companyId })))
  return missed.length
}
