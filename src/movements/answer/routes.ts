import { twinRoutes } from '#platform/http/twins.ts'
import { requesters } from '#platform/core/may-request.ts'
import { parsedJson } from '#platform/http/bodies.ts'
import { Type } from 'typebox'
import { parseAnswer } from '../rules/answer.ts'
import { readCompanyOfEnrollment } from '#coverage/enrollments/queries.ts'
import { EnrollmentResponse } from '#coverage/enrollments/schema.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { Uuid } from '#platform/http/schemas.ts'
import { answerEnrollment } from './answer.ts'
import { AnswerBody } from './schema.ts'

const notEntitledMessage = 'Not entitled to access this enrollment'

/** `POST /enrollment/{enrollment-id}/answer` of both APIs: what a pending movement waits for. */
export async function answerRoutes(app: App, context: Context): Promise<void> {
  const described = { summary: 'Answer a pending enrollment with documents, corrected data or a comment' } as const
  const what =
    'Only while the enrollment is `pending-documents` or `pending-correction`. The data are judged as those of the movement; 400 ' +
    '`Invalid answer` lists every error. The enrollment returns to the status of the queue that it came from, to `broker-processing` when the ' +
    'carrier has to get it again, and days that change are scheduled again. In an inclusion and an alteration the answer serves all open enrollments of the person in the request; in an ' +
    "exclusion a primary's serves those of the dependents that go with it. `pending-items` say what is missing."
  twinRoutes(app, {
    method: 'POST',
    path: '/enrollment/:enrollmentId/answer',
    notEntitled: notEntitledMessage,
    schema: { params: Type.Object({ enrollmentId: Uuid }), response: { 200: EnrollmentResponse } },
    partner: {
      ...described,
      operationId: 'answerEnrollment',
      'x-sdk': 'enrollments.answer',
      tags: ['enrollments'],
      description: what,
      errors: [
        'invalid-answer',
        ['not-entitled', notEntitledMessage],
        'enrollment-not-found',
        'enrollment-not-pending',
      ],
    },
    operator: {
      ...described,
      operationId: 'answerAnyEnrollment',
      'x-sdk': 'enrollments.answer',
      roles: requesters,
      description: `What came to the broker for it after all. ${what}`,
      errors: ['invalid-answer', 'enrollment-not-found', 'enrollment-not-pending'],
    },
    body: parsedJson(AnswerBody, parseAnswer),
    handler: async (request, reply) => {
      const enrollmentId = request.params.enrollmentId
      const caller = callerOf(request)
      const companyId = await readCompanyOfEnrollment(context.database, caller, enrollmentId)
      request.accessedCompanyIds = [companyId]
      const body = await answerEnrollment(context, caller, {
        companyId,
        enrollmentId,
        answer: request.body,
        saveResponse: request.saveResponse,
      })
      return sendJson(reply, body)
    },
  })
}
