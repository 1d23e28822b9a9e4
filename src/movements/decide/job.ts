import { required } from '#platform/core/log.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { mayDecide } from './decide.ts'
import { decideWithin, idsOf, planDecisions } from './decide.ts'
import type { Decision } from '../transition/types.ts'
import type { BrokenReason } from '../rules/decision-job.ts'
import type { Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { sendInLanguage } from '#platform/http/language.ts'
import { waitFor, waitOf } from '#platform/http/wait.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import {
  breakJob,
  deleteOldJobs,
  hasEarlierHeldJob,
  insertJob,
  insertResults,
  lockJob,
  type LockedJob,
  type NewLine,
  readJob,
  readJobStatus,
  readNextChunk,
} from './job-queries.ts'
import type { DecidedItem } from './items.ts'
import { EarlierRequestError } from '../postponed.ts'
import { type ItemResult, decisionsOf, type StoredResult, storedResultOf } from './results.ts'

/** More enrollments than this are decided by a job. */
export const maxAtOnce = 200

/** A line of a job before it is planned: a decision, or why it is refused. */
export type SentLine = { readonly line: number } & (
  | { readonly id: string; readonly decision: Decision }
  | { readonly id: string | null; readonly refused: Extract<ItemResult, { accepted: false }> }
)

/** The lines of items, in their order. */
export function linesOf(items: readonly DecidedItem[], lineOf = (index: number) => index + 1): SentLine[] {
  const { decisions, refusalOf } = decisionsOf(items)
  return items.map((item, index) => {
    const [line, id, refused] = [lineOf(index), item.id, refusalOf(item)]
    // The decision of the first of several equal items.
    return refused === undefined ? { line, id, decision: decisions.get(id) ?? item.decision } : { line, id, refused }
  })
}

/** Makes the job of these lines, with its audit row. @returns its id. */
export async function createJob(
  context: Context,
  actor: ClientActor,
  lines: readonly SentLine[],
  { dryRun = false, undoSeconds = 0 }: { readonly dryRun?: boolean; readonly undoSeconds?: number } = {},
): Promise<string> {
  const id = uuidv7()
  const decisions = new Map(lines.flatMap((line) => ('decision' in line ? [[line.id, line.decision]] : [])))
  const [first = null] = decisions.values()
  const decision = decisions.size > 0 && [...decisions.values()].every((decision) => decision === first) ? first : null
  const rows = await planLines(context, lines, decisions, decision)
  await write(context, actor, { may: mayDecide }, async (sql) => {
    await insertJob(sql, {
      id,
      actor: actor.clientId,
      origin: actor.origin,
      dryRun,
      decision,
      shipmentId: null,
      undoSeconds,
      lines: rows,
    })
    sql.audit({ action: 'decision-job.created', target: id, companyId: null })
  })
  return id
}

/** @param shared the decision of all lines, which is stored once. */
async function planLines(
  context: Context,
  lines: readonly SentLine[],
  decisions: ReadonlyMap<string, Decision>,
  shared: Decision | null,
): Promise<NewLine[]> {
  const { chunks, refused } = await planDecisions(context.database, decisions, context.today())
  const chunkOf = new Map(chunks.flatMap((chunk, index) => idsOf(chunk).map((id) => [id, index])))
  return lines.map((sent): NewLine => {
    const { line, id } = sent
    const refusal = 'refused' in sent ? sent.refused : refused.get(sent.id)
    if (refusal !== undefined || !('decision' in sent)) {
      const result = refusal === undefined ? null : storedResultOf(refusal, 'completed')
      return { line, enrollment_id: id, chunk: null, decision: null, result }
    }
    const decision = shared === null ? sent.decision : null
    return { line, enrollment_id: id, chunk: chunkOf.get(sent.id) ?? null, decision, result: null }
  })
}

/** How often a chunk is tried before its lines are given up as `unavailable`: some minutes. */
const maxAttempts = 10

/**
 * Decides one chunk of a job of decisions, as `processJob`.
 * @throws EarlierRequestError while an earlier job of the operator that could be undone has not ended.
 */
