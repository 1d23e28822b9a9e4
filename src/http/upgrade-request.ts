import type { FastifyReply } from 'fastify'
import { finished } from 'node:stream'

/**
 * Closes the connection after the response to a request with `Upgrade`. When the upgrade is ignored, Node's HTTP parser drops what follows
 * in the same packet, and does not report the error of a later request that it cannot read.
 */
export function closeAfterUpgrade(reply: FastifyReply): void {
  if (reply.request.raw.headers.upgrade !== undefined) void reply.header('connection', 'close')
}

/** Calls `next` once the body of a request with `Upgrade` is received: a client that still sends would not read the response. */
export function afterUpgradeBody({ request: { raw } }: FastifyReply, next: () => void): void {
  if (raw.headers.upgrade === undefined || raw.complete || raw.destroyed) return next()
  finished(raw, { writable: false }, () => next())
  raw.resume()
}
