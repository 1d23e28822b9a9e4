import { type TProperties, Type } from 'typebox'
import { objectSchema } from '#platform/http/field-schema.ts'
import { Named } from '#platform/http/schemas.ts'
import { INTAKE_FIELDS } from '../rules/intake.ts'

const descriptions = {
  medium: 'How the request came to the broker.',
  'received-at':
    'When it came, with an offset: not after now, and not more than 366 days ago. An exclusion `requested-by-beneficiary` without `requested-at` was ' +
    'requested on this day.',
  'requester-name': 'Who asked. Required but for `carrier-portal`; without a CPF.',
  documents:
    'The evidence: uploaded documents, such as the e-mail as a PDF. They are no documents of the movements; no carrier gets them.',
}

/** How a request came. `parseIntake` enforces it. */
const Intake = Named(
  'Intake',
  Type.Unsafe<unknown>(
    objectSchema(INTAKE_FIELDS, descriptions, {
      additionalProperties: false,
      description: 'How the request came to the broker. It is not changed afterwards.',
    }),
  ),
)

const example = {
  medium: 'email',
  'received-at': '2026-11-20T18:40:00-03:00',
  'requester-name': 'Paula Andrade',
  'requester-contact': 'paula.andrade@serraazul.example',
}

/** The body of a batch as an operator sends it. */
export function withIntake(body: {
  readonly properties: TProperties
  readonly additionalProperties?: boolean
  readonly examples?: readonly object[]
}) {
  const { properties, additionalProperties, examples = [] } = body
  return Type.Object(
    { ...properties, intake: Intake },
    {
      ...(additionalProperties !== undefined && { additionalProperties }),
      examples: examples.map((sent) => ({ ...sent, intake: example })),
    },
  )
}
