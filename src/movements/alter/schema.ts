import { Type } from 'typebox'
import { DOCUMENT_TYPES, GENDERS, MARITAL_STATUSES, STATES, WORK_CONTRACT_TYPES } from '../../domain/enums.ts'
import { Cnpj, Cpf, DateOnly, Named, OneOf, Text, Uuid } from '../../http/schemas.ts'

const name = () => text('Without control characters and marks of direction.')
const text = (description?: string) => Type.Optional({ ...Text, ...(description === undefined ? {} : { description }) })

const AlterationData = Named(
  'AlterationData',
  Type.Object(
    {
      'new-product-id': Type.Optional({
        ...Uuid,
        description:
          'Plan change: a product of the destination company, of the type of exactly one active primary benefit of the member.',
      }),
      'new-company-tax-id': Type.Optional({
        ...Cnpj,
        description:
          'Company change: every primary benefit moves, to `new-product-id` or to the product of the same type and name.',
      }),
      'requested-start-date': Type.Optional({
        ...DateOnly,
        description: 'The day on which the change takes effect; default today. The old benefit ends the day before.',
      }),
      reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Free text.' })),
      name: name(),
      'preferred-name': name(),
      'tax-id': Type.Optional({ ...Cpf, description: 'The corrected CPF; the member keeps its `id`.' }),
      'mothers-name': name(),
      'date-of-birth': Type.Optional(Type.String({ format: 'date', examples: ['1990-05-17'] })),
      gender: Type.Optional(OneOf(GENDERS)),
      'marital-status': Type.Optional(
        OneOf([...MARITAL_STATUSES, 'other'], { description: '`other` is read as `others`.' }),
      ),
      email: Type.Optional(Type.String({ format: 'email', description: 'Replaces `email-private`.' })),
      phone: text('10 or 11 digits with area code; punctuation and +55 allowed.'),
      'address-postal-code': Type.Optional(Type.String({ pattern: '^\\d{5}-?\\d{3}$', examples: ['01310-100'] })),
      'address-street': text(),
      'address-number': text(),
      'address-neighborhood': text(),
      'address-complement': text(),
      'address-city': text(),
      'address-state': Type.Optional(OneOf(STATES)),
      'company-id': Type.Optional({
        ...Uuid,
        description: 'The company by its id, instead of `company-tax-id` or equal to it.',
      }),
      'work-contract-type': Type.Optional(OneOf(WORK_CONTRACT_TYPES)),
      'monthly-salary': Type.Optional(Type.Integer({ minimum: 0, description: 'Cents.', examples: [523_000] })),
      'employee-company-tax-id': Type.Optional(Cnpj),
      'bank-number': text(),
      'bank-branch-number': text(),
      'bank-account-number': text(),
      'bank-account-owners-name': name(),
      'bank-account-owners-tax-id': Type.Optional(Cpf),
      documents: Type.Optional(
        Type.Array(Type.Object({ 'document-id': Type.String(), 'document-type': OneOf(DOCUMENT_TYPES) }), {
          description: 'Uploaded before, each for one movement.',
        }),
      ),
    },
    {
      additionalProperties: false,
      minProperties: 1,
      description:
        'At least `new-product-id`, `new-company-tax-id` or a registration key; `requested-start-date`, `reason`, `documents` and ' +
        '`company-id` alone do not qualify. An empty string and null are bad values.',
    },
  ),
)

/* What is wrong in `alteration-data` has a message of its own: the schema documents it, the handler reads it. */
export const AlterationBody = Type.Object(
  {
    'company-tax-id': Type.Optional({
      ...Cnpj,
      description: 'Needed when the member has benefits in several of the caller’s companies.',
    }),
    'alteration-data': AlterationData,
  },
  {
    additionalProperties: false,
    examples: [
      {
        'company-tax-id': '12ABC34501DE35',
        'alteration-data': {
          'new-product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
          'requested-start-date': '2026-12-01',
          phone: '(11) 98765-4321',
        },
      },
    ],
  },
)

export const AlterationAnswer = Type.Object(
  { 'request-id': Uuid },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }] },
)
