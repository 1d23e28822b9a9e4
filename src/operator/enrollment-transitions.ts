import { Type, type Static } from 'typebox'
import type { FastifyRequest } from 'fastify'
import { requireActiveClient } from '../http/active-client.ts'
import { readEnrollmentForOperator } from '../enrollments/queries.ts'
import { EnrollmentAnswer } from '../enrollments/schema.ts'
import { moveEnrollments } from '../enrollments/transition.ts'
import type { Move } from '../enrollments/transition-types.ts'
import { sendJson } from '../http/json-response.ts'
import { ApiError, type Detail, invalidBody } from '../platform/errors.ts'
import { needsReason, transitionTargets, type Verdict } from '../domain/enrollment-status.ts'
import { type App, callerOf, requestOrigin, type Context } from '../http/context.ts'
import { DateOnly, errorAnswers, Nullable, OneOf, Uuid } from '../http/schemas.ts'
import { MAX_REASON_CHARACTERS, MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'

const maxAtOnce = 1_000

const moveFields = {
  status: OneOf(transitionTargets, { description: 'The state to go to.' }),
  reason: Type.Optional(
    Nullable(
      Type.String({
        maxLength: MAX_REASON_CHARACTERS,
        description: 'Required for `rejected` and both `pending-*`; the partner reads it. Blank is absent.',
      }),
    ),
  ),
  'start-date': Type.Optional(
    Nullable({ ...DateOnly, description: 'Completing an inclusion: the day the carrier gave.' }),
  ),
  'end-date': Type.Optional(Nullable({ ...DateOnly, description: 'Completing an exclusion: the last day covered.' })),
  'card-number': Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, description: 'Completing an inclusion.' })),
  ),
}

const MoveBody = Type.Object(moveFields, {
  additionalProperties: false,
  examples: [
    { status: 'completed', 'card-number': '0045 1120 7788' },
    { status: 'rejected', reason: 'Refused by the carrier' },
  ],
})

const BulkBody = Type.Object(
  { 'enrollment-ids': Type.Array(Uuid, { minItems: 1, maxItems: maxAtOnce }), ...moveFields },
  {
    additionalProperties: false,
    examples: [{ 'enrollment-ids': ['01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'], status: 'completed' }],
  },
)

const BulkAnswer = Type.Object(
  {
    result: Type.Array(
      Type.Object({ 'enrollment-id': Uuid, status: Type.Optional(Type.String()), error: Type.Optional(Type.String()) }),
    ),
  },
  {
    examples: [
      {
        result: [
          { 'enrollment-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', status: 'completed' },
          { 'enrollment-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d22', error: 'Illegal transition' },
        ],
      },
    ],
  },
)

const states =
  'One step forward at a time: `created`, `broker-processing`, `carrier-processing`; the `pending-*` states from and to those; ' +
  '`scheduled` to `created`. Completing and rejecting are open until the end, cancelling until `carrier-processing` was reached. ' +
  "A dependent's inclusion completes once its primary is covered, in the product or in the one that a plan or company change led to; rejecting or cancelling a primary's " +
  'inclusion rejects those of its dependents.'

/** The operator's transitions, one and many. */
export async function transitionRoutes(app: App, context: Context): Promise<void> {
  app.route({
    method: 'POST',
    url: '/operator/v1/enrollment/:enrollmentId/transition',
    config: { api: 'operator', roles: ['analyst'] },
    schema: {
      operationId: 'moveEnrollment',
      tags: ['operator'],
      summary: 'Move an enrollment to another state',
      description: states,
      params: Type.Object({ enrollmentId: Uuid }),
      body: MoveBody,
      response: { 200: EnrollmentAnswer, ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      const id = request.params.enrollmentId.toLowerCase()
      const [outcome] = await moveAll(context, request, [id], readMove(request.body))
      if (outcome?.verdict === undefined) throw new ApiError(404, 'Enrollment not found')
      if (!outcome.verdict.moved) throw new ApiError(409, outcome.verdict.error)
      return sendJson(reply, (await readEnrollmentForOperator(context.database, id)) ?? '')
    },
  })

  app.route({
    method: 'POST',
    url: '/operator/v1/enrollment/transition',
    config: { api: 'operator', roles: ['analyst'] },
    schema: {
      operationId: 'moveEnrollments',
      tags: ['operator'],
      summary: 'Move up to 1,000 enrollments to another state',
      description: `${states} Each is judged by itself, primaries first; the answer has the order sent.`,
      body: BulkBody,
      response: { 200: BulkAnswer, ...errorAnswers(400, 401, 403, 413, 415, 503) },
    },
    handler: async (request) => {
      const { 'enrollment-ids': ids, ...body } = request.body
      const move = readMove(body)
      const outcomes = await moveAll(
        context,
        request,
        ids.map((id) => id.toLowerCase()),
        move,
      )
      return {
        result: outcomes.map(({ id, verdict }) => {
          if (verdict === undefined) return { 'enrollment-id': id, error: 'Enrollment not found' }
          return verdict.moved
            ? { 'enrollment-id': id, status: move.status }
            : { 'enrollment-id': id, error: verdict.error }
        }),
      }
    },
  })
}

/** What the body asks, once it is whole for the state that it names. @throws ApiError 400 with `details`. */
function readMove(body: Static<typeof MoveBody>): Move {
  const reason = body.reason?.trim() || null
  const faults: Detail[] = []
  if (reason === null && needsReason(body.status)) faults.push({ field: 'reason', code: 'missing' })
  for (const field of ['start-date', 'end-date', 'card-number'] as const) {
    if (body[field] != null && body.status !== 'completed') faults.push({ field, code: 'not-applicable' })
  }
  if (body['end-date'] != null && body['start-date'] != null) faults.push({ field: 'end-date', code: 'not-applicable' })
  if (faults.length > 0) throw invalidBody(faults)
  return {
    status: body.status,
    reason,
    startDate: body['start-date'] ?? null,
    endDate: body['end-date'] ?? null,
    cardNumber: body['card-number'] ?? null,
  }
}

interface Outcome {
  readonly id: string
  /** undefined: there is no such enrollment. */
  readonly verdict: Verdict | undefined
}

/** Moves the enrollments, those of each company in a transaction of their own. */
async function moveAll(
  context: Context,
  request: FastifyRequest,
  ids: readonly string[],
  move: Move,
): Promise<Outcome[]> {
  const actor = { kind: 'operator', id: callerOf(request).clientId, origin: requestOrigin(request) } as const
  const unique = [...new Set(ids)]
  const homes = await context.database.rows<{ id: string; companyId: string }>(
    'select id, company_id as "companyId" from enrollment where id = any($1::uuid[])',
    [unique],
  )
  const verdicts = new Map<string, Verdict>()
  for (const [companyId, rows] of Map.groupBy(homes, (row) => row.companyId)) {
    const mine = rows.map((row) => row.id)
    const found = await context.database.transactionRetryingUniqueViolation(async (sql) => {
      const moved = await moveEnrollments(sql, companyId, mine, move, actor, context)
      await requireActiveClient(sql, callerOf(request))
      return moved
    })
    for (const [id, verdict] of found) verdicts.set(id, verdict)
  }
  return ids.map((id) => ({ id, verdict: verdicts.get(id) }))
}
