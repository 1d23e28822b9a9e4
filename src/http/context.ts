import type {
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { FastifyBaseLogger } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { ResponseStore } from './idempotency/idempotency.ts'
import type { RateLimiter } from './limits/rate-limit.ts'
import type { Cipher } from '../platform/crypto/cipher.ts'
import type { Caller, Origin } from './caller.ts'
import type { Secrets, Tokens } from './credentials.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import type { Storage } from '../storage/storage.ts'
import { invalidCredentials } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { LocalDate } from '../domain/calendar.ts'
import type { Tracing } from '../telemetry/tracing.ts'

/** What routes and the worker are given: opened once at start, closed once at the end. */
export interface Context {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly tokens: Tokens
  /** Hashes and verifies the secrets of clients and operators. */
  readonly secrets: Secrets
  /** Seals secrets that the service has to read again. */
  readonly cipher: Cipher
  /** Key of the hash that makes a member's id out of a CPF. */
  readonly memberKey: Buffer
  /** Key of the signature in an upload address. */
  readonly uploadKey: Buffer
  /** Keeps the answers of calls with an Idempotency-Key. */
  readonly responseStore: ResponseStore
  /** null: switched off. */
  readonly rateLimits: RateLimiter | null
  /** Key of the chain over the audit. */
  readonly auditKey: Buffer
  /** Where the bytes of files are kept. */
  readonly storage: Storage
  /** null without a collector: nothing is loaded then, and nothing made. */
  readonly tracing: Tracing | null
  /** The business day in Sao Paulo, or the pinned one. */
  today(): LocalDate
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The caller of a route that needs a token. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw invalidCredentials()
  return request.caller
}

/** Runs a step of a worker, in a span of its own when there is a collector. */
export function traced<T>({ tracing }: Context, name: string, step: () => Promise<T>): Promise<T> {
  return tracing === null ? step() : tracing.run(name, step)
}

/** Where a write came from, for its audit row. */
export function requestOrigin(request: FastifyRequest): Origin {
  return { address: request.ip, traceId: request.id }
}

/** Who writes and from where, as an audit row notes it. */
export function auditActor(request: FastifyRequest): { readonly actor: string; readonly origin: Origin } {
  return { actor: callerOf(request).clientId, origin: requestOrigin(request) }
}
