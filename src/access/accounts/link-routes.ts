import { Type } from 'typebox'
import { credentialsBodyLimit } from '../auth/check-secret.ts'
import { NewPassword } from '../auth/check-password.ts'
import { refuseCommon } from '../auth/common-passwords.ts'
import { signInNetwork } from '../auth/failures.ts'
import { hashPassword } from '../auth/passwords.ts'
import { ApiError } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { ROLES } from '#kernel/enums.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, type Context, requestOrigin } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, Text, Timestamp } from '#platform/http/schemas.ts'
import { deletePasskeysOf } from '../passkeys/queries.ts'
import { deleteSessionsOfOperator } from '../sessions/queries.ts'
import { refuseCrossSite } from '../sessions/same-origin.ts'
import { linkHash } from './links.ts'
import { findLinkedPerson, updatePassword } from './queries.ts'
import { Token } from './schema.ts'

const LinkedPerson = Type.Object({
  result: Type.Object({
    name: Text,
    email: Type.String(),
    'has-password': Type.Boolean({ description: 'Whether it is replaced; false: the link is an invitation.' }),
    'expires-at': Timestamp,
  }),
})

const SignIn = Type.Object({
  result: Type.Object({ name: Text, email: Type.String({ description: 'To sign in with, and the new password.' }) }),
})

const token = 'q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM'

/** What the page of an invitation needs, where no one has signed in yet. */
export function personLinkRoutes(app: App, context: Context): void {
  const { config, database } = context
  route(app, {
    method: 'POST',
    url: '/operator/v1/session/link',
    schema: {
      operationId: 'readPersonLink',
      'x-sdk': 'session.readLink',
      tags: ['operator'],
      summary: 'Read whose link it is',
      description: 'Of an invitation, or a link for who forgot the password. It may be read until it is used.',
      response: { 200: LinkedPerson, ...errorResponses('link-expired', 'cross-site-request', 'unavailable') },
    },
    body: json(Closed({ token: Token }, { examples: [{ token }] }), { limit: credentialsBodyLimit }),
    handler: async (request, reply) => {
      refuseCrossSite(request, config)
      const person = await findLinkedPerson(database, linkHash(request.body.token))
      if (person === null) throw new ApiError('link-expired')
      void reply.header('cache-control', 'no-store')
      const { name, email, hasPassword, expiresAt } = person
      return { result: { name, email, 'has-password': hasPassword, 'expires-at': expiresAt } }
    },
  })
  route(app, {
    method: 'POST',
    url: '/operator/v1/session/password',
    schema: {
      operationId: 'setPassword',
      'x-sdk': 'session.setPassword',
      tags: ['operator'],
      summary: 'Set a password with a link',
      description:
        'The link ends, all sessions of the person, and all passkeys: the device that had them may be lost. Then sign in with `POST /operator/v1/session`. The body has at most 4 KiB.',
      response: {
        200: SignIn,
        ...errorResponses('link-expired', 'client-revoked', 'cross-site-request', 'unavailable'),
      },
    },
    body: json(
      Closed(
        { token: Token, password: NewPassword },
        { examples: [{ token, password: 'quatro palavras bem longas' }] },
      ),
      { limit: credentialsBodyLimit },
    ),
    handler: async (request) => {
      refuseCrossSite(request, config)
      const hash = linkHash(request.body.token)
      const person = await findLinkedPerson(database, hash)
      if (person === null) throw new ApiError('link-expired')
      const { id, api, name, email } = person
      await refuseCommon(request.body.password)
      const passwordHash = await hashPassword(request.body.password, id)
      const network = signInNetwork(context.failureKey, id, request.clientAddress)
      const actor = { kind: api, clientId: id, origin: requestOrigin(request) } as const
      await write(context, actor, { may: api === 'operator' ? ROLES : 'partner' }, async (tx) => {
        if (!(await updatePassword(tx, id, hash, { passwordHash, network }))) throw new ApiError('link-expired')
        await deleteSessionsOfOperator(tx, id)
        const removed = await deletePasskeysOf(tx, id)
        tx.audit({ action: 'person.password-set', target: id, companyId: null })
        if (removed > 0) tx.audit({ action: 'person.passkeys-removed', target: id, companyId: null })
      })
      return { result: { name, email } }
    },
  })
}
