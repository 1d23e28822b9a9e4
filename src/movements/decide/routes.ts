import { route } from '#platform/http/route.ts'
import { type Body, json } from '#platform/http/bodies.ts'
import { required } from '#platform/core/log.ts'
import { callerOf } from '#platform/http/context.ts'
import { Type, type Static } from 'typebox'
import type { FastifyRequest } from 'fastify'
import { readEnrollmentForOperator } from '#coverage/enrollments/queries.ts'
import { EnrollmentResponse } from '#coverage/enrollments/schema.ts'
import type { Decision } from '../transition/types.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { sendInLanguage } from '#platform/http/language.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { type CompletionField, inapplicableFields, sentFields } from '#coverage/rules/completion-fields.ts'
import { isObject } from '#kernel/fields.ts'
import { itemLimits } from '#platform/http/strict-json.ts'
import type { App, Context } from '#platform/http/context.ts'
import { Closed, errorResponses, Named, Uuid } from '#platform/http/schemas.ts'
import { StartWarnings } from '#platform/http/warning-schemas.ts'
import {
  Confirm,
  confirmed,
  type DecidedItem,
  DecisionItem,
  decisionErrors,
  moveFields,
  decisionOf,
  readItem,
} from './items.ts'
import { holdDecisions } from './undo.ts'
import { createJob, linesOf, maxAtOnce, sendJob } from './job.ts'
import { transitionResult } from './job-result.ts'
import { JobAccepted, preferWait, waited } from './job-schema.ts'
import { decideItems, type ItemResult, type StoredResult, storedResultOf, resultBody, resultFields } from './results.ts'

const maxEnrollments = 10_000
const maxBytes = 4 * 1024 * 1024

const MoveBody = Named(
  'Transition',
  Closed(moveFields, {
    examples: [
      { status: 'completed', 'card-number': '0045 1120 7788' },
      { status: 'rejected', reason: 'Refused by the carrier' },
      {
        status: 'pending-correction',
        reason: 'Data differ from the identity card',
        'pending-items': [{ kind: 'field', field: 'mothers-name', message: 'As on the identity card' }],
      },
    ],
  }),
)

const MovedResponse = Type.Object({ ...EnrollmentResponse.properties, warnings: Type.Optional(StartWarnings) })

const exampleId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

const Undoable = Type.Boolean({
  description:
    '`true`: the decisions wait for some seconds (`UNDO_SECONDS`), in which `POST /operator/v1/decision-job/{job-id}/undo` undoes them. The response is ' +
    '202 with the job, or 200 when all are refused, or nothing waits here.',
})

const IdsBody = Closed({
  'enrollment-ids': Type.Array(Uuid, { minItems: 1, maxItems: maxEnrollments }),
  ...moveFields,
  undoable: Type.Optional(Undoable),
})

const ItemsBody = Closed({
  items: Type.Array(DecisionItem, { minItems: 1, maxItems: maxEnrollments }),
  confirm: Type.Optional(Confirm),
  undoable: Type.Optional(Undoable),
})

const BulkBody = Type.Union([IdsBody, ItemsBody], {
  examples: [
    { 'enrollment-ids': [exampleId], status: 'completed' },
    { items: [{ 'enrollment-id': exampleId, status: 'completed', 'card-number': '0045 1120 7788' }] },
  ],
})

const BulkResponse = Type.Object({ result: Type.Array(Type.Object({ 'enrollment-id': Uuid, ...resultFields })) })

const transitionRules =
  'An enrollment moves one step forward at a time: `created`, `broker-processing`, `carrier-processing`; from each of them to `pending-*` ' +
  'and back; from `scheduled` to `created`. It can be completed or rejected until it has ended, and cancelled until it was in ' +
  '`carrier-processing`. A dependent’s inclusion can be completed when the primary is covered, in the product or in the one that a plan ' +
  'or company change led to. Rejecting or cancelling a primary’s inclusion rejects those of its dependents. `card-number` and `start-date` ' +
  'belong to completing an inclusion, a plan change or a company change, `end-date` to completing an exclusion: elsewhere they are ' +
  '`not-applicable`, and nothing is done. An `end-date` before the start of the benefit is `before-start-date`, a date more than two years from ' +
  'today, or before 1900, `date-out-of-range` unless `confirm` is `true`. `carrier-protocol` belongs to `carrier-processing`.'

