import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type, type TSchema } from 'typebox'
import type { ClientActor } from '#platform/core/actor.ts'
import type { SaveResponse } from '#platform/core/write.ts'
import { callerOf, type Context } from '#platform/http/context.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { jsonBytes } from '#platform/http/bodies.ts'
import { invalidBody, unavailable } from '#platform/core/errors.ts'
import type { MovementQuery } from '../resolution-parameter.ts'
import { explainError } from '#platform/http/explain-error.ts'
import { languageOf } from '#platform/http/language.ts'
import { preferenceOf } from '#platform/http/prefer.ts'
import { ENGLISH } from '#kernel/texts/texts.ts'
import { acceptBatch, type Batch, type BatchKind, batchResponse, type BatchResult } from './accept.ts'
import type { MovementKind } from '#kernel/enums.ts'
import { THREAD_FROM_BYTES } from './batch.ts'
import { BatchShapeError } from './parse-and-judge.ts'
import { BatchUnavailableError } from './batch-threads.ts'

const batchBodyLimit = 16 * 1024 * 1024

export const BatchHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({ description: '`handling=lenient` accepts the members without offenses (RFC 7240).' }),
  ),
})

/** Begins the description of a batch of an operator. */
export const ofOperators =
  'What a company asked the broker for, by e-mail, telephone or message: as the operation of partners, for every company, with `intake`.'

/** The body of a batch: large ones are parsed and judged in a thread. */
export const batchBody = (schema: TSchema) => jsonBytes(schema, batchBodyLimit)

/** Large batches of all movements have one limit. */
const limits = new WeakMap<Context, ConcurrencyLimit>()

/** What becomes of a batch in place of a request; null: a request. */
export type Instead = (context: Context, caller: ClientActor, batch: Batch) => Promise<BatchResult | null>

/** Accepts the batch of a request, and sends the response. @throws ApiError 400 for the shape of the body, 503 when too many large batches are in progress. */
export async function runBatch<Movement extends MovementKind>(
  kind: BatchKind<Movement>,
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  instead: Instead = async () => null,
): Promise<FastifyReply> {
  const { body } = request
  if (!Buffer.isBuffer(body)) throw invalidBody()
  const caller = callerOf(request)
  const { 'dry-run': dryRun = false, resolution = null } = request.query as Static<typeof MovementQuery>
  const lenient = preferenceOf(request.headers, 'handling') === 'lenient'
  const headers = lenient ? { 'preference-applied': 'handling=lenient' } : {}
  const saveResponse: SaveResponse = (sql, body, companyIds) => request.saveResponse(sql, body, companyIds, headers)
  const sent = { body, dryRun, lenient, resolution, saveResponse, language: languageOf(request) }
  const run = async () => (await instead(context, caller, sent)) ?? acceptBatch(kind, context, caller, sent)
  return sendBatch(request, reply, await limited(context, caller.clientId, body.length, run), headers)
}

/** Sends what became of a batch. @param headers of one that is accepted. */
export function sendBatch(
  request: FastifyRequest,
  reply: FastifyReply,
  { companyId, isAccepted, fields, lists, withSentences, isDraft = false }: BatchResult,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  request.accessedCompanyIds = [companyId]
  void reply.type('application/json; charset=utf-8')
  const error = [`"error":${JSON.stringify(ENGLISH.errors['invalid-members'])}`, '"code":"invalid-members"']
  const before = isAccepted ? fields : error
  const after = isAccepted ? [] : [`"request-trace-id":${JSON.stringify(request.id)}`]
  const text = batchResponse([...before, ...lists, ...after])
  if (withSentences !== null) {
    const explained = explainError('invalid-members', languageOf(request), request.server.publicUrl)
    const start = isAccepted ? before : [...error, JSON.stringify(explained).slice(1, -1)]
    const end = after.map((member) => `,${member}`).join('')
    const bytes = Buffer.concat([Buffer.from(`{${start.join()},`), withSentences, Buffer.from(`${end}}`)])
    request.sentences = { of: text, withSentences: bytes }
  }
  const status = isAccepted ? (isDraft ? 202 : 200) : 400
  return reply
    .headers(isAccepted ? headers : {})
    .status(status)
    .send(text)
}

/** Runs what reads a batch within the limit of large ones. @throws ApiError 400 for its shape, 503. */
export async function limited<T>(context: Context, clientId: string, bytes: number, run: () => Promise<T>): Promise<T> {
  const { largeBatches: max, maxWaitMs } = context.config.limits
  const limit = limits.get(context) ?? new ConcurrencyLimit({ max, maxWaitMs })
  limits.set(context, limit)
  try {
    return bytes < THREAD_FROM_BYTES ? await run() : await limit.run(clientId, run)
  } catch (error) {
    if (error instanceof BatchShapeError) throw invalidBody(error.details)
    if (error instanceof BatchUnavailableError) throw unavailable('too-many-batches')
    throw error
  }
}
