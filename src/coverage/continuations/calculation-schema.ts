import { type Static, Type } from 'typebox'
import {
  CONTINUATION_GROUNDS,
  CONTINUATION_NOTES,
  LEAVING_REASONS,
  NOT_ELIGIBLE_REASONS,
  REMAINDER_SETTING,
} from '../rules/continuation.ts'
import { Closed, DateOnly, Named, Nullable, OneOf, Uuid } from '#platform/http/schemas.ts'
import { CompanyTaxId } from '#platform/http/filters.ts'

const Months = Type.Integer({
  minimum: 0,
  maximum: 720,
  description: 'Months for which the person paid a part of the premium.',
})
const benefitId = {
  ...Uuid,
  description:
    'Of a primary: without `contribution-months` those count that are known here, by invoices and contribution rules. Co-participation does not count.',
}
const dated = (description: string) => Type.Optional({ ...DateOnly, description })

/** What the calculation needs: no personal data. */
export const CalculationBody = Closed(
  {
    'exclusion-reason': OneOf(LEAVING_REASONS, { description: 'Why the person leaves.' }),
    contributed: Type.Optional(
      Type.Boolean({
        description:
          'Whether the person paid a part of the premium. Co-participation and amounts for dependents only do not count. Default: whether there ' +
          'are months.',
      }),
    ),
    'contribution-months': Months,
    'keeps-working-after-retirement': Type.Optional(
      Type.Boolean({
        description:
          'Whether the person had retired and worked on: then the right is that of the retired whatever ends the employment, and starts when the ' +
          'person leaves (RN 488 art. 22).',
      }),
    ),
    'post-paid': Type.Optional(Type.Boolean({ description: 'Without it that of the contract of the product.' })),
    'notice-date': dated('The day of the employer’s notice.'),
    'end-date': dated('The last day of the cover as an employee: the term starts on the next.'),
    'company-tax-id': Type.Optional({
      ...CompanyTaxId,
      description: 'With `product-id`: the settings of its contract count.',
    }),
    'product-id': Type.Optional(Uuid),
  },
  {
    examples: [
      {
        'exclusion-reason': 'dismissal',
        contributed: true,
        'contribution-months': 40,
        'notice-date': '2026-11-25',
        'end-date': '2026-11-30',
      },
    ],
  },
)
export type CalculationInput = Static<typeof CalculationBody>

/** The same for operators, who may leave the months to the service. */
export const AnyCalculationBody = Closed(
  {
    ...CalculationBody.properties,
    'contribution-months': Type.Optional(Months),
    'benefit-id': Type.Optional(benefitId),
  },
  { examples: [{ 'exclusion-reason': 'dismissal', 'benefit-id': '01995e0c-7012-7b1f-9d55-1f0a2e3b4c5d' }] },
)

const Notes = Type.Array(OneOf(CONTINUATION_NOTES), { description: 'What the term depends on.' })
export const MissingSetting = Nullable(
  OneOf([REMAINDER_SETTING] as const, {
    description: 'The setting of the contract that the term needs and that is not set: nothing is calculated.',
  }),
)
export const TermMonths = Nullable(
  Type.Integer({ minimum: 1, maximum: 119, description: 'Null: without an end, or not calculated.' }),
)

const Calculation = Named(
  'ContinuationCalculation',
  Type.Object({
    eligible: Nullable(Type.Boolean({ description: 'Null: a setting is missing.' })),
    'not-eligible-reason': Nullable(OneOf(NOT_ELIGIBLE_REASONS, { description: 'Why nothing can be kept.' })),
    ground: Nullable(OneOf(CONTINUATION_GROUNDS)),
    'contribution-months': { ...Months, description: 'Those that counted: as sent, else as they are known here.' },
    months: TermMonths,
    'without-end': Type.Boolean(),
    'option-until': Nullable({ ...DateOnly, description: 'The last day on which the person can answer.' }),
    'term-start': Nullable(DateOnly),
    'term-end': Nullable({ ...DateOnly, description: 'The last day of the term.' }),
    notes: Notes,
    norms: Type.Array(Type.String(), {
      description: 'The articles that the result follows from.',
      examples: [['Lei 9.656/1998 art. 30 § 1', 'RN 488 art. 4']],
    }),
    'missing-setting': MissingSetting,
  }),
)

export type Calculation = Static<typeof Calculation>

/** A result in its envelope. */
export const CalculationResponse = Type.Object(
  { result: Calculation },
  {
    description: 'What can be kept, or why nothing can. It is calculated from what was sent, and is no legal advice.',
  },
)
