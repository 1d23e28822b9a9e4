import type { Sql } from '#platform/core/database.ts'
import { byKind } from '#coverage/enrollments/kind.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { type CutOffCalendar, type Month } from '#registry/rules/cut-off.ts'
import { coverDay } from '#registry/contracts/retroactive-limits.ts'
import type { RetroactiveLimits } from '#registry/rules/retroactive-limit.ts'
import { uncredited } from '../claims/credits.ts'
import type { ForecastBenefit } from '../rules/forecast.ts'
import type { ForecastMovement } from '../rules/forecast-movement.ts'

/** A contract, as far as forecasts depend on it. */
export interface ForecastContract {
  readonly companyId: string
  readonly companyTaxId: string
  readonly contractId: string
  readonly contractNumber: string
  readonly subContract: string
  readonly carrierName: string
  readonly calendar: CutOffCalendar | null
  readonly limits: RetroactiveLimits
  readonly tolerance: number
}

const contractColumns = `contract.company_id as "companyId", company.tax_id as "companyTaxId", contract.id as "contractId",
  contract.contract_number as "contractNumber", contract.sub_contract as "subContract", carrier.name as "carrierName", contract.calendar,
  contract.tolerance, json_build_object('exclusion', contract.retroactive_exclusion, 'inclusion', contract.retroactive_inclusion) as limits`
const contracts = `contract join company on company.id = contract.company_id join carrier on carrier.id = contract.carrier_id`

/** A contract; null when there is none. */
export async function readForecastContract(sql: Sql, contractId: string): Promise<ForecastContract | null> {
  const rows = await sql.query<ForecastContract>(`select ${contractColumns} from ${contracts} where contract.id = $1`, [
    contractId,
  ])
  return rows[0] ?? null
}

/** The active contracts of a company. */
export async function readForecastContracts(sql: Sql, companyId: string): Promise<ForecastContract[]> {
  return sql.query<ForecastContract>(
    `select ${contractColumns} from ${contracts} where contract.company_id = $1 and contract.status = 'active'
     order by carrier.key collate "C", contract.contract_number collate "C", contract.sub_contract collate "C", contract.id`,
    [companyId],
  )
}

interface Movements extends Pick<ForecastBenefit, 'completed'> {
  readonly open: readonly (ForecastBenefit['open'][number] & Pick<MovementRow, 'enrollmentId'>)[]
}

interface MovementRow extends Required<ForecastMovement> {
  /** null: the draft of an exclusion. */
  readonly enrollmentId: string | null
  readonly benefitId: string
  readonly isOpen: boolean
  readonly toldOn: LocalDate | null
}

/** SQL: the date of birth that an `enrollment` corrects. */
const dateOfBirth = `(enrollment.data->'registration'->>'date-of-birth')`

/** SQL: what an `enrollment` is for the cover of its benefit; null: it changes no cover. */
const kindOfCover = byKind('enrollment.enrollment_type', {
  inclusion: `'inclusion'`,
  exclusion: `'exclusion'`,
  alteration: `case when enrollment.new_benefit_id is not null then 'departure' when ${dateOfBirth} is not null then 'birth-date' end`,
})

/** SQL: the day on which the carrier was told of an `enrollment`, or of that of the primary which ends the family's. */
const toldOn = `(coalesce(
  (select min(shipment.sent_at) from shipment_item
    join shipment on shipment.company_id = $1 and shipment.id = shipment_item.shipment_id and shipment.contract_id = $2
    where shipment_item.company_id = $1 and shipment_item.movement_company_id = $1 and shipment_item.status <> 'cancelled'
      and shipment_item.enrollment_id = any(array[enrollment.id, case when enrollment.enrollment_type = 'exclusion' then enrollment.primary_enrollment_id end])),
  (select min(enrollment_history.at) from enrollment_history where enrollment_history.company_id = $1
    and enrollment_history.enrollment_id = enrollment.id and enrollment_history.status in ('carrier-processing', 'completed')))
  at time zone 'America/Sao_Paulo')::date`

/** SQL: a `benefit` under the contract ($2) of the company ($1). */
const covered = `benefit
  join contract_plan on contract_plan.company_id = $1 and contract_plan.contract_id = $2 and contract_plan.product_id = benefit.product_id`
/** SQL: the `benefit` is one of $4; null: all are. */
const isAskedFor = 'benefit.company_id = $1 and ($4::uuid[] is null or benefit.id = any($4))'

/** SQL: the `benefit` ends with the one of its primary, `primary_benefit`. */
const endsWithPrimary = `join benefit primary_benefit on primary_benefit.company_id = $1 and primary_benefit.member_id = benefit.primary_member_id
  and primary_benefit.product_id = benefit.product_id and benefit.status = 'active' and not benefit.outlives_primary`

/** SQL: the open movements of a benefit. Each relation to a benefit is a join of its own: one join with OR compares all pairs. */
const openOf = (benefit: string) =>
  `join open_movement on open_movement.company_id = $1 and open_movement.benefit_id = ${benefit}.id`

/**
 * SQL: the movements of the covers of a contract ($2) of a company ($1): those that are open, those that were completed since a day ($3), and the
 * drafts of exclusions. The end of a primary is that of the family; a date of birth is that of all benefits of the person.
 */
