import { Type } from 'typebox'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { QueueItemResponse } from '#coverage/enrollments/schema.ts'
import { MAX_REASON_CHARACTERS } from '#kernel/field-types.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, noControls, Uuid } from '#platform/http/schemas.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { readEnrollmentCompany } from '#coverage/enrollments/note-queries.ts'
import { readQueueItem } from './queries.ts'
import { waiveRequirement } from './waive.ts'

/** `POST /operator/v1/enrollment/{enrollment-id}/requirement/{requirement}/waive`. */
export async function waiverRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/operator/v1/enrollment/:enrollmentId/requirement/:requirement/waive',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'waiveRequirement',
      'x-sdk': 'enrollments.waiveRequirement',
      'x-cli': {
        command: 'enrollment waive',
        examples: {
          'enrollment waive 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 1 --reason "A operadora aceitou a certidão"':
            'the movement waits for one document less',
        },
        message: 'Enrollment {enrollment-id} no longer waits for document {requirement}.',
      },
      summary: 'Waive a required document',
      description:
        'Of a movement that waits for documents of the rules: it no longer waits for this one. With the last one it returns to the queue. ' +
        'The reason becomes a note of the enrollment; with the last document the partner reads it in the history.',
      params: Type.Object({
        enrollmentId: { ...Uuid, description: 'The movement.' },
        requirement: Type.String({
          pattern: String.raw`^[1-9]\d{0,3}$`,
          description: 'Its number in `pending-items`.',
          examples: ['1'],
        }),
      }),
      response: {
        200: QueueItemResponse,
        ...errorResponses('enrollment-not-found', 'requirement-not-found', 'enrollment-not-pending'),
      },
    },
    body: json(
      Closed(
        {
          reason: Type.String({
            minLength: 1,
            maxLength: MAX_REASON_CHARACTERS,
            ...noControls,
            pattern: '\\S',
            description: 'Why the movement may go without it. The partner can read it.',
          }),
        },
        { examples: [{ reason: 'The carrier takes the certificate instead' }] },
      ),
    ),
    handler: async (request, reply) => {
      const enrollmentId = request.params.enrollmentId
      const companyId = await readEnrollmentCompany(context.database, enrollmentId)
      if (companyId === null) throw new ApiError('enrollment-not-found')
      const requirement = Number(request.params.requirement)
      const reason = request.body.reason.trim()
      await waiveRequirement(context, callerOf(request), { companyId, enrollmentId, requirement, reason })
      return sendJson(reply, required(await readQueueItem(context.database, enrollmentId), 'enrollment'))
    },
  })
}
