import { createHash, randomUUID } from 'node:crypto'
import type { ApiClient, CallOptions } from './api-client.ts'

/** The option of a command whose repetition gets the first response. */
export const onceParameters = {
  '--again': 'send it as a new call although the same one was accepted in the last 24 hours',
} as const

/**
 * Sends a movement with an idempotency key that is a hash of its content, so that the same command after a broken connection gets
 * the first response instead of a second movement. A stored error response is requested anew with another key: nothing was stored,
 * and its cause may be gone.
 */
export async function sendOnce(
  client: ApiClient,
  path: string,
  { query = {}, headers = {}, body }: CallOptions,
  again: true | undefined,
): Promise<Response> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body ?? {}))
  const call = JSON.stringify([path, query, headers, again ? randomUUID() : null])
  const digest = createHash('sha256').update(call).update(bytes).digest('hex')
  const json = { 'content-type': 'application/json', ...headers }
  for (let attempt = 1; ; attempt += 1) {
    const key = { 'idempotency-key': `"${digest}-${attempt}"` }
    const response = await client.send('POST', path, { query, headers: { ...json, ...key }, body: bytes })
    if (response.ok || response.headers.get('idempotency-replayed') !== 'true') return response
    await response.arrayBuffer()
  }
}
