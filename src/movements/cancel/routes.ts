import { route } from '#platform/http/route.ts'
import { optionalJson } from '#platform/http/bodies.ts'
import { required } from '#platform/core/log.ts'
import { readBenefitIds } from '../transition/queries.ts'
import { lockFamilies } from '../transition/families.ts'
import type { Sql } from '#platform/core/database.ts'
import { write } from '#platform/core/write.ts'
import { Type } from 'typebox'
import { refusalOf } from '../rules/transitions.ts'
import { MAX_REASON_CHARACTERS } from '#kernel/field-types.ts'
import { readCompanyOfEnrollment, readEnrollment } from '#coverage/enrollments/queries.ts'
import { EnrollmentResponse } from '#coverage/enrollments/schema.ts'
import { transitionAll } from '../transition/transition.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { Closed, errorResponses, noControls, Nullable, Uuid } from '#platform/http/schemas.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'

const Body = Closed(
  {
    reason: Type.Optional(
      Nullable(
        Type.String({
          ...noControls,
          maxLength: MAX_REASON_CHARACTERS,
          description: 'A blank reason counts as absent.',
        }),
      ),
    ),
  },
  { examples: [{ reason: 'The person does not start' }] },
)

const notEntitledMessage = 'Not entitled to access this enrollment'

/** `POST /v1/enrollment/{enrollment-id}/cancel`: the partner withdraws an open movement. */
export async function cancelRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/v1/enrollment/:enrollmentId/cancel',
    api: 'partner',
    notEntitled: notEntitledMessage,
    schema: {
      operationId: 'cancelEnrollment',
      'x-sdk': 'enrollments.cancel',
      tags: ['enrollments'],
      summary: 'Withdraw an open enrollment that has not reached the carrier',
      description:
        '409 `Enrollment has reached the carrier` once it, or a part that goes with it, was in `carrier-processing`; 409 `Illegal transition` ' +
        "when it has ended, and for a dependent's part of a primary's exclusion. Cancelling a primary's inclusion rejects those of its " +
        "dependents in the product; cancelling a primary's exclusion cancels the parts of its dependents. The body may be left out.",
      params: Type.Object({ enrollmentId: Uuid }),
      response: {
        200: EnrollmentResponse,
        ...errorResponses(
          ['not-entitled', notEntitledMessage],
          'enrollment-not-found',
          'enrollment-reached-carrier',
          'illegal-transition',
        ),
      },
    },
    body: optionalJson(Body),
    handler: async (request, reply) => {
      const id = request.params.enrollmentId
      const caller = callerOf(request)
      const reason = request.body.reason?.trim() || null
      const { saveResponse } = request
      const companyId = await readCompanyOfEnrollment(context.database, caller, id)
      request.accessedCompanyIds = [companyId]
      const options = {
        may: 'partner',
        companies: { ids: [companyId], entitled: 'all', error: () => notEntitled('enrollment') },
        lock: async (sql: Sql) => lockFamilies(sql, companyId, await readBenefitIds(sql, companyId, [id])),
        saveResponse,
      } as const
      const body = await write(context, caller, options, async (sql) => {
        const results = await transitionAll(sql, companyId, [id], { status: 'cancelled', reason }, context)
        const result = results.get(id)
        if (result?.accepted === false) {
          if (result.reachedCarrier) throw new ApiError('enrollment-reached-carrier')
          throw new ApiError(result.code, refusalOf(result, 'cancelled'))
        }
        const detail = required((await readEnrollment(sql, caller, id, context.today())).body, 'enrollment')
        sql.respond(detail)
        return detail
      })
      return sendJson(reply, body)
    },
  })
}
