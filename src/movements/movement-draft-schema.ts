import { type Static, Type } from 'typebox'
import { ALTERATION_OFFENSES } from '#kernel/alteration-offenses.ts'
import { INTAKE_MEDIA } from '#kernel/broker-enums.ts'
import { DOCUMENT_TYPES } from '#kernel/enums.ts'
import { EXCLUSION_OFFENSES } from '#kernel/exclusion-offenses.ts'
import {
  BATCH_DRAFT_MOVEMENTS,
  DRAFT_APPROVALS,
  DRAFT_BROKEN_REASONS,
  DRAFT_CLASSES,
  DRAFT_CLOSED_BECAUSE,
  DRAFT_ITEM_STATUSES,
  DRAFT_MOVEMENTS,
  DRAFT_SOURCES,
  DRAFT_STATUSES,
} from '#kernel/movement-drafts.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'
import { PageOf, ResultOf } from '#platform/http/page.ts'
import {
  Closed,
  Cnpj,
  Cpf,
  DateOnly,
  Named,
  noControls,
  Nullable,
  OneOf,
  pageQuery,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'

/** The statuses that are counted. */
export const ITEM_STATUS_COUNTS = DRAFT_ITEM_STATUSES

const Count = Type.Integer({ minimum: 0 })

const Counts = Type.Array(
  Type.Object({
    class: OneOf(DRAFT_CLASSES),
    ...(Object.fromEntries(ITEM_STATUS_COUNTS.map((status) => [status, Count])) as Record<
      (typeof ITEM_STATUS_COUNTS)[number],
      typeof Count
    >),
  }),
  { description: 'How many items there are of each class, by status.' },
)

const DraftIntake = Type.Object(
  {
    medium: OneOf(INTAKE_MEDIA),
    'received-at': Timestamp,
    'requester-name': Nullable(Type.String()),
    'requester-contact': Nullable(Type.String()),
    documents: Type.Array(Uuid),
  },
  { description: 'How an operator says that the batch came; null of a company’s.' },
)

export const MovementDraft = Named(
  'MovementDraft',
  Type.Object({
    'draft-id': Uuid,
    source: OneOf(DRAFT_SOURCES),
    movement: Nullable(
      OneOf(BATCH_DRAFT_MOVEMENTS, {
        examples: ['alteration'],
        description: 'Of a batch; null of a roster sync, whose items have it.',
      }),
    ),
    'company-tax-id': Cnpj,
    'company-name': Type.String(),
    status: OneOf(DRAFT_STATUSES, {
      description: '`requesting`: confirmed items become movements; then it is `open` or `closed`.',
    }),
    approval: Nullable(
      OneOf(DRAFT_APPROVALS, { description: 'Who has to confirm items of it; null: none waits for an approval.' }),
    ),
    'closed-because': Nullable(
      OneOf(DRAFT_CLOSED_BECAUSE, { description: '`done`: at least one item was requested or refused.' }),
    ),
    'created-by': Type.String({ description: 'The name of the client that sent it.' }),
    'created-at': Timestamp,
    'expires-on': {
      ...DateOnly,
      description: 'The last day on which it can be confirmed: 30 days after it was sent or last confirmed.',
    },
    counts: Counts,
    reference: Nullable(Type.String({ description: 'The client’s own name for it, as sent; also of its requests.' })),
    comment: Nullable(Type.String()),
    intake: Nullable(DraftIntake),
    'broken-reason': Nullable(
      OneOf(DRAFT_BROKEN_REASONS, {
        description:
          'Why confirmed items were not requested: who confirmed them may not request them any more. They can be confirmed again.',
      }),
    ),
    'request-ids': Type.Array(Uuid, { description: 'The requests that were made of its items.' }),
  }),
)

export const MovementDraftResponse = ResultOf(MovementDraft, 'The draft.')
export const MovementDraftList = PageOf(MovementDraft, 'A page of drafts.')

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

const MovementDraftItem = Named(
  'MovementDraftItem',
  Type.Object({
    number: Type.Integer({ description: 'In the draft, from 1.' }),
    class: OneOf(DRAFT_CLASSES),
    movement: Nullable(OneOf(DRAFT_MOVEMENTS, { description: 'null: it becomes no movement.' })),
    status: OneOf(DRAFT_ITEM_STATUSES, {
      description:
        '`approval`: somebody else has to confirm it, see `approval`; `refused`: the rules refused it when it was requested, see `offenses`.',
    }),
    approval: Nullable(OneOf(DRAFT_APPROVALS)),
    'tax-id': Cpf,
    'member-id': Uuid,
    name: Nullable(Type.String()),
    'employee-id': Nullable(Type.String()),
    differences: Type.Array(Type.Object({ field: Type.String(), here: Value, stated: Value }), {
      description: 'What is stored, and what would be. Empty once the item is requested: the movement has it.',
    }),
    offenses: Type.Array(
      OneOf([...new Set([...EXCLUSION_OFFENSES, ...ALTERATION_OFFENSES, 'changed-meanwhile' as const])].sort()),
      { description: 'Of a refused item. `changed-meanwhile`: what is stored is no longer `here`.' },
    ),
    documents: Type.Array(
      Type.Object({
        'document-id': Uuid,
        'document-type': OneOf(DOCUMENT_TYPES),
        name: Type.String(),
        'content-type': OneOf(FILE_TYPES),
        size: Type.Integer(),
      }),
      { description: 'Those that the item sends, until it is decided.' },
    ),
    'request-id': Nullable(Uuid),
    'decided-by': Nullable(
      Type.String({ description: 'The name of who sent it, or was the last to confirm or discard it.' }),
    ),
    reason: Nullable(Type.String({ description: 'Why it was discarded.' })),
  }),
)

export const MovementDraftItems = PageOf(MovementDraftItem, 'A page of the items of a draft.')

export const MovementDraftQuery = Closed({
  'company-tax-id': Type.Optional({ ...Cnpj, format: 'cnpj', description: 'Only drafts of this company.' }),
  status: Type.Optional(OneOf(DRAFT_STATUSES, { description: 'Only drafts in this status.' })),
  approval: Type.Optional(
    OneOf(DRAFT_APPROVALS, { description: 'Only drafts of which an item waits for this approval.' }),
  ),
  ...pageQuery,
})
export type MovementDraftQuery = Static<typeof MovementDraftQuery>

export const ItemQuery = Closed({
  class: Type.Optional(OneOf(DRAFT_CLASSES, { description: 'Only items of this class.' })),
  status: Type.Optional(OneOf(DRAFT_ITEM_STATUSES, { description: 'Only items in this status.' })),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'A part of the name or of the employee id, or the CPF.' }),
  ),
  ...pageQuery,
})
export type ItemQuery = Static<typeof ItemQuery>

