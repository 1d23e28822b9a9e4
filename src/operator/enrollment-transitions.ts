import { Type, type Static } from 'typebox'
import type { FastifyRequest } from 'fastify'
import { requireActiveClient } from '../http/active-client.ts'
import { readEnrollmentForOperator } from '../enrollments/queries.ts'
import { EnrollmentResponse, PendingItem } from '../enrollments/schema.ts'
import { moveEnrollments } from '../enrollments/transition.ts'
import type { Move } from '../enrollments/transition-types.ts'
import { sendJson } from '../http/json-response.ts'
import { ApiError, type Detail, invalidBody } from '../platform/errors.ts'
import { ENROLLMENT_STATUSES } from '../domain/enums.ts'
import { type ErrorCode, ERRORS } from '../domain/error-codes.ts'
import { isPending, needsReason, refusalOf, transitionTargets, type Verdict } from '../domain/enrollment-status.ts'
import { type App, callerOf, requestOrigin, type Context } from '../http/context.ts'
import {
  Closed,
  DateOnly,
  Details,
  ErrorCodeReference,
  errorResponses,
  Named,
  Nullable,
  OneOf,
  Uuid,
} from '../http/schemas.ts'
import { MAX_REASON_CHARACTERS, MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'

const maxEnrollments = 1_000
const maxPendingItems = 50

const moveFields = {
  status: OneOf(transitionTargets, { description: 'The new status.' }),
  reason: Type.Optional(
    Nullable(
      Type.String({
        maxLength: MAX_REASON_CHARACTERS,
        description:
          'Required for `rejected` and both `pending-*`; the partner can read it. A blank reason counts as absent.',
      }),
    ),
  ),
  'start-date': Type.Optional(
    Nullable({ ...DateOnly, description: 'To complete an inclusion: the start date that the carrier set.' }),
  ),
  'end-date': Type.Optional(Nullable({ ...DateOnly, description: 'To complete an exclusion: the last day covered.' })),
  'pending-items': Type.Optional(
    Type.Array(PendingItem, {
      maxItems: maxPendingItems,
      description:
        'For both `pending-*`: what the partner has to send or to correct, with `POST /v1/enrollment/{enrollment-id}/answer`. ' +
        'Shown on the enrollment until the pending status ends.',
    }),
  ),
  'card-number': Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, description: 'To complete an inclusion.' })),
  ),
}

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

const BulkBody = Closed(
  { 'enrollment-ids': Type.Array(Uuid, { minItems: 1, maxItems: maxEnrollments }), ...moveFields },
  {
    examples: [{ 'enrollment-ids': ['01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'], status: 'completed' }],
  },
)

const Status = OneOf(ENROLLMENT_STATUSES)

const BulkResponse = Type.Object(
  {
    result: Type.Array(
      Type.Object({
        'enrollment-id': Uuid,
        status: Type.Optional(Type.String()),
        error: Type.Optional(Type.String()),
        code: Type.Optional(ErrorCodeReference),
        from: Type.Optional(Status),
        to: Type.Optional(Status),
        allowed: Type.Optional(Type.Array(Status)),
        details: Type.Optional(Details),
      }),
    ),
  },
  {
    examples: [
      {
        result: [
          { 'enrollment-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', status: 'completed' },
          {
            'enrollment-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d22',
            error: 'Illegal transition',
            code: 'illegal-transition',
          },
        ],
      },
    ],
  },
)

const transitionRules =
  'An enrollment moves one step forward at a time: `created`, `broker-processing`, `carrier-processing`; from each of them to `pending-*` ' +
  'and back; from `scheduled` to `created`. It can be completed or rejected until it has ended, and cancelled until it was in ' +
  '`carrier-processing`. A dependent’s inclusion can be completed when the primary is covered, in the product or in the one that a plan ' +
  'or company change led to. Rejecting or cancelling a primary’s inclusion rejects those of its dependents.'

