import { required } from '#platform/core/log.ts'
import { Records } from '#platform/core/records.ts'
import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { sumOf } from '../rules/charge-terms.ts'
import { countedInvoices, isPremiumLine } from '../ledger/queries.ts'
import type { ForecastLine } from '../rules/forecast.ts'
import { type ByCertainty, FORECAST_CAUSES, type ForecastCause, totalOf } from '../rules/forecast-causes.ts'
import { type VarianceClass, VARIANCE_CLASSES, varianceOf } from '../rules/variance.ts'
import type { ForecastFigures } from './calculate.ts'
import type { ForecastContract } from './queries.ts'

/** A forecast that was stored. */
export interface StoredForecast {
  readonly id: string
  readonly asOf: LocalDate
  readonly frozenAt: string
}

/** SQL: the amounts by certainty of a table, in wire keys. */
const amountsOf = (table: string): string =>
  `json_build_object('firm', ${table}.firm, 'scheduled', ${table}.scheduled, 'at-carrier', ${table}.at_carrier, 'requested', ${table}.requested)`

/** The stored forecast of a month of a contract; null when there is none. */
export async function readStoredForecast(
  sql: Sql,
  { companyId, contractId }: ForecastContract,
  month: Month,
): Promise<StoredForecast | null> {
  const rows = await sql.query<StoredForecast>(
    `select id, as_of as "asOf", iso(frozen_at) as "frozenAt" from forecast where company_id = $1 and contract_id = $2 and reference_month = $3`,
    [companyId, contractId, month],
  )
  return rows[0] ?? null
}

/** SQL: the amounts of the keys of an object in each line of a stored forecast ($2) of a company ($1), summed by key. */
const sumsOf = (column: 'causes' | 'later'): string => `coalesce((select json_object_agg(key, amount) from (
  select key, sum(value::bigint)::bigint as amount from forecast_line, jsonb_each_text(forecast_line.${column})
  where company_id = $1 and forecast_id = $2 group by 1) summed), '{}')`

/** The figures of a stored forecast: the sums of its lines. */
export async function readStoredFigures(sql: Sql, companyId: string, id: string): Promise<ForecastFigures> {
  const rows = await sql.queryPlanned<ForecastFigures>(
    `select line."lastAmount", ${amountsOf('line')} as amounts, ${sumsOf('causes')} as causes, ${sumsOf('later')} as later, line.lost,
       forecast.without_price as "withoutPrice"
     from forecast
     cross join (select coalesce(sum(last_amount), 0)::bigint as "lastAmount", coalesce(sum(firm), 0)::bigint as firm,
       coalesce(sum(scheduled), 0)::bigint as scheduled, coalesce(sum(at_carrier), 0)::bigint as at_carrier,
       coalesce(sum(requested), 0)::bigint as requested, coalesce(sum(lost), 0)::bigint as lost
       from forecast_line where company_id = $1 and forecast_id = $2) line
     where forecast.company_id = $1 and forecast.id = $2`,
    [companyId, id],
  )
  return required(rows[0], 'forecast')
}

/** Stores a forecast without lines, or replaces them. @returns its id. */
export async function putForecast(
  sql: Sql,
  { companyId, contractId }: ForecastContract,
  { id, month, asOf, at }: { readonly id: string; readonly month: Month; readonly asOf: LocalDate; readonly at: Date },
): Promise<string> {
  const rows = await sql.query<{ id: string }>(
    `insert into forecast (company_id, id, contract_id, reference_month, as_of, without_price, frozen_at) values ($1, $2, $3, $4, $5, 0, $6)
     on conflict (company_id, contract_id, reference_month)
       do update set as_of = excluded.as_of, without_price = 0, frozen_at = excluded.frozen_at
     returning id`,
    [companyId, id, contractId, month, asOf, at],
  )
  const stored = rows[0]?.id ?? id
  await sql.execute('delete from forecast_line where company_id = $1 and forecast_id = $2', [companyId, stored])
  return stored
}

