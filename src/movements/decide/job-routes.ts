import { callerOf } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import type { App, Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { sendInLanguage } from '#platform/http/language.ts'
import { PageOf } from '#platform/http/page.ts'
import { Closed, errorResponses, pageBounds, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { ApiError } from '#platform/core/errors.ts'
import { listJobs, readJob } from './job-queries.ts'
import { fileResult } from './job-result.ts'
import { undoDecisions } from './undo.ts'
import { DecisionJob, DecisionResponse, JobResponse } from './job-schema.ts'

const url = '/operator/v1/decision-job'
const config = { api: 'operator', roles: ['analyst', 'auditor'] } as const
const params = Type.Object({ jobId: { ...Uuid, description: 'From the response to the decisions.' } })

/** The jobs of decisions, how far they are, and their results. */
export async function decisionJobRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url,
    ...config,
    schema: {
      operationId: 'listDecisionJobs',
      'x-sdk': 'decisionJobs.list',
      'x-cli': {
        command: 'decision-job list',
        examples: { 'decision-job list --where status=running': 'those that have not ended' },
        columns: {
          'JOB-ID': 'job-id',
          STATUS: 'status',
          'DRY-RUN': 'dry-run',
          LINES: 'lines',
          DONE: 'done',
          ACCEPTED: 'accepted',
          REJECTED: 'rejected',
          'CREATED-AT': 'created-at',
          'FINISHED-AT': 'finished-at',
        },
      },
      summary: 'List the jobs of decisions, newest first',
      description:
        'Files of decisions, dry runs too, and calls for many enrollments. A job is deleted 30 days after its end.',
      querystring: Closed(pageQuery),
      response: { 200: PageOf(DecisionJob) },
    },
    handler: async (request, reply) =>
      sendJson(reply, listBody(await listJobs(database, pageBounds(request.query)), request.query)),
  })

  route(app, {
    method: 'GET',
    url: `${url}/:jobId`,
    ...config,
    schema: {
      operationId: 'readDecisionJob',
      'x-sdk': 'decisionJobs.get',
      'x-cli': {
        command: 'decision-job show',
        examples: { 'decision-job show 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'also one that was sent elsewhere' },
      },
      summary: 'Read how far a job of decisions is',
      description:
        'A job survives restarts of the service, and each of its lines is done once. `broken`: the operator that sent it was removed, or its ' +
        'role may not decide any more; the lines that are `done` stay done.',
      params,
      response: { 200: JobResponse, ...errorResponses('decision-job-not-found') },
    },
    handler: async (request, reply) => {
      const job = await readJob(database, request.params.jobId)
      if (job === null) throw new ApiError('decision-job-not-found')
      return sendJson(reply, `{"result":${job}}`)
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/:jobId/undo`,
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'undoDecisions',
      'x-sdk': 'decisionJobs.undo',
      'x-cli': {
        command: 'decision-job undo',
        examples: { 'decision-job undo 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'within seconds of the decision' },
      },
      summary: 'Undo decisions that are not made yet',
      description:
        'Decisions that were sent with `undoable` wait until `undo-until`. Undone before, none of them is made, and no partner hears of them.',
      params,
      response: { 200: JobResponse, ...errorResponses('decision-job-not-found', 'decision-job-started') },
    },
    handler: async (request, reply) => {
      const jobId = request.params.jobId
      await undoDecisions(context, callerOf(request), jobId)
      return sendJson(reply, `{"result":${await readJob(database, jobId)}}`)
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:jobId/result`,
    ...config,
    schema: {
      operationId: 'readDecisionJobResult',
      'x-sdk': 'decisionJobs.result',
      summary: 'Read the result of a job of decisions, line by line',
      description:
        'While the job runs, the lines that are done so far; of a call for many enrollments `line` is the place in the call, from 1. ' +
        'Reasons and card numbers are not in it.',
      params,
      response: { 200: DecisionResponse, ...errorResponses('decision-job-not-found') },
    },
    handler: async (request, reply) => sendInLanguage(request, reply, await fileResult(database, request.params.jobId)),
  })
}
