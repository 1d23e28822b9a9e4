import { Type } from 'typebox'
import { DRAFT_EXCLUSION_STATUSES, ENDING_CAUSES } from '../rules/draft-exclusion.ts'
import { BENEFICIARY_TYPES, EXCLUSION_REASONS } from '#kernel/enums.ts'
import { MAX_REASON_CHARACTERS } from '#kernel/field-types.ts'
import { filters } from '#platform/http/filters.ts'
import {
  Closed,
  Cnpj,
  DateOnly,
  Named,
  noControls,
  Nullable,
  OneOf,
  pageQuery,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'

export const DraftPath = Type.Object({ draftId: { ...Uuid, description: 'From the list of draft exclusions.' } })

export const DraftQuery = Closed({
  'company-tax-id': filters.company,
  status: Type.Optional(OneOf(DRAFT_EXCLUSION_STATUSES, { description: 'Only drafts with this status.' })),
  ...pageQuery,
})

export const DraftExclusion = Named(
  'DraftExclusion',
  Type.Object({
    'draft-id': Uuid,
    'company-tax-id': Cnpj,
    'company-name': Type.String(),
    'benefit-id': Uuid,
    'member-id': Uuid,
    'member-name': Type.String(),
    'member-type': OneOf(BENEFICIARY_TYPES),
    'product-id': Uuid,
    'product-name': Type.String(),
    cause: OneOf(ENDING_CAUSES, { description: 'Why the benefit ends.' }),
    'exclusion-reason': OneOf(EXCLUSION_REASONS),
    'end-date': { ...DateOnly, description: 'The last day covered.' },
    status: OneOf(DRAFT_EXCLUSION_STATUSES),
    'decided-by': Nullable(
      Type.String({ description: 'Client id of the operator; null of a discarded one: it no longer holds.' }),
    ),
    reason: Nullable(Type.String({ description: 'Why an operator discarded it.' })),
    'request-id': Nullable({ ...Uuid, description: 'Of the exclusion, once it is confirmed.' }),
    'created-at': Timestamp,
    'last-updated-at': Timestamp,
  }),
)

export const DiscardBody = Closed(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: MAX_REASON_CHARACTERS,
      ...noControls,
      pattern: '\\S',
      description: 'Why the benefit stays.',
    }),
  },
  { examples: [{ reason: 'Studies until July' }] },
)
