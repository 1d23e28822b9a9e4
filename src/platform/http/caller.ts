import type { ClientActor } from '../core/actor.ts'
import type { Role } from '#kernel/enums.ts'

export type Api = ClientActor['kind']

declare module 'fastify' {
  interface FastifyRequest {
    /** The client that calls, on routes that need a token, once it is verified. Whether it is active is read with the data. */
    caller: ClientActor | null
    /** The session of an operator whose call was authenticated by its cookie; null for a token. */
    sessionId: string | null
    /** The role of an operator, once it is read; null until then. */
    role: Role | null
  }
}