/** The most items that a call names. */
const maxItems = 10_000
const Classes = Type.Array(OneOf(DRAFT_CLASSES), { minItems: 1, maxItems: DRAFT_CLASSES.length, uniqueItems: true })
const Number = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const Items = Type.Array(Closed({ number: Number }), { maxItems })

export const ConfirmBody = Closed(
  {
    classes: Type.Optional({ ...Classes, description: 'All items of these classes that wait for the caller.' }),
    items: Type.Optional({ ...Items, description: 'Items by their number, beside those of `classes`.' }),
    except: Type.Optional(Type.Array(Number, { maxItems, description: 'Numbers of items that are not meant.' })),
  },
  { examples: [{ classes: ['correction'], except: [2] }] },
)
export type ConfirmBody = Static<typeof ConfirmBody>

export const DiscardBody = Closed(
  {
    classes: Type.Optional({ ...Classes, description: 'All items of these classes that are not decided.' }),
    items: Type.Optional({
      ...Items,
      description: 'Items by their number; without `classes` and `items` all that are not decided.',
    }),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        ...noControls,
        description: 'Why, which the company reads. An operator has to give one.',
      }),
    ),
  },
  { examples: [{ reason: 'O comprovante é de outra pessoa' }] },
)
export type DiscardBody = Static<typeof DiscardBody>

/** A draft that was made, or of which items are requested now. */
export const MovementDraftAccepted = {
  ...MovementDraftResponse,
  description: 'The draft.',
  headers: { Location: { description: 'The path of the draft.', type: 'string' } },
}
