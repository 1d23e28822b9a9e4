import { Type } from 'typebox'
import { cnpj } from '#kernel/field-types.ts'
import { reference } from '#kernel/reference.ts'
import { MAX_BATCH_MEMBERS } from '../rules/inclusion-batch.ts'
import { INCLUSION_FIELDS } from '#kernel/inclusion-fields.ts'
import { OFFENSES } from '#kernel/offenses.ts'
import { INCLUSION_WARNINGS } from '#kernel/warnings.ts'
import { objectSchema } from '#platform/http/field-schema.ts'
import { AsSent, JudgedResponse, sandboxDescription } from '../schema.ts'
import {
  Details,
  ErrorCodeReference,
  Named,
  AllowedOfOffense,
  errorExplanation,
  offenseExplanation,
  OneOf,
} from '#platform/http/schemas.ts'
import { MissingDocuments } from '#registry/requirements/partner-schema.ts'
import { englishOf } from '#kernel/texts/messages.ts'
import {
  ExpectedStartOfWarning,
  LastDayOfWarning,
  explainWarnings,
  StartDateOfWarning,
  UntilOfWarning,
  WarningMessage,
} from '#platform/http/warning-schemas.ts'

export const INCLUSION_DESCRIPTIONS = {
  products: "Keyed by product type; `name` is the company's product of that type, case and accents aside.",
  'primary-member-tax-id': 'Required for dependents: CPF of the primary.',
  'dependent-type': 'Required for dependents.',
  'admission-date': "Required for `on-admission-date`. A dependent's is the primary's.",
  sandbox: sandboxDescription,
  reference: `The client's own name for the movements of the member. ${englishOf(reference.rule)}`,
}

const InclusionMember = Named(
  'InclusionMember',
  Type.Unsafe<unknown>(objectSchema(INCLUSION_FIELDS, INCLUSION_DESCRIPTIONS, { additionalProperties: true })),
)

const health = { name: 'Saúde Essencial', 'start-option': 'on-inclusion-date' }
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

/** `parseBody` enforces it: an invalid member has offenses. */
export const InclusionBody = Type.Object(
  {
    'company-tax-id': Type.Unsafe<string>({ ...cnpj.schema, description: englishOf(cnpj.rule) }),
    reference: Type.Optional(
      Type.Unsafe<unknown>({
        ...reference.optionalSchema,
        description: `The client’s own name for the request, and for the movements of the members without one. ${englishOf(reference.rule)}`,
      }),
    ),
    members: Type.Array(InclusionMember, { minItems: 1, maxItems: MAX_BATCH_MEMBERS }),
  },
  {
    additionalProperties: true,
    examples: [{ 'company-tax-id': '11222333000181', members: [primaryExample, dependentExample] }],
  },
)

const rejectedExample = {
  index: 0,
  'beneficiary-type': 'primary',
  name: 'Helena Brandão Souza',
  'tax-id': '123',
  'company-tax-id': '11222333000181',
  offenses: ['invalid-tax-id', 'missing-mothers-name'],
  'offense-details': [
    { code: 'invalid-tax-id', field: 'tax-id' },
    { code: 'missing-mothers-name', field: 'mothers-name' },
  ],
}

const Offense = OneOf(OFFENSES)

const Rejected = Named(
  'RejectedMember',
  Type.Object({
    index: Type.Integer({ description: 'Index in the batch, from 0.' }),
    'beneficiary-type': AsSent,
    name: AsSent,
    'tax-id': AsSent,
    'company-tax-id': Type.String(),
    offenses: Type.Array(Offense),
    'offense-details': Type.Array(
      Type.Object({
        code: Offense,
        field: Type.String({ description: 'Path of the field within the member.' }),
        'product-name': Type.Optional(Type.String({ description: 'Of the product that it concerns, as sent.' })),
        allowed: AllowedOfOffense,
        reason: Type.Optional(
          OneOf(['unknown', 'invalid'], {
            description: 'Of a document: it is not there or not to be used, or its id or type is not valid.',
          }),
        ),
        'document-index': Type.Optional(
          Type.Integer({ minimum: 0, description: 'Of `invalid-documents`: the index of the first one in the list.' }),
        ),
        ...offenseExplanation,
      }),
      {
        description: 'The offenses in the same order; one that concerns several products comes once for each, up to 5.',
      },
    ),
  }),
)

const Warning = Named(
  'InclusionWarning',
  Type.Object({
    index: Type.Optional(Type.Integer()),
    'tax-id': Type.Optional(Type.String()),
    warning: OneOf(INCLUSION_WARNINGS, { description: explainWarnings(INCLUSION_WARNINGS) }),
    field: Type.String({ description: 'Path of the field within the member.' }),
    'start-date': Type.Optional(StartDateOfWarning),
    'expected-start-date': Type.Optional(ExpectedStartOfWarning),
    'last-day': Type.Optional(LastDayOfWarning),
    until: Type.Optional(UntilOfWarning),
    suggestion: Type.Optional(
      Type.String({ description: 'Of `unknown-field`: the field that was most likely meant.' }),
    ),
    message: WarningMessage,
  }),
)

export const InclusionWarnings = Type.Optional(Type.Array(Warning))

export const InclusionResponse = JudgedResponse('Inclusion', {
  result: Type.Optional(
    Type.Array(Rejected, { description: 'With `Prefer: handling=lenient`: members that were not accepted.' }),
  ),
  warnings: InclusionWarnings,
  'missing-documents': MissingDocuments,
})

export const InclusionErrorResponse = Type.Object(
  {
    error: Type.String(),
    code: ErrorCodeReference,
    ...errorExplanation,
    'request-trace-id': Type.String(),
    details: Type.Optional(Details),
    result: Type.Optional(Type.Array(Rejected)),
    warnings: InclusionWarnings,
    'missing-documents': MissingDocuments,
  },
  {
    description:
      'A malformed body or parameter, with `details`; or `Invalid members`, with every offending member. Nothing was stored.',
    examples: [
      {
        error: 'Invalid members',
        code: 'invalid-members',
        result: [rejectedExample],
        'request-trace-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
      },
    ],
  },
)
