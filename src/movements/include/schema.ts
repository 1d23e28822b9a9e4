import { Type, type Static } from 'typebox'
import { Cnpj, Named, OneOf, Uuid } from '../../http/schemas.ts'
import {
  BENEFICIARY_TYPES,
  DEPENDENT_TYPES,
  DOCUMENT_TYPES,
  GENDERS,
  MARITAL_STATUSES,
  OFFENSES,
  START_OPTIONS,
  WORK_CONTRACT_TYPES,
} from '../../domain/enums.ts'
import { ResolutionQuery } from '../resolution-parameter.ts'

const Documents = Type.Array(
  Type.Object(
    { 'document-id': Type.String(), 'document-type': OneOf(DOCUMENT_TYPES) },
    { additionalProperties: false },
  ),
)

const personName = 'Without control characters and marks of direction.'

/*
 * The wire shape of an inclusion, for the OpenAPI document. Its members are not refused by this schema but judged one by one:
 * each fault is an offense in the answer.
 */
const InclusionMember = Named(
  'InclusionMember',
  Type.Object(
    {
      'beneficiary-type': OneOf(BENEFICIARY_TYPES),
      name: Type.String({ maxLength: 200, description: personName }),
      'tax-id': Type.String({ description: 'CPF, digits only or formatted.' }),
      'mothers-name': Type.String({ maxLength: 200, description: personName }),
      'date-of-birth': Type.String({ format: 'date' }),
      gender: OneOf(GENDERS),
      products: Type.Record(
        Type.String(),
        Type.Array(Type.Object({ name: Type.String(), 'start-option': OneOf(START_OPTIONS) }), { minItems: 1 }),
        { description: "Keyed by product type; `name` is the company's product of that type, case and accents aside." },
      ),
      'primary-member-tax-id': Type.Optional(Type.String({ description: 'Dependents: CPF of the primary.' })),
      'dependent-type': Type.Optional(OneOf(DEPENDENT_TYPES, { description: 'Dependents only.' })),
      'admission-date': Type.Optional(
        Type.String({ format: 'date', description: "Needed for `on-admission-date`. A dependent's is the primary's." }),
      ),
      'marital-status': Type.Optional(OneOf([...MARITAL_STATUSES, 'other'])),
      'work-contract-type': Type.Optional(OneOf(WORK_CONTRACT_TYPES)),
      'job-title': Type.Optional(Type.String({ maxLength: 200 })),
      'employee-id': Type.Optional(Type.String({ maxLength: 200 })),
      'cost-center': Type.Optional(Type.String({ maxLength: 200 })),
      salary: Type.Optional(Type.Integer({ minimum: 0, description: 'Cents.' })),
      'email-corporate': Type.Optional(Type.String({ format: 'email' })),
      'email-private': Type.Optional(Type.String({ format: 'email' })),
      phone: Type.Optional(
        Type.String({ description: '10 or 11 digits with area code; punctuation and +55 allowed.' }),
      ),
      'dependency-date': Type.Optional(Type.String({ format: 'date' })),
      documents: Type.Optional(Documents),
    },
    { additionalProperties: true },
  ),
)

const health = { name: 'Saúde Essencial Enfermaria', 'start-option': 'on-inclusion-date' }
const primaryExample = {
  'beneficiary-type': 'primary',
  name: 'Helena Brandão Souza',
  'tax-id': '529.982.247-25',
  'mothers-name': 'Fátima Brandão',
  'date-of-birth': '1990-05-17',
  gender: 'female',
  'admission-date': '2026-11-02',
  products: { 'health-insurance': [health] },
}
const dependentExample = {
  'beneficiary-type': 'dependent',
  'primary-member-tax-id': '529.982.247-25',
  'dependent-type': 'child',
  name: 'Davi Brandão Souza',
  'tax-id': '111.444.777-35',
  'mothers-name': 'Helena Brandão Souza',
  'date-of-birth': '2020-01-31',
  gender: 'male',
  products: { 'health-insurance': [health] },
}

export const InclusionBody = Type.Object(
  { 'company-tax-id': Cnpj, members: Type.Array(InclusionMember, { minItems: 1, maxItems: 10_000 }) },
  {
    additionalProperties: true,
    examples: [{ 'company-tax-id': '7B4XK2M9000194', members: [primaryExample, dependentExample] }],
  },
)

const rejectedExample = {
  index: 0,
  'beneficiary-type': 'primary',
  name: 'Helena Brandão Souza',
  'tax-id': '123',
  'company-tax-id': '7B4XK2M9000194',
  offenses: ['invalid-tax-id', 'missing-mothers-name'],
}

const Echo = Type.Unknown({ description: 'As sent; null when absent.' })

const Rejected = Named(
  'RejectedMember',
  Type.Object({
    index: Type.Integer({ description: 'Place in the batch, from 0.' }),
    'beneficiary-type': Echo,
    name: Echo,
    'tax-id': Echo,
    'company-tax-id': Type.String(),
    offenses: Type.Array(OneOf(OFFENSES)),
  }),
)

/** Staging may resolve at once; anywhere a batch may be judged without being taken. */
export const InclusionQuery = Type.Object(
  {
    ...ResolutionQuery.properties,
    'dry-run': Type.Optional(
      Type.Boolean({ description: 'Judge only: the same answers, without `request-id`; nothing is kept or used up.' }),
    ),
  },
  { additionalProperties: false },
)
export type InclusionQuery = Static<typeof InclusionQuery>

export const InclusionAnswer = Type.Object(
  {
    'request-id': Type.Optional({ ...Uuid, description: 'Absent with `dry-run=true` alone.' }),
    'dry-run': Type.Optional(Type.Literal(true, { description: 'The batch was judged and not taken.' })),
    result: Type.Optional(
      Type.Array(Rejected, { description: 'With `Prefer: handling=lenient`: members that were not taken.' }),
    ),
    warnings: Type.Optional(
      Type.Array(
        Type.Object({
          index: Type.Optional(Type.Integer()),
          'tax-id': Type.Optional(Type.String()),
          warning: OneOf(['unknown-field', 'ignored-field', 'late-inclusion']),
          field: Type.String(),
        }),
      ),
    ),
  },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }, { 'dry-run': true }] },
)

export const InclusionRefused = Type.Object(
  {
    error: Type.String(),
    'request-trace-id': Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), code: Type.String() }))),
    result: Type.Optional(Type.Array(Rejected)),
  },
  {
    description:
      'A malformed body or parameter, with `details`; or `Invalid members`, with every offending member. Nothing was kept.',
    examples: [
      {
        error: 'Invalid members',
        result: [rejectedExample],
        'request-trace-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
      },
    ],
  },
)
