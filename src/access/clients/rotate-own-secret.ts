import { route } from '#platform/http/route.ts'
import type { Sql } from '#platform/core/database.ts'
import { Type } from 'typebox'
import { write } from '#platform/core/write.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { Timestamp } from '#platform/http/schemas.ts'
import { invalidCredentials } from '#platform/core/errors.ts'
import { endFormerSecretAt, insertSecret, lockClient } from './queries.ts'
import { makeSecret } from './secrets.ts'

/** As long as the former secret of a webhook endpoint. */
const formerSecretMs = 86_400_000

const RotatedSecret = Type.Object({
  result: Type.Object({
    'client-secret': Type.String({ description: 'The service stores a hash: save it before the former one ends.' }),
    'former-secret-ends-at': Type.String({
      ...Timestamp,
      description: 'Until then the present secret is valid beside the new one, unless there is another rotation.',
    }),
  }),
})

/** `POST /v1/client/rotate-secret`: a partner's client gives itself a new secret. */
export function rotateOwnSecretRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: '/v1/client/rotate-secret',
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'rotateSecret',
      'x-sdk': 'credentials.rotateSecret',
      'x-cli': {
        command: 'client rotate-own',
        examples: { 'client rotate-own': 'then, with the new secret: vigencia login' },
        isShown: true,
        message: 'The secret is shown this once. Save it with: vigencia login',
      },
      tags: ['access'],
      summary: 'Rotate the secret of the caller',
      description:
        'The client then has two valid secrets: the new one, and for 24 hours the newest it had. An older one ends at once, so that a second ' +
        'call ends a secret that was disclosed. Tokens stay valid until they expire. Send an `Idempotency-Key`: when the response is lost, ' +
        'the same call returns the same secret for 24 hours, and no further one is made.',
      response: { 200: RotatedSecret },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { clientId } = caller
      const secret = makeSecret()
      const { saveResponse } = request
      const lock = async (sql: Sql) => {
        if (!(await lockClient(sql, 'partner', clientId))) throw invalidCredentials('client-revoked')
      }
      const body = await write(context, caller, { may: 'partner', lock, saveResponse }, async (sql) => {
        await insertSecret(sql, clientId, context.secrets.hash(clientId, secret))
        const endsAt = new Date(sql.at().getTime() + formerSecretMs)
        await endFormerSecretAt(sql, clientId, endsAt)
        sql.audit({ action: 'client.secret-rotated', target: clientId, companyId: null })
        const result = { 'client-secret': secret, 'former-secret-ends-at': endsAt.toISOString() }
        const text = JSON.stringify({ result })
        sql.respond(text)
        return text
      })
      void reply.header('cache-control', 'no-store')
      return sendJson(reply, body)
    },
  })
}
