import { Type } from 'typebox'
import { STEP_KINDS, STEP_REASONS, STEP_STATUSES } from '#kernel/steps.ts'
import { PageOf } from '#platform/http/page.ts'
import { Closed, Cnpj, Named, Nullable, OneOf, pageQuery, Timestamp, Uuid } from '#platform/http/schemas.ts'

export const StepPath = Closed({ stepId: { ...Uuid, description: 'The id of the step.' } })

export const StepQuery = Closed({
  kind: Type.Optional(OneOf(STEP_KINDS, { description: 'Default: every kind.' })),
  status: Type.Optional(OneOf(STEP_STATUSES, { description: 'Default: both.' })),
  ...pageQuery,
})

const Step = Named(
  'FailedStep',
  Type.Object({
    'step-id': Uuid,
    kind: OneOf(STEP_KINDS, {
      description: 'What it does. `task-...`: a task of the whole service, which is never put aside.',
    }),
    status: OneOf(STEP_STATUSES, { description: '`put-aside`: nothing is tried until an operator asks for it.' }),
    'target-id': Nullable({
      ...Uuid,
      description:
        'The request, job, shipment, file, comparison, company or contract that it is about; null: of a task.',
    }),
    'company-tax-id': Nullable(Cnpj),
    'company-name': Nullable(Type.String()),
    attempts: Type.Integer({ minimum: 0, description: 'Since it last succeeded, or was tried again.' }),
    reason: OneOf(STEP_REASONS, {
      description:
        '`interrupted`: the process died in it. `time-limit`: a statement or a thread took too long. `database`, `storage`, `carrier-server`: ' +
        'unavailable, or refused. `waits-for-earlier-request`: an earlier request of the same person is not processed yet. ' +
        '`unexpected-error`: the log has it.',
    }),
    error: Nullable(Type.String({ description: 'The code of the error, such as that of PostgreSQL, or its class.' })),
    'created-at': Timestamp,
    'failed-at': Nullable(Timestamp),
    'next-attempt-at': Nullable(Timestamp),
  }),
)

export const StepList = PageOf(Step, 'A page of steps that failed.')
export const StepResponse = Type.Object({ result: Step })
