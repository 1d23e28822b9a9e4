import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import type { App, Context } from '#platform/http/context.ts'
import { sendInLanguage } from '#platform/http/language.ts'
import { Closed, errorResponses, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { jobPage, readJob } from './job-queries.ts'
import { fileResult } from './job-result.ts'
import { undoDecisions } from './undo.ts'
import { DecisionJob, DecisionResponse } from './job-schema.ts'

const config = { api: 'operator', roles: ['analyst', 'auditor'] } as const
const id = { ...Uuid, description: 'From the response to the decisions.' }

/** The jobs of decisions, how far they are, and their results. */
export async function decisionJobRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  const decisionJob = resource(app, context, {
    noun: 'decision-job',
    mayRead: config.roles,
    mayWrite: ['analyst'],
    item: DecisionJob,
    read: readJob,
    parameter: 'jobId',
    id,
  })
  decisionJob.list({
    summary: 'List the jobs of decisions, newest first',
    description:
      'Files of decisions, dry runs too, and calls for many enrollments. A job is deleted 30 days after its end.',
    cli: {
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
    query: Closed(pageQuery),
    page: jobPage,
  })
  decisionJob.get({
    summary: 'Read how far a job of decisions is',
    description:
      'A job survives restarts of the service, and each of its lines is done once. `broken`: the operator that sent it was removed, or its ' +
      'role may not decide any more; the lines that are `done` stay done.',
    cli: {
      examples: { 'decision-job show 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'also one that was sent elsewhere' },
    },
  })
  decisionJob.act('undo', {
    operationId: 'undoDecisions',
    summary: 'Undo decisions that are not made yet',
    description:
      'Decisions that were sent with `undoable` wait until `undo-until`. Undone before, none of them is made, and no partner hears of them.',
    cli: { examples: { 'decision-job undo 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'within seconds of the decision' } },
    errors: ['decision-job-started'],
    run: (actor, jobId) => undoDecisions(context, actor, jobId),
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/decision-job/:jobId/result',
    ...config,
    schema: {
      operationId: 'readDecisionJobResult',
      'x-sdk': 'decisionJobs.result',
      summary: 'Read the result of a job of decisions, line by line',
      description:
        'While the job runs, the lines that are done so far; of a call for many enrollments `line` is the place in the call, from 1. ' +
        'Reasons and card numbers are not in it.',
      params: Type.Object({ jobId: id }),
      response: { 200: DecisionResponse, ...errorResponses('decision-job-not-found') },
    },
    handler: async (request, reply) => sendInLanguage(request, reply, await fileResult(database, request.params.jobId)),
  })
}
