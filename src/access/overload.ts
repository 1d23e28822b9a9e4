import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'

/*
 * Work that waits in memory is bounded: past the bound a call is refused at once, while whoever is inside is still answered in
 * seconds. A place is held until the answer is out and the work behind it has ended, also when the caller went away.
 */

export interface Places {
  /** @throws ApiError 503 when there is none. */
  enter(request: FastifyRequest, reply: FastifyReply): void
  /** The work of the call has ended. */
  workEnded(request: FastifyRequest): void
}

interface Place {
  worked: boolean
  closed: boolean
  leave(): void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Held by a call that has a door. */
    place: Place | null
  }
}

/** For each connection to the database: a few tenths of a second of reads, a second or two of movements. */
const perConnection = 128
const retryAfterSeconds = 1

/** Operators have places of their own; one partner's client takes at most half of the partners'. */
export function openPlaces(connections: number): Places {
  const most = { partner: connections * perConnection, operator: perConnection }
  const taken = { partner: 0, operator: 0 }
  const byClient = new Map<string, number>()
  return {
    enter(request, reply) {
      const { caller } = request
      if (caller === null) return
      const { door, clientId } = caller
      const own = byClient.get(clientId) ?? 0
      if (taken[door] >= most[door] || (door === 'partner' && own >= most.partner / 2)) {
        throw unavailable('Too many calls at once', retryAfterSeconds)
      }
      taken[door] += 1
      byClient.set(clientId, own + 1)
      const place: Place = {
        worked: false,
        closed: false,
        leave() {
          taken[door] -= 1
          const left = (byClient.get(clientId) ?? 1) - 1
          if (left === 0) byClient.delete(clientId)
          else byClient.set(clientId, left)
        },
      }
      request.place = place
      // Left at whichever comes last, the end of the connection's answer or of the work.
      reply.raw.once('close', () => {
        place.closed = true
        if (place.worked) place.leave()
      })
    },
    workEnded({ place }) {
      if (place === null || place.worked) return
      place.worked = true
      if (place.closed) place.leave()
    },
  }
}
