import { Type } from 'typebox'
import { PERSON_ROLES } from '#kernel/enums.ts'
import { Named, Nullable, OneOf, Text, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { SIGN_IN_METHODS } from '../sessions/queries.ts'

export const PasskeyPath = Type.Object({
  passkeyId: Type.String({ ...Uuid, description: 'From the own account.' }),
})

export const CurrentPassword = Type.String({ minLength: 1, maxLength: 200, description: 'Of the caller.' })

const Passkey = Named(
  'Passkey',
  Type.Object({
    'passkey-id': Uuid,
    name: Text,
    'created-at': Timestamp,
    'last-used-at': Nullable(Timestamp),
  }),
)

const passkeyExample = {
  'passkey-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  name: 'Notebook',
  'created-at': '2026-11-21T13:05:09.120Z',
  'last-used-at': '2026-11-24T11:58:30.410Z',
}

export const PasskeyResponse = Type.Object({ result: Passkey }, { examples: [{ result: passkeyExample }] })

const AccountSession = Type.Object({
  'created-at': Timestamp,
  'last-used-at': Type.String({ ...Timestamp, description: 'To the minute.' }),
  'signed-in-with': OneOf(SIGN_IN_METHODS),
  'is-current': Type.Boolean({ description: 'Whether it is the session of the call.' }),
})

const Account = Named(
  'Account',
  Type.Object({
    'client-id': Type.String({ description: 'Of a person its `person-id`.' }),
    name: Text,
    role: OneOf(PERSON_ROLES),
    email: Nullable(Type.String({ description: 'null: an operator with a secret, or of the identity provider.' })),
    'last-sign-in-at': Nullable(Timestamp),
    passkeys: Type.Array(Passkey),
    sessions: Type.Array(AccountSession, { description: 'Those that have not expired, the newest first.' }),
  }),
)

export const AccountResponse = Type.Object(
  { result: Account },
  {
    examples: [
      {
        result: {
          'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
          name: 'Ana Prado',
          role: 'analyst',
          email: 'ana.prado@broker.example',
          'last-sign-in-at': '2026-11-24T11:58:30.410Z',
          passkeys: [passkeyExample],
          sessions: [
            {
              'created-at': '2026-11-24T11:58:30.410Z',
              'last-used-at': '2026-11-24T12:20:00.000Z',
              'signed-in-with': 'passkey',
              'is-current': true,
            },
          ],
        },
      },
    ],
  },
)
