import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { createHmac, type Hmac } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { v7 as uuidv7 } from 'uuid'
import { answerFor, type Database, type Sql } from '../../platform/database.ts'
import { ApiError, errorText, invalidCredentials, invalidParameter, unavailable } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { isKept, parseIdempotencyKey } from './idempotency-key.ts'
import type { Cipher } from '../../platform/crypto/cipher.ts'
import {
  type Claim,
  claimKey,
  type Finished,
  saveResponse,
  type KeyedCall,
  releaseKey,
  takeOverKey,
} from './queries.ts'
import { decryptResponse, encryptResponse } from './encrypted-response.ts'

/*
 * A call with an Idempotency-Key first takes the turn under it, in a statement of its own. The transaction of the movement keeps
 * the answer and ends the turn; when the turn was lost meanwhile, it rolls back. So nothing is done twice, whatever dies when.
 */

/** What keeps first answers: made at start. */
export interface ResponseStore {
  readonly database: Database
  readonly cipher: Cipher
  readonly log: Log
  /** Key of the hashes of paths, keys and bodies. */
  readonly hashKey: Buffer
  /** Bytes of all stored responses of a client. */
  readonly maxBytesPerClient: number
}

/** A call that brought the header. */
interface Keyed {
  readonly body: Transform
  readonly digest: Hmac
  /** Resolves once the whole body has passed. */
  readonly read: Promise<boolean>
  /** `mine`: the turn is this call's; `over`: there is nothing more to keep. */
  state: 'unclaimed' | 'mine' | 'over'
  call: KeyedCall | null
  companyIds: readonly string[]
  /** What the transaction kept; it counts once the transaction has committed. */
  kept: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null for a call without the header: such a call pays nothing. */
    keyed: Keyed | null
  }
  interface FastifyContextConfig {
    /** The 403 of a partner's POST, for a replay to a caller who is not entitled any more; absent: that of a company. */
    notEntitled?: string
  }
}

const header = 'idempotency-key'
/** Larger refusals are not stored. */
const maxRefusalBytes = 64 * 1024
/** Workers delete what is older than a day every hour. */
const sweepSeconds = 3_600

/** Adds the hooks to a partner's POST; other routes stay as they are. For `onRoute`. */
export function addIdempotencyHooks(responseStore: ResponseStore, route: RouteOptions): void {
  if (route.config?.api !== 'partner' || ![route.method].flat().includes('POST')) return
  route.preParsing = [
    ...[route.preParsing ?? []].flat(),
    (request: FastifyRequest, _reply: FastifyReply, payload: NodeJS.ReadableStream, next: Next) =>
      next(null, request.headers[header] === undefined ? payload : hashBody(responseStore, request, payload)),
  ] as NonNullable<RouteOptions['preParsing']>
  route.preValidation = [
    async (request: FastifyRequest, reply: FastifyReply) =>
      request.keyed === null ? undefined : claim(responseStore, request, reply),
    ...[route.preValidation ?? []].flat(),
  ]
  route.onSend = [
    ...[route.onSend ?? []].flat(),
    async (request: FastifyRequest, reply: FastifyReply, payload: unknown) =>
      request.keyed === null ? payload : collect(responseStore, request, reply, payload),
  ]
}

type Next = (error: null, payload: NodeJS.ReadableStream) => void

/** Hashes the body as it passes: an inclusion's is handed to a thread, and large ones are never hashed at one go. */
function hashBody({ hashKey }: ResponseStore, request: FastifyRequest, payload: NodeJS.ReadableStream) {
  const digest = createHmac('sha256', hashKey).update(`${request.url.split('?').slice(1).join('?')}\0`)
  const tap = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      digest.update(chunk)
      done(null, chunk)
    },
  })
  const read = finished(tap, { readable: false }).then(
    () => true,
    () => false,
  )
  pipeline(payload, tap).catch(() => {})
  request.keyed = { body: tap, digest, read, state: 'unclaimed', call: null, companyIds: [], kept: null }
  return tap
}

