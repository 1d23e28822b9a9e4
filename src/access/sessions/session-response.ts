import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { invalidCredentials } from '#platform/core/errors.ts'
import { PERSON_ROLES } from '#kernel/enums.ts'
import type { Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { DateOnly, Named, OneOf, Text, Timestamp } from '#platform/http/schemas.ts'
import { readSessionItem, SIGN_IN_METHODS } from './queries.ts'
import { type SignedIn, startSession } from './sessions.ts'

const Session = Named(
  'Session',
  Type.Object({
    'client-id': Type.String({ description: 'Of a person its `person-id`.' }),
    name: Text,
    role: OneOf(PERSON_ROLES),
    'created-at': Timestamp,
    'idle-expires-at': Type.String({
      ...Timestamp,
      description: 'When the session expires without a further call. Each call delays it, to the minute.',
    }),
    'expires-at': Type.String({ ...Timestamp, description: 'When the session expires, whatever its use.' }),
    'signed-in-with': OneOf(SIGN_IN_METHODS),
    'business-date': {
      ...DateOnly,
      description: 'The day that the service takes for today, in America/Sao_Paulo; in staging it can be moved.',
    },
    'see-money': Type.Optional(
      Type.Boolean({ description: 'Of `company-hr`: whether the person sees the invoices of the companies.' }),
    ),
    'see-discrepancies': Type.Optional(
      Type.Boolean({ description: 'Of `company-hr`: whether a contract of the companies shows what differs.' }),
    ),
    onboarding: Type.Optional(
      Type.Boolean({ description: 'Of `company-hr`: whether the installation has onboarding links.' }),
    ),
    mail: Type.Optional(Type.Boolean({ description: 'Whether the installation sends e-mails.' })),
  }),
)

export const SessionResponse = Type.Object(
  { result: Session },
  {
    description: 'The session.',
  },
)

/** A session as the body of a response. @throws ApiError 401 when it was ended meanwhile. */
export async function readSessionBody(context: Context, sessionId: string): Promise<string> {
  const item = await readSessionItem(context.database, sessionId, context.today(), context.config)
  if (item === null) throw invalidCredentials('session-ended')
  return `{"result":${item}}`
}

/** Starts a session of who signed in, sets its cookie and sends it. */
export async function sendNewSession(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn,
): Promise<FastifyReply> {
  const id = await startSession(context, request, reply, signedIn)
  void reply.header('cache-control', 'no-store')
  return sendJson(reply, await readSessionBody(context, id))
}
