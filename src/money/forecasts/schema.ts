import { type Static, Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { Cents, Closed, Cnpj, DateOnly, Named, Nullable, OneOf, Text, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { type Certainty, FORECAST_CAUSES } from '../rules/forecast-causes.ts'
import { VARIANCE_CLASSES } from '../rules/variance.ts'
import { FORECAST_SETTINGS } from './calculate.ts'

/** What no forecast has. */
export const NOT_FORECAST = ['coparticipation', 'fee', 'adjustment'] as const

const certainty = {
  firm: 'What the last invoice had, and movements that are completed.',
  scheduled: 'What comes by date alone: birthdays, price tables, starts and ends that are completed ahead.',
  'at-carrier': 'Open movements that the carrier has, and credits of claims that were sent.',
  requested: 'Open movements that the carrier does not have yet.',
} satisfies Record<Certainty, string>

const ByCertainty = Named(
  'ForecastByCertainty',
  Type.Object({
    firm: Cents(certainty.firm),
    scheduled: Cents(certainty.scheduled),
    'at-carrier': Cents(certainty['at-carrier']),
    requested: Cents(certainty.requested),
  }),
)

/** null: nothing can be calculated, `missing-settings` says why. */
const figures = {
  'last-amount': Nullable(
    Cents('What the last invoice had of premiums for its own month. null: settings are missing.'),
  ),
  'by-certainty': Nullable(ByCertainty),
  total: Nullable(Cents('The sum of `by-certainty`.')),
  'by-cause': Type.Array(Type.Object({ cause: OneOf(FORECAST_CAUSES), amount: Cents('What it changes.') }), {
    description: 'They add up to `total` less `last-amount`.',
  }),
  later: Nullable(Cents('What movements change of the month that only a later invoice can have.')),
  'later-by-invoice': Type.Array(
    Type.Object({
      'due-in': { ...Month, description: 'The month of the first invoice that can have it.' },
      amount: Cents('What it changes of the month.'),
    }),
    { description: 'They add up to `later`.' },
  ),
  lost: Nullable(Cents('Credits that the carrier does not recognize any more.')),
}

const Variance = Named(
  'ForecastVariance',
  Type.Object({
    total: Cents('Of the invoice.'),
    amount: Cents('The invoice less the stored forecast.'),
    'by-class': Type.Array(
      Type.Object({
        class: OneOf(VARIANCE_CLASSES, {
          description:
            'The first that the invoice has of a person: what was forecast, that without what was requested, without what the carrier had too, or what was firm.',
        }),
        amount: Cents('The invoice less the forecast.'),
        count: Type.Integer({ description: 'How many benefits.' }),
      }),
      { description: 'They add up to the variance.' },
    ),
  }),
)

const ofContract = {
  'company-tax-id': Cnpj,
  'carrier-name': Text,
  'reference-month': Month,
  'as-of': DateOnly,
  'cut-off-date': Nullable({
    ...DateOnly,
    description: 'The last day on which the carrier takes movements for the month.',
  }),
  ...figures,
  'without-price': Type.Integer({ description: 'Benefits whose plan has no price table: they are in no figure.' }),
  'missing-settings': Type.Array(OneOf(FORECAST_SETTINGS), {
    description: 'Settings of the contract without which there are no figures.',
  }),
  'not-forecast': Type.Array(OneOf(NOT_FORECAST)),
  'frozen-at': Nullable({ ...Timestamp, description: 'When the forecast was stored last. Null: never.' }),
  variance: Nullable(Variance),
}

/** What the company and its partners read: nothing of the contract. */
const CarrierForecast = Named('CarrierForecast', Type.Object(ofContract))

export const Forecast = Named(
  'Forecast',
  Type.Object({
    'contract-id': Uuid,
    'contract-number': Type.String(),
    'sub-contract': Type.String(),
    ...ofContract,
  }),
)
export type ForecastData = Static<typeof Forecast>

const ofCompany = {
  'company-tax-id': Cnpj,
  'reference-month': Month,
  'as-of': DateOnly,
  ...figures,
  incomplete: Type.Boolean({ description: 'A contract lacks settings, or a plan has no price table.' }),
}

export const CompanyForecast = Named('CompanyForecast', Type.Object({ ...ofCompany, contracts: Type.Array(Forecast) }))
export type CompanyForecastData = Static<typeof CompanyForecast>

export const ForecastOfCompany = Named(
  'ForecastOfCompany',
  Type.Object({ ...ofCompany, contracts: Type.Array(CarrierForecast) }),
)
export type ForecastOfCompanyData = Static<typeof ForecastOfCompany>

export const ForecastQuery = Closed({
  'reference-month': Type.Optional({
    ...Month,
    description:
      'Default: the month of the cover that the next cut-off starts. Up to two months later, or one that was stored.',
  }),
})

export const FreezeBody = Closed({ 'reference-month': Month }, { examples: [{ 'reference-month': '2027-01' }] })
