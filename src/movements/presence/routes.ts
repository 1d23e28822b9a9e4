import { Type } from 'typebox'
import { ClientId } from '#access/clients/accounts.ts'
import { readEnrollmentCompany } from '#coverage/enrollments/note-queries.ts'
import { ApiError } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, Uuid } from '#platform/http/schemas.ts'
import { deletePresence, listOpened, putPresence, readOthers } from './queries.ts'

const url = '/operator/v1/enrollment/:enrollmentId/presence'
const roles = ['analyst'] as const
const params = Type.Object({ enrollmentId: Uuid })

const operator = {
  'client-id': { ...ClientId, description: 'Of the operator.' },
  name: Type.String({ description: 'Of the operator.' }),
}

/** Who has a movement open: so that two people do not decide on the same one. It is forgotten after a minute, and is in no audit. */
export async function presenceRoutes(app: App, { database }: Context): Promise<void> {
  const companyOf = async (enrollmentId: string) => {
    const companyId = await readEnrollmentCompany(database, enrollmentId)
    if (companyId === null) throw new ApiError('enrollment-not-found')
    return companyId
  }

  route(app, {
    method: 'PUT',
    url,
    api: 'operator',
    roles,
    schema: {
      operationId: 'putPresence',
      'x-sdk': 'enrollments.putPresence',
      summary: 'Say that one has an enrollment open',
      description:
        'For a minute: the console repeats it. The response has the other operators who have it open. No audit, no event.',
      params,
      response: {
        200: Type.Object({ result: Type.Array(Type.Object(operator)) }),
        ...errorResponses('enrollment-not-found'),
      },
    },
    handler: async (request) => {
      const { enrollmentId } = request.params
      const { clientId } = callerOf(request)
      const companyId = await companyOf(enrollmentId)
      await putPresence(database, companyId, enrollmentId, clientId)
      return { result: await readOthers(database, companyId, enrollmentId, clientId) }
    },
  })

  route(app, {
    method: 'DELETE',
    url,
    api: 'operator',
    roles,
    schema: {
      operationId: 'deletePresence',
      'x-sdk': 'enrollments.deletePresence',
      summary: 'Say that one has left an enrollment',
      description: 'Also where that was said before.',
      params,
      response: { 204: Type.Null({ description: 'Done.' }), ...errorResponses('enrollment-not-found') },
    },
    handler: async (request, reply) => {
      const { enrollmentId } = request.params
      await deletePresence(database, await companyOf(enrollmentId), enrollmentId, callerOf(request).clientId)
      return reply.status(204).send()
    },
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/enrollment/presence',
    api: 'operator',
    roles,
    schema: {
      operationId: 'listPresence',
      'x-sdk': 'enrollments.presence',
      summary: 'List the enrollments that other operators have open',
      description: 'At most 500, by the name of the operator.',
      response: { 200: Type.Object({ result: Type.Array(Type.Object({ 'enrollment-id': Uuid, ...operator })) }) },
    },
    handler: async (request) => ({ result: await listOpened(database, callerOf(request).clientId) }),
  })
}