/** The transitions of one or many enrollments. */
export async function transitionRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/operator/v1/enrollment/:enrollmentId/transition',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'moveEnrollment',
      'x-sdk': 'enrollments.transition',
      summary: 'Move an enrollment to another status',
      description: transitionRules,
      params: Type.Object({ enrollmentId: Uuid }),
      response: {
        200: MovedResponse,
        ...errorResponses(
          'not-applicable',
          'before-start-date',
          'date-out-of-range',
          'enrollment-not-found',
          'illegal-transition',
          'primary-member-not-active',
        ),
      },
    },
    body: json(MoveBody),
    handler: async (request, reply) => {
      const id = request.params.enrollmentId
      const { warnings } = await decideOne(context, request, id, readDecision(request.body))
      const body = required(await readEnrollmentForOperator(context.database, id, context.today()), 'enrollment')
      return sendJson(reply, warnings === undefined ? body : `{"warnings":${JSON.stringify(warnings)},${body.slice(1)}`)
    },
  })

  bulkRoute(app, context)
}

function bulkRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: '/operator/v1/enrollment/transition',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'moveEnrollments',
      summary: 'Move up to 10,000 enrollments to another status',
      description:
        `${transitionRules} Each enrollment succeeds or fails by itself, primaries first; the response is in the order sent. ` +
        '`enrollment-ids` move alike; a card number or a date belongs to one person, so several ids take none (400 `not-applicable`). ' +
        `\`items\` have a status each, with its fields. More than ${maxAtOnce} are decided by a job, and all that are \`undoable\`: 202, or 200 with \`Prefer: wait=N\` if it ends in time.`,
      headers: preferWait,
      response: { 200: { ...BulkResponse, headers: waited }, 202: JobAccepted, ...errorResponses('not-applicable') },
    },
    body: bulkBody,
    handler: async (request, reply) => {
      const { body } = request
      const items = 'items' in body ? confirmed(body.items.map(readItem), body.confirm) : readIds(body)
      const undoSeconds = body.undoable === true ? context.config.undoSeconds : 0
      if (items.length > maxAtOnce) {
        const jobId = await createJob(context, callerOf(request), linesOf(items), { undoSeconds })
        return sendJob(context, request, reply, jobId, app.stopping, () => transitionResult(context.database, jobId))
      }
      const held = undoSeconds > 0 ? await holdDecisions(context, callerOf(request), items) : null
      if (typeof held === 'string') {
        return sendJob(context, request, reply, held, app.stopping, () => transitionResult(context.database, held))
      }
      const results = held ?? (await decideItems(context, callerOf(request), items))
      if ('enrollment-ids' in body && results[0]?.accepted === false && results[0].code === 'not-applicable') {
        throw notApplicable(results[0].fields)
      }
      const result = items.map(({ id, decision }, index) => ({
        'enrollment-id': id,
        ...resultBody(storedResultOf(results[index] as ItemResult, decision.status)),
      }))
      return sendInLanguage(request, reply, { result })
    },
  })
}

const idsBody = json(IdsBody)
const itemsBody = json(ItemsBody)

/** `details` of the variant that was meant, not of both. */
const bulkBody: Body<Static<typeof BulkBody>> = {
  ...json(BulkBody, { limit: maxBytes, jsonLimits: itemLimits }),
  validate: (body) => (isObject(body) && 'items' in body ? itemsBody : idsBody).validate(body),
}

/** Reads the body; the allowed fields depend on the status. @throws ApiError 400 with `details`. */
function readDecision(body: Static<typeof MoveBody>): Decision {
  const decision = decisionOf(body)
  const fields = inapplicableFields(decision, null)
  if (fields.length > 0) throw notApplicable(fields)
  const details = decisionErrors(decision)
  const isApplicable = details.every(({ code }) => code !== 'not-applicable')
  if (details.length > 0) throw invalidBody(details, isApplicable ? 'invalid-body' : 'not-applicable')
  return decision
}

function readIds({ 'enrollment-ids': ids, ...body }: Static<typeof IdsBody>): DecidedItem[] {
  const decision = readDecision(body)
  const ofOne = sentFields(decision).filter((field) => field !== 'pending-items' && field !== 'carrier-protocol')
  if (ids.length > 1 && ofOne.length > 0) throw notApplicable(ofOne)
  return ids.map((id) => ({ id, decision, errors: [] }))
}

/** @throws ApiError unless the decision was accepted. */
async function decideOne(
  context: Context,
  request: FastifyRequest,
  id: string,
  decision: Decision,
): Promise<StoredResult> {
  const [result] = await decideItems(context, callerOf(request), [{ id, decision, errors: [] }])
  const stored = result === undefined ? {} : storedResultOf(result, decision.status)
  if (result?.accepted === false) throw new ApiError(result.code, { ...stored })
  return stored
}

/** 400: fields that do not belong to the movement or the status, so that none is ignored. */
function notApplicable(fields: readonly CompletionField[]): ApiError {
  const code = 'not-applicable'
  return invalidBody(
    fields.map((field) => ({ field, code })),
    code,
  )
}
