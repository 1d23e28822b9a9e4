import type { FastifyReply } from 'fastify'
import { readAnyContinuation } from '#coverage/continuations/queries.ts'
import {
  ContinuationPath,
  ContinuationResponse,
  EndBody,
  NewContinuationBody,
  NoticeBody,
  OptionBody,
} from '#coverage/continuations/schema.ts'
import { required } from '#platform/core/log.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { answerContinuation, createContinuation, endContinuation, mayContinue, offerContinuation } from './acts.ts'

const url = '/operator/v1/continuation'
const example = '01995e0d-1b21-7c33-8d44-5e6f70819203'

const common = { method: 'POST', api: 'operator', roles: mayContinue } as const

/** What operators do with continuations. */
export async function continuationActRoutes(app: App, context: Context): Promise<void> {
  createRoute(app, context)
  noticeRoute(app, context)
  optionRoute(app, context)
  endRoute(app, context)
}

function createRoute(app: App, context: Context): void {
  route(app, {
    ...common,
    url,
    schema: {
      operationId: 'createContinuation',
      'x-sdk': 'continuations.create',
      'x-cli': {
        command: 'continuation create',
        examples: {
          'continuation create --benefit-id 01995e0c-7012-7b1f-9d55-1f0a2e3b4c5d --ground dismissal --contribution-months 40 --leaving-date 2026-11-30':
            'the benefits stay until the person answers',
        },
      },
      summary: 'Record that somebody who leaves may keep the plan',
      description:
        'Of a benefit that has none: it waits for the employer’s notice, or with `notice-date` for the answer. An exclusion with `extension-plan` ' +
        'and the items of RN 488 records it by itself.',
      response: {
        200: ContinuationResponse,
        ...errorResponses('date-out-of-range', 'benefit-not-found', 'continuation-exists', 'continuation-not-eligible'),
      },
    },
    body: json(NewContinuationBody),
    handler: async (request, reply) =>
      send(context, reply, await createContinuation(context, callerOf(request), request.body)),
  })
}

function noticeRoute(app: App, context: Context): void {
  route(app, {
    ...common,
    url: `${url}/:continuationId/notice`,
    schema: {
      operationId: 'offerContinuation',
      'x-sdk': 'continuations.offer',
      'x-cli': {
        command: 'continuation offer',
        examples: {
          [`continuation offer ${example} --notice-date 2026-11-25`]: 'the person has 30 days from then',
          [`continuation offer ${example} --notice-date 2026-11-25 --prices '{"age-band":"0-18","amount":"412.35"}' '{"age-band":"19-23","amount":"498.10"}'`]:
            'with the prices of the notice',
        },
      },
      summary: 'Record the employer’s notice',
      description:
        'The person answers within 30 days from it (RN 488 art. 10); a later notice corrects it while nobody has answered.',
      params: ContinuationPath,
      response: {
        200: ContinuationResponse,
        ...errorResponses('date-out-of-range', 'continuation-not-found', 'continuation-status'),
      },
    },
    body: json(NoticeBody),
    handler: async (request, reply) => {
      const id = request.params.continuationId
      await offerContinuation(context, callerOf(request), id, request.body)
      return send(context, reply, id)
    },
  })
}

function optionRoute(app: App, context: Context): void {
  route(app, {
    ...common,
    url: `${url}/:continuationId/option`,
    schema: {
      operationId: 'answerContinuation',
      'x-sdk': 'continuations.answer',
      'x-cli': {
        command: 'continuation answer',
        examples: {
          [`continuation answer ${example} --option accepted --option-date 2026-12-10`]: 'the family keeps the plan',
        },
      },
      summary: 'Record what the person answered',
      description:
        '`accepted`: the benefits of the family go on without an end date, as with `extension-plan`. `declined`: the draft of an exclusion is ' +
        'proposed, which a person confirms.',
      params: ContinuationPath,
      response: {
        200: ContinuationResponse,
        ...errorResponses('date-out-of-range', 'continuation-not-found', 'continuation-status'),
      },
    },
    body: json(OptionBody),
    handler: async (request, reply) => {
      const id = request.params.continuationId
      await answerContinuation(context, callerOf(request), id, request.body)
      return send(context, reply, id)
    },
  })
}

function endRoute(app: App, context: Context): void {
  route(app, {
    ...common,
    url: `${url}/:continuationId/end`,
    schema: {
      operationId: 'endContinuation',
      'x-sdk': 'continuations.end',
      'x-cli': {
        command: 'continuation end',
        examples: {
          [`continuation end ${example} --reason new-job --end-date 2027-03-31`]: 'and the benefits of the family',
        },
      },
      summary: 'End the right to keep a plan',
      description:
        'Ends the benefits of the family on that day. A new job counts where it gives access to a plan (Lei 9.656 art. 30 § 5). The death of the ' +
        'primary ends nothing for the family, and a change of the plan or the carrier neither ends nor restarts the term.',
      params: ContinuationPath,
      response: {
        200: ContinuationResponse,
        ...errorResponses(
          'before-start-date',
          'date-out-of-range',
          'continuation-not-found',
          'continuation-status',
          'benefit-not-under-extension-plan',
        ),
      },
    },
    body: json(EndBody),
    handler: async (request, reply) => {
      const id = request.params.continuationId
      await endContinuation(context, callerOf(request), id, request.body)
      return send(context, reply, id)
    },
  })
}

/** Sends the continuation as it is after the write. */
async function send(context: Context, reply: FastifyReply, id: string): Promise<FastifyReply> {
  return sendJson(reply, required(await readAnyContinuation(context.database, context.today(), id), 'continuation'))
}