export async function processDecisionJob(
  context: Context,
  tx: Tx,
  jobId: string,
  attempts: number,
): Promise<'more' | 'done'> {
  if (await hasEarlierHeldJob(tx, jobId)) throw new EarlierRequestError()
  return processJob<Decision>(tx, jobId, attempts, async (operator, decisions) => {
    const results = await decideWithin(tx, context, () => tx.asClient(operator, mayDecide), decisions)
    return new Map(
      [...decisions].flatMap(([id, { status }]) => {
        const result = results.get(id)
        return result === undefined ? [] : [[id, storedResultOf(result, status)] as const]
      }),
    )
  })
}

/** Decides the lines of a chunk for the operator that sent the job. @throws ApiError of `asClient`. */
type DecideLines<Line> = (
  operator: ClientActor,
  lines: ReadonlyMap<string, Line>,
  job: LockedJob,
) => Promise<ReadonlyMap<string, StoredResult>>

/**
 * Decides one chunk of a job in the worker's transaction. Safe to run twice: a line with a result is not decided again.
 * @param attempts how often the chunk has failed.
 */
export async function processJob<Line>(
  tx: Tx,
  jobId: string,
  attempts: number,
  decide: DecideLines<Line>,
): Promise<'more' | 'done'> {
  const job = await lockJob(tx, jobId)
  if (job?.isOpen !== true) return 'done'
  const chunk = await readNextChunk<Line>(tx, jobId)
  if (chunk === null) return 'done'
  const lines = new Map(chunk.lines.map(({ id, decision }) => [id, decision]))
  const operator: ClientActor = { kind: 'operator', clientId: job.actor, origin: job.origin }
  let results: ReadonlyMap<string, StoredResult> = new Map()
  try {
    if (attempts < maxAttempts) {
      // A dry run is rolled back.
      results = await tx.savepoint(
        () => decide(operator, lines, job),
        () => !job.dryRun,
      )
    }
  } catch (error) {
    const reason = brokenReason(error)
    if (reason === null) throw error
    await breakJob(tx, jobId, reason)
    return 'done'
  }
  const decided = [...lines.keys()].map((id) => ({ id, result: results.get(id) ?? { code: 'unavailable' as const } }))
  await insertResults(tx, jobId, chunk, decided)
  return chunk.isLast ? 'done' : 'more'
}

/** The reason for an error that `asClient` throws. */
function brokenReason(error: unknown): BrokenReason | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'client-revoked') return 'operator-removed'
  return error.code === 'role-not-allowed' ? error.code : null
}

/**
 * Sends the response to decisions that a job makes: with `Prefer: wait=N` what `done` returns, if the job ends within N seconds, else 202 with
 * the job.
 * @param stopping ends the waiting.
 */
export async function sendJob(
  { database }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  jobId: string,
  stopping: AbortSignal,
  done: () => Promise<object>,
): Promise<void> {
  const seconds = waitOf(request)
  const isOver = () => stopping.aborted || reply.raw.destroyed
  if (seconds > 0 && (await waitFor(seconds, isOver, () => isDone(database, jobId)))) {
    return sendInLanguage(request, reply.header('preference-applied', `wait=${seconds}`), await done())
  }
  void reply.status(202).header('location', `/operator/v1/decision-job/${jobId}`)
  return sendJson(reply, required(await readJob(database, jobId), 'job'))
}

/** Whether the job is done; null when it will not be. */
async function isDone(sql: Sql, jobId: string): Promise<boolean | null> {
  const status = await readJobStatus(sql, jobId)
  return status === 'broken' || status === null ? null : status === 'done'
}

const keptMs = 30 * 86_400_000
const maxDeletedAtOnce = 10

/** Deletes the jobs that ended more than 30 days ago, with their results. */
export async function deleteExpiredJobs(database: Database): Promise<void> {
  const before = new Date(database.now().getTime() - keptMs)
  while ((await deleteOldJobs(database, before, maxDeletedAtOnce)) > 0);
}
