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

export const PasskeyResponse = Type.Object({ result: Passkey })

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

export const AccountResponse = Type.Object({ result: Account })
