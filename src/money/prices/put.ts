import type { LocalDate } from '#kernel/calendar.ts'
import type { Sql } from '#platform/core/database.ts'
import { v7 as uuidv7 } from 'uuid'
import { requireOpenSince } from '../months/open-month.ts'
import type { Actor } from '#platform/core/actor.ts'
import { ApiError, type Detail, invalidBody } from '#platform/core/errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { adjustPrices, PRICE_CATEGORIES, type PriceCategory, priceErrors } from '../rules/price-table.ts'
import type { Context } from '#platform/http/context.ts'
import { hasOtherTable, lockContractCompany, lockNewIds, putDatedRow, readPriceTable } from './queries.ts'
import type { AdjustmentInput, PriceTableInput } from './schema.ts'

/** The roles that read what carriers charge and what is expected, beside `admin`. */
export const mayReadMoney = ['analyst', 'finance', 'auditor'] as const
/** The roles that write prices and contributions, beside `admin`. */
export const mayWritePrices = ['finance'] as const

/** Creates or replaces a price table. @throws ApiError 404 for an unknown contract, 400, 409 when a month that it is for is closed. */
export async function putPriceTable(context: Context, actor: Actor, id: string, body: PriceTableInput): Promise<void> {
  await write(context, actor, { may: mayWritePrices }, async (tx) => putTable(tx, id, body))
}

/** Makes the table that follows a yearly adjustment of another. @returns its id. @throws ApiError 404, 400, 409. */
export async function adjustPriceTable(
  context: Context,
  actor: Actor,
  id: string,
  body: AdjustmentInput,
): Promise<string> {
  return write(context, actor, { may: mayWritePrices }, async (tx) => {
    const adjusted = await readPriceTable(tx, id)
    if (adjusted === null) throw new ApiError('price-table-not-found')
    if (body['valid-from'] <= adjusted['valid-from']) throw invalidBody([{ field: 'valid-from', code: 'invalid' }])
    const prices = adjustPrices(adjusted.prices, body['basis-points'])
    return putTable(tx, uuidv7(), { ...adjusted, 'valid-from': body['valid-from'], prices })
  })
}

async function putTable(tx: Tx, id: string, body: PriceTableInput): Promise<string> {
  const companyId = await lockContractCompany(tx, body['contract-id'])
  await lockNewIds(tx, 'price_table')
  const stored = await readPriceTable(tx, id)
  const prices = body.prices.toSorted((a, b) => placeOf(body, a.category) - placeOf(body, b.category))
  const row = { ...body, companyId, id, prices }
  const errors: Detail[] = [...priceErrors(body.kind, body.prices)]
  if (stored !== null && stored['contract-id'] !== body['contract-id']) {
    errors.push({ field: 'contract-id', code: 'invalid', message: { key: 'not-another' } })
  } else if (await hasOtherTable(tx, row)) errors.push({ field: 'valid-from', code: 'repeated' })
  if (errors.length > 0) throw invalidBody(errors)
  await requireOpenSince(tx, companyId, body['valid-from'], stored?.['valid-from'])
  const columns = {
    contract_id: body['contract-id'],
    carrier_plan_code: body['carrier-plan-code'],
    valid_from: body['valid-from'],
    kind: body.kind,
    prices: JSON.stringify(prices),
  }
  await putDatedRow(tx, 'price_table', row, columns, tx.at())
  tx.audit({ action: stored === null ? 'price-table.created' : 'price-table.replaced', target: id, companyId })
  return id
}

const placeOf = ({ kind }: PriceTableInput, category: PriceCategory): number =>
  (PRICE_CATEGORIES[kind] as readonly PriceCategory[]).indexOf(category)

type Found = { readonly 'contract-id': string; readonly 'valid-from': LocalDate } | null

/** Deletes what counts from a day on. @throws ApiError 404, 409 when a month that it is for is closed. */
export const deletionOf =
  (noun: 'price-table' | 'contribution-rule', read: (sql: Sql, id: string) => Promise<Found>) =>
  async (context: Context, actor: Actor, id: string): Promise<void> =>
    write(context, actor, { may: mayWritePrices }, async (tx) => {
      const found = await read(tx, id)
      if (found === null) throw new ApiError(`${noun}-not-found`)
      const companyId = await lockContractCompany(tx, found['contract-id'])
      await requireOpenSince(tx, companyId, found['valid-from'])
      await tx.execute(`delete from ${noun.replace('-', '_')} where company_id = $1 and id = $2`, [companyId, id])
      tx.audit({ action: `${noun}.deleted`, target: id, companyId })
    })

export const deletePriceTable = deletionOf('price-table', readPriceTable)
