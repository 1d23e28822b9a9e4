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
import type { BusinessClock } from '../core/business-clock.ts'
import type { ConcurrencyLimit } from '../core/concurrency-limit.ts'
import type { Cipher } from '../core/crypto/cipher.ts'
import type { ClientActor, Origin } from '../core/actor.ts'
import type { Secrets, Tokens } from './credentials.ts'
import type { Config } from '../core/config.ts'
import type { DatabaseClient } from '../core/connection-shares.ts'
import type { Database } from '../core/database.ts'
import type { SaveResponse } from '../core/write.ts'
import type { Storage } from '../core/storage/storage.ts'
import { invalidCredentials } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Tracing } from '../core/telemetry/tracing.ts'

/** What routes and workers share: opened once at the start, closed once at the end. */
export interface Context {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly tokens: Tokens
  /** Hashes and verifies the secrets of clients and operators. */
  readonly secrets: Secrets
  /** Encrypts secrets that the service has to read again. */
  readonly cipher: Cipher
  /** Key of the HMAC that makes a member's id of a CPF. */
  readonly memberKey: Buffer
  /** Key of the HMAC that signs upload URLs. */
  readonly uploadKey: Buffer
  /** Key of the HMAC of what failed attempts to authenticate are counted by, and of the networks from which people signed in. */
  readonly failureKey: Buffer
  /** Key of the HMAC that signs the links that end a kind of e-mails. */
  readonly mailKey: Buffer
  /** Stores the responses of calls with an Idempotency-Key. */
  readonly responseStore: ResponseStore
  /** null: switched off. */
  readonly rateLimits: RateLimiter | null
  /** The share of connections outside the pool: one for all lists, exports and imports of the process. */
  readonly streams: ConcurrencyLimit
  /** Key of the hash chain of the audit. */
  readonly auditKey: Buffer
  /** The contents of files. */
  readonly storage: Storage
  /** null without a collector: no library is loaded then, and no span made. */
  readonly tracing: Tracing | null
  readonly clock: BusinessClock
  /** The business day: that of `clock`. */
  today(): LocalDate
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** For whom the statements of a request run; its id is known once it is authenticated. */
export interface RequestClient extends DatabaseClient {
  id: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted when the server stops, before its requests have ended. */
    readonly stopping: AbortSignal
  }
  interface FastifyRequest {
    databaseClient: RequestClient
    /** For `write`: stores the response of a call with an `Idempotency-Key`; nothing for another one. */
    saveResponse: SaveResponse
    /** The companies that the response is about: before a replay the caller's entitlement to each is checked. */
    accessedCompanyIds: readonly string[]
  }
}

/** The caller on a route that needs a token. @throws ApiError 401 on any other. */
export function callerOf(request: FastifyRequest): ClientActor {
  if (request.caller === null) throw invalidCredentials('token-missing')
  return request.caller
}

/** Runs a step of a worker, in a span when there is a collector. */
export function traced<T>({ tracing }: Context, name: string, step: () => Promise<T>): Promise<T> {
  return tracing === null ? step() : tracing.run(name, step)
}

/** The origin of a write, for its audit row. */
export function requestOrigin(request: FastifyRequest): Origin {
  return { address: request.clientAddress, traceId: request.id }
}
