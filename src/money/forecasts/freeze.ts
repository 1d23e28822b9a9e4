import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Context } from '#platform/http/context.ts'
import { formerCutOff, type Month } from '#registry/rules/cut-off.ts'
import { forecastLines, missingForecast } from './calculate.ts'
import { type ForecastContract, isInvoiced, readForecastContract, readUnfrozen } from './queries.ts'
import { isNear, notNear } from './months.ts'
import { insertForecastLines, putForecast, setWithoutPrice } from './stored.ts'

/** The roles that store forecasts, beside `admin`. */
export const mayFreeze = ['analyst', 'finance'] as const

/**
 * Stores the forecast of a month, which replaces the one that is stored.
 * @throws ApiError 404, 409 once the invoice of the month is read and while the contract lacks settings.
 */
export async function freezeForecast(
  context: Context,
  actor: ClientActor,
  contractId: string,
  month: Month,
): Promise<void> {
  await write(context, actor, { may: mayFreeze }, async (tx) => {
    const contract = await readForecastContract(tx, contractId)
    if (contract === null) throw new ApiError('contract-not-found')
    if (!isNear(contract, month, context.today())) throw invalidBody(notNear)
    const missing = await missingForecast(tx, { contract, month, asOf: context.today() })
    if (missing.length > 0) throw new ApiError('price-setting-missing', { 'missing-settings': missing })
    if (await isInvoiced(tx, contract, month)) throw new ApiError('forecast-frozen', { 'reference-month': month })
    await freeze(tx, contract, month, context.today())
    tx.audit({ action: 'forecast.frozen', target: contractId, companyId: contract.companyId })
  })
}

async function freeze(tx: Tx, contract: ForecastContract, month: Month, asOf: LocalDate): Promise<void> {
  const { companyId } = contract
  const id = await putForecast(tx, contract, { id: uuidv7(), month, asOf, at: tx.at() })
  let withoutPrice = 0
  for await (const { benefits } of forecastLines(tx, { contract, month, asOf })) {
    const lines = benefits.flatMap(({ line }) => line ?? [])
    withoutPrice += benefits.length - lines.length
    await insertForecastLines(tx, companyId, id, lines)
  }
  if (withoutPrice > 0) await setWithoutPrice(tx, companyId, id, withoutPrice)
}

/** Stores the forecasts whose cut-off has passed. Several processes may run this at once: each is stored once. @returns how many. */
export async function freezeDueForecasts(
  context: Pick<Context, 'database'>,
  today: LocalDate,
  signal: AbortSignal,
): Promise<number> {
  let frozen = 0
  for (const { contractId, calendar } of await readUnfrozen(context.database, today)) {
    if (signal.aborted) break
    const cutOff = formerCutOff(calendar, today)
    const month = cutOff['coverage-start'].slice(0, 7)
    frozen += await write(context, { kind: 'clock' }, { may: 'service' }, async (tx) => {
      const contract = await readForecastContract(tx, contractId)
      if (contract === null) return 0
      const of = { contract, month, asOf: today }
      if (
        (await hasForecastSince(tx, contract, month, cutOff['cut-off-date'])) ||
        (await isInvoiced(tx, contract, month))
      )
        return 0
      if ((await missingForecast(tx, of)).length > 0) return 0
      await freeze(tx, contract, month, today)
      return 1
    })
  }
  return frozen
}

/** Whether the forecast of a month was stored after its cut-off. */
async function hasForecastSince(
  tx: Tx,
  { companyId, contractId }: ForecastContract,
  month: Month,
  cutOff: LocalDate,
): Promise<boolean> {
  const rows = await tx.query(
    'select from forecast where company_id = $1 and contract_id = $2 and reference_month = $3 and as_of > $4',
    [companyId, contractId, month, cutOff],
  )
  return rows.length > 0
}
