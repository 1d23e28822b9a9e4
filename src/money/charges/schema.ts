import { type Static, Type } from 'typebox'
import { CHARGE_BASES, CLAIM_STATUSES, PRORATIONS } from '#kernel/broker-enums.ts'
import { BENEFICIARY_TYPES, ENROLLMENT_STATUSES, MOVEMENT_KINDS } from '#kernel/enums.ts'
import { DISCREPANCY_STATUSES, ENTRY_TYPES, EXPLANATIONS, INVOICE_CLASSES } from '#kernel/reconciliation.ts'
import { Month } from '#registry/contracts/calendar-schema.ts'
import {
  Cents,
  Closed,
  DateOnly,
  Named,
  Nullable,
  OneOf,
  pageQuery,
  Text,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { searchParameter } from '#platform/http/search-parameter.ts'
import { CHARGE_CAUSES } from '../rules/charge.ts'
import { FORECAST_SETTINGS } from '../forecasts/calculate.ts'
import { CHARGE_TERMS, MISSING_FOR_PRICES } from '../rules/charge-terms.ts'
import { CERTAINTIES } from '../rules/forecast-causes.ts'
import { ALL_PRICE_CATEGORIES } from '../rules/price-table.ts'
import { VARIANCE_CLASSES } from '../rules/variance.ts'

const filters = {
  'reference-month': Month,
  'benefit-id': Type.Optional({ ...Uuid, description: 'Only that of this benefit.' }),
  'member-id': Type.Optional({ ...Uuid, description: 'Only those of this person.' }),
  cause: Type.Optional(OneOf(CHARGE_CAUSES, { description: 'Only those with this cause.' })),
  certainty: Type.Optional(OneOf(CERTAINTIES, { description: 'Only those with a cause of this certainty.' })),
  class: Type.Optional(OneOf(INVOICE_CLASSES, { description: 'Only those with a discrepancy of this class.' })),
  'has-difference': Type.Optional(Type.Boolean({ description: 'Only those with, or without, a discrepancy.' })),
  variance: Type.Optional(
    OneOf(VARIANCE_CLASSES, { description: 'Only those of which this became of the forecast that was stored.' }),
  ),
  ...pageQuery,
}

export const CompanyChargeQuery = Closed(filters)
export const ChargeQuery = Closed({
  ...filters,
  'line-number': Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Only that of this line.' })),
  q: searchParameter('the person’s name'),
})

const operatorOnly = 'Operators only.'
const Term = Named(
  'ChargeTerm',
  Type.Object({
    term: OneOf(CHARGE_TERMS, {
      description:
        '`charged-before`: minus what earlier invoices charged for the month. `as-charged`: nothing can be calculated. `difference`: what nothing explains.',
    }),
    amount: Cents('The terms of a month add up to its amount.'),
    'price-table-id': Type.Optional(Uuid),
    'valid-from': Type.Optional(DateOnly),
    category: Type.Optional(OneOf(ALL_PRICE_CATEGORIES)),
    age: Type.Optional(Type.Integer()),
    'age-day': Type.Optional(Nullable({ ...DateOnly, description: 'The day of the age that counts.' })),
    'moved-by': Type.Optional(
      Nullable(
        Type.Object(
          { birthday: DateOnly, 'from-category': OneOf(ALL_PRICE_CATEGORIES) },
          { description: 'A birthday of the last twelve months that changed the category.' },
        ),
      ),
    ),
    rule: Type.Optional(OneOf(PRORATIONS)),
    'covered-days': Type.Optional(Type.Integer()),
    from: Type.Optional(DateOnly),
    until: Type.Optional(Nullable(DateOnly)),
    'entry-type': Type.Optional(OneOf(ENTRY_TYPES)),
    'missing-settings': Type.Optional(
      Type.Array(OneOf(MISSING_FOR_PRICES), { description: 'What lacks, so that nothing can be calculated.' }),
    ),
  }),
)

const Claim = Type.Object({
  'claim-id': Type.Optional({ ...Uuid, description: operatorOnly }),
  status: OneOf(CLAIM_STATUSES),
  amount: Cents('What is claimed.'),
  'credited-in': Nullable(Month),
  'carrier-protocol': Type.Optional(Nullable(Type.String({ description: operatorOnly }))),
})

const Charge = Named(
  'Charge',
  Type.Object({
    'contract-id': Uuid,
    'reference-month': Month,
    basis: OneOf(CHARGE_BASES, {
      description:
        '`invoice`: an invoice was read. `closed`: of a closed month. `forecast`: none was read yet, it is what the forecast has.',
    }),
    unmatched: Type.Boolean({ description: 'The carrier names a person who is not known here.' }),
    'benefit-id': Nullable({ ...Uuid, description: 'null: a line of nobody.' }),
    'member-id': Nullable(Uuid),
    'member-name': Nullable(Text),
    'beneficiary-type': Nullable(OneOf(BENEFICIARY_TYPES)),
    'employee-id': Nullable(Type.String()),
    'product-name': Nullable(Text),
    'start-date': Nullable(DateOnly),
    'end-date': Nullable(DateOnly),
    'line-number': Type.Optional(Nullable(Type.Integer({ description: 'Of a line of nobody. Operators only.' }))),
    amount: Cents('What the invoice charges: the sum of the months.'),
    expected: Cents('What it should charge.'),
    difference: Cents('`amount` less `expected`: what its discrepancies sum up to.'),
    'last-amount': Cents('What the last invoice charged for its own month.'),
    months: Type.Array(
      Named(
        'ChargedMonth',
        Type.Object({
          month: { ...Month, description: 'The month of cover.' },
          amount: Cents('The sum of the terms.'),
          'line-numbers': Type.Optional(Type.Array(Type.Integer(), { description: operatorOnly })),
          terms: Type.Array(Term),
        }),
      ),
    ),
    causes: Type.Array(
      Named(
        'ChargeCause',
        Type.Object({
          cause: OneOf(CHARGE_CAUSES),
          amount: Cents('The causes add up to `amount` less `last-amount`.'),
          certainty: OneOf(CERTAINTIES),
          movement: Nullable(
            Type.Object({
              'enrollment-id': Uuid,
              'enrollment-type': OneOf(MOVEMENT_KINDS),
              status: OneOf(ENROLLMENT_STATUSES),
              'requested-at': Timestamp,
              'sent-at': Nullable(Timestamp),
              'answered-at': Nullable(Timestamp),
              'cut-off-date': Nullable({
                ...DateOnly,
                description: 'The first cut-off on which the carrier knew of it.',
              }),
              'due-in': Nullable({ ...Month, description: 'The month of the first invoice that should have it.' }),
            }),
          ),
        }),
      ),
    ),
    employee: Type.Object({
      amount: Nullable(Cents('What the employee pays; null: not known.')),
      from: Nullable(OneOf(['rule', 'carrier-file', 'closing'] as const, { description: 'Where the amount is from.' })),
      'contribution-rule-id': Nullable(Uuid),
      share: Nullable(
        Type.Union([
          Type.Object({ 'basis-points': Type.Integer() }),
          Type.Object({ amount: Type.Integer({ description: 'In cents.' }) }),
        ]),
      ),
    }),
    'company-amount': Nullable(Cents('What the company pays.')),
    discrepancies: Type.Array(
      Named(
        'ChargeDiscrepancy',
        Type.Object({
          'discrepancy-id': Type.Optional({ ...Uuid, description: operatorOnly }),
          class: OneOf(INVOICE_CLASSES),
          amount: Nullable(Cents('What is charged too much; negative: too little.')),
          status: OneOf(DISCREPANCY_STATUSES),
          explanation: Type.Optional(Nullable(OneOf(EXPLANATIONS, { description: operatorOnly }))),
          'cover-month': Nullable(Month),
          claim: Nullable(Claim),
        }),
      ),
    ),
    /** null: no forecast of the month was stored. */
    variance: Nullable(
      Named(
        'ChargeVariance',
        Type.Object({
          class: OneOf(VARIANCE_CLASSES),
          forecast: Cents('What was forecast.'),
          amount: Cents('What the invoice has of premiums, less what was forecast.'),
        }),
      ),
    ),
    sentence: Type.String({ description: 'The same in a sentence, in the language of the request.' }),
  }),
)

export type ChargeItem = Static<typeof Charge>

/** A page of charges with their totals. */
export const ChargeList = Type.Object({
  result: Type.Array(Charge),
  pagination: Type.Ref('Pagination'),
  totals: Named(
    'ChargeTotals',
    Type.Object({
      amount: Nullable(Cents('Of all that the filters select. null: settings are missing.')),
      expected: Nullable(Cents('null: an invoice was not compared yet.')),
      difference: Nullable(Cents('null: an invoice was not compared yet.')),
      'missing-settings': Type.Array(OneOf(FORECAST_SETTINGS), {
        description:
          'Settings of a contract without which its next invoice cannot be forecast: nothing of it is in the list.',
      }),
      'without-person': Cents('Of `amount`, what is charged for nobody who is known here.'),
    }),
  ),
})