export async function insertForecastLines(
  sql: Sql,
  companyId: string,
  id: string,
  lines: readonly ForecastLine[],
): Promise<void> {
  const records = lines.map(({ benefitId, lastAmount, amounts, causes, later, lost }) => ({
    benefitId,
    lastAmount,
    ...amounts,
    lost,
    later: Object.fromEntries(
      [...Map.groupBy(later, ({ dueIn }) => dueIn)].map(([month, parts]) => [month, sumOf(parts)]),
    ),
    causes: Object.fromEntries(
      [...Map.groupBy(causes, ({ cause }) => cause)].map(([cause, parts]) => [cause, sumOf(parts)]),
    ),
  }))
  await sql.query(
    `insert into forecast_line (company_id, forecast_id, benefit_id, last_amount, firm, scheduled, at_carrier, requested, causes, later, lost)
     select $1, $2, "benefitId", "lastAmount", firm, scheduled, "at-carrier", requested, causes, later, lost
     from json_to_recordset($3::json) as sent("benefitId" uuid, "lastAmount" bigint, firm bigint, scheduled bigint, "at-carrier" bigint,
       requested bigint, causes jsonb, later jsonb, lost bigint)`,
    [companyId, id, Records.of(records)],
    lines.length,
  )
}

/** The causes that have an amount. */
export const causesOf = (causes: Readonly<Record<ForecastCause, number>>) =>
  FORECAST_CAUSES.flatMap((cause) => {
    const amount = causes[cause] ?? 0
    return amount === 0 ? [] : [{ cause, amount }]
  })

/** Says how many benefits have no line. */
export async function setWithoutPrice(sql: Sql, companyId: string, id: string, count: number): Promise<void> {
  await sql.execute('update forecast set without_price = $3 where company_id = $1 and id = $2', [companyId, id, count])
}

/** What became of a stored forecast: of each class the sum of what the invoice has more, and of how many benefits. */
export interface Variance {
  readonly invoiceTotal: number
  readonly classes: Record<VarianceClass, { amount: number; count: number }>
}

/** What was forecast of a benefit, and what the invoice charges; of nobody (null) the rest of the invoice. */
export interface VarianceLine {
  readonly benefitId: string | null
  readonly class: VarianceClass
  readonly forecast: number
  readonly found: number
}

/** Compares the invoice of the month with what was stored, person by person. @param benefitIds only these; null: all, and what is of nobody. */
export async function readVarianceLines(
  sql: Sql,
  { companyId, contractId, tolerance }: ForecastContract,
  month: Month,
  forecastId: string,
  benefitIds: readonly string[] | null,
): Promise<VarianceLine[]> {
  const invoices = countedInvoices('carrier_file.contract_id = $2 and carrier_file.reference_month = $3')
  const rows = await sql.queryPlanned<{ benefitId: string | null; amounts: ByCertainty; found: number }>(
    `with found as materialized (
       select case when ${isPremiumLine} then carrier_line.benefit_id end as benefit_id,
         sum(carrier_line.amount)::bigint as amount
       from ${invoices} invoice
       join carrier_line on carrier_line.company_id = $1 and carrier_line.file_id = invoice.id and carrier_line.amount is not null
       where $5::uuid[] is null or carrier_line.benefit_id = any($5) and ${isPremiumLine}
       group by 1)
     select coalesce(line.benefit_id, found.benefit_id) as "benefitId", coalesce(found.amount, 0)::bigint as found,
       json_build_object('firm', coalesce(line.firm, 0), 'scheduled', coalesce(line.scheduled, 0), 'at-carrier', coalesce(line.at_carrier, 0),
         'requested', coalesce(line.requested, 0)) as amounts
     from (select * from forecast_line where company_id = $1 and forecast_id = $4 and ($5::uuid[] is null or benefit_id = any($5))) line
     full join found on found.benefit_id = line.benefit_id`,
    [companyId, contractId, month, forecastId, benefitIds],
  )
  return rows.map(({ benefitId, amounts, found }) => ({
    benefitId,
    class: benefitId === null ? 'without-person' : varianceOf(amounts, found, tolerance),
    forecast: totalOf(amounts),
    found,
  }))
}

/** The same, summed by class. */
export function varianceByClass(lines: readonly VarianceLine[]): Variance {
  const classes = Object.fromEntries(
    VARIANCE_CLASSES.map((name) => [name, { amount: 0, count: 0 }]),
  ) as Variance['classes']
  let invoiceTotal = 0
  for (const { benefitId, class: name, forecast, found } of lines) {
    invoiceTotal += found
    classes[name].amount += found - forecast
    classes[name].count += benefitId === null ? 0 : 1
  }
  return { invoiceTotal, classes }
}
