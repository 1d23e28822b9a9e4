import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import { enrollmentEvent } from '#platform/core/events.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { write } from '#platform/core/write.ts'
import { isPending } from '#coverage/rules/enrollment-status.ts'
import type { Context } from '#platform/http/context.ts'
import { insertNote } from '#coverage/enrollments/note-queries.ts'
import { readServed } from '../answer/queries.ts'
import { lockFamilies } from '../transition/families.ts'
import { updatePendingItems } from '../transition/enrollments.ts'
import { transitionAll } from '../transition/transition.ts'

interface Waiver {
  readonly companyId: string
  readonly enrollmentId: string
  /** The requirement of the pending item. */
  readonly requirement: number
  readonly reason: string
}

/**
 * Lets a movement go without a document that rules asked for: the reason is a note of the operator and, with the last document, in the history.
 * @throws ApiError 404, 409 for a movement that is not pending.
 */
export async function waiveRequirement(context: Context, actor: ClientActor, waiver: Waiver): Promise<void> {
  const { companyId, enrollmentId, requirement, reason } = waiver
  const lock = async (sql: Sql) => {
    const [found] = await readServed(sql, companyId, enrollmentId, '')
    if (found !== undefined) await lockFamilies(sql, companyId, [found.benefitId])
    return (await readServed(sql, companyId, enrollmentId, 'for update')).find(({ id }) => id === enrollmentId)
  }
  await write(context, actor, { may: ['analyst'], lock }, async (tx, enrollment) => {
    if (enrollment === undefined || !isPending(enrollment.status)) throw new ApiError('enrollment-not-pending')
    const { pendingItems, queueStatus } = enrollment
    const item = pendingItems.find((pending) => pending.requirement === requirement)
    if (item === undefined) throw new ApiError('requirement-not-found')
    const left = pendingItems.filter((pending) => pending !== item)
    const text = `${required(item['document-type'], 'document type')}: ${reason}`
    const at = tx.at()
    await insertNote(tx, { companyId, enrollmentId, id: uuidv7(), text, author: actor.clientId, at })
    tx.audit({ action: 'requirement.waived', target: `${enrollmentId} requirement ${requirement}`, companyId })
    if (left.length === 0) {
      await transitionAll(tx, companyId, [enrollmentId], { status: queueStatus, reason }, context)
    } else {
      await updatePendingItems({ sql: tx, companyId, at }, new Map([[enrollmentId, left]]))
      tx.emit(companyId, enrollmentEvent('enrollment.updated', enrollment))
      tx.audit({ action: 'enrollment-data.corrected', target: enrollmentId, companyId })
    }
  })
}
