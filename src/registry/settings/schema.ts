import { type Static, Type } from 'typebox'
import { DOCUMENT_TYPES } from '#kernel/enums.ts'
import { MAX_REASON_CHARACTERS } from '#kernel/field-types.ts'
import {
  Closed,
  Name,
  Named,
  noControls,
  Nullable,
  OneOf,
  optional,
  required,
  Text,
  Timestamp,
} from '#platform/http/schemas.ts'
import { LOGO_TYPES, MAX_LOGO_BYTES, MAX_REASON_TEMPLATES, TEMPLATE_TARGETS } from '../rules/settings.ts'

const BrokerName = { ...Name, maxLength: 100, description: 'Shown in place of the name of the product.' }

const Logo = Named(
  'BrokerLogo',
  Closed({
    'content-type': OneOf(LOGO_TYPES, { description: 'As the bytes are.' }),
    data: Type.String({
      minLength: 4,
      maxLength: (MAX_LOGO_BYTES / 3) * 4,
      pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
      description: 'The image in Base64, at most 100 kB.',
      examples: ['iVBORw0KGgoAAAANSUhEUg=='],
    }),
  }),
)

const ReasonTemplate = Named(
  'ReasonTemplate',
  Closed({
    target: OneOf(TEMPLATE_TARGETS, { description: 'The decision that it is offered for.' }),
    text: Type.String({
      minLength: 1,
      maxLength: MAX_REASON_CHARACTERS,
      ...noControls,
      pattern: '\\S',
      description: 'The reason, as the partner reads it.',
    }),
    ...optional({
      'document-types': Type.Array(OneOf(DOCUMENT_TYPES), {
        maxItems: 20,
        uniqueItems: true,
        description: 'What the partner has to send, of `pending-documents`.',
      }),
      'correction-fields': Type.Array(Text, {
        maxItems: 20,
        uniqueItems: true,
        description: 'What the partner has to correct, of `pending-correction`.',
      }),
    }),
  }),
)

/** The body of a PUT: all of it; what is absent is as null. */
export const BrokerSettingsBody = Closed(
  optional({
    'broker-name': Nullable(BrokerName),
    logo: Nullable(Logo),
    'reason-templates': Nullable(
      Type.Array(ReasonTemplate, {
        maxItems: MAX_REASON_TEMPLATES,
        description:
          'Reasons that are often given, in the order in which they are offered; null: those of the console.',
      }),
    ),
  }),
  {
    examples: [
      {
        'broker-name': 'Corretora Horizonte',
        logo: null,
        'reason-templates': [{ target: 'rejected', text: 'A operadora recusou a movimentação.' }],
      },
    ],
  },
)
export type BrokerSettingsInput = Static<typeof BrokerSettingsBody>

export const BrokerSettings = Type.Object({
  result: Named('BrokerSettings', Type.Object({ ...required(BrokerSettingsBody), 'updated-at': Nullable(Timestamp) })),
})

export const LogoQuery = Closed(
  optional({
    sha256: Type.String({ maxLength: 64, description: 'Of the logo, as `logo-url` has it. It is not read.' }),
  }),
)

export const Brand = Type.Object({
  result: Named(
    'Brand',
    Type.Object({
      'broker-name': Nullable(BrokerName),
      'logo-url': Nullable(Type.String({ description: 'The path of the logo; another one for another logo.' })),
    }),
  ),
})
