import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { write } from '#platform/core/write.ts'
import { SUBJECT_REQUEST_STEPS } from '../rules/subject-request.ts'
import { type SubjectRequestStatus } from '#kernel/broker-enums.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import type { Context } from '#platform/http/context.ts'
import { discardFile } from './file-queries.ts'
import { closeSubjectRequest, insertSubjectRequest, lockSubjectRequest } from './queries.ts'
import type { SubjectRequestInput, SubjectRequestStep } from './schema.ts'

/** The roles that work with requests of people, beside `admin`: none. */
export const mayHandleSubjectRequests = [] as const

/**
 * Notes what a person asks. @returns its id.
 * @throws ApiError 400 for a day in the future, 409 where the person has an open request of the kind.
 */
export async function createSubjectRequest(
  context: Context,
  actor: ClientActor,
  body: SubjectRequestInput,
): Promise<string> {
  const receivedOn = body['received-on'] ?? context.today()
  if (receivedOn > context.today()) {
    throw invalidBody([{ field: 'received-on', code: 'invalid', message: { key: 'not-in-future' } }])
  }
  return write(context, actor, { may: mayHandleSubjectRequests }, async (tx) => {
    const id = uuidv7()
    const open = await insertSubjectRequest(
      tx,
      {
        id,
        kind: body.kind,
        taxId: required(parseCpf(body['tax-id']), 'CPF'),
        receivedOn,
        note: body.note ?? null,
        createdBy: actor.clientId,
      },
      tx.at(),
    )
    if (open !== null) throw new ApiError('subject-request-open', { 'subject-request-id': open })
    tx.audit({ action: 'subject-request.created', target: id, companyId: null })
    return id
  })
}

const actions = { fulfilled: 'subject-request.fulfilled', cancelled: 'subject-request.cancelled' } as const

/**
 * Says what became of a request.
 * @throws ApiError 404, 400 without a reason to cancel it, 409 for a step that does not follow.
 */
export async function moveSubjectRequest(
  context: Context,
  actor: ClientActor,
  id: string,
  step: SubjectRequestStep,
): Promise<void> {
  const { status } = step
  const cancelReason = step['cancel-reason'] ?? null
  const isCancelled = status === 'cancelled'
  if (isCancelled && cancelReason === null) throw invalidBody([{ field: 'cancel-reason', code: 'missing' }])
  if (!isCancelled && cancelReason !== null) throw invalidBody([{ field: 'cancel-reason', code: 'not-applicable' }])
  await write(context, actor, { may: mayHandleSubjectRequests }, async (tx) => {
    const request = await lockSubjectRequest(tx, id)
    const allowed: readonly SubjectRequestStatus[] = SUBJECT_REQUEST_STEPS[request.kind][request.status]
    if (!allowed.includes(status)) throw new ApiError('subject-request-status', { status: request.status, allowed })
    if (isCancelled) await discardFile(tx, id)
    await closeSubjectRequest(tx, id, { status, cancelReason }, tx.at())
    tx.audit({ action: actions[status], target: id, companyId: null })
  })
}
