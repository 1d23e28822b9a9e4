import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { Records } from '#platform/core/records.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Context } from '#platform/http/context.ts'
import { addMonths } from '#registry/rules/cut-off.ts'
import { type ForecastContract, readForecastContract, readMovements } from '../forecasts/queries.ts'
import { ledgerBenefits, readKnownMonths } from '../ledger/queries.ts'
import { missingOf, pricingOf, readContractPrices } from '../prices/pricing-queries.ts'
import { nextMonth } from '../rules/forecast.ts'
import { moneyAtRisk, type RiskRules } from '../rules/money-at-risk.ts'

interface DueMovement {
  readonly enrollmentId: string
  readonly benefitId: string
  readonly companyId: string
  readonly contractId: string
}

/**
 * SQL: the inclusions and exclusions under a contract with a calendar whose figures are missing, of an earlier day, or older than the movement or the
 * contract.
 */
const due = `select open_movement.id as "enrollmentId", open_movement.benefit_id as "benefitId", contract.company_id as "companyId",
    contract.id as "contractId"
  from open_movement
  join contract_plan on contract_plan.company_id = open_movement.company_id and contract_plan.active_product_id = open_movement.product_id
  join contract on contract.company_id = open_movement.company_id and contract.id = contract_plan.contract_id and contract.calendar is not null
  left join movement_money on movement_money.company_id = open_movement.company_id and movement_money.enrollment_id = open_movement.id
  where open_movement.enrollment_type in ('inclusion', 'exclusion') and (movement_money.as_of is null or movement_money.as_of <> $1::date
    or movement_money.calculated_at < greatest(open_movement.updated_at, contract.updated_at))
  order by contract.company_id, contract.id, open_movement.id limit $2`

/** How many are looked for at once: the search reads all open movements. */
const SEARCH_SIZE = 10_000

/** Calculates the money at risk of open movements, some in each transaction. Several processes may run this at once. @returns how many. */
export async function updateMoneyAtRisk(
  context: Pick<Context, 'database'>,
  today: LocalDate,
  signal: AbortSignal,
): Promise<number> {
  let updated = 0
  const clock = { kind: 'clock' } as const
  await context.database.execute(
    `delete from movement_money where not exists (select 1 from open_movement
       where open_movement.company_id = movement_money.company_id and open_movement.id = movement_money.enrollment_id)`,
  )
  while (!signal.aborted) {
    let stored = 0
    const movements = await context.database.query<DueMovement>(due, [today, SEARCH_SIZE])
    for (const [contractId, own] of Map.groupBy(movements, (movement) => movement.contractId)) {
      for (let first = 0; first < own.length && !signal.aborted; first += CHUNK_SIZE) {
        stored += await write(context, clock, { may: 'service' }, async (tx) => {
          const contract = await readForecastContract(tx, contractId)
          return contract === null ? 0 : storeOf(tx, contract, own.slice(first, first + CHUNK_SIZE), today)
        })
      }
    }
    updated += stored
    if (stored === 0 || movements.length < SEARCH_SIZE) break
  }
  return updated
}

/** Calculates and stores the figures of movements of one contract. */
async function storeOf(
  tx: Tx,
  contract: ForecastContract,
  due: readonly DueMovement[],
  today: LocalDate,
): Promise<number> {
  const { companyId, contractId, calendar } = contract
  if (calendar === null) return 0
  const through = nextMonth(calendar, today)
  const prices = await readContractPrices(tx, contractId)
  if (prices === null) return 0
  // Without its settings a contract has no prices: the days are known all the same.
  const isPriced = missingOf(prices, through).length === 0
  const { rules, tables } = isPriced ? pricingOf(prices, through) : { rules: unpriced, tables: [] }
  const knownMonths = await readKnownMonths(tx, { companyId, contractId, through: addMonths(through, -1) })
  const risk: RiskRules = { rules, tables, knownMonths, calendar, limits: contract.limits, asOf: today }
  const byBenefit = Map.groupBy(due, ({ benefitId }) => benefitId)
  const movements = await readMovements(tx, contract, today, [...byBenefit.keys()])
  const rows: object[] = []
  for await (const benefits of ledgerBenefits(tx, {
    companyId,
    contractId,
    through,
    benefitIds: [...byBenefit.keys()],
  })) {
    for (const benefit of benefits) {
      for (const movement of movements.get(benefit.benefitId)?.open ?? []) {
        const { kind } = movement
        if (kind !== 'inclusion' && kind !== 'exclusion') continue
        const own = byBenefit.get(benefit.benefitId)?.find(({ enrollmentId }) => enrollmentId === movement.enrollmentId)
        if (own === undefined) continue
        rows.push({
          enrollmentId: own.enrollmentId,
          ...moneyAtRisk(benefit, { ...movement, kind }, movement.toldOn, risk),
        })
      }
    }
  }
  await tx.query(
    `insert into movement_money (company_id, enrollment_id, contract_id, per_month, charged_beyond_end, cut_off_date, if_missed, lost, lost_if_missed,
       uncovered_days_if_missed, window_until, missing_settings, as_of, calculated_at)
     select $1, open_movement.id, $2, "perMonth", "chargedBeyondEnd", "cutOffDate", "ifMissed", lost, "lostIfMissed", "uncoveredDaysIfMissed",
       "windowUntil", array(select json_array_elements_text("missingSettings")), $4, $5
     from json_to_recordset($3::json) as sent("enrollmentId" uuid, "perMonth" bigint, "chargedBeyondEnd" bigint, "cutOffDate" date, "ifMissed" bigint,
       lost bigint, "lostIfMissed" bigint, "uncoveredDaysIfMissed" integer, "windowUntil" date, "missingSettings" json)
     join open_movement on open_movement.company_id = $1 and open_movement.id = sent."enrollmentId"
     on conflict (company_id, enrollment_id) do update set (contract_id, per_month, charged_beyond_end, cut_off_date, if_missed, lost, lost_if_missed,
       uncovered_days_if_missed, window_until, missing_settings, as_of, calculated_at) = (excluded.contract_id, excluded.per_month,
       excluded.charged_beyond_end, excluded.cut_off_date, excluded.if_missed, excluded.lost, excluded.lost_if_missed,
       excluded.uncovered_days_if_missed, excluded.window_until, excluded.missing_settings, excluded.as_of, excluded.calculated_at)`,
    [companyId, contractId, Records.of(rows), today, tx.at()],
    rows.length,
  )
  return rows.length
}

const unpriced: RiskRules['rules'] = {
  ageOn: 'first-day-of-reference-month',
  proration: 'none',
  prorationDay: null,
  anniversaryMonth: null,
}
