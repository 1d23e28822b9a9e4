import { type Static, Type } from 'typebox'
import { DIGESTS, MAIL_FREQUENCIES, MAIL_KINDS, MAIL_STATUSES } from '#kernel/mail.ts'
import { LANGUAGES } from '#kernel/texts/texts.ts'
import { Closed, Named, Nullable, OneOf, pageQuery, Timestamp, Uuid } from '#platform/http/schemas.ts'

export const MailQuery = Closed({
  kind: Type.Optional(OneOf(MAIL_KINDS, { description: 'Default: every kind.' })),
  status: Type.Optional(OneOf(MAIL_STATUSES, { description: 'Default: every status.' })),
  ...pageQuery,
})
export type MailQuery = Static<typeof MailQuery>

export const Mail = Named(
  'Mail',
  Type.Object({
    'mail-id': Uuid,
    kind: OneOf(MAIL_KINDS, { description: 'What it tells.' }),
    'person-id': Nullable({ ...Uuid, description: 'null: an employee whom the HR of a company invited.' }),
    email: Nullable(Type.String({ description: 'Of the person; that of an employee is not shown.' })),
    status: OneOf(MAIL_STATUSES, {
      description:
        '`doubtful`: the answer of the server did not come, so it may have arrived. It is not sent again by itself. `failed`: the server refused it, or it ' +
        'expired.',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'How often the server was asked to take it.' }),
    error: Nullable(
      Type.String({
        description: 'The code of the SMTP server, such as `550`, or of the connection, such as `ETIMEDOUT`.',
      }),
    ),
    'created-at': Timestamp,
    'next-attempt-at': Nullable(Timestamp),
    'expires-at': Type.String({ ...Timestamp, description: 'It is not sent later.' }),
    'finished-at': Nullable(Type.String({ ...Timestamp, description: 'null: it waits, or is being sent.' })),
  }),
)

const Frequencies = (description: string) =>
  Type.Array(
    Named(
      'MailFrequency',
      Closed({
        kind: OneOf(DIGESTS, { description: 'What it tells.' }),
        frequency: OneOf(MAIL_FREQUENCIES, {
          description:
            '`at-once`: at most once a quarter of an hour, when something came. `daily`: on business days, in the morning.',
        }),
      }),
    ),
    { maxItems: DIGESTS.length, description },
  )

const language = OneOf(LANGUAGES, { description: 'Of all e-mails to the person.' })

export const PreferencesBody = Closed(
  { language, frequencies: Frequencies('A kind that is absent has its default.') },
  { examples: [{ language: 'pt-BR', frequencies: [{ kind: 'pending-items', frequency: 'at-once' }] }] },
)
export type PreferencesBody = Static<typeof PreferencesBody>

export const Preferences = Type.Object({
  result: Named(
    'MailPreferences',
    Type.Object({
      'is-mail-on': Type.Boolean({ description: 'Whether the installation sends e-mails.' }),
      language,
      frequencies: Frequencies('Of each kind that somebody with the role gets.'),
    }),
  ),
})
