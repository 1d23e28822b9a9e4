import type { Role } from '../domain/enums.ts'

export type Api = 'partner' | 'operator'

/** Who calls, as the token tells it. Whether the client still lives and what it may see is read with the data. */
export interface Caller {
  readonly api: Api
  readonly clientId: string
  /** Of an operator: the roles that the route lets in beside `admin`. */
  readonly roles?: readonly Role[]
}

/** What every write notes of its origin. */
export interface Origin {
  readonly address: string
  readonly traceId: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that needs a token, once the token is verified. */
    caller: Caller | null
    /** Set once a statement has found the caller alive; an error before that checks it first. */
    callerVerified: boolean
  }
  interface FastifyContextConfig {
    /** Whose token opens the route; absent: nobody needs one. */
    api?: Api
    /** Operator API: the roles that may, beside `admin`. */
    roles?: readonly Role[]
  }
}