/** Before the shape of the call is looked at: takes the turn, or answers what was answered first. */
async function claim(responseStore: ResponseStore, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const first = await claimKeyFor(responseStore, request)
  return first === null ? undefined : reply.send(replayed(reply, first))
}

interface Replay {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** @returns the first answer; null when there is none and the turn is now this call's. @throws ApiError 400, 401, 403, 409, 422. */
async function claimKeyFor(responseStore: ResponseStore, request: FastifyRequest): Promise<Replay | null> {
  const { keyed, caller } = request
  if (keyed === null || caller === null) return null
  keyed.state = 'over'
  const key = readKey(request)
  if (!(await keyed.read)) throw unavailable()
  const call = {
    clientId: caller.clientId,
    scope: createHmac('sha256', responseStore.hashKey)
      .update(`${request.method} ${request.url.split('?', 1)[0]}\0${key}`)
      .digest(),
    digest: keyed.digest.digest(),
    claimId: uuidv7(),
  }
  keyed.call = call
  // Until it is known better: of a claim whose answer was lost the turn must be given back.
  keyed.state = 'mine'
  const found = await claimed(responseStore.database, call)
  if (found.alive && found.mine) {
    return null
  }
  keyed.state = 'over'
  if (!found.alive) throw invalidCredentials()
  return replayOf(responseStore, request, call, found)
}

function readKey(request: FastifyRequest): string {
  const sent = request.raw.headersDistinct[header] ?? []
  if (sent.length > 1) throw invalidParameter([{ field: 'Idempotency-Key', code: 'repeated' }])
  const key = parseIdempotencyKey(sent[0] ?? '')
  if (key === null) throw invalidParameter([{ field: 'Idempotency-Key', code: 'invalid' }])
  return key
}

/** Asks again when the row that stood in the way was not to be seen yet, or is not there any more. */
async function claimed(sql: Sql, call: KeyedCall): Promise<Claim> {
  for (let asked = 1; ; asked += 1) {
    const found = await claimKey(sql, call)
    if (!found.alive || found.mine) return found
    if (found.isOver && (await takeOverKey(sql, call))) return { ...found, mine: true }
    if ((found.digest !== null && !found.isOver) || asked === 3) return found
  }
}

async function replayOf(
  responseStore: ResponseStore,
  request: FastifyRequest,
  call: KeyedCall,
  found: Claim,
): Promise<Replay> {
  if (found.digest === null || found.isOver) throw inFlight()
  if (!found.digest.equals(call.digest)) {
    throw new ApiError(422, 'Idempotency-Key was used with another body or query')
  }
  if (found.status === null || found.sealed === null) throw inFlight()
  if (!found.entitled) {
    throw new ApiError(403, request.routeOptions.config.notEntitled ?? 'Not entitled to access this company')
  }
  return { status: found.status, ...(await decryptResponse(responseStore.cipher, purposeOf(call), found.sealed)) }
}

function inFlight(): ApiError {
  return new ApiError(409, 'A call with this Idempotency-Key is under way', {}, { 'retry-after': '1' })
}

function storedResponsesFull(): ApiError {
  return new ApiError(
    429,
    'Too many stored responses: repeat later, or send without Idempotency-Key',
    {},
    { 'retry-after': String(sweepSeconds) },
  )
}

function purposeOf({ clientId, scope }: KeyedCall): string {
  return `first-answer:${clientId}:${scope.toString('base64url')}`
}

function replayed(reply: FastifyReply, { status, headers, text }: Replay): string {
  void reply
    .status(status)
    .headers({ ...headers, 'idempotency-replayed': 'true' })
    .type('application/json; charset=utf-8')
  return text
}

/** Notes which companies the answer will be about: a replay looks whether the caller may still access them. */
export function recordAccessedCompanies(request: FastifyRequest, companyIds: readonly string[]): void {
  if (request.keyed !== null) request.keyed.companyIds = [...new Set(companyIds)]
}

/** Keeps the 200 of a call with a key, in the transaction of what it did. */
export type SaveResponse = (sql: Sql, answer: object | string, companyIds?: readonly string[]) => Promise<void>

/**
 * For the transaction of a partner's POST: keeps what the call will be answered, as the transaction's last statement.
 * Does nothing for a call without a key.
 * @param headers of the answer that a replay repeats.
 * @throws ApiError 409 when another process has taken the turn over, 429 when the client's stored responses are at their bound: the
 * transaction must roll back.
 */
export function responseSaver(
  responseStore: ResponseStore,
  request: FastifyRequest,
  headers: Readonly<Record<string, string>> = {},
): SaveResponse {
  return async (sql, answer, companyIds) => {
    const { keyed } = request
    if (keyed === null || keyed.call === null) return
    if (companyIds !== undefined) keyed.companyIds = companyIds
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    const finished = await keep(responseStore, sql, request, keyed.call, { status: 200, headers, text })
    if (finished === 'full') throw storedResponsesFull()
    if (finished === 'lost') {
      keyed.state = 'over'
      throw inFlight()
    }
    keyed.kept = text
  }
}

async function keep(
  { cipher, maxBytesPerClient }: ResponseStore,
  sql: Sql,
  request: FastifyRequest,
  call: KeyedCall,
  { status, headers, text }: Replay,
): Promise<Finished> {
  const sealed = await encryptResponse(cipher, purposeOf(call), {
    headers: { ...headers, 'x-request-id': request.id },
    text,
  })
  const { companyIds = [] } = request.keyed ?? {}
  return saveResponse(sql, call, { status, companyIds, sealed }, maxBytesPerClient)
}

/** Last before the answer leaves: keeps what the transaction did not, or gives the turn back. */
async function collect(
  responseStore: ResponseStore,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { keyed } = request
  // Of a body that was refused unread the rest must pass, or the connection stands still.
  keyed?.body.resume()
  if (keyed === null || keyed.state === 'over') return payload
  const { statusCode: status } = reply
  if (keyed.kept !== null && status === 200) return keyed.kept
  try {
    // A body that is no JSON is refused before anything else looks at the call.
    if (keyed.state === 'unclaimed') {
      if (status !== 400) return payload
      const first = await claimKeyFor(responseStore, request)
      if (first !== null) return replayed(reply, first)
    }
    const { call } = keyed
    keyed.state = 'over'
    if (call === null) return payload
    if (typeof payload !== 'string' || !isKept(status) || isRepeatable(request, status, payload)) {
      await releaseKey(responseStore.database, call)
      return payload
    }
    await responseStore.database.transaction(async (sql) => {
      const finished = await keep(responseStore, sql, request, call, { status, headers: {}, text: payload })
      if (finished === 'lost') throw inFlight()
      if (finished === 'full') throw storedResponsesFull()
    })
    return payload
  } catch (error) {
    // A refusal did nothing: it may be judged again.
    if (error instanceof ApiError && error.statusCode === 429 && keyed.call !== null) {
      await releaseKey(responseStore.database, keyed.call).catch(() => {})
      return payload
    }
    return isKept(status) ? refused(request, reply, answerFor(error, responseStore.log)) : payload
  }
}

/** A dry run, or a large refusal: nothing was done, so the same call is judged again rather than stored. */
function isRepeatable({ query }: FastifyRequest, status: number, text: string): boolean {
  const dryRun = (query as Record<string, unknown>)['dry-run']
  if (dryRun === true || dryRun === 'true') return true
  return status >= 400 && Buffer.byteLength(text) > maxRefusalBytes
}

/** Another answer in place of one that could not be kept: given all the same, it might not be given again. */
function refused(request: FastifyRequest, reply: FastifyReply, error: ApiError): string {
  void reply.status(error.statusCode).headers(error.headers).type('application/json; charset=utf-8')
  return errorText(error, request.id)
}
