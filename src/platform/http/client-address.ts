import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import { contains } from '../core/networks.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the client, for limits and the audit. */
    clientAddress: string
  }
}

/**
 * The address of the client: that of the connection or, when it is a trusted proxy's, the last entry of `X-Forwarded-For` that is none. An
 * entry that is not an address ends the search: what stands before it was not written by a trusted proxy. When all are trusted, the first.
 */
export function clientAddressOf({ headers, socket }: IncomingMessage, trustedProxies: BlockList | null): string {
  let address = socket.remoteAddress ?? ''
  if (trustedProxies === null || !contains(trustedProxies, address)) return address
  // Node joins repeated headers with commas.
  const entries = String(headers['x-forwarded-for'] ?? '').split(',')
  for (const entry of entries.toReversed().map((one) => one.trim())) {
    if (isIP(entry) === 0) return address
    address = entry
    if (!contains(trustedProxies, address)) return address
  }
  return address
}
