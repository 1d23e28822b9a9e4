import { Type } from 'typebox'
import { DEPENDENT_TYPES } from '#kernel/enums.ts'
import {
  CHOICES,
  DEPENDENT_FIELDS,
  EMPLOYEE_FIELDS,
  MAX_DEPENDENTS,
  MAX_FILES,
  ONBOARDING_STATUSES,
} from '../rules/onboarding.ts'
import { objectSchema } from '#platform/http/field-schema.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'
import { Closed, Cpf, DateOnly, Named, Nullable, OneOf, Text, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { RequirementList } from '#registry/requirements/partner-schema.ts'

/** A file that the employee uploaded. */
export const OnboardingFile = Named(
  'OnboardingDocument',
  Type.Object({
    'document-id': Uuid,
    name: Type.String(),
    'content-type': OneOf(FILE_TYPES),
    size: Type.Integer({ description: 'Bytes.' }),
  }),
)

const secret = (description: string) =>
  Type.String({ description, examples: ['q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM'] })

export const TokenHeaders = Type.Object({
  'onboarding-token': Type.Optional(secret('What follows `#` in the link.')),
})
export const LinkHeaders = Type.Object({
  ...TokenHeaders.properties,
  'onboarding-session': Type.Optional(secret('From `POST /onboarding/v1/session`.')),
})

export const SecondFactorBody = Closed(
  {
    'tax-id-ending': Type.String({ pattern: '^\\d{5}$', description: 'The last five digits of the CPF.' }),
    'date-of-birth': DateOnly,
  },
  { examples: [{ 'tax-id-ending': '24725', 'date-of-birth': '1990-05-17' }] },
)

export const LinkSession = Type.Object({
  result: Type.Object({
    session: Type.String({ description: 'For the header `Onboarding-Session`. The one before ends.' }),
    'expires-at': Timestamp,
  }),
})

const Choice = Named(
  'OnboardingChoice',
  Closed({
    'product-id': Uuid,
    choice: OneOf(CHOICES),
    'typed-name': Type.Optional(
      Type.String({ ...Text, description: 'Of `waive` only, which needs it: the full name, typed by the employee.' }),
    ),
  }),
)

const options = { additionalProperties: false }
const dependentSchema = objectSchema(DEPENDENT_FIELDS, {}, options) as { properties: object; required: string[] }

/** What the employee sends, and what the HR reviews. `parseSubmission` enforces it. */
export const Submission = Named(
  'OnboardingSubmission',
  Type.Object(
    {
      member: Type.Optional(
        Named('OnboardingEmployee', Type.Unsafe<Record<string, unknown>>(objectSchema(EMPLOYEE_FIELDS, {}, options))),
      ),
      dependents: Type.Optional(
        Type.Array(
          Named(
            'OnboardingDependent',
            Type.Unsafe<Record<string, unknown>>({
              ...dependentSchema,
              required: [...dependentSchema.required, 'dependent-product-ids'],
              properties: { ...dependentSchema.properties, 'dependent-product-ids': Type.Array(Uuid, { minItems: 1 }) },
            }),
          ),
          { maxItems: MAX_DEPENDENTS },
        ),
      ),
      choices: Type.Array(Choice, { description: 'One for each product of the invitation.' }),
    },
    options,
  ),
)

const submissionExample = {
  member: { name: 'Helena Prado', 'mothers-name': 'Fátima Prado', gender: 'female' },
  dependents: [],
  choices: [{ 'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32', choice: 'enroll' }],
}

export const SubmissionBody = { ...Submission, examples: [submissionExample] }

const requirement = RequirementList.properties.result.items.properties

const Product = Type.Object({
  'product-id': Uuid,
  'product-name': Text,
  'product-type': Type.String(),
  'carrier-name': Text,
  'allowed-dependent-types': Type.Array(OneOf(DEPENDENT_TYPES)),
  requirements: Type.Array(
    Named(
      'OnboardingRequirement',
      Type.Object({
        'dependent-type': Nullable(OneOf(DEPENDENT_TYPES, { description: 'Null: of the employee.' })),
        ...requirement,
      }),
    ),
  ),
})

export const SubmittedResponse = Type.Object({
  result: Type.Object({ status: OneOf(['submitted']), 'submitted-at': Timestamp }),
})

export const EmployeeView = Type.Object({
  result: Type.Object({
    'company-name': Text,
    name: Text,
    'tax-id': { ...Cpf, description: 'Masked.' },
    'date-of-birth': DateOnly,
    status: OneOf(ONBOARDING_STATUSES),
    'return-message': Nullable(Type.String()),
    'expires-at': Timestamp,
    'submitted-at': Nullable(Timestamp),
    products: Type.Array(Product),
    submission: Nullable(Submission),
    documents: Type.Array(OnboardingFile),
  }),
})

export const PriceBody = Closed(
  { 'dates-of-birth': Type.Array(DateOnly, { maxItems: MAX_DEPENDENTS, description: 'Of the dependents.' }) },
  { examples: [{ 'dates-of-birth': ['2020-01-31'] }] },
)

const cents = (description: string) => Nullable(Type.Integer({ description: `${description}, in cents.` }))

export const PriceList = Type.Object({
  result: Type.Array(
    Named(
      'OnboardingPrice',
      Type.Object({
        'product-id': Uuid,
        amount: cents('What the employee pays a month; null: not known'),
        'dependent-amounts': Type.Array(cents('The same for each dependent')),
      }),
    ),
  ),
})

export const UploadedFile = Type.Object({
  'document-id': Type.String({ ...Uuid, description: `For \`documents\` of a person. A link takes ${MAX_FILES}.` }),
})
