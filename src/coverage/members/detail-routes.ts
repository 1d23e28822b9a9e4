import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { errorResponses, Uuid } from '#platform/http/schemas.ts'
import { ApiError } from '#platform/core/errors.ts'
import { readMember } from './detail-queries.ts'
import { MemberResponse } from './schema.ts'

/** `GET /v1/member/{member-id}`: one person with all registration data. */
export async function memberDetailRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/member/:memberId',
    api: 'partner',
    schema: {
      operationId: 'readMember',
      'x-sdk': 'members.get',
      'x-cli': {
        command: 'member show',
        examples: { 'member show 5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11': 'inactive benefits too' },
      },
      tags: ['members'],
      summary: 'Read a member with all registration data',
      description:
        'As in the list, with benefits in every status, and the registration data that each of the caller’s companies has of the ' +
        'person. The response for a person who is in none of them is that for an unknown id.',
      params: Type.Object({ memberId: { ...Uuid, description: 'The `id` in the member list, or a `member-id`.' } }),
      response: { 200: MemberResponse, ...errorResponses('member-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readMember(database, callerOf(request), request.params.memberId)
      if (body === null) throw new ApiError('member-not-found')
      return sendJson(reply, body)
    },
  })
}
