import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { sendJson } from '#platform/http/json-response.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { errorResponses, Uuid } from '#platform/http/schemas.ts'
import { readEnrollment } from './queries.ts'
import { EnrollmentResponse } from './schema.ts'

/** `GET /v1/enrollment/detail/{enrollment-id}`: one movement of one member in one product. */
export async function enrollmentRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/enrollment/detail/:enrollmentId',
    api: 'partner',
    schema: {
      operationId: 'readEnrollment',
      'x-sdk': 'enrollments.get',
      'x-cli': {
        command: 'enrollment show',
        examples: {
          'enrollment show 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45':
            'its status, and how it came to it; an operator also its data and documents',
        },
      },
      tags: ['enrollments'],
      summary: 'Read an enrollment with its history',
      description: 'The id is in `status-by-tax-id` of the request.',
      params: Type.Object({ enrollmentId: Uuid }),
      response: {
        200: EnrollmentResponse,
        ...errorResponses('enrollment-not-found', ['not-entitled', 'Not entitled to access this enrollment']),
      },
    },
    handler: async (request, reply) => {
      const found = await readEnrollment(
        context.database,
        callerOf(request),
        request.params.enrollmentId,
        context.today(),
      )
      if (!found.found) throw new ApiError('enrollment-not-found')
      if (found.body === null) throw notEntitled('enrollment')
      return sendJson(reply, found.body)
    },
  })
}
