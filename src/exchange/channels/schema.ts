import { type Static, Type } from 'typebox'
import { DELIVERY_MODES } from '../rules/channel.ts'
import { email } from '#kernel/field-types.ts'
import { unfitForNames } from '#kernel/name.ts'
import { Closed, Code, Named, Nullable, OneOf, Uuid } from '#platform/http/schemas.ts'

const deliverDescription =
  '`automatic`: by the channels `sftp` and `connector` a shipment is delivered when it is closed.'
const deliver = OneOf(DELIVERY_MODES, { description: deliverDescription })
const Address = Type.Unsafe<string>({ ...email.schema, examples: ['movimentacao@aurora.example'] })
const subject = Type.String({
  minLength: 1,
  maxLength: 200,
  not: { pattern: unfitForNames },
  description: 'One line, with `{contract-number}` and other names in braces.',
})
const text = Type.String({ minLength: 1, maxLength: 10_000, description: 'With names in braces, as the subject.' })
const url = Type.String({ minLength: 1, maxLength: 2_000, description: 'As of a webhook endpoint.' })

const server = {
  host: Type.String({ pattern: '^[A-Za-z0-9.:\\[\\]-]{1,253}$', examples: ['sftp.aurora.example'] }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, examples: [22] }),
  user: Code(60, 'The account at the server.', ['serra-azul']),
  'host-key': Type.String({
    pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
    description:
      'The fingerprint of the server’s key, as `ssh-keygen -l` prints it. A server with another key gets nothing.',
    examples: ['SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDeGNh1S0bHWPHvpS4'],
  }),
  'out-folder': Code(200, 'Where the carrier takes files from.', ['/out']),
}
const inFolder = Code(
  200,
  'Where the carrier puts its answers: they are read, and moved to its folders `processed` and `failed`.',
  ['/in'],
)

const ChannelSettings = Named(
  'ChannelSettings',
  Type.Object({
    'contract-id': Uuid,
    deliver,
    email: Nullable(Type.Object({ to: Type.Array(Address), cc: Type.Array(Address), subject, text })),
    sftp: Nullable(
      Type.Object({
        ...server,
        'in-folder': Type.Optional(inFolder),
        'has-password': Type.Boolean(),
        'has-private-key': Type.Boolean(),
      }),
    ),
    connector: Nullable(
      Type.Object({
        url,
        secret: Nullable(
          Type.String({ description: 'The key of the signatures. Shown only in the response that made it.' }),
        ),
      }),
    ),
  }),
)
export type ChannelSettingsData = Static<typeof ChannelSettings>

const emailExample = {
  to: ['movimentacao@aurora.example'],
  cc: [],
  subject: 'Remessa {shipment-number} do contrato {contract-number}',
  text: 'Segue a remessa {shipment-number} de {company-name}, com {items} movimentações, para o corte de {cut-off-date}.',
}

/** The settings in their envelope. */
export const ChannelSettingsResponse = Type.Object(
  { result: ChannelSettings },
  {
    description: 'The settings.',
  },
)

/** The body of a PUT: all settings, except secrets, which stay where they are not sent. */
export const ChannelSettingsBody = Closed(
  {
    deliver: Type.Optional({ ...deliver, description: `${deliverDescription} Default: \`by-hand\`.` }),
    email: Type.Optional(
      Closed({
        to: Type.Array(Address, { minItems: 1, maxItems: 20 }),
        cc: Type.Optional(Type.Array(Address, { maxItems: 20 })),
        subject,
        text,
      }),
    ),
    sftp: Type.Optional(
      Closed({
        ...server,
        'in-folder': Type.Optional(inFolder),
        port: Type.Optional({ ...server.port, description: 'Default: 22.' }),
        password: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Never shown.' })),
        'private-key': Type.Optional(
          Type.String({ minLength: 1, maxLength: 10_000, description: 'In PEM or OpenSSH format. Never shown.' }),
        ),
      }),
    ),
    connector: Type.Optional(
      Closed({
        url,
        'new-secret': Type.Optional(Type.Boolean({ description: 'Whether the secret is replaced. Default: `false`.' })),
      }),
    ),
  },
  {
    examples: [
      { email: emailExample },
      { deliver: 'automatic', connector: { url: 'https://pls.broker.example/shipment' } },
    ],
  },
)
export type ChannelSettingsInput = Static<typeof ChannelSettingsBody>
