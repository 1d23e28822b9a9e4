import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { type SaveResponse, type Tx, write } from '#platform/core/write.ts'
import { useDocuments } from '#registry/documents/queries.ts'
import { invalidBody, unavailable } from '#platform/core/errors.ts'
import type { Context } from '#platform/http/context.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { MovementKind, Resolution } from '#kernel/enums.ts'
import type { Language } from '#kernel/texts/texts.ts'
import type { Intake } from '../rules/intake.ts'
import { mayRequest, noSuchCompany } from '#platform/core/may-request.ts'
import { refuseSandbox } from '../resolution-parameter.ts'
import { type OpenBatch, openBatch } from './batch.ts'
import type { BatchSummary } from './parse-and-judge.ts'
import { insertIntake } from '../intake/rows.ts'
import { type Acceptance, insertAccepted } from './queries.ts'
import type { BatchFacts } from './readers.ts'

/** Another request used a document between the judgement and the acceptance. */
export class DocumentsTakenError extends Error {}

/** What differs by kind between batches, but for their bodies (`readers`). */
export interface BatchKind<Movement extends MovementKind> {
  readonly movement: Movement
  /** Reads what the batch is judged by; null when the caller is not entitled to the company. @throws ApiError 401. */
  readonly readFacts: (
    sql: Sql,
    caller: ClientActor,
    batch: BatchSummary,
    today: LocalDate,
  ) => Promise<{ readonly companyId: string; readonly facts: BatchFacts[Movement] } | null>
}

/** How a batch is judged. */
interface Judging {
  /** The bytes of the body: a large one is transferred to a thread and empty afterwards. */
  readonly body: Buffer
  readonly dryRun: boolean
  /** Accepts the members without offenses. */
  readonly lenient: boolean
  readonly resolution: Resolution | null
  /** The language of the response. */
  readonly language: Language
  /** How the request came, where the body does not say it. */
  readonly intake?: Intake
}

export interface Batch extends Judging {
  readonly saveResponse: SaveResponse
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
  readonly withSentences: Uint8Array | null
  /** Whether it became a movement draft, which somebody else has to confirm. */
  readonly isDraft?: boolean
}

/** A batch that was judged. */
export interface JudgedBatch extends BatchResult {
  /** What `acceptWithin` stores; null of a dry run, and when no member is accepted. */
  readonly accepted: Acceptance | null
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
  { saveResponse, also, ...judging }: Batch,
): Promise<BatchResult> {
  for (;;) {
    try {
      const { accepted, ...result } = await judgeBatch(kind, context, context.database, actor, judging)
      const { companyId, fields, lists } = result
      if (accepted === null) return result
      const companies = { ids: [companyId], entitled: 'all', error: () => noSuchCompany(actor) } as const
      await write(context, actor, { may: mayRequest(actor), companies, saveResponse }, async (tx) => {
        await acceptWithin(tx, actor, accepted, also)
        tx.respond(batchResponse([...fields, ...lists]), [companyId])
      })
      return result
    } catch (error) {
      if (!(error instanceof DocumentsTakenError)) throw error
      // Judged again, the response names the members whose documents are used. A body that was transferred has to be sent again.
      if (judging.body.length === 0) throw unavailable()
    }
  }
}

/**
 * Judges a batch by the facts of its company; nothing is stored.
 * @param sql reads the facts: the database, or the transaction that accepts the batch.
 * @throws ApiError 400, 401, 403 or 404, BatchShapeError and BatchUnavailableError.
 */
export async function judgeBatch<Movement extends MovementKind>(
  { movement, readFacts }: BatchKind<Movement>,
  context: Context,
  sql: Sql,
  actor: ClientActor,
  judging: Judging,
): Promise<JudgedBatch> {
  const takesIntake = actor.kind === 'operator' && judging.intake === undefined
  const batch = await openBatch(
    judging.body,
    movement,
    takesIntake ? { typedAt: { now: sql.now(), today: context.today() } } : {},
  )
  try {
    return await judgeOpen(movement, readFacts, batch, context, sql, actor, judging)
  } finally {
    batch.close()
  }
}

async function judgeOpen<Movement extends MovementKind>(
  movement: Movement,
  readFacts: BatchKind<Movement>['readFacts'],
  batch: OpenBatch<Movement>,
  context: Context,
  sql: Sql,
  actor: ClientActor,
  { dryRun, lenient, resolution, language, intake: given }: Judging,
): Promise<JudgedBatch> {
  if (batch.sandboxAt !== undefined) refuseSandbox(context, `members[${batch.sandboxAt}].sandbox`)
  const acceptedOn = context.today()
  const intake = given ?? batch.intake
  const read = await readFacts(sql, actor, batch, acceptedOn)
  if (read === null) throw noSuchCompany(actor)
  const { companyId, facts } = read
  const usable = new Set(facts.usableDocumentIds)
  if (intake?.documents.some((id) => !usable.has(id))) throw invalidBody([unusableEvidence])
  const requestId = dryRun ? null : uuidv7()
  const request = requestId === null ? null : { companyId, requestId }
  const finished = await batch.finish(facts, { lenient, request, language })
  const { rejected, warnings, missingDocuments, acceptedCount, items, documents, withSentences } = finished
  // Evidence belongs to no movement, and stays when the documents of one go.
  const own = new Set(documents)
  if (intake?.documents.some((id) => own.has(id))) throw invalidBody([unusableEvidence])
  const lists = [
    ...(rejected === null ? [] : [`"result":${rejected}`]),
    ...(warnings === null ? [] : [`"warnings":${warnings}`]),
    ...(missingDocuments === null ? [] : [`"missing-documents":${missingDocuments}`]),
  ]
  if (acceptedCount === 0) return { companyId, isAccepted: false, fields: [], lists, withSentences, accepted: null }
  const fields = [requestId === null ? '"dry-run":true' : `"request-id":"${requestId}"`]
  const { reference } = batch
  const accepted =
    requestId === null || items === null
      ? null
      : { movement, companyId, requestId, resolution, reference, acceptedOn, items, documents, intake }
  return { companyId, isAccepted: true, fields, lists, withSentences, accepted }
}

/** A document of `intake` that is unknown, not uploaded, another client's, used already, or of a movement too. */
export const unusableEvidence = { field: 'intake.documents', code: 'invalid' } as const

/** Saves a judged batch in a transaction that has checked what the actor may: the request, its items, work, audit and documents. */
export async function acceptWithin(
  tx: Tx,
  actor: ClientActor,
  accepted: Acceptance,
  also?: Batch['also'],
): Promise<void> {
  const { movement, companyId, requestId, documents, intake, draftId } = accepted
  await insertAccepted(tx, actor, accepted)
  if (intake !== null) await insertIntake(tx, companyId, requestId, intake)
  await also?.(tx, requestId)
  const used = [...documents, ...(intake?.documents ?? [])]
  // Those of a draft belong to it.
  const isUsed = draftId !== undefined || (await useDocuments(tx, actor, companyId, requestId, used))
  if (!isUsed) throw new DocumentsTakenError()
  tx.audit({ action: `${movement}.requested`, target: requestId, companyId })
}
