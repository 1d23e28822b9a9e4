import { Type } from 'typebox'
import { ApiError } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { readStep, stepPage } from '#platform/steps/queries.ts'
import { StepList, StepPath, StepQuery, StepResponse } from './schema.ts'
import { deleteFailedStep, retryFailedStep } from './write.ts'

const url = '/operator/v1/failed-step'
const example = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

/** `/operator/v1/failed-step`: what the workers could not do. */
export async function failedStepRoutes(app: App, context: Context): Promise<void> {
  const { database } = context

  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'listFailedSteps',
      'x-sdk': 'failedSteps.list',
      'x-cli': {
        command: 'failed-step list',
        ids: 'step-id',
        examples: { 'failed-step list --status put-aside': 'what is not tried again by itself' },
        columns: {
          'STEP-ID': 'step-id',
          KIND: 'kind',
          STATUS: 'status',
          'TARGET-ID': 'target-id',
          COMPANY: 'company-name',
          ATTEMPTS: 'attempts',
          REASON: 'reason',
          ERROR: 'error',
          'FAILED-AT': 'failed-at',
        },
      },
      summary: 'List the steps of the workers that failed',
      description:
        'Those that are put aside first, then the oldest. A step that fails is tried again later and later; after 12 attempts it is put aside with its ' +
        'reason, until an operator tries it again or deletes it. A step that succeeds is no longer in the list.',
      querystring: StepQuery,
      response: { 200: StepList },
    },
    handler: async ({ query }, reply) => {
      return sendJson(reply, listBody(await stepPage(database, query), query))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/:stepId/retry`,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'retryFailedStep',
      'x-sdk': 'failedSteps.retry',
      'x-cli': {
        command: 'failed-step retry',
        examples: { [`failed-step retry ${example}`]: 'now, as often as a new one' },
      },
      summary: 'Try a failed step again',
      description: 'Now, and as often as a new one.',
      params: StepPath,
      response: { 200: StepResponse, ...errorResponses('step-not-found') },
    },
    handler: async (request, reply) => {
      const id = request.params.stepId
      const before = await readStep(database, id)
      if (before === null) throw new ApiError('step-not-found')
      await retryFailedStep(context, callerOf(request), id)
      // Gone when it has succeeded by now.
      return sendJson(reply, `{"result":${(await readStep(database, id)) ?? before}}`)
    },
  })

  route(app, {
    method: 'DELETE',
    url: `${url}/:stepId`,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'deleteFailedStep',
      'x-sdk': 'failedSteps.remove',
      'x-cli': { command: 'failed-step delete', examples: { [`failed-step delete ${example}`]: 'gives it up' } },
      summary: 'Give up a failed step',
      description:
        'The reading of a carrier’s file ends as `failed`; a comparison, and the order of a copy of personal data, are deleted. What runs by the clock ' +
        'is tried again when it is due. Requests, jobs of decisions and shipments that were accepted are not given up: 409.',
      params: StepPath,
      response: {
        204: Type.Null({ description: 'Given up.' }),
        ...errorResponses('step-not-found', 'step-not-deletable', 'carrier-file-in-use'),
      },
    },
    handler: async (request, reply) => {
      await deleteFailedStep(context, callerOf(request), request.params.stepId)
      return reply.status(204).send()
    },
  })
}
