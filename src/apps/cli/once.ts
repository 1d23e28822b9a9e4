import { createHash, randomUUID } from 'node:crypto'
import type { ApiError, Call, OperationId, ResponseBody } from '@vigencia/client'
import type { ApiClient } from './api-client.ts'

/** The option of a command whose repetition gets the first response. */
export const onceParameters = {
  '--again': 'send it as a new call although the same one was accepted in the last 24 hours',
} as const

/** The JSON of a request. */
export const rawJson = (bytes: Buffer) => ({ bytes, type: 'application/json', isRepeatable: true })

/**
 * Sends a movement with an idempotency key that is a hash of its content, so that the same command after a broken connection gets
 * the first response instead of a second movement. A stored error response is requested again with another key: nothing was stored,
 * and its cause may be gone.
 * @param json a Buffer is sent unchanged.
 */
export async function sendOnce<Id extends OperationId>(
  client: ApiClient,
  id: Id,
  call: Call,
  json: object,
  again: true | undefined,
): Promise<{ readonly body: ResponseBody<Id>; readonly isReplayed: boolean }> {
  const bytes = Buffer.isBuffer(json) ? json : Buffer.from(JSON.stringify(json))
  const content = JSON.stringify([id, call, again ? randomUUID() : null])
  const digest = createHash('sha256').update(content).update(bytes).digest('hex')
  for (let attempt = 1; ; attempt += 1) {
    try {
      const options = { idempotencyKey: `"${digest}-${attempt}"` }
      const { body, headers } = await client.sdk.operations.response(id, { ...call, raw: rawJson(bytes), options })
      return { body, isReplayed: isReplayed(headers) }
    } catch (error) {
      if (!isReplayed((error as Partial<ApiError>).headers)) throw error
    }
  }
}

function isReplayed(headers: Headers | undefined): boolean {
  return headers?.get('idempotency-replayed') === 'true'
}
