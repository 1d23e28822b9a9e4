import type { Item, RequestBody, ResponseBody } from '@vigencia/client'
import { PRICE_CATEGORIES, type PriceCategory, type PriceTableKind } from '../../../../src/money/rules/price-table.ts'
import type { ReadPrices } from './read-prices.ts'

export type Contract = ResponseBody<'readContract'>['result']
export type PriceTable = Item<'listPriceTables'>
type PriceTableBody = RequestBody<'putPriceTable'>

/** A line of a pasted table that is not one of the prices yet. */
export interface UnreadLine {
  /** The number of the line of the pasted table. */
  readonly line: number
  readonly text: string
  readonly amount: number | null
  readonly isRepeated: boolean
}

export interface PriceValues {
  /** '': the plans without a table of their own. */
  readonly 'carrier-plan-code': string
  readonly 'valid-from': string | null
  readonly kind: PriceTableKind
  /** In the order of the kind. @param read what a pasted table had in place of an amount. */
  readonly prices: readonly {
    readonly category: PriceCategory
    readonly amount: number | null
    readonly read?: string
  }[]
  readonly unread: readonly UnreadLine[]
}

/** The last parts of the paths of the inputs. */
export const priceInputs = ['carrier-plan-code', 'valid-from', 'kind', 'amount']

export const noPrices = (kind: PriceTableKind): PriceValues['prices'] =>
  PRICE_CATEGORIES[kind].map((category) => ({ category, amount: null }))

/** An empty table: the ten bands that the ANS prescribes. */
export const newPrices = (): PriceValues => ({
  'carrier-plan-code': '',
  'valid-from': null,
  kind: 'age-band-10',
  prices: noPrices('age-band-10'),
  unread: [],
})

export const valuesOf = (table: PriceTable): PriceValues => ({
  'carrier-plan-code': table['carrier-plan-code'] ?? '',
  'valid-from': table['valid-from'],
  kind: table.kind,
  prices: table.prices,
  unread: [],
})

/** What the service takes, when the rules of the form are met. */
export const bodyOf = (contractId: string, values: PriceValues): PriceTableBody => ({
  'contract-id': contractId,
  'carrier-plan-code': values['carrier-plan-code'] === '' ? null : values['carrier-plan-code'],
  'valid-from': values['valid-from'] ?? '',
  kind: values.kind,
  prices: values.prices.map(({ category, amount }) => ({ category, amount: amount ?? 0 })),
})

/** The prices of a pasted table in the fields; what has no place there stays beside them. */
export function pricesOf({ kind, lines }: ReadPrices): Pick<PriceValues, 'kind' | 'prices' | 'unread'> {
  const unread: UnreadLine[] = []
  const found = new Map<PriceCategory, (typeof lines)[number]>()
  for (const line of lines) {
    const isRepeated = line.category !== null && found.has(line.category)
    if (line.category === null || isRepeated) {
      unread.push({ line: line.line, text: line.text, amount: line.amount, isRepeated })
    } else found.set(line.category, line)
  }
  const prices = noPrices(kind).map(({ category }) => {
    const line = found.get(category)
    if (line === undefined) return { category, amount: null }
    return line.amount === null ? { category, amount: null, read: line.text } : { category, amount: line.amount }
  })
  return { kind, prices, unread }
}
