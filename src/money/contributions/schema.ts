import { type Static, Type } from 'typebox'
import { MAX_PRICE_CENTS, WHOLE } from '#kernel/money.ts'
import { Closed, Named, Nullable, optional, required, Text, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { validFrom } from '../prices/schema.ts'

const Share = Named(
  'ContributionShare',
  Type.Union([
    Closed({
      'basis-points': Type.Integer({
        minimum: 0,
        maximum: WHOLE,
        description: 'Hundredths of a percent: 2000 for 20 %. Rounded half up to cents for each person.',
      }),
    }),
    Closed({
      amount: Type.Integer({ minimum: 0, maximum: MAX_PRICE_CENTS, description: 'Cents, at most the whole.' }),
    }),
  ]),
)
const groups = (description: string) => Type.Array(Text, { maxItems: 200, uniqueItems: true, description })

/** The body of a PUT: the whole rule. */
export const ContributionRuleBody = Closed({
  'contract-id': Uuid,
  'product-id': Type.Optional(Nullable({ ...Uuid, description: 'Null: of every product of the contract.' })),
  'valid-from': validFrom,
  'primary-employee-share': { ...Share, description: 'Of the premium of the primary.' },
  'dependent-employee-share': { ...Share, description: 'Of the premium of each dependent.' },
  ...optional({
    'coparticipation-employee-share': Nullable(Share),
    'cost-centers': groups('Of the primary, as registered; empty: any.'),
    'job-titles': groups('Of the primary, as registered; empty: any.'),
  }),
})
export type ContributionRuleInput = Static<typeof ContributionRuleBody>

export const ContributionRule = Named(
  'ContributionRule',
  Type.Object({
    'contribution-rule-id': Uuid,
    ...required(ContributionRuleBody),
    'created-at': Timestamp,
    'updated-at': Timestamp,
  }),
)
export type ContributionRuleData = Static<typeof ContributionRule>
