import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { draftEvent } from '#platform/core/events.ts'
import type { Tx } from '#platform/core/write.ts'
import { useDocuments } from '#registry/documents/queries.ts'
import { DocumentsTakenError } from '../batch/accept.ts'
import { insertDraft, lockOpenDrafts, type NewMovementDraft } from './rows.ts'

/** So many drafts of a company may be open. */
const MAX_OPEN_DRAFTS = 50

/**
 * Makes a draft in a transaction that has checked what the actor may. Its documents belong to it from then on: they neither expire nor serve twice.
 * @throws ApiError 409 when the company has too many, and DocumentsTakenError.
 */
export async function openDraft(
  tx: Tx,
  actor: ClientActor,
  draft: NewMovementDraft,
  documents: readonly string[],
): Promise<void> {
  const { id, companyId } = draft
  if ((await lockOpenDrafts(tx, companyId)) >= MAX_OPEN_DRAFTS) throw new ApiError('too-many-drafts')
  await insertDraft(tx, actor, draft)
  if (!(await useDocuments(tx, actor, companyId, id, documents))) throw new DocumentsTakenError()
  tx.audit({ action: 'movement-draft.created', target: id, companyId })
  if (actor.kind === 'partner') tx.emit(companyId, draftEvent({ id, closedBecause: null }))
}
