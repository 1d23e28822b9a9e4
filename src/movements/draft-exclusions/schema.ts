import { Type } from 'typebox'
import { DRAFT_EXCLUSION_STATUSES, ENDING_CAUSES } from '../rules/draft-exclusion.ts'
import { BENEFICIARY_TYPES, EXCLUSION_REASONS } from '#kernel/enums.ts'
import { MAX_REASON_CHARACTERS } from '#kernel/field-types.ts'
import { filters } from '#platform/http/filters.ts'
import { PageOf } from '#platform/http/page.ts'
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

const DraftExclusion = Named(
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

const draftExample = {
  'draft-id': '01995e0c-7b31-7a44-9c55-1f2e3d4c5b6a',
  'company-tax-id': '12ABC34501DE35',
  'company-name': 'Metalúrgica Serra Azul S.A.',
  'benefit-id': '01995e0c-7020-7d3f-9b11-5a6c7d8e9f01',
  'member-id': '5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11',
  'member-name': 'Helena Brandão Souza',
  'member-type': 'dependent',
  'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
  'product-name': 'Saúde Essencial',
  cause: 'age-limit',
  'exclusion-reason': 'loss-of-dependent-status',
  'end-date': '2027-01-20',
  status: 'open',
  'decided-by': null,
  reason: null,
  'request-id': null,
  'created-at': '2026-11-21T03:00:09.120Z',
  'last-updated-at': '2026-11-21T03:00:09.120Z',
}

export const DraftResponse = Type.Object({ result: DraftExclusion }, { examples: [{ result: draftExample }] })

export const DraftList = PageOf(DraftExclusion, draftExample, { description: 'A page of drafts.' })

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
