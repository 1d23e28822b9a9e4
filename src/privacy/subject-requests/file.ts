import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { storeFile } from '#registry/documents/orphans.ts'
import { claimOrphan } from '#registry/documents/queries.ts'
import type { Context } from '#platform/http/context.ts'
import type { Progress } from '#platform/http/district.ts'
import { readCopy, zipCopy } from './file-content.ts'
import { lockFileToMake, readFileOf, requestFile, storeFileOf } from './file-queries.ts'
import { lockSubjectRequest } from './queries.ts'
import { mayHandleSubjectRequests } from './write.ts'

/** Lets the workers make the copy of a person's data, also again. @throws ApiError 404, 409 for an erasure and a cancelled request. */
export async function requestSubjectFile(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, { may: mayHandleSubjectRequests }, async (tx) => {
    const { kind, status, taxId } = await lockSubjectRequest(tx, id)
    if (kind !== 'access' || status === 'cancelled' || taxId === null) {
      throw new ApiError('subject-request-status', { status, allowed: [] })
    }
    await requestFile(tx, actor, id, tx.at())
    tx.audit({ action: 'subject-request.file-requested', target: id, companyId: null })
  })
}

/** Makes the copy in the worker's transaction. Safe to run twice: the file of a step that did not commit is an orphan. */
export async function processSubjectFile(context: Context, tx: Tx, id: string): Promise<Progress> {
  const request = await lockFileToMake(tx, id)
  if (request === null) return 'done'
  const entries = await readCopy(tx, request.taxId, tx.at())
  const file = await storeFile(context, 'document', zipCopy(context, entries, tx.at()), () => {})
  if (!(await claimOrphan(tx, file.key))) throw new ApiError('document-storage-unavailable')
  await storeFileOf(tx, id, file, tx.at())
  return 'done'
}

/** The copy of a person's data, for a download, which is audited. @param isHead only its size. @throws ApiError 404. */
export async function readSubjectFile(
  context: Context,
  actor: ClientActor,
  id: string,
  isHead: boolean,
): Promise<{ readonly key: string; readonly size: number }> {
  return write(context, actor, { may: mayHandleSubjectRequests }, async (tx) => {
    const file = await readFileOf(tx, id, tx.at())
    if (file === undefined) throw new ApiError('subject-request-not-found')
    if (file === null) throw new ApiError('subject-request-file-not-found')
    if (!isHead) tx.audit({ action: 'subject-request.file-downloaded', target: id, companyId: null })
    return file
  })
}
