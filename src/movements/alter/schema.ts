import { type Static, type TObject, Type } from 'typebox'
import { ALTERATION_FIELDS } from '../rules/alteration-data.ts'
import { cnpj } from '#kernel/field-types.ts'
import { objectSchema } from '#platform/http/field-schema.ts'
import { Named, Nullable, OneOf } from '#platform/http/schemas.ts'
import { explainWarnings, WarningMessage } from '#platform/http/warning-schemas.ts'
import { ALTERATION_WARNINGS } from '#kernel/warnings.ts'
import { type Accepted, judgedFields } from '../accepted.ts'
import { JudgedResponse, Reference, SandboxField } from '../schema.ts'

export const ALTERATION_DESCRIPTIONS = {
  'new-product-id':
    'Plan change: a product of the destination company, of the type of exactly one active primary benefit of the member.',
  'new-company-tax-id':
    'Company change: every primary benefit moves, to `new-product-id` or to the product of the same type and name.',
  'requested-start-date':
    'The day on which the change takes effect; default today. The old benefit ends the day before.',
  reason: 'Free text.',
  'tax-id': 'The corrected CPF; the member keeps its `id`.',
  'date-of-birth': 'Not after today.',
  'marital-status': '`other` is read as `others`.',
  'company-id': 'The company by its id, instead of `company-tax-id` or equal to it.',
  documents: 'Uploaded before, each for one movement.',
}

export const AlterationData = Named(
  'AlterationData',
  Type.Unsafe<unknown>(
    objectSchema(ALTERATION_FIELDS, ALTERATION_DESCRIPTIONS, {
      additionalProperties: false,
      minProperties: 1,
      description:
        'At least `new-product-id`, `new-company-tax-id` or a registration key; `requested-start-date`, `reason`, `documents` and ' +
        '`company-id` alone do not qualify. An empty string and null are invalid.',
    }),
  ),
)

/** `parseAlteration` enforces it, with error messages of its own. */
export const AlterationBody = Type.Object(
  {
    'company-tax-id': Type.Optional(
      Type.Unsafe<string>({
        ...cnpj.schema,
        description: 'Required when the member has benefits in several of the companies of the client.',
      }),
    ),
    'alteration-data': AlterationData,
    reference: Type.Optional(Reference),
    sandbox: Type.Optional(SandboxField),
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

/** The warnings of an accepted alteration, or of a batch. */
export const AlterationWarnings = Type.Optional(
  Type.Array(
    Named(
      'AlterationWarning',
      Type.Object({
        index: Type.Optional(Type.Integer({ description: 'Of a batch: the index of the entry.' })),
        'tax-id': Type.Optional(Type.String({ description: 'Of `dependent-too-old`: of the dependent.' })),
        warning: OneOf(ALTERATION_WARNINGS, { description: explainWarnings(ALTERATION_WARNINGS) }),
        field: Type.String({
          description: 'Of `suspicious-text` that of the text; else the one that says where the benefits go.',
        }),
        'product-name': Type.Optional(Type.String({ description: 'Of `dependent-too-old`.' })),
        allowed: Type.Optional(
          Type.Object(
            { 'max-age': Type.Integer(), 'student-max-age': Nullable(Type.Integer()) },
            { description: 'Of `dependent-too-old`: the limits of the product, the ages that are too old.' },
          ),
        ),
        message: WarningMessage,
      }),
    ),
    { description: 'What is worth a look; nothing is refused for it. Absent when there is nothing.' },
  ),
)

const judged = { ...judgedFields, warnings: AlterationWarnings }

export const AlterationResponse = JudgedResponse('Alteration', judged)
export type Altered = Accepted & Static<TObject<typeof judged>>
