import { Type } from 'typebox'
import { fileQuery, ofContract, InvoiceKindField, ReferenceMonth } from '../carrier-files/schema.ts'
import { ClientId } from '#access/clients/accounts.ts'
import { BENEFICIARY_TYPES, EXCLUSION_REASONS } from '#kernel/enums.ts'
import {
  DISCREPANCY_CLASSES,
  DISCREPANCY_STATUSES,
  EXPLANATIONS,
  MATCHED_BY,
  RECONCILIATION_KINDS,
  RECONCILIATION_STATUSES,
} from '#kernel/reconciliation.ts'
import { PageOf } from '#platform/http/page.ts'
import { Closed, Cpf, DateOnly, Named, noControls, Nullable, OneOf, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { searchParameter } from '#platform/http/search-parameter.ts'

export const ReconciliationPath = Type.Object({
  reconciliationId: { ...Uuid, description: 'From the list of reconciliations.' },
})
export const DiscrepancyPath = Type.Object({
  discrepancyId: { ...Uuid, description: 'From the list of the discrepancies of a reconciliation.' },
})

const Count = Type.Integer({ minimum: 0 })
export const Cents = Type.Integer({ description: 'In cents.' })

/** @param name of the schema of a count. @param classes of which discrepancies are counted. */
export const countsOf = <Class extends string>(name: string, classes: readonly Class[]) =>
  Type.Array(
    Named(
      name,
      Type.Object({
        class: OneOf(classes),
        ...Object.fromEntries(DISCREPANCY_STATUSES.map((status) => [status, Count])),
        amount: Nullable(Cents),
      }),
    ),
    { description: 'The classes that it has, each with its discrepancies by status.' },
  )

/** For discrepancies with amounts. */
export const CountAndTotal = Named(
  'CountAndTotal',
  Type.Object({ count: Type.Integer(), total: Type.Integer({ description: 'In cents, without a sign.' }) }),
)

/** What companies see of a comparison as operators do. */
export const reconciliationFields = {
  'as-of': { ...DateOnly, description: 'The day on which both lists are compared.' },
  totals: {
    'carrier-total': Nullable({ ...Cents, description: 'What the carrier charges, in cents.' }),
    'expected-total': Nullable({ ...Cents, description: 'What is expected, in cents.' }),
    discrepancy: Nullable({ ...Cents, description: 'The carrier’s total less the expected one, in cents.' }),
  },
}

export const Reconciliation = Named(
  'Reconciliation',
  Type.Object({
    'reconciliation-id': Uuid,
    ...ofContract,
    kind: OneOf(RECONCILIATION_KINDS),
    'invoice-kind': InvoiceKindField,
    'reference-month': ReferenceMonth,
    'as-of': reconciliationFields['as-of'],
    'carrier-file-id': Uuid,
    status: OneOf(RECONCILIATION_STATUSES),
    lines: Nullable({ ...Count, description: 'Of the file.' }),
    ...reconciliationFields.totals,
    counts: countsOf('DiscrepancyCount', DISCREPANCY_CLASSES),
    amounts: Nullable(
      Type.Object(
        {
          'too-much': CountAndTotal,
          'too-little': CountAndTotal,
          open: CountAndTotal,
          explained: CountAndTotal,
          claimed: CountAndTotal,
        },
        {
          description:
            'Of an invoice: what is charged too much and too little, and what became of both. Without what repeats the total of the file or an open claim.',
        },
      ),
    ),
    'created-by': ClientId,
    'created-at': Timestamp,
    'computed-at': Nullable(Timestamp),
  }),
)

export const ReconciliationQuery = fileQuery(
  OneOf(RECONCILIATION_KINDS, { description: 'Default: both kinds.' }),
  OneOf(RECONCILIATION_STATUSES, { description: 'Default: every status.' }),
)

export const ReconciliationBody = Closed(
  {
    'carrier-file-id': { ...Uuid, description: 'A roster or an invoice that has been read.' },
    'as-of': Type.Optional({
      ...DateOnly,
      description: 'Default: today, or the last day of the reference month when that is earlier.',
    }),
  },
  { examples: [{ 'carrier-file-id': '01995e0d-1a20-7c31-8d4e-5f6a7b8c9d01' }] },
)

/** What companies see of a discrepancy as operators do. */
export const discrepancyFields = {
  expected: Nullable(Type.String({ description: 'What is here.' })),
  found: Nullable(Type.String({ description: 'What the carrier has.' })),
  days: Nullable(Type.Integer({ description: 'Between the end of one cover and the day of the comparison.' })),
  'cover-month': Nullable({ ...ReferenceMonth, description: 'Of an invoice: the month of cover that it is of.' }),
  'request-id': Nullable({ ...Uuid, description: 'Of the movement that corrects it.' }),
  'member-name': Nullable(
    Type.String({ description: 'As here; of a person who is unknown here as the carrier has it.' }),
  ),
}

const Discrepancy = Named(
  'Discrepancy',
  Type.Object({
    'discrepancy-id': Uuid,
    class: OneOf(DISCREPANCY_CLASSES),
    status: OneOf(DISCREPANCY_STATUSES),
    explanation: Nullable(
      OneOf(EXPLANATIONS, { description: 'Why it is probably none; `by-hand`: an operator says so in the note.' }),
    ),
    expected: discrepancyFields.expected,
    found: discrepancyFields.found,
    amount: Nullable({ ...Cents, description: 'What is charged too much, in cents; negative: too little.' }),
    days: discrepancyFields.days,
    'cover-month': discrepancyFields['cover-month'],
    assignee: Nullable(ClientId),
    note: Nullable(Type.String()),
    'request-id': discrepancyFields['request-id'],
    'claim-id': Nullable(Uuid),
    'benefit-id': Nullable(Uuid),
    'member-id': Nullable(Uuid),
    'member-name': discrepancyFields['member-name'],
    'member-tax-id': Nullable(Cpf),
    'member-type': Nullable(OneOf(BENEFICIARY_TYPES)),
    'employee-id': Nullable(Type.String()),
    'product-name': Nullable(Type.String()),
    'card-number': Nullable(Type.String()),
    'line-number': Nullable(Type.Integer({ description: 'Of the file.' })),
    'matched-by': Nullable(OneOf(MATCHED_BY)),
    'updated-at': Timestamp,
  }),
)

/** One discrepancy in its envelope. */
export const DiscrepancyResponse = Type.Object({ result: Discrepancy }, { description: 'The discrepancy.' })

/** A page of discrepancies. */
export const DiscrepancyList = PageOf(Discrepancy, 'A page of discrepancies.')

const filters = {
  class: Type.Optional(OneOf(DISCREPANCY_CLASSES, { description: 'Default: every class.' })),
  status: Type.Optional(OneOf(DISCREPANCY_STATUSES, { description: 'Default: every status.' })),
  explanation: Type.Optional(OneOf(EXPLANATIONS, { description: 'Default: with any, or none.' })),
  assignee: Type.Optional({ ...ClientId, description: 'Who works on it.' }),
  q: searchParameter('the person’s name'),
}

/** The filters of the discrepancies of a reconciliation. */
export const discrepancyFilters = filters

const note = Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S', ...noControls })

/** A change of many discrepancies. */
export const ChangeBody = Closed(
  {
    'discrepancy-ids': Type.Optional(
      Type.Array(Uuid, { minItems: 1, maxItems: 5_000, description: 'Which. Without it `filter` says it.' }),
    ),
    filter: Type.Optional({ ...Closed(filters), description: 'All of these.' }),
    status: Type.Optional(
      OneOf(['open', 'explained', 'accepted'], {
        description: 'Not of those that are claimed or corrected. `explained` takes a `note`.',
      }),
    ),
    note: Type.Optional({ ...Nullable(note), description: 'null: none.' }),
    assignee: Type.Optional({ ...Nullable(ClientId), description: 'An operator; null: none.' }),
  },
  {
    examples: [{ filter: { class: 'name-differs' }, status: 'accepted', note: 'A operadora abrevia os nomes' }],
  },
)

export const ChangeResponse = Type.Object(
  { result: Type.Object({ changed: { ...Count, description: 'How many discrepancies were changed.' } }) },
  { description: 'How many were changed.' },
)

/** What an operator says in place of the carrier. */
export const CorrectBody = Closed(
  {
    'end-date': Type.Optional({
      ...DateOnly,
      description: 'Of an exclusion: the last day covered. Default: that of the carrier.',
    }),
    'exclusion-reason': Type.Optional(OneOf(EXCLUSION_REASONS, { description: 'Of an exclusion. Default: `other`.' })),
    member: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
        maxProperties: 100,
        description: 'Of an inclusion or an alteration: its fields, in place of those that the carrier has.',
      }),
    ),
  },
  { examples: [{ member: { 'mothers-name': 'Ana Brandão', gender: 'female' } }] },
)
