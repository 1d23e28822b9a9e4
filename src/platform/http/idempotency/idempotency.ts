import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Hmac } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { v7 as uuidv7 } from 'uuid'
import { type SaveResponse, write } from '../../core/write.ts'
import type { Database, Sql } from '../../core/database.ts'
import { toApiError } from '../../core/database-errors.ts'
import { ApiError, errorText, invalidCredentials, invalidParameter, unavailable } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { isKeyed, isStored, parseIdempotencyKey } from './idempotency-key.ts'
import type { Cipher } from '../../core/crypto/cipher.ts'
import { hmacSha256 } from '../../core/crypto/hmac.ts'
import {
  type Claim,
  claimFreeKey,
  insertClaim,
  type KeyedCall,
  releaseKey,
  type SaveResult,
  saveResponse,
} from './queries.ts'
import { decryptResponse, encryptResponse } from './encrypted-response.ts'
import type { ProcessLock } from './process-lock.ts'

/*
 * A call with an Idempotency-Key first claims the key, in a statement of its own. The transaction of the movement stores the response
 * as its last statement; if the claim was lost meanwhile, it rolls back. So nothing is done twice, whatever fails at whatever moment.
 * A claim is free once the process that made it has ended: its ProcessLock shows that.
 */

/** What storing responses needs: opened once at start. */
export interface ResponseStore {
  readonly database: Database
  readonly cipher: Cipher
  readonly log: Log
  /** Key of the hashes of paths, keys and bodies. */
  readonly hashKey: Buffer
  /** Bytes of all stored responses of a client. */
  readonly maxBytesPerClient: number
  readonly processLock: ProcessLock
}

/** A call that has the header. */
interface Keyed {
  readonly body: Transform
  readonly fingerprint: Hmac
  /** Resolves once the whole body has been read; false when the client broke it off. */
  readonly read: Promise<boolean>
  /** `over`: there is nothing to store or to release, also before the claim. */
  state: 'claimed' | 'over'
  call: KeyedCall | null
  /** The response that the transaction stored; it counts once the transaction has committed. */
  stored: { readonly status: number; readonly text: string } | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null for a call without the header. */
    keyed: Keyed | null
  }
}

const header = 'idempotency-key'
/** Larger refusals are not stored. */
const maxRefusalBytes = 64 * 1024
/** Workers delete what is older than a day every hour. */
const sweepSeconds = 3_600

/**
 * For a call with the header: hashes the body as it passes, since an inclusion's is transferred to a thread, and a large one would
 * block the event loop.
 */
export function hashBody(
  { hashKey }: ResponseStore,
  request: FastifyRequest,
  payload: NodeJS.ReadableStream,
): NodeJS.ReadableStream {
  if (request.headers[header] === undefined || !isKeyed(request.routeOptions.config, request.method)) return payload
  const fingerprint = hmacSha256(hashKey).update(`${request.url.split('?').slice(1).join('?')}\0`)
  const tap = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      fingerprint.update(chunk)
      done(null, chunk)
    },
  })
  const read = finished(tap, { readable: false }).then(
    () => true,
    () => false,
  )
  pipeline(payload, tap).catch(() => {})
  request.keyed = { body: tap, fingerprint, read, state: 'over', call: null, stored: null }
  return tap
}

/**
 * Before the call is validated: claims the key.
 * @returns the stored response to send; null when this call has claimed the key. @throws ApiError 400, 401, 403, 409, 422.
 */
export async function claimKey(
  responseStore: ResponseStore,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  const { keyed } = request
  const stored = await claimOrRead(responseStore, request)
  if (stored !== null) return replayed(request, reply, stored)
  if (keyed !== null && keyed.call !== null) {
    request.saveResponse = saverOf(responseStore, request, keyed, keyed.call)
  }
  return null
}

interface StoredReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

async function claimOrRead(responseStore: ResponseStore, request: FastifyRequest): Promise<StoredReply | null> {
  const { keyed, caller } = request
  if (keyed === null || caller === null) return null
  const key = readKey(request)
  if (!(await keyed.read)) throw unavailable()
  const call = {
    clientId: caller.clientId,
    keyHash: hmacSha256(responseStore.hashKey)
      .update(`${request.method} ${request.url.split('?', 1)[0]}\0${key}`)
      .digest(),
    fingerprint: keyed.fingerprint.digest(),
    claimId: uuidv7(),
    claimedBy: await responseStore.processLock.id(),
  }
  keyed.call = call
  // Before the statement: when its result is lost, the claim must be released.
  keyed.state = 'claimed'
  const found = await tryToClaim(responseStore.database, call)
  if (found.isActive && found.isClaimed) return null
  keyed.state = 'over'
  if (!found.isActive) throw invalidCredentials('client-revoked')
  return storedReply(responseStore, request, call, found)
}

function readKey(request: FastifyRequest): string {
  const sent = request.raw.headersDistinct[header] ?? []
  if (sent.length > 1) throw invalidParameter([{ field: 'Idempotency-Key', code: 'repeated' }])
  const key = parseIdempotencyKey(sent[0] ?? '')
  if (key === null)
    throw invalidParameter([
      { field: 'Idempotency-Key', code: 'invalid', message: { key: 'ascii-characters', limit: 255 } },
    ])
  return key
}

