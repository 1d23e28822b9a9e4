import type { Role } from '../domain/enums.ts'

export type Api = 'partner' | 'operator'

/** The client that calls, by its token or the cookie of its session. Whether it is active, and which companies it is entitled to, is read with the data. */
export interface Caller {
  readonly api: Api
  readonly clientId: string
  /** Operator API: the roles that may call the route, beside `admin`. */
  readonly roles?: readonly Role[]
  /** Operator API: the session whose cookie authenticated the call; absent for a token. */
  readonly sessionId?: string
}

/** Where a request came from, for its audit rows. */
export interface Origin {
  readonly address: string
  readonly traceId: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes that need a token, once it is verified. */
    caller: Caller | null
    /** Of an operator, once it is read; null until then. */
    role: Role | null
  }
  interface FastifyContextConfig {
    /** The API whose tokens the route takes; absent: it needs none. */
    api?: Api
    /** Operator API: the roles that may call it, beside `admin`. */
    roles?: readonly Role[]
  }
}
