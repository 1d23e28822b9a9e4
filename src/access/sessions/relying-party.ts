import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#platform/core/config.ts'
import { originOf } from './same-origin.ts'

/** What passkeys are bound to. */
export interface RelyingParty {
  /** A host name. */
  readonly id: string
  readonly origin: string
}

/**
 * The service as browsers know it. They have no passkeys for an IP address, nor without https, but on `localhost`.
 * @returns null where there are none.
 */
export function relyingPartyOf(request: FastifyRequest, config: Pick<Config, 'publicUrl'>): RelyingParty | null {
  const url = URL.parse(originOf(request, config))
  if (url === null) return null
  const { protocol, hostname, origin } = url
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  const hasPasskeys = hostname === 'localhost' || (protocol === 'https:' && !isAddress)
  return hasPasskeys ? { id: hostname, origin } : null
}
