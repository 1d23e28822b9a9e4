import { Type } from 'typebox'
import { readBenefitForOperator } from '#coverage/benefits/queries.ts'
import { OperatorBenefitResponse } from '#coverage/benefits/schema.ts'
import { required } from '#platform/core/log.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, noControls, Text, Uuid } from '#platform/http/schemas.ts'
import { Confirm } from '../decide/items.ts'
import { endBenefit } from './end.ts'

const EndBody = Closed(
  {
    'end-date': Type.String({ format: 'date', description: 'The last day covered.' }),
    reason: Type.String({ ...Text, ...noControls }),
    confirm: Type.Optional(Confirm),
  },
  {
    examples: [{ 'end-date': '2026-11-30', reason: 'Legal term of the extension ended' }],
  },
)

/** Ends benefits of an extension plan (Lei 9.656 arts. 30 and 31), a primary's together with its dependents'. */
export async function endExtendedRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/operator/v1/benefit/:benefitId/end',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'endBenefit',
      'x-sdk': 'benefits.end',
      'x-cli': {
        command: 'benefit end',
        examples: {
          'benefit end 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --end-date 2026-11-30 --reason "Legal term ended"':
            'and those of its dependents',
        },
      },
      summary: 'End a benefit of an extension plan',
      description:
        'Sets the last day: the benefit is inactive at once when that day has come, else from that day on. The end of a primary’s ' +
        'benefit also ends the dependents’ benefits of the product. The reason is stored with each of them.',
      params: Type.Object({ benefitId: Uuid }),
      response: {
        200: OperatorBenefitResponse,
        ...errorResponses(
          'before-start-date',
          'date-out-of-range',
          'benefit-not-found',
          'benefit-not-under-extension-plan',
        ),
      },
    },
    body: json(EndBody),
    handler: async (request, reply) => {
      const id = request.params.benefitId
      await endBenefit(context, callerOf(request), id, request.body)
      return sendJson(reply, required(await readBenefitForOperator(context.database, id), 'benefit'))
    },
  })
}
