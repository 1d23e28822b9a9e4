import { type Static, type TProperties, Type } from 'typebox'
import { ClientId } from '#access/clients/accounts.ts'
import { MONTH_PATTERN } from '#registry/rules/cut-off.ts'
import { BENEFICIARY_TYPES, DEPENDENT_TYPES } from '#kernel/enums.ts'
import {
  CARRIER_FILE_KINDS,
  CARRIER_FILE_STATUSES,
  DISCREPANCY_CLASSES,
  DISCREPANCY_STATUSES,
  ENTRY_TYPES,
  INVOICE_KINDS,
  LINE_KINDS,
  MATCHED_BY,
} from '#kernel/reconciliation.ts'
import { filters } from '#platform/http/filters.ts'
import { PageOf } from '#platform/http/page.ts'
import {
  Closed,
  Cnpj,
  Cpf,
  DateOnly,
  Named,
  Nullable,
  OneOf,
  pageQuery,
  Text,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { CELL_CODES } from '#registry/layouts/types.ts'

/** The path parameter of a file. */
export const FilePath = Type.Object({ fileId: { ...Uuid, description: 'From the list of carriers’ files.' } })

/** The path parameters of a line. */
export const LinePath = Type.Object({
  ...FilePath.properties,
  lineNumber: Type.String({ pattern: '^[1-9]\\d{0,6}$', description: 'From the lines of the file.', examples: ['17'] }),
})

export const ReferenceMonth = Type.String({
  pattern: MONTH_PATTERN,
  description: 'The month that the file is for.',
  examples: ['2026-11'],
})
const Count = Type.Integer({ minimum: 0 })
const Cents = Type.Integer({ description: 'In cents.' })

/** The query of a list of files or of reconciliations. @param kind and `status` are the schemas of the sets. */
export const fileQuery = <Kind extends TProperties[string], Status extends TProperties[string]>(
  kind: Kind,
  status: Status,
) =>
  Closed({
    'contract-id': Type.Optional({ ...Uuid, description: 'Of one contract.' }),
    'company-tax-id': filters.company,
    kind: Type.Optional(kind),
    'reference-month': Type.Optional(ReferenceMonth),
    status: Type.Optional(status),
    ...pageQuery,
  })

export const FileQuery = fileQuery(
  OneOf(CARRIER_FILE_KINDS, { description: 'Default: every kind.' }),
  OneOf(CARRIER_FILE_STATUSES, { description: 'Default: every status.' }),
)
export type FileQuery = Static<typeof FileQuery>

/** What files and reconciliations have of their contract. */
export const ofContract = {
  'contract-id': Uuid,
  'company-tax-id': Cnpj,
  'company-name': Type.String(),
  'carrier-name': Text,
  'contract-number': Type.String(),
  'sub-contract': Type.String(),
}

const Matches = Type.Object(
  {
    ...Object.fromEntries(MATCHED_BY.map((by) => [by, Count])),
    'repaired-tax-id': { ...Count, description: 'Those with a CPF whose zeros at the beginning were missing.' },
    ambiguous: { ...Count, description: 'Those whose key several benefits have: they are matched with none.' },
    unmatched: Count,
    refused: Count,
    total: { ...Count, description: 'Rows that are the sum of others: no charges.' },
  },
  { description: 'How many lines were matched by what; together with the others these are all lines.' },
)

/** Which of its month an invoice is. */
export const InvoiceKindField = Nullable(
  OneOf(INVOICE_KINDS, {
    description:
      'Of an invoice: a `supplementary` one adds to the `main` one of its month. Of each kind the latest counts.',
  }),
)

const file = {
  'file-id': Uuid,
  ...ofContract,
  kind: OneOf(CARRIER_FILE_KINDS),
  'reference-month': ReferenceMonth,
  'invoice-kind': InvoiceKindField,
  'replaced-by': Nullable({ ...Uuid, description: 'The later file that counts in its place.' }),
  'layout-id': Type.String({ description: 'By which it was read.' }),
  'layout-version': Type.Integer({ minimum: 1 }),
  name: Nullable(Type.String()),
  size: { ...Count, description: 'Bytes.' },
  sha256: Type.String({ description: 'Of the bytes, in hexadecimal digits.' }),
  status: OneOf(CARRIER_FILE_STATUSES, { description: '`failed`: it could not be read, `problems` say why.' }),
  'is-stored': Type.Boolean({ description: 'Whether the bytes can be downloaded: not those of co-participation.' }),
  problems: Type.Array(Type.Object({ field: Type.String(), code: Type.String() })),
  lines: Nullable({
    ...Count,
    description: 'Those of persons and entries, also refused ones; null until it was read.',
  }),
  'refused-lines': Nullable(Count),
  'other-lines': Nullable({ ...Count, description: 'Lines of other sub-contracts, which are not stored.' }),
  'declared-total': Nullable({ ...Cents, description: 'That the file says, in cents; null: it says none.' }),
  'computed-total': Nullable({ ...Cents, description: 'The sum of the lines that are not refused, in cents.' }),
  'total-differs': Nullable({ ...Cents, description: 'The declared total less the computed one, in cents.' }),
  'reconciliation-id': Nullable({ ...Uuid, description: 'The comparison of the file.' }),
  'created-by': ClientId,
  'created-at': Timestamp,
  'read-at': Nullable(Timestamp),
}

/** One file, with how its lines were matched. */
export const CarrierFile = Named('CarrierFile', Type.Object({ ...file, matches: Matches }))

/** A page of files. */
export const FileList = PageOf(Named('CarrierFileSummary', Type.Object(file)), 'A page of carriers’ files.')

const CarrierLine = Named(
  'CarrierLine',
  Type.Object({
    'line-number': Type.Integer({ minimum: 1, description: 'In the file.' }),
    record: Nullable(Type.String({ description: 'Of the layout.' })),
    kind: OneOf(LINE_KINDS, {
      description:
        '`person`: of a person; `entry`: of none, such as a fee; `total`: the sum of other lines, which is no charge.',
    }),
    'is-refused': Type.Boolean({ description: 'Nothing of it was read: it charges nothing here.' }),
    problems: Type.Array(
      Type.Object({ column: Type.String(), target: Nullable(Type.String()), code: OneOf(CELL_CODES) }),
      { description: 'Why it is refused, or what of it names a person and cannot be read, without what stands there.' },
    ),
    'card-number': Nullable(Type.String()),
    certificate: Nullable(Type.String({ description: 'What the carrier calls the family by.' })),
    'dependent-code': Nullable(Type.String({ description: 'Of the person within the family.' })),
    'tax-id': Nullable(Cpf),
    'repaired-tax-id': Type.Boolean({ description: 'Whether its zeros at the beginning were missing.' }),
    'employee-id': Nullable(Type.String()),
    name: Nullable(Type.String()),
    'date-of-birth': Nullable(DateOnly),
    relationship: Nullable(OneOf(['primary', 'dependent', ...DEPENDENT_TYPES])),
    'plan-code': Nullable(Type.String()),
    'start-date': Nullable(DateOnly),
    'end-date': Nullable(DateOnly),
    amount: Nullable(Cents),
    'employee-amount': Nullable({ ...Cents, description: 'The employee’s part, in cents.' }),
    'stated-total': Nullable({ ...Cents, description: 'Of a `total`: what it says, in cents.' }),
    'summed-total': Nullable({ ...Cents, description: 'Of a `total`: the sum of the lines that it is of, in cents.' }),
    'entry-type': Nullable(OneOf(ENTRY_TYPES)),
    'entry-code': Nullable(Type.String({ description: 'As the carrier has it.' })),
    'entry-period': Nullable(Type.String({ description: 'The month that the entry is for.', examples: ['2026-10'] })),
    'is-ambiguous': Type.Boolean({ description: 'Whether several benefits have its key: it is matched with none.' }),
    'matched-by': Nullable(OneOf(MATCHED_BY)),
    'benefit-id': Nullable(Uuid),
    'member-id': Nullable(Uuid),
    'member-name': Nullable(Type.String()),
    'product-name': Nullable(Type.String()),
    discrepancies: Type.Array(
      Type.Object({
        'discrepancy-id': Uuid,
        class: OneOf(DISCREPANCY_CLASSES),
        status: OneOf(DISCREPANCY_STATUSES),
        amount: Nullable({ ...Cents, description: 'What is charged too much, in cents; negative: too little.' }),
      }),
      {
        description: 'What the comparison of the file found of the line. Lines of one person and month count together.',
      },
    ),
  }),
)

/** One line in its envelope. */
export const LineResponse = Type.Object({ result: CarrierLine }, { description: 'The line.' })

/** A page of lines. */
export const LineList = PageOf(CarrierLine, 'A page of the lines of a file.')

const FoundBenefit = Named(
  'FoundBenefit',
  Type.Object({
    'benefit-id': Uuid,
    'member-name': Type.String(),
    type: OneOf(BENEFICIARY_TYPES),
    'product-name': Type.String(),
    'card-number': Nullable(Type.String()),
    'start-date': DateOnly,
    'end-date': Nullable(DateOnly),
  }),
)

export const FoundBenefitList = Type.Object(
  { result: Type.Array(FoundBenefit) },
  {
    description: 'By name.',
  },
)

export const LinkBody = Closed(
  { 'benefit-id': { ...Nullable(Uuid), description: 'Of the contract; null: the line is of no person here.' } },
  { examples: [{ 'benefit-id': '01995e0c-7020-7d3f-9b11-5a6c7d8e9f01' }] },
)
