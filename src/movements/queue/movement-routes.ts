import { route } from '#platform/http/route.ts'
import { computedFields } from '#coverage/enrollments/computed-fields.ts'
import { maskValue } from '#kernel/masking.ts'
import { Type } from 'typebox'
import { readMovement } from './movement-queries.ts'
import { QueueItem } from '#coverage/enrollments/schema.ts'
import { ApiError } from '#platform/core/errors.ts'
import { Benefit } from '#coverage/benefits/schema.ts'
import { CORRECTED_FIELDS } from '../rules/benefit-correction.ts'
import { type Difference, diffOf } from '../rules/diff.ts'
import { isTerminal } from '#coverage/rules/enrollment-status.ts'
import type { App, Context } from '#platform/http/context.ts'
import { Cpf, errorResponses, Nullable, OneOf, Uuid } from '#platform/http/schemas.ts'

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

const Additions = Type.Object({
  'client-id': Type.String({ description: 'The client that sent the request.' }),
  person: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The current data of the person in the company, with the keys of inclusion and alteration; null when there is none.',
    }),
  ),
  family: Type.Array(Type.Object({ 'member-id': Uuid, 'member-tax-id': Cpf, name: Type.String(), benefit: Benefit }), {
    description:
      'The benefits under the same primary in the company, with those of the primary and the person; one item for each benefit.',
  }),
  asked: Type.Record(Type.String(), Type.Unknown(), { description: 'The data of the request.' }),
  difference: Type.Array(Type.Object({ field: Type.String(), old: Value, new: Value }), {
    description: 'What completing the enrollment would change; empty when it is completed, rejected or cancelled.',
  }),
  answers: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time' }),
      changes: Type.Array(Type.Object({ field: Type.String(), old: Value, new: Value })),
    }),
    {
      description:
        'What the answers of the partner changed of the request, the oldest first; of documents their number.',
    },
  ),
  documents: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  corrections: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time' }),
      'actor-id': Type.String(),
      field: OneOf(CORRECTED_FIELDS),
      old: Nullable(Type.String()),
      new: Type.String(),
      reason: Type.String(),
    }),
    { description: 'What operators corrected of its benefit, the oldest first.' },
  ),
})

const MovementResponse = Type.Object({ result: Type.Intersect([QueueItem, Additions]) })

const masked = ({ field, old, new: changed }: Difference): Difference => ({
  field,
  old: maskValue(field, old),
  new: maskValue(field, changed),
})

/** A movement with the person, the family, the request, the difference, the documents and the history. */
export async function queuedMovementRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/enrollment/:enrollmentId',
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'readMovement',
      'x-sdk': 'enrollments.get',
      'x-cli': { command: 'enrollment show' },
      summary: 'Read a movement for review',
      description:
        'The Enrollment detail with its actors, and the person, the family, the request, the difference and the documents. An auditor gets ' +
        'masked CPFs, numbers of documents and bank data.',
      params: Type.Object({ enrollmentId: Uuid }),
      response: { 200: MovementResponse, ...errorResponses('enrollment-not-found') },
    },
    handler: async (request, reply) => {
      const movement = await readMovement(context.database, request.params.enrollmentId)
      if (movement === null) throw new ApiError('enrollment-not-found')
      const { detail, computed, clientId, person, family, data, answers, documents, corrections, benefit, ...facts } =
        movement
      const unknownBenefit = { productName: '', startDate: null, endDate: null, extensionPlan: false }
      const difference = isTerminal(detail.status)
        ? []
        : diffOf({
            ...facts,
            enrollmentType: detail['enrollment-type'],
            data,
            profile: person,
            benefit: benefit ?? unknownBenefit,
          })
      const result = {
        ...detail,
        ...(await computedFields(context.database, computed, context.today())),
        'client-id': clientId,
        person,
        family,
        asked: data,
        difference,
        answers,
        documents,
        corrections,
      }
      const shown =
        request.role === 'auditor'
          ? {
              ...result,
              difference: difference.map(masked),
              answers: answers.map(({ at, changes }) => ({ at, changes: changes.map(masked) })),
            }
          : result
      await reply.type('application/json; charset=utf-8').send(JSON.stringify({ result: shown }))
    },
  })
}
