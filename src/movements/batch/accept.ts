import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { recordAccessedCompanies, responseSaver } from '../../http/idempotency/idempotency.ts'
import { preferenceOf } from '../../http/prefer.ts'
import type { ClientActor } from '../../core/actor.ts'
import { type SaveResponse, write } from '../../core/write.ts'
import { useDocuments } from '../../documents/queries.ts'
import { notEntitled, unavailable } from '../../platform/errors.ts'
import { callerOf, type Context } from '../../http/context.ts'
import type { Resolution } from '../../domain/enums.ts'
import { type OpenBatch, openBatch } from './batch.ts'
import type { BatchSummary } from './parse-and-judge.ts'
import { type Acceptance, insertAccepted } from './queries.ts'
import type { BatchFacts, BatchMovement } from './readers.ts'

/** Another request used a document between the judgement and the acceptance. */
class DocumentsTakenError extends Error {}

/** A movement that is requested in batches. */
export interface BatchKind<Movement extends BatchMovement> {
  readonly movement: Movement
  /** Reads what the batch is judged by; null when the caller is not entitled to the company. @throws ApiError 401. */
  readonly readFacts: (
    context: Context,
    caller: ClientActor,
    batch: BatchSummary,
  ) => Promise<{ readonly companyId: string; readonly facts: BatchFacts[Movement] } | null>
}

interface BatchQuery {
  readonly 'dry-run'?: boolean
  readonly resolution?: Resolution
}

/**
 * Judges a batch and, unless it is a dry run, accepts it; sends the response.
 * @param body the bytes of the body: a large one is transferred to a thread and empty afterwards.
 * @throws ApiError 401, 403 or 503, BatchShapeError and BatchUnavailableError; nothing is saved then.
 */
export async function acceptBatch<Movement extends BatchMovement>(
  kind: BatchKind<Movement>,
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
): Promise<void> {
  for (;;) {
    const batch = await openBatch(body, kind.movement)
    try {
      return await judgeAndAccept(kind, context, request, reply, batch)
    } catch (error) {
      if (!(error instanceof DocumentsTakenError)) throw error
      // Judged again, the response names the members whose documents are used. A body that was transferred has to be sent again.
      if (body.length === 0) throw unavailable()
    } finally {
      batch.close()
    }
  }
}

async function judgeAndAccept<Movement extends BatchMovement>(
  { movement, readFacts }: BatchKind<Movement>,
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  batch: OpenBatch<Movement>,
): Promise<void> {
  const { 'dry-run': dryRun, resolution = null } = request.query as BatchQuery
  const read = await readFacts(context, callerOf(request), batch)
  if (read === null) throw notEntitled('company')
  const { companyId, facts } = read
  recordAccessedCompanies(request, [companyId])
  const lenient = preferenceOf(request.headers, 'handling') === 'lenient'
  const requestId = dryRun === true ? null : uuidv7()
  const { rejected, warnings, acceptedCount, staged, documents } = await batch.finish(facts, {
    lenient,
    request: requestId === null ? null : { companyId, requestId },
  })
  if (acceptedCount === 0) {
    const fields = [
      '"error":"Invalid members","code":"invalid-members"',
      `"result":${rejected}`,
      ...(warnings === null ? [] : [`"warnings":${warnings}`]),
      `"request-trace-id":${JSON.stringify(request.id)}`,
    ]
    await reply.status(400).type('application/json; charset=utf-8').send(`{${fields.join()}}`)
    return
  }
  const fields = [
    requestId === null ? '"dry-run":true' : `"request-id":"${requestId}"`,
    ...(rejected === null ? [] : [`"result":${rejected}`]),
    ...(warnings === null ? [] : [`"warnings":${warnings}`]),
  ]
  const text = `{${fields.join()}}`
  const headers = lenient ? { 'preference-applied': 'handling=lenient' } : {}
  if (requestId !== null && staged !== null) {
    const saveResponse = responseSaver(context.responseStore, request, headers)
    const { reference } = batch
    const accepted = { movement, companyId, requestId, resolution, reference, acceptedOn: context.today(), staged }
    await accept(context, callerOf(request), accepted, documents, text, saveResponse)
  }
  await reply.headers(headers).type('application/json; charset=utf-8').send(text)
}

/** Saves the request, its staged rows, work, audit, documents and the stored response, or nothing. */
async function accept(
  context: Context,
  actor: ClientActor,
  accepted: Acceptance,
  documents: readonly string[],
  response: string,
  saveResponse: SaveResponse,
): Promise<void> {
  const { movement, companyId, requestId } = accepted
  const companies = { ids: [companyId], entitled: 'all', error: () => notEntitled('company') } as const
  await write(context, actor, { may: 'partner', companies, saveResponse }, async (tx) => {
    await insertAccepted(tx, actor, accepted)
    if (!(await useDocuments(tx, actor, companyId, requestId, documents))) throw new DocumentsTakenError()
    tx.audit({ action: `${movement}.requested`, target: requestId, companyId })
    tx.respond(response)
  })
}
