import { Type } from 'typebox'
import { readBenefitForOperator } from '#coverage/benefits/queries.ts'
import { OperatorBenefitResponse } from '#coverage/benefits/schema.ts'
import { required } from '#platform/core/log.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { json } from '#platform/http/bodies.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, noControls, Text, Uuid } from '#platform/http/schemas.ts'
import { Confirm } from '../decide/items.ts'
import { correctBenefit } from './correct.ts'

const CorrectionBody = Closed(
  {
    'card-number': Type.Optional(Type.String({ ...Text, ...noControls })),
    'start-date': Type.Optional(Type.String({ format: 'date', description: 'The first day covered.' })),
    'end-date': Type.Optional(
      Type.String({ format: 'date', description: 'The last day covered, of a benefit that has one.' }),
    ),
    reason: Type.String({ ...Text, ...noControls }),
    confirm: Type.Optional(Confirm),
  },
  { examples: [{ 'card-number': '0045 1120 7799', reason: 'The carrier wrote another number' }] },
)

/** Corrects what the completion of a movement, or an import, said of a benefit. */
export async function correctionRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/operator/v1/benefit/:benefitId/correction',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'correctBenefit',
      'x-sdk': 'benefits.correct',
      'x-cli': {
        command: 'benefit correct',
        examples: {
          'benefit correct 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --card-number "0045 1120 7799" --reason "Typed wrong"':
            'the card number that was typed wrong',
        },
      },
      summary: 'Correct the card number, start or end of a benefit',
      description:
        'Of a benefit that is active or has ended. What was and what is are in `corrections` of its movements; clients get `benefit.updated`. ' +
        'A correction of the end neither ends a benefit nor brings it back. What is so already is not changed.',
      params: Type.Object({ benefitId: Uuid }),
      response: {
        200: OperatorBenefitResponse,
        ...errorResponses(
          'before-start-date',
          'date-out-of-range',
          'benefit-not-found',
          'benefit-not-correctable',
          'duplicate-card',
        ),
      },
    },
    body: json(CorrectionBody),
    handler: async (request, reply) => {
      const id = request.params.benefitId
      await correctBenefit(context, callerOf(request), id, request.body)
      return sendJson(reply, required(await readBenefitForOperator(context.database, id), 'benefit'))
    },
  })
}
