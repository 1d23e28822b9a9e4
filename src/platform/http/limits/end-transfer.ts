import type { IncomingMessage, ServerResponse } from 'node:http'
import { unavailable } from '../../core/errors.ts'
import { rejectConnection } from '../error-response.ts'

/* For the limits that clients share: what ends a transfer that waits for its client, when another client waits for its permit. */

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Ends a body that has not arrived: 503, and the connection is closed. @returns whether it was ended. */
export function endBody(request: IncomingMessage): boolean {
  if (request.complete) return false
  rejectConnection(unavailable('too-many-calls', 1), request.socket)
  request.socket.destroySoon()
  return true
}

/** Ends a response whose client does not read. @returns whether it was ended. */
export function endUnread(response: ServerResponse): boolean {
  if (response.destroyed || response.socket === null || response.socket.writableLength === 0) return false
  response.destroy()
  return true
}
