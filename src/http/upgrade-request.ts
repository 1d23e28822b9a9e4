import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'

/**
 * The HTTP parser of Node drops what follows a request with `Upgrade` in the packet with its end, also when the upgrade is ignored. A client
 * sends its next request once it has the response: that is sent after the body has been received. Requests that a client pipelines behind it
 * stay without a response until the connection is closed.
 */
export function afterUpgradeBody(raw: IncomingMessage, next: () => void): void {
  if (raw.headers.upgrade === undefined || raw.complete || raw.destroyed) return next()
  finished(raw, { writable: false }, () => next())
  raw.resume()
}