/** Tries again when the conflicting row was not visible yet, or was deleted meanwhile. */
async function tryToClaim(sql: Sql, call: KeyedCall): Promise<Claim> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await insertClaim(sql, call)
    if (!found.isActive || found.isClaimed) return found
    if (found.isFree && (await claimFreeKey(sql, call))) return { ...found, isClaimed: true }
    if ((found.fingerprint !== null && !found.isFree) || attempt === 3) return found
  }
}

async function storedReply(
  responseStore: ResponseStore,
  request: FastifyRequest,
  call: KeyedCall,
  found: Claim,
): Promise<StoredReply> {
  if (found.fingerprint === null || found.isFree) throw inFlight()
  if (!found.fingerprint.equals(call.fingerprint)) {
    throw new ApiError('idempotency-key-reused')
  }
  if (found.status === null) throw inFlight()
  if (found.encryptedResponse === null) throw new ApiError('erased')
  if (!found.entitled) {
    throw new ApiError('not-entitled', {}, { message: request.routeOptions.config.notEntitled })
  }
  const response = await decryptResponse(responseStore.cipher, purposeOf(call), found.encryptedResponse)
  return { status: found.status, ...response }
}

function inFlight(): ApiError {
  return new ApiError('idempotency-key-in-use', {}, { headers: { 'retry-after': '1' } })
}

function storedResponsesFull(): ApiError {
  return new ApiError('too-many-stored-responses', {}, { headers: { 'retry-after': String(sweepSeconds) } })
}

/** What a stored response is encrypted for. */
export function purposeOf({ clientId, keyHash }: Pick<KeyedCall, 'clientId' | 'keyHash'>): string {
  return `first-answer:${clientId}:${keyHash.toString('base64url')}`
}

function replayed(request: FastifyRequest, reply: FastifyReply, { status, headers, text }: StoredReply): string {
  request.sentences = status >= 400 ? 'missing' : null
  void reply
    .status(status)
    .headers({ ...headers, 'idempotency-replayed': 'true' })
    .type('application/json; charset=utf-8')
  return text
}

/** For the transaction of the call: stores its response, and the headers that a replay repeats, as the last statement. */
function saverOf(responseStore: ResponseStore, request: FastifyRequest, keyed: Keyed, call: KeyedCall): SaveResponse {
  return async (sql, response, companyIds, headers = {}, status = 200) => {
    if (companyIds !== undefined) request.accessedCompanyIds = companyIds
    const text = typeof response === 'string' ? response : JSON.stringify(response)
    const saved = await store(responseStore, sql, request, call, { status, headers, text })
    if (saved === 'full') throw storedResponsesFull()
    if (saved === 'lost') {
      keyed.state = 'over'
      throw inFlight()
    }
    keyed.stored = { status, text }
  }
}

async function store(
  { cipher, maxBytesPerClient }: ResponseStore,
  sql: Sql,
  request: FastifyRequest,
  call: KeyedCall,
  { status, headers, text }: StoredReply,
): Promise<SaveResult> {
  const encryptedResponse = await encryptResponse(cipher, purposeOf(call), {
    headers: { ...headers, 'x-request-id': request.id },
    text,
  })
  const companyIds = [...new Set(request.accessedCompanyIds)]
  return saveResponse(sql, call, { status, companyIds, encryptedResponse }, maxBytesPerClient)
}

/** Before the response is sent: stores it if the transaction did not, or releases the claim. */
export async function storeResponse(
  responseStore: ResponseStore,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { keyed } = request
  if (keyed === null || keyed.call === null || keyed.state === 'over') return payload
  const { statusCode: status } = reply
  // A call that waited for what it started sends how it ended.
  if (keyed.stored !== null && status < 300) return keyed.stored.status === status ? keyed.stored.text : payload
  try {
    const { call } = keyed
    keyed.state = 'over'
    if (typeof payload !== 'string' || !isStored(status) || isRepeatable(request, status, payload)) {
      await releaseKey(responseStore.database, call)
      return payload
    }
    await write(responseStore, { kind: 'service' }, { may: 'service' }, async (tx) => {
      const saved = await store(responseStore, tx, request, call, { status, headers: {}, text: payload })
      if (saved === 'lost') throw inFlight()
      if (saved === 'full') throw storedResponsesFull()
    })
    return payload
  } catch (error) {
    await releaseAnyway(responseStore, keyed.call)
    // A refusal did nothing: the call may be handled again.
    if (error instanceof ApiError && error.statusCode === 429) return payload
    return isStored(status) ? refused(request, reply, toApiError(error, responseStore.log)) : payload
  }
}

/** Where the claim cannot be released, as when the database is away, all claims of this process are: later claims have another id. */
async function releaseAnyway({ database, processLock }: ResponseStore, call: KeyedCall | null): Promise<void> {
  if (call !== null) await releaseKey(database, call).catch(() => processLock.release())
}

/** A dry run, or a large refusal: nothing was done, so the same call is handled again rather than replayed. */
function isRepeatable({ query }: FastifyRequest, status: number, text: string): boolean {
  const dryRun = (query as Record<string, unknown>)['dry-run']
  if (dryRun === true || dryRun === 'true') return true
  return status >= 400 && Buffer.byteLength(text) > maxRefusalBytes
}

/** The error in place of a response that could not be stored: sent anyway, a repeated call might get another one. */
function refused(request: FastifyRequest, reply: FastifyReply, error: ApiError): string {
  request.sentences = 'missing'
  void reply.status(error.statusCode).headers(error.headers).type('application/json; charset=utf-8')
  return errorText(error, request.id)
}
