import type { FastifyReply } from 'fastify'
import { finished } from 'node:stream/promises'

/**
 * Closes the connection after the response to a request with `Upgrade`. When the upgrade is ignored, Node's HTTP parser drops what follows
 * in the same packet, and does not report the error of a later request that it cannot read. Resolves once the body is received: a client
 * that still sends would not read the response.
 */
export async function closeAfterUpgrade(reply: FastifyReply): Promise<void> {
  const { raw } = reply.request
  if (raw.headers.upgrade === undefined) return
  void reply.header('connection', 'close')
  if (raw.complete || raw.destroyed) return
  raw.resume()
  await finished(raw, { writable: false }).catch(() => {})
}
