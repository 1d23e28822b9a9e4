import { Type } from 'typebox'
import { invalidCredentials } from '../errors.ts'
import { type App, callerOf, type Service } from '../service.ts'
import { errorAnswers } from '../wire.ts'
import { membersStatement } from './queries.ts'
import { MemberList } from './schema.ts'
import { listStreams } from './stream.ts'

const limits = { atOnce: 8, stallMs: 60_000, statementMs: 15 * 60_000 }

/** `GET /v1/member`: the members of all companies that the caller may access. */
export async function memberRoutes(app: App, { database, log }: Service): Promise<void> {
  const openList = listStreams(database, log, limits)
  app.route({
    method: 'GET',
    url: '/v1/member',
    // A HEAD would read the whole list for nothing.
    exposeHeadRoute: false,
    config: { door: 'partner' },
    schema: {
      operationId: 'listMembers',
      tags: ['members'],
      summary: 'List members with their benefits',
      description:
        'One item per person, by CPF: the benefits in the caller’s companies and the profile most recently updated among them. ' +
        'The whole list of one moment, streamed; an answer that breaks off is not the whole list.',
      querystring: Type.Object(
        {
          'include-inactive': Type.Boolean({
            default: false,
            description: '`true`: also benefits that are pending or have ended, and members who have no other.',
          }),
        },
        { additionalProperties: false },
      ),
      response: { 200: MemberList, ...errorAnswers(400, 401, 503) },
    },
    handler: async (request, reply) => {
      const list = await openList(membersStatement(callerOf(request), request.query['include-inactive']))
      if (list === null) throw invalidCredentials()
      request.callerSeen = true
      return reply.type('application/json; charset=utf-8').send(list as never)
    },
  })
}
