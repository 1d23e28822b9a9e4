import { v7 as uuidv7 } from 'uuid'
import { insertNote } from '#coverage/enrollments/note-queries.ts'
import { required } from '#platform/core/log.ts'
import { useDocuments, usableDocuments } from '#registry/documents/queries.ts'
import { type Answer, type Changes, parseChanges } from '../rules/answer.ts'
import {
  correct,
  type CorrectedEnrollment,
  judgeChanges,
  type PendingItem,
  profileChanges,
  registrationChanges,
  type ServedEnrollment,
} from '../rules/answer-effects.ts'
import { answerChanges } from '../rules/diff.ts'
import { isPending } from '#coverage/rules/enrollment-status.ts'
import { movementRules } from '#kernel/movement-rules.ts'
import type { EnrollmentStatus } from '#kernel/enums.ts'
import { isOfRules, itemsLeft } from '#registry/rules/requirement.ts'
import type { FieldError } from '#kernel/fields.ts'
import { settleExtensions } from '../transition/settle-extensions.ts'
import { lockFamilies } from '../transition/families.ts'
import { readEnrollment } from '#coverage/enrollments/queries.ts'
import { transitionAll } from '../transition/transition.ts'
import type { CompanyWrite } from '../transition/types.ts'
import { type Correction, correctEnrollments, updatePendingItems } from '../transition/enrollments.ts'
import type { Client, ClientActor } from '#platform/core/actor.ts'
import { enrollmentEvent } from '#platform/core/events.ts'
import { type SaveResponse, type Tx, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { Sql } from '#platform/core/database.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import { ApiError, invalidBody, notEntitled, unavailable } from '#platform/core/errors.ts'
import {
  applyAgain,
  correctMember,
  isProcessing,
  moveStarts,
  readServed,
  setDependentType,
  wasCovered,
} from './queries.ts'

interface AnswerCall {
  readonly companyId: string
  readonly enrollmentId: string
  readonly answer: Answer
  /** Stores the response under the Idempotency-Key. */
  readonly saveResponse: SaveResponse
}

/**
 * Answers a pending enrollment in one transaction: it and the others that the answer serves are corrected, those that are pending return to
 * the queue. Of two concurrent answers the second gets 409.
 * @returns the detail, as the text of the response.
 * @throws ApiError 400, 401, 403 or 409; then nothing is stored.
 */
export async function answerEnrollment(context: Context, actor: ClientActor, call: AnswerCall): Promise<string> {
  const { companyId, enrollmentId, answer } = call
  const today = context.today()
  const options = {
    may: mayRequest(actor),
    companies: { ids: [companyId], entitled: 'all', error: () => notEntitled('enrollment') },
    lock: (sql: Sql) => lockServed(sql, companyId, enrollmentId),
    saveResponse: call.saveResponse,
  } as const
  return write(context, actor, options, async (sql, served) => {
    const answered = served.find(({ id }) => id === enrollmentId)
    if (answered === undefined || !isPending(answered.status)) throw new ApiError('enrollment-not-pending')
    // A later part of the request would be inserted as it was sent.
    if (await isProcessing(sql, companyId, answered.requestId)) throw unavailable()
    const changes = parseChanges(answered.alterationKind ?? answered.enrollmentType, answer.data, today)
    const documentIds = answer.documents.map((document) => document['document-id'])
    const errors = [
      ...(changes.errors.length > 0 ? changes.errors : judgeChanges(changes, answered, served, today)),
      ...(await documentErrors(sql, actor, documentIds)),
    ]
    if (errors.length > 0) throw invalidBody(errors, 'invalid-answer')
    if (!(await useDocuments(sql, actor, companyId, answered.requestId, documentIds))) {
      throw invalidBody([unusableDocuments], 'invalid-answer')
    }
    const corrected = correct(answer, changes, served, today)
    const waiting = waitingFor(served, answer)
    const isWaiting = waiting.has(answered.id)
    if (isWaiting && corrected.length === 0 && answer.comment === null) {
      throw invalidBody([{ field: 'documents', code: 'missing' }], 'invalid-answer')
    }
    const moved = await decision(context, sql, call, served, corrected, waiting)
    if (isWaiting && answer.comment !== null) await noteComment(sql, call, answer.comment, actor)
    await updatePendingItems({ sql, companyId, at: sql.at() }, waiting)
    await applyCorrections({ sql, companyId, at: sql.at() }, answered, changes, corrected)
    const unmoved = corrected.filter(({ enrollment }) => !moved.has(enrollment.id)).map(({ enrollment }) => enrollment)
    reportCorrections(sql, companyId, unmoved)
    const body = required((await readEnrollment(sql, actor, enrollmentId, today)).body, 'enrollment')
    sql.respond(body)
    return body
  })
}

/** Locks the families first, as every change of one does, then the enrollments, which may have changed meanwhile. */
async function lockServed(sql: Sql, companyId: string, enrollmentId: string): Promise<ServedEnrollment[]> {
  const found = await readServed(sql, companyId, enrollmentId, '')
  await lockFamilies(
    sql,
    companyId,
    found.map(({ benefitId }) => benefitId),
  )
  return readServed(sql, companyId, enrollmentId, 'for update')
}

const unusableDocuments: FieldError = { field: 'documents', code: 'invalid' }

async function documentErrors(sql: Sql, client: Client, ids: readonly string[]): Promise<FieldError[]> {
  const usable = await usableDocuments(sql, client, ids)
  return new Set(usable).size < new Set(ids).size ? [unusableDocuments] : []
}

/** What enrollments still wait for that rules asked for documents of, by id. */
function waitingFor(served: readonly ServedEnrollment[], { documents }: Answer): Map<string, readonly PendingItem[]> {
  const types = new Set(documents.map((document) => document['document-type']))
  const left = served.map(({ id, pendingItems }) => [id, isOfRules(pendingItems) ? itemsLeft(pendingItems, types) : []])
  return new Map((left as [string, readonly PendingItem[]][]).filter(([, items]) => items.length > 0))
}

/** Pending enrollments return to the queue, of a partner by the service where rules asked for documents; a scheduled one enters it when its corrected day is not in the future. @returns their ids. */
async function decision(
  context: Context,
  sql: Tx,
  { companyId, answer }: AnswerCall,
  served: readonly ServedEnrollment[],
  corrected: readonly CorrectedEnrollment[],
  waiting: ReadonlyMap<string, readonly PendingItem[]>,
): Promise<Set<string>> {
  const targets = new Map<string, EnrollmentStatus>()
  for (const { id, status, queueStatus, isFollower } of served) {
    if (isPending(status) && !isFollower && !waiting.has(id)) targets.set(id, queueStatus)
  }
  for (const { enrollment, scheduledActionDate } of corrected) {
    if (enrollment.status === 'scheduled' && scheduledActionDate === null) targets.set(enrollment.id, 'created')
  }
  const ofRules = new Set(served.filter(({ pendingItems }) => isOfRules(pendingItems)).map(({ id }) => id))
  const { origin } = sql.actor
  const service = sql.as({ kind: 'service', ...(origin === undefined ? {} : { origin }) })
  for (const [tx, some] of Map.groupBy(targets, ([id]) =>
    ofRules.has(id) && sql.actor.kind === 'partner' ? service : sql,
  )) {
    for (const [status, group] of Map.groupBy(some, ([, target]) => target)) {
      const ids = group.map(([id]) => id)
      await transitionAll(tx, companyId, ids, { status, reason: answer.comment, isAnswer: true }, context)
    }
  }
  return new Set(targets.keys())
}

/** Without a step of the history that it would be the reason of, a comment is a note for the operators. */
async function noteComment(
  sql: Tx,
  { companyId, enrollmentId }: AnswerCall,
  text: string,
  { clientId: author }: ClientActor,
): Promise<void> {
  const id = uuidv7()
  await insertNote(sql, { companyId, enrollmentId, id, text, author, at: sql.at() })
  sql.audit({ action: 'enrollment.note-added', target: id, companyId })
}

/** What is stored of the answer. */
function answerOf(corrected: CorrectedEnrollment, { values }: Changes, at: Date): Correction['answer'] {
  const changes = answerChanges(corrected, values)
  return changes.length === 0 ? null : { at: at.toISOString(), changes }
}

async function applyCorrections(
  write: CompanyWrite,
  answered: ServedEnrollment,
  changes: Changes,
  corrected: readonly CorrectedEnrollment[],
): Promise<void> {
  if (corrected.length === 0) return
  const isInclusion = movementRules[answered.enrollmentType].createsBenefit
  const own = corrected.filter(({ enrollment }) => !enrollment.isFollower).map(({ enrollment }) => enrollment)
  const role = own.some(({ memberType }) => memberType === 'primary') ? 'primary' : 'dependent'
  const profile = profileChanges(changes.values, role)
  const changesProfile = isInclusion && Object.keys(profile).length > 0
  const isCovered = changesProfile && (await wasCovered(write.sql, write.companyId, answered.memberId))
  await correctEnrollments(
    write,
    corrected.map(({ enrollment, ...correction }) => ({
      ...correction,
      id: enrollment.id,
      answer: answerOf({ enrollment, ...correction }, changes, write.at),
      updatesProfile: enrollment.updatesProfile || (isCovered && !enrollment.isFollower),
    })),
  )
  await settleExtensions(
    write.sql,
    write.companyId,
    corrected.map(({ enrollment }) => enrollment.id),
  )
  await moveStarts(write, corrected)
  const dependentType = changes.values.get('dependent-type')
  if (typeof dependentType === 'string') {
    await setDependentType(
      write,
      own.map(({ benefitId }) => benefitId),
      dependentType,
    )
  }
  // A new member has the data of this request, until a benefit is in force.
  if (changesProfile && !isCovered && own.every(({ updatesProfile }) => !updatesProfile)) {
    await correctMember(write, answered.memberId, profile)
  }
  if (answered.isApplied && Object.keys(registrationChanges(changes.values)).length > 0) {
    await applyAgain(write.sql, write.companyId, answered.requestId)
  }
}

/** Event and audit of enrollments that are corrected and keep their status: a transition has its own. */
function reportCorrections(tx: Tx, companyId: string, enrollments: readonly ServedEnrollment[]): void {
  tx.emit(
    companyId,
    enrollments.map((enrollment) => enrollmentEvent('enrollment.updated', enrollment)),
  )
  tx.audit(enrollments.map(({ id }) => ({ action: 'enrollment-data.corrected', target: id, companyId })))
}