const movementsOfContract = `select enrollment.id as "enrollmentId", benefit.id as "benefitId", ${kindOfCover} as kind,
    case ${kindOfCover} when 'birth-date' then benefit.start_date else ${coverDay} end as date, ${dateOfBirth} as "dateOfBirth",
    destination.carrier_plan_code as "newPlanCode", destination.product_id is not null as "staysInContract", benefit.is_open as "isOpen",
    ${toldOn} as "toldOn", enrollment.created_at as at
  from (
    select benefit.id, benefit.start_date, open_movement.id as enrollment_id, true as is_open
    from ${covered} ${openOf('benefit')} where ${isAskedFor}
    union all
    select benefit.id, benefit.start_date, open_movement.id, true
    from ${covered} ${endsWithPrimary} ${openOf('primary_benefit')} and open_movement.enrollment_type = 'exclusion' where ${isAskedFor}
    union all
    select benefit.id, benefit.start_date, open_movement.id, true
    from ${covered} join benefit other on other.company_id = $1 and other.member_id = benefit.member_id and other.id <> benefit.id
    ${openOf('other')} and open_movement.enrollment_type = 'alteration' where ${isAskedFor}
    union
    select benefit.id, benefit.start_date, completed.id, false
    from enrollment_history
    join enrollment completed on completed.company_id = $1 and completed.id = enrollment_history.enrollment_id and completed.status = 'completed'
    join ${covered} on benefit.member_id = completed.member_id
    where enrollment_history.company_id = $1 and enrollment_history.status = 'completed' and enrollment_history.at >= $3::date and ${isAskedFor}
  ) benefit
  join enrollment on enrollment.company_id = $1 and enrollment.id = benefit.enrollment_id and ${kindOfCover} is not null
    and (enrollment.benefit_id = benefit.id or ${kindOfCover} = 'birth-date' or benefit.is_open and enrollment.enrollment_type = 'exclusion')
  left join contract_plan destination on destination.company_id = $1 and destination.contract_id = $2
    and destination.product_id = enrollment.destination_product_id and enrollment.destination_company_id = $1
  union all
  select null, benefit.id, 'exclusion', draft.end_date, null, null, false, true, null, draft.created_at
  from draft_exclusion draft join ${covered} on benefit.id = draft.benefit_id
  where draft.company_id = $1 and draft.status = 'open' and ${isAskedFor}
  union all
  select null, benefit.id, 'exclusion', draft.end_date, null, null, false, true, null, draft.created_at
  from ${covered} ${endsWithPrimary} join draft_exclusion draft on draft.company_id = $1 and draft.benefit_id = primary_benefit.id and draft.status = 'open'
  where ${isAskedFor}
  order by at, "enrollmentId"`

/** The movements of the covers of a contract by benefit. @param benefitIds only of these; null: all. */
export async function readMovements(
  sql: Sql,
  { companyId, contractId }: ForecastContract,
  since: LocalDate,
  benefitIds: readonly string[] | null = null,
): Promise<ReadonlyMap<string, Movements>> {
  const rows = await sql.queryPlanned<MovementRow>(movementsOfContract, [companyId, contractId, since, benefitIds])
  const movements = new Map<string, Movements>()
  for (const [benefitId, own] of Map.groupBy(rows, (row) => row.benefitId)) {
    movements.set(benefitId, {
      open: own.filter(({ isOpen }) => isOpen).map(movementOf),
      completed: own.flatMap((row) =>
        row.isOpen || row.toldOn === null ? [] : [{ ...movementOf(row), toldOn: row.toldOn }],
      ),
    })
  }
  return movements
}

const movementOf = ({ enrollmentId, kind, date, dateOfBirth, newPlanCode, staysInContract, toldOn }: MovementRow) => ({
  enrollmentId,
  kind,
  date,
  dateOfBirth,
  newPlanCode,
  staysInContract,
  toldOn,
})

/** What claims ask for and was not credited, by benefit. */
export async function readWaitingClaims(
  sql: Sql,
  { companyId, contractId }: ForecastContract,
  month: Month,
): Promise<ReadonlyMap<string, ForecastBenefit['claims']>> {
  const rows = await sql.query<{ benefitId: string; period: Month; amount: number; sent: number; accepted: number }>(
    `select benefit_id as "benefitId", period, amount, sent, accepted from ${uncredited('$2', '$3')} waiting
     where benefit_id is not null order by period`,
    [companyId, contractId, month],
  )
  const claims = new Map<string, ForecastBenefit['claims']>()
  for (const [benefitId, own] of Map.groupBy(rows, (row) => row.benefitId)) {
    const parts = own.flatMap(({ period, amount, sent, accepted }) => [
      { period, amount: accepted, certainty: 'firm' as const },
      { period, amount: sent - accepted, certainty: 'at-carrier' as const },
      { period, amount: amount - sent, certainty: null },
    ])
    claims.set(
      benefitId,
      parts.filter((part) => part.amount !== 0),
    )
  }
  return claims
}

/** Whether an invoice of a month was read. */
export async function isInvoiced(
  sql: Sql,
  { companyId, contractId }: ForecastContract,
  month: Month,
): Promise<boolean> {
  const rows = await sql.query(
    `select from carrier_file where company_id = $1 and contract_id = $2 and reference_month = $3 and kind = 'invoice' and status = 'read' limit 1`,
    [companyId, contractId, month],
  )
  return rows.length > 0
}

/** The active contracts with a calendar and prices that have no forecast of the day. */
export async function readUnfrozen(
  sql: Sql,
  today: LocalDate,
): Promise<{ readonly contractId: string; readonly calendar: CutOffCalendar }[]> {
  return sql.query(
    `select contract.id as "contractId", contract.calendar from contract
     where contract.status = 'active' and contract.calendar is not null
       and exists (select 1 from price_table where price_table.company_id = contract.company_id and price_table.contract_id = contract.id)
       and not exists (select 1 from forecast where forecast.company_id = contract.company_id and forecast.contract_id = contract.id
         and forecast.as_of = $1::date)
     order by contract.company_id, contract.id`,
    [today],
  )
}
