import { type Static, Type } from 'typebox'
import { MAX_PRICE_CENTS, WHOLE } from '#kernel/money.ts'
import { Closed, Named, Nullable, Text, Timestamp, Uuid } from '#platform/http/schemas.ts'
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

const fields = {
  'product-id': Nullable({ ...Uuid, description: 'Null: of every product of the contract.' }),
  'coparticipation-employee-share': Nullable(Share),
  'cost-centers': groups('Of the primary, as registered; empty: any.'),
  'job-titles': groups('Of the primary, as registered; empty: any.'),
}

const example = {
  'contract-id': '01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01',
  'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
  'valid-from': '2026-03-01',
  'primary-employee-share': { 'basis-points': 2000 },
  'dependent-employee-share': { 'basis-points': 10_000 },
}

/** The body of a PUT: the whole rule. */
export const ContributionRuleBody = Closed(
  {
    'contract-id': Uuid,
    'product-id': Type.Optional(fields['product-id']),
    'valid-from': validFrom,
    'primary-employee-share': { ...Share, description: 'Of the premium of the primary.' },
    'dependent-employee-share': { ...Share, description: 'Of the premium of each dependent.' },
    'coparticipation-employee-share': Type.Optional(fields['coparticipation-employee-share']),
    'cost-centers': Type.Optional(fields['cost-centers']),
    'job-titles': Type.Optional(fields['job-titles']),
  },
  { examples: [example] },
)
export type ContributionRuleInput = Static<typeof ContributionRuleBody>

export const ContributionRule = Named(
  'ContributionRule',
  Type.Object({
    'contribution-rule-id': Uuid,
    'contract-id': Uuid,
    'product-id': fields['product-id'],
    'valid-from': validFrom,
    'primary-employee-share': Share,
    'dependent-employee-share': Share,
    'coparticipation-employee-share': fields['coparticipation-employee-share'],
    'cost-centers': fields['cost-centers'],
    'job-titles': fields['job-titles'],
    'created-at': Timestamp,
    'updated-at': Timestamp,
  }),
)
export type ContributionRuleData = Static<typeof ContributionRule>
