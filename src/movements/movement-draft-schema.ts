import { type Static, Type } from 'typebox'
import { ALTERATION_OFFENSES } from '#kernel/alteration-offenses.ts'
import { INTAKE_MEDIA } from '#kernel/broker-enums.ts'
import { BENEFICIARY_TYPES, DOCUMENT_TYPES, START_OPTIONS } from '#kernel/enums.ts'
import { EXCLUSION_OFFENSES } from '#kernel/exclusion-offenses.ts'
import type { Fields } from '#kernel/fields.ts'
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
import { IMPORT_OFFENSES, OFFENSES } from '#kernel/offenses.ts'
import { ROSTER_EXPLANATIONS, ROSTER_LINE_OFFENSES } from '#kernel/roster-syncs.ts'
import { EXCLUSION_FIELDS } from '#coverage/rules/exclusion-details.ts'
import { objectSchema } from '#platform/http/field-schema.ts'
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
import { several } from '#platform/http/filters.ts'

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
    guard: Type.Array(
      Type.Object({
        'product-id': Uuid,
        'product-name': Type.String(),
        covered: Type.Integer({ description: 'How many people of the list’s scope the product covered.' }),
        leaving: Type.Integer({
          description:
            'How many leave it by items that are proposed, confirmed or requested; dependents who go along are not counted.',
        }),
        'is-over': Type.Boolean({
          description:
            'Whether they are so many that a confirmation needs `guard`, by the roster policy of the company.',
        }),
      }),
      { description: 'Of a roster sync; empty of a batch.' },
    ),
    'guard-reasons': Type.Array(Type.String(), {
      description: 'Why many people leave, as those said who confirmed it.',
    }),
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
    'tax-id': Nullable({ ...Cpf, description: 'null: the line of a list has none that can be read.' }),
    'member-id': Nullable({ ...Uuid, description: 'null: nobody who is here.' }),
    name: Nullable(Type.String({ description: 'As it is stored; of somebody who is not here as the list states it.' })),
    'employee-id': Nullable(Type.String()),
    'member-type': Nullable(OneOf(BENEFICIARY_TYPES)),
    'product-name': Nullable(Type.String({ description: 'Of a list: the product that ends or begins.' })),
    lines: Type.Array(Type.Integer(), { description: 'Of the list.' }),
    explanation: Nullable(
      OneOf(ROSTER_EXPLANATIONS, {
        description: 'Of a list: why nothing is done, or why it is confirmed by its number only.',
      }),
    ),
    'enrollment-ids': Type.Array(Uuid, { description: 'The movements that explain it.' }),
    'by-number-only': Type.Boolean({ description: '`classes` do not take it.' }),
    'also-ends': Type.Integer({ description: 'How many dependents lose the product too.' }),
    needs: Type.Array(Type.String(), {
      description:
        'What has to be given when it is confirmed: fields of `exclusion-details` or `data`, or `start-option`.',
    }),
    differences: Type.Array(Type.Object({ field: Type.String(), here: Value, stated: Value }), {
      description: 'What is stored, and what would be. Empty once the item is requested: the movement has it.',
    }),
    offenses: Type.Array(
      OneOf(
        [
          ...new Set([
            ...IMPORT_OFFENSES,
            ...OFFENSES,
            ...EXCLUSION_OFFENSES,
            ...ALTERATION_OFFENSES,
            ...ROSTER_LINE_OFFENSES,
            'changed-meanwhile' as const,
            'conflicting-lines' as const,
          ]),
        ].sort(),
      ),
      {
        description:
          'Of a refused item, and of a proposed one of a list: those that its movement would have. `changed-meanwhile`: what is stored is no longer ' +
          '`here`; `conflicting-lines`: two lines of a list contradict.',
      },
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
  source: Type.Optional(OneOf(DRAFT_SOURCES, { description: 'Only drafts of this source.' })),
  'company-tax-id': Type.Optional({ ...Cnpj, format: 'cnpj', description: 'Only drafts of this company.' }),
  status: several(DRAFT_STATUSES, 'Only drafts in this status.'),
  approval: Type.Optional(
    OneOf(DRAFT_APPROVALS, { description: 'Only drafts of which an item waits for this approval.' }),
  ),
  ...pageQuery,
})
export type MovementDraftQuery = Static<typeof MovementDraftQuery>

export const ItemQuery = Closed({
  class: Type.Optional(OneOf(DRAFT_CLASSES, { description: 'Only items of this class.' })),
  status: several(DRAFT_ITEM_STATUSES, 'Only items in this status.'),
  explanation: Type.Optional(OneOf(ROSTER_EXPLANATIONS, { description: 'Only items with this explanation.' })),
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

const optionalOf = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      field.presence === 'required' ? { ...field, presence: 'optional' as const } : field,
    ]),
  )
const objectOf = (fields: Fields, description: string) =>
  Type.Unsafe<Record<string, unknown>>(
    objectSchema(optionalOf(fields), {}, { additionalProperties: false, description }),
  )
/** The parsers of the fields read it. */
const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' })
const Data = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description:
    'What replaces, or adds to, the data of an inclusion (keys of its members) or of a correction (keys of `alteration-data`).',
})

/** @param details the schema of `exclusion-details`. @param data the schema of `data`. */
const confirmBody = (details: (description: string) => typeof AnyObject, data: typeof AnyObject) =>
  Closed(
    {
      classes: Type.Optional({
        ...Classes,
        description:
          'All items of these classes that wait for the caller, but for those that are confirmed by their number only.',
      }),
      items: Type.Optional(
        Type.Array(
          Closed({
            number: Number,
            'exclusion-details': Type.Optional(details('What replaces, or adds to, the details of the exclusion.')),
            data: Type.Optional(data),
            'start-option': Type.Optional(OneOf(START_OPTIONS, { description: 'Of all products of an inclusion.' })),
            'start-date': Type.Optional({ ...DateOnly, description: 'Of a change of plan.' }),
          }),
          { maxItems, description: 'Items by their number, beside those of `classes`, with what is given for them.' },
        ),
      ),
      except: Type.Optional(Type.Array(Number, { maxItems, description: 'Numbers of items that are not meant.' })),
      'exclusion-details': Type.Optional(details('For all selected exclusions: what they lack.')),
      'start-option': Type.Optional(OneOf(START_OPTIONS, { description: 'For all selected inclusions that lack it.' })),
      'start-date': Type.Optional({ ...DateOnly, description: 'For all selected changes of plan that lack it.' }),
      guard: Type.Optional({
        ...Closed({
          people: Type.Integer({ minimum: 0, description: 'How many people the call excludes from such products.' }),
          reason: Type.String({
            minLength: 1,
            maxLength: 500,
            pattern: '\\S',
            ...noControls,
            description: 'Why so many leave.',
          }),
        }),
        description: 'Needed when more people leave a product than usual, see `guard` of the draft.',
      }),
    },
    {
      examples: [
        {
          classes: ['exclusion'],
          except: [44],
          'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal-with-cause' },
        },
      ],
    },
  )

export const ConfirmBody = confirmBody((description) => objectOf(EXCLUSION_FIELDS, description), Data)
/** The same, without what the parsers of the fields read. */
export const LooseConfirmBody = confirmBody(() => AnyObject, AnyObject)
export type ConfirmBody = Static<typeof LooseConfirmBody>

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
