import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { requesters } from '#platform/core/may-request.ts'
import { type SaveResponse, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { useDocuments } from '#registry/documents/queries.ts'
import { MAX_EVIDENCE } from '../rules/intake.ts'
import { lockEvidence } from './queries.ts'
import { insertEvidence } from './rows.ts'

/**
 * Adds uploaded documents to the evidence of a request.
 * @returns all documents of the evidence.
 * @throws ApiError 400 for documents that cannot be added, and for a request without an intake; 404. Nothing is stored then.
 */
export async function addEvidence(
  context: Context,
  actor: ClientActor,
  requestId: string,
  documents: readonly string[],
  saveResponse: SaveResponse,
): Promise<string[]> {
  return write(context, actor, { may: requesters, saveResponse }, async (tx) => {
    const evidence = await lockEvidence(tx, requestId)
    if (evidence === undefined) throw new ApiError('request-not-found')
    const { companyId, documents: former } = evidence
    if (former === null) throw new ApiError('not-applicable')
    if (former.length + documents.length > MAX_EVIDENCE) throw invalidBody([{ field: 'documents', code: 'too-many' }])
    if (!(await useDocuments(tx, actor, companyId, requestId, documents))) {
      throw invalidBody([{ field: 'documents', code: 'invalid' }])
    }
    await insertEvidence(tx, companyId, requestId, documents)
    tx.audit({ action: 'request.evidence-added', target: requestId, companyId })
    const all = [...former, ...documents]
    tx.respond({ result: { documents: all } }, [companyId])
    return all
  })
}
