import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import { type SaveResponse, type Tx, write } from '#platform/core/write.ts'
import { useDocuments } from '#registry/documents/queries.ts'
import { notEntitled, unavailable } from '#platform/core/errors.ts'
import type { Context } from '#platform/http/context.ts'
import type { MovementKind, Resolution } from '#kernel/enums.ts'
import { refuseSandbox } from '../resolution-parameter.ts'
import { type OpenBatch, openBatch } from './batch.ts'
import type { BatchSummary } from './parse-and-judge.ts'
import { type Acceptance, insertAccepted } from './queries.ts'
import type { BatchFacts } from './readers.ts'

/** Another request used a document between the judgement and the acceptance. */
class DocumentsTakenError extends Error {}

/** What differs by kind between batches, but for their bodies (`readers`). */
export interface BatchKind<Movement extends MovementKind> {
  readonly movement: Movement
  /** Reads what the batch is judged by; null when the caller is not entitled to the company. @throws ApiError 401. */
  readonly readFacts: (
    context: Context,
    caller: ClientActor,
    batch: BatchSummary,
  ) => Promise<{ readonly companyId: string; readonly facts: BatchFacts[Movement] } | null>
}

interface Batch {
  /** The bytes of the body: a large one is transferred to a thread and empty afterwards. */
  readonly body: Buffer
  readonly dryRun: boolean
  /** Accepts the members without offenses. */
  readonly lenient: boolean
  readonly resolution: Resolution | null
  readonly saveResponse: SaveResponse
  /** Whether the response is in Portuguese. */
  readonly isPortuguese: boolean
  /** In the transaction that accepts the batch, before its documents are used. @param requestId of the batch. */
  readonly also?: ((tx: Tx, requestId: string) => Promise<void>) | undefined
}

export interface BatchResult {
  readonly companyId: string
  readonly isAccepted: boolean
  /** JSON members of the response before its lists. */
  readonly fields: readonly string[]
  /** `result`, `warnings` and `missing-documents`, as they are stored. */
  readonly lists: readonly string[]
  /** The same with sentences, as UTF-8; null when they have none. */
  readonly inPortuguese: Uint8Array | null
}

/** The text of the response. */
export const batchResponse = (fields: readonly string[]): string => `{${fields.join()}}`

/**
 * Judges a batch and, unless it is a dry run, accepts it.
 * @throws ApiError 401, 403 or 503, BatchShapeError and BatchUnavailableError; nothing is saved then.
 */
export async function acceptBatch<Movement extends MovementKind>(
  kind: BatchKind<Movement>,
  context: Context,
  actor: ClientActor,
  sent: Batch,
): Promise<BatchResult> {
  for (;;) {
    const batch = await openBatch(sent.body, kind.movement)
    try {
      return await judgeAndAccept(kind, context, actor, sent, batch)
    } catch (error) {
      if (!(error instanceof DocumentsTakenError)) throw error
      // Judged again, the response names the members whose documents are used. A body that was transferred has to be sent again.
      if (sent.body.length === 0) throw unavailable()
    } finally {
      batch.close()
    }
  }
}

async function judgeAndAccept<Movement extends MovementKind>(
  { movement, readFacts }: BatchKind<Movement>,
  context: Context,
  actor: ClientActor,
  { dryRun, lenient, resolution, saveResponse, isPortuguese, also }: Batch,
  batch: OpenBatch<Movement>,
): Promise<BatchResult> {
  if (batch.sandboxAt !== undefined) refuseSandbox(context, `members[${batch.sandboxAt}].sandbox`)
  const read = await readFacts(context, actor, batch)
  if (read === null) throw notEntitled('company')
  const { companyId, facts } = read
  const requestId = dryRun ? null : uuidv7()
  const request = requestId === null ? null : { companyId, requestId }
  const finished = await batch.finish(facts, { lenient, request, isPortuguese })
  const { rejected, warnings, missingDocuments, acceptedCount, items, documents, inPortuguese } = finished
  const lists = [
    ...(rejected === null ? [] : [`"result":${rejected}`]),
    ...(warnings === null ? [] : [`"warnings":${warnings}`]),
    ...(missingDocuments === null ? [] : [`"missing-documents":${missingDocuments}`]),
  ]
  if (acceptedCount === 0) return { companyId, isAccepted: false, fields: [], lists, inPortuguese }
  const fields = [requestId === null ? '"dry-run":true' : `"request-id":"${requestId}"`]
  if (requestId !== null && items !== null) {
    const { reference } = batch
    const accepted = { movement, companyId, requestId, resolution, reference, acceptedOn: context.today(), items }
    const response = batchResponse([...fields, ...lists])
    await accept(context, actor, accepted, documents, { response, saveResponse, also })
  }
  return { companyId, isAccepted: true, fields, lists, inPortuguese }
}

/** Saves the request, its items, work, audit, documents and the stored response, or nothing. */
async function accept(
  context: Context,
  actor: ClientActor,
  accepted: Acceptance,
  documents: readonly string[],
  { response, saveResponse, also }: Pick<Batch, 'saveResponse' | 'also'> & { readonly response: string },
): Promise<void> {
  const { movement, companyId, requestId } = accepted
  const companies = { ids: [companyId], entitled: 'all', error: () => notEntitled('company') } as const
  const may = actor.kind === 'partner' ? actor.kind : (['analyst'] as const)
  await write(context, actor, { may, companies, saveResponse }, async (tx) => {
    await insertAccepted(tx, actor, accepted)
    await also?.(tx, requestId)
    if (!(await useDocuments(tx, actor, companyId, requestId, documents))) throw new DocumentsTakenError()
    tx.audit({ action: `${movement}.requested`, target: requestId, companyId })
    tx.respond(response, [companyId])
  })
}