/** The transitions of one or many enrollments. */
export async function transitionRoutes(app: App, context: Context): Promise<void> {
  app.route({
    method: 'POST',
    url: '/operator/v1/enrollment/:enrollmentId/transition',
    config: { api: 'operator', roles: ['analyst'] },
    schema: {
      operationId: 'moveEnrollment',
      summary: 'Move an enrollment to another status',
      description: transitionRules,
      params: Type.Object({ enrollmentId: Uuid }),
      body: MoveBody,
      response: {
        200: EnrollmentResponse,
        ...errorResponses('not-applicable', 'enrollment-not-found', 'illegal-transition', 'primary-member-not-active'),
      },
    },
    handler: async (request, reply) => {
      const id = request.params.enrollmentId.toLowerCase()
      const [outcome] = await moveAll(context, request, [id], readMove(request.body))
      const verdict = outcome?.verdict
      if (verdict === undefined) throw new ApiError('enrollment-not-found')
      if (!verdict.moved) throw new ApiError(verdict.code, refusalOf(verdict, request.body.status))
      return sendJson(reply, (await readEnrollmentForOperator(context.database, id)) ?? '')
    },
  })

  app.route({
    method: 'POST',
    url: '/operator/v1/enrollment/transition',
    config: { api: 'operator', roles: ['analyst'] },
    schema: {
      operationId: 'moveEnrollments',
      summary: 'Move up to 1,000 enrollments to another status',
      description: `${transitionRules} Each enrollment succeeds or fails by itself, primaries first; the response is in the order sent.`,
      body: BulkBody,
      response: { 200: BulkResponse, ...errorResponses('not-applicable') },
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
          if (verdict?.moved === true) return { 'enrollment-id': id, status: move.status }
          const code: ErrorCode = verdict?.code ?? 'enrollment-not-found'
          const more = verdict === undefined ? {} : refusalOf(verdict, move.status)
          return { 'enrollment-id': id, error: ERRORS[code].error, code, ...more }
        }),
      }
    },
  })
}

/** Reads the body; the allowed fields depend on the status. @throws ApiError 400 with `details`. */
function readMove(body: Static<typeof MoveBody>): Move {
  const reason = body.reason?.trim() || null
  const details: Detail[] = []
  if (reason === null && needsReason(body.status)) details.push({ field: 'reason', code: 'missing' })
  for (const field of ['start-date', 'end-date', 'card-number'] as const) {
    if (body[field] != null && body.status !== 'completed') details.push({ field, code: 'not-applicable' })
  }
  if (body['end-date'] != null && body['start-date'] != null)
    details.push({ field: 'end-date', code: 'not-applicable' })
  details.push(...pendingItemErrors(body))
  const isApplicable = details.every(({ code }) => code !== 'not-applicable')
  if (details.length > 0) throw invalidBody(details, isApplicable ? 'invalid-body' : 'not-applicable')
  return {
    status: body.status,
    reason,
    pendingItems: body['pending-items'] ?? [],
    startDate: body['start-date'] ?? null,
    endDate: body['end-date'] ?? null,
    cardNumber: body['card-number'] ?? null,
  }
}

/** `pending-items` belong to the pending statuses; an item names a document or a field, as its kind says. */
function pendingItemErrors({ status, 'pending-items': items }: Static<typeof MoveBody>): Detail[] {
  if (items === undefined) return []
  if (!isPending(status)) return [{ field: 'pending-items', code: 'not-applicable' }]
  return items.flatMap((item, index) => {
    const other = item.kind === 'document' ? 'field' : 'document-type'
    return item[other] === undefined
      ? []
      : [{ field: `pending-items[${index}].${other}`, code: 'not-applicable' as const }]
  })
}

interface Outcome {
  readonly id: string
  /** undefined: there is no such enrollment. */
  readonly verdict: Verdict | undefined
}

/** Moves the enrollments, in one transaction for each company. @returns the outcomes in the order of the ids. */
async function moveAll(
  context: Context,
  request: FastifyRequest,
  ids: readonly string[],
  move: Move,
): Promise<Outcome[]> {
  const actor = { kind: 'operator', id: callerOf(request).clientId, origin: requestOrigin(request) } as const
  const unique = [...new Set(ids)]
  const enrollments = await context.database.query<{ id: string; companyId: string }>(
    'select id, company_id as "companyId" from enrollment where id = any($1::uuid[])',
    [unique],
  )
  const verdicts = new Map<string, Verdict>()
  for (const [companyId, rows] of Map.groupBy(enrollments, (row) => row.companyId)) {
    const ownIds = rows.map((row) => row.id)
    const moved = await context.database.transactionRetryingUniqueViolation(async (sql) => {
      const results = await moveEnrollments(sql, companyId, ownIds, move, actor, context)
      await requireActiveClient(sql, callerOf(request))
      return results
    })
    for (const [id, verdict] of moved) verdicts.set(id, verdict)
  }
  return ids.map((id) => ({ id, verdict: verdicts.get(id) }))
}
