import { type Static, type TSchema, Type } from 'typebox'
import { PRODUCT_TYPES, START_OPTIONS } from '#kernel/enums.ts'
import { IMPORT_WARNINGS } from '#kernel/import-offenses.ts'
import { reference } from '#kernel/reference.ts'
import { ROSTER_DOUBTS, ROSTER_PROBLEMS, ROSTER_STATES, ROSTER_STATUSES } from '#kernel/roster-syncs.ts'
import {
  Closed,
  Cnpj,
  DateOnly,
  Name,
  Named,
  Nullable,
  OneOf,
  pageQuery,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { several } from '#platform/http/filters.ts'
import { PageOf, ResultOf } from '#platform/http/page.ts'
import { WarningMessage } from '#platform/http/warning-schemas.ts'

/** For a list in `within` or in `defaults`. */
const maxNamed = 1_000

const States = Type.Array(OneOf(ROSTER_STATES), {
  maxItems: ROSTER_STATES.length,
  uniqueItems: true,
  description:
    'In what the list is complete. `people`: a primary who is not listed has left. `dependents`: so has a dependent of a listed primary who is not ' +
    'listed. `products`: a product that a listed person does not have on the list is given up. Empty: only what lines say counts.',
  examples: [['people', 'products']],
})

const some = <T extends TSchema>(items: T, description: string) =>
  Type.Optional(Type.Array(items, { maxItems: maxNamed, uniqueItems: true, description }))

const within = {
  'cost-centers': some(Name, 'Only primaries of these cost centers, and their dependents.'),
  'employee-company-tax-ids': some(
    { ...Cnpj, format: 'cnpj' },
    'Only primaries of these employers, and their dependents.',
  ),
  'product-types': some(OneOf(PRODUCT_TYPES), 'Only products of these types.'),
  'product-ids': some(Uuid, 'Only these products of the company.'),
}
const withinDescription =
  'Which people and products the list is about; others do not exist for it. Without a key, or with an empty list, all.'

export const RosterSyncBody = Closed(
  {
    'company-tax-id': { ...Cnpj, format: 'cnpj' },
    states: States,
    within: Type.Optional(Type.Object(within, { additionalProperties: false, description: withinDescription })),
    'as-of': Type.Optional({
      ...DateOnly,
      description: 'The day that the list shows: today by default, at most 31 days ago, and not ahead.',
    }),
    'people-count': Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'How many lines the sender counted: a file that was cut has fewer.',
      }),
    ),
    defaults: Type.Optional(
      Closed({
        'start-option': Type.Optional(OneOf(START_OPTIONS, { description: 'Of lines that state none.' })),
        products: Type.Optional(
          Type.Array(Name, {
            maxItems: maxNamed,
            uniqueItems: true,
            description: 'Of people who are listed without a product.',
          }),
        ),
      }),
    ),
    'accept-doubts': Type.Optional(
      Type.Array(OneOf(ROSTER_DOUBTS), {
        maxItems: ROSTER_DOUBTS.length,
        uniqueItems: true,
        description: 'The doubts about the list that the sender answers for; those that it has are in the audit.',
      }),
    ),
    automatic: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Confirms at once, in the name of the caller, what the policy of the company allows without anybody.',
      }),
    ),
    reference: Type.Optional(
      Type.Unsafe<string>({
        ...reference.schema,
        description: 'The client’s own name for it, without a CPF; also of its draft and requests.',
        examples: ['folha 2026-12'],
      }),
    ),
  },
  {
    examples: [
      {
        'company-tax-id': '704KLM82000153',
        'as-of': '2026-11-20',
        states: ['people', 'products'],
        within: { 'cost-centers': ['4200'], 'product-types': ['health-insurance'] },
        'people-count': 1001,
        defaults: { 'start-option': 'on-next-billing-period' },
        reference: 'folha 2026-11',
      },
    ],
  },
)
export type RosterSyncBody = Static<typeof RosterSyncBody>

const Count = (description: string) => Nullable(Type.Integer({ minimum: 0, description }))

const RosterSync = Named(
  'RosterSync',
  Type.Object({
    'roster-sync-id': Uuid,
    'company-tax-id': Cnpj,
    status: OneOf(ROSTER_STATUSES, {
      description: '`open`: it has no list yet. `compared`: what differs is in the movement draft `draft-id`.',
    }),
    'as-of': DateOnly,
    states: States,
    within: Type.Object(within, { description: withinDescription }),
    reference: Nullable(Type.String()),
    'file-name': Nullable(Type.String({ description: 'As the client named it.' })),
    lines: Count('Of the file, blank ones and the header left out; null until it was read.'),
    'refused-lines': Count('Of these, those that cannot be used.'),
    of: Count('How many people are compared; null until it is known.'),
    compared: Type.Integer({ minimum: 0, description: 'How many of them were compared so far.' }),
    unchanged: Count('How many of them are as the list states them; null until all were compared.'),
    doubts: Type.Array(
      Type.Object({
        doubt: OneOf(ROSTER_DOUBTS),
        found: Type.Integer({ description: 'What was found.' }),
        limit: Type.Integer({ description: 'From where on it is a doubt.' }),
      }),
      { description: 'What may be a mistake in the list as a whole: with any of them only inclusions are proposed.' },
    ),
    problems: Type.Array(
      Type.Object({
        problem: OneOf(ROSTER_PROBLEMS),
        field: Nullable(Type.String({ description: 'The column or key that it concerns.' })),
        line: Nullable(Type.Integer({ description: 'Of the file.' })),
      }),
      { description: 'Why it `failed`.' },
    ),
    warnings: Type.Array(
      Type.Object({
        warning: OneOf(IMPORT_WARNINGS.filter((warning) => warning !== 'starts-with-primary')),
        field: Type.String({ description: 'As the header, or a line in JSON, names it; of a hidden row the sheet.' }),
        line: Type.Optional(Type.Integer({ description: 'The line that it concerns; absent for a column.' })),
        cell: Type.Optional(Type.String({ description: 'Of `cell-error`: the address, such as `C17`.' })),
        message: WarningMessage,
      }),
      { description: 'As those of an import: up to 100 of each kind.' },
    ),
    'sheets-not-read': Type.Array(Type.String(), { description: 'The sheets of a workbook that were not read.' }),
    'draft-id': Nullable({
      ...Uuid,
      description: 'The movement draft of what differs; null: nothing differs, or not yet.',
    }),
    'created-by': Type.String({ description: 'The name of the client that sent it.' }),
    'created-at': Timestamp,
    'finished-at': Nullable(Timestamp),
  }),
)

export const RosterSyncResponse = ResultOf(RosterSync, 'The roster sync.')
export type RosterSyncResponse = Static<typeof RosterSyncResponse>
export const RosterSyncList = PageOf(RosterSync, 'A page of roster syncs.')

export const RosterSyncQuery = Closed({
  'company-tax-id': Type.Optional({ ...Cnpj, format: 'cnpj', description: 'Only those of this company.' }),
  status: several(ROSTER_STATUSES, 'Only those in this status.'),
  ...pageQuery,
})
export type RosterSyncQuery = Static<typeof RosterSyncQuery>

/** A roster sync whose list is read and compared. */
export const RosterSyncAccepted = {
  ...RosterSyncResponse,
  description: 'The roster sync; it goes on by itself.',
  headers: { Location: { description: 'The path of the roster sync.', type: 'string' } },
}
