import { type Static, Type } from 'typebox'
import { MAX_PRICE_CENTS } from '#kernel/money.ts'
import { ALL_PRICE_CATEGORIES, PRICE_CATEGORIES, PRICE_TABLE_KINDS, PRICE_WARNINGS } from '../rules/price-table.ts'
import {
  Closed,
  Code,
  DateOnly,
  Named,
  Nullable,
  OneOf,
  pageQuery,
  required,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { filters } from '#platform/http/filters.ts'

export const ContractQuery = Closed({ 'contract-id': filters.contract, ...pageQuery })

const planCode = Code(30, 'Of the plans with this code in the contract; null: of those without a table of their own.', [
  'AE1230',
])
export const validFrom = {
  ...DateOnly,
  description: 'From the first month on that does not start before this day.',
}
const kind = OneOf(PRICE_TABLE_KINDS, {
  description:
    '`age-band-10`: the bands of RN 563; `age-band-7`: those of contracts of 1999 to 2003; `per-person`: one price; `per-role`: primaries and dependents.',
})
const prices = Type.Array(
  Named(
    'Price',
    Closed({
      category: OneOf(ALL_PRICE_CATEGORIES, {
        description: 'An age band, `person`, `primary` or `dependent`.',
      }),
      amount: Type.Integer({ minimum: 0, maximum: MAX_PRICE_CENTS, description: 'Of a month, in cents.' }),
    }),
  ),
  { minItems: 1, maxItems: 10, description: 'One for each category of the kind.' },
)

const amounts = [41_235, 48_245, 58_859, 70_631, 74_163, 81_579, 101_974, 112_171, 140_214, 245_375]
const example = {
  'contract-id': '01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01',
  'carrier-plan-code': 'AE1230',
  'valid-from': '2026-03-01',
  kind: 'age-band-10' as const,
  prices: PRICE_CATEGORIES['age-band-10'].map((category, index) => ({ category, amount: amounts[index] })),
}

/** The body of a PUT: the whole table. */
export const PriceTableBody = Closed(
  {
    'contract-id': Uuid,
    'carrier-plan-code': Type.Optional(Nullable(planCode)),
    'valid-from': validFrom,
    kind,
    prices,
  },
  { examples: [example] },
)
export type PriceTableInput = Static<typeof PriceTableBody>

export const AdjustmentBody = Closed(
  {
    'valid-from': validFrom,
    'basis-points': Type.Integer({
      minimum: -9999,
      maximum: 100_000,
      description: 'Hundredths of a percent: 1523 for 15.23 %. Each price is rounded half up to cents.',
    }),
  },
  { examples: [{ 'valid-from': '2027-03-01', 'basis-points': 1523 }] },
)
export type AdjustmentInput = Static<typeof AdjustmentBody>

const warnings = Type.Array(OneOf(PRICE_WARNINGS), {
  description:
    'How ten bands depart from RN 563 art. 3: the last costs more than six times the first; bands 7 to 10 vary more than 1 to 7. The carrier answers for ' +
    'its table: nothing is refused. `plan-code-unknown`: no product of the contract has the `carrier-plan-code`, so the table prices no person.',
})

export const PriceTable = Named(
  'PriceTable',
  Type.Object({
    'price-table-id': Uuid,
    ...required(PriceTableBody),
    'price-warnings': warnings,
    'created-at': Timestamp,
    'updated-at': Timestamp,
  }),
)
export type PriceTableData = Static<typeof PriceTable>
