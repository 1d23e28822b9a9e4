import { Type } from 'typebox'
import { ALTERATION_FIELDS } from '../../domain/alteration-data.ts'
import { cnpj, objectSchema } from '../../domain/field-types.ts'
import { Named } from '../../http/schemas.ts'
import { Reference } from '../exclude/schema.ts'

export const AlterationData = Named(
  'AlterationData',
  Type.Unsafe<unknown>(
    objectSchema(ALTERATION_FIELDS, {
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
