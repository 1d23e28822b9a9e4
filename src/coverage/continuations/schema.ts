import { Type } from 'typebox'
import {
  CONTINUATION_END_REASONS,
  CONTINUATION_GROUNDS,
  CONTINUATION_STATUSES,
  NOT_ELIGIBLE_REASONS,
} from '../rules/continuation.ts'
import {
  Closed,
  Cnpj,
  DateOnly,
  Named,
  Nullable,
  OneOf,
  pageQuery,
  Text,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { MissingSetting, TermMonths } from './calculation-schema.ts'
import { filters, several } from '#platform/http/filters.ts'

export const ContinuationPath = Type.Object({
  continuationId: { ...Uuid, description: 'From the list of continuations.' },
})

export const ContinuationQuery = Closed({
  'company-tax-id': filters.company,
  status: several(
    [...CONTINUATION_STATUSES, 'open'],
    'Only those with this status; `status=open`: notice-pending, offered, accepted and active.',
  ),
  'member-id': Type.Optional({ ...Uuid, description: 'Only those of this person, the primary.' }),
  'due-until': Type.Optional({ ...DateOnly, description: 'Only those with a `due-date` on this day or before.' }),
  ...pageQuery,
})

const ContributionMonths = Type.Integer({
  minimum: 1,
  maximum: 720,
  description: 'For how many months the person paid a part of the premium.',
})
const leavingDate = { ...DateOnly, description: 'The last day of the cover as an employee.' }
const EndReason = OneOf(CONTINUATION_END_REASONS)

export const Continuation = Named(
  'Continuation',
  Type.Object({
    'continuation-id': Uuid,
    'company-tax-id': Cnpj,
    'company-name': Text,
    'member-id': Uuid,
    'member-name': Text,
    'product-id': Uuid,
    'product-name': Text,
    'benefit-ids': Nullable(
      Type.Array(Uuid, { description: 'The active benefits of the family, the primary’s first; null: none.' }),
    ),
    ground: OneOf(CONTINUATION_GROUNDS),
    'contribution-months': Nullable({
      ...ContributionMonths,
      minimum: 0,
      description:
        'For how many months the person paid a part of the premium. Null: not known, of one that was declined, or of who has no right.',
    }),
    'leaving-date': leavingDate,
    'notice-date': Nullable(DateOnly),
    'option-until': Nullable(DateOnly),
    'option-date': Nullable(DateOnly),
    status: OneOf(CONTINUATION_STATUSES, {
      description: '`declined` and `no-right`: the exclusion is an ordinary one, though it asked for `extension-plan`.',
    }),
    'not-eligible-reason': Nullable(OneOf(NOT_ELIGIBLE_REASONS, { description: 'Of `no-right`: why.' })),
    months: TermMonths,
    'without-end': Type.Boolean(),
    'term-start': DateOnly,
    'term-end': Nullable(DateOnly),
    'due-date': Nullable({
      ...DateOnly,
      description: 'By when to act: `option-until` while it is `offered`, `term-end` from 60 days before.',
    }),
    'end-date': Nullable(DateOnly),
    'end-reason': Nullable(EndReason),
    'primary-death-date': Nullable(DateOnly),
    'missing-setting': MissingSetting,
    'created-at': Timestamp,
    'last-updated-at': Timestamp,
  }),
)

const Prices = Type.Array(
  Named(
    'ContinuationPrice',
    Closed({
      'age-band': Type.String({
        pattern: '^\\d{1,3}(-\\d{1,3}|\\+)$',
        examples: ['0-18'],
        description: '`0-18`, or `59+`.',
      }),
      amount: Type.String({ pattern: '^\\d{1,7}\\.\\d{2}$', examples: ['412.35'], description: 'In reais.' }),
    }),
  ),
  { maxItems: 20, description: 'Monthly prices by age band, for the notice: as the company gave them.' },
)

export const NewContinuationBody = Closed(
  {
    'benefit-id': { ...Uuid, description: 'The active benefit of a primary.' },
    ground: OneOf(CONTINUATION_GROUNDS),
    'contribution-months': Type.Optional({
      ...ContributionMonths,
      description: 'For how many months the person paid a part of the premium. Without it those that are known here.',
    }),
    'leaving-date': leavingDate,
    'notice-date': Type.Optional({ ...DateOnly, description: 'The day of the employer’s notice, if it was given.' }),
    prices: Type.Optional(Prices),
  },
  {
    examples: [
      {
        'benefit-id': '01995e0c-7012-7b1f-9d55-1f0a2e3b4c5d',
        ground: 'dismissal',
        'contribution-months': 40,
        'leaving-date': '2026-11-30',
      },
    ],
  },
)

export const NoticeBody = Closed(
  { 'notice-date': { ...DateOnly, description: 'The day on which the person got it.' }, prices: Type.Optional(Prices) },
  { examples: [{ 'notice-date': '2026-11-25', prices: [{ 'age-band': '0-18', amount: '412.35' }] }] },
)

export const OptionBody = Closed(
  {
    option: OneOf(['accepted', 'declined'] as const),
    'option-date': { ...DateOnly, description: 'Not before the notice, not after `option-until`, nor after today.' },
  },
  { examples: [{ option: 'accepted', 'option-date': '2026-12-10' }] },
)

export const EndBody = Closed(
  {
    reason: OneOf(['new-job', 'request', 'company-plan-ended', 'death-of-all'] as const, {
      description: '`new-job`: one that gives access to a plan.',
    }),
    'end-date': { ...DateOnly, description: 'The last day covered.' },
  },
  { examples: [{ reason: 'new-job', 'end-date': '2027-03-31' }] },
)
