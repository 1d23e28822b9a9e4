import { pause } from './retry.ts'
import { type Transport, readJson } from './transport.ts'
import type { RequestOptions } from './types.ts'

export interface WaitOptions<Read = unknown> extends RequestOptions {
  /** Called with each reading of the request. */
  readonly onProgress?: (request: Read) => void
}

/** Seconds between two readings at most, when the service does not say. */
const interval = 2
/** Milliseconds until the second reading: most requests are processed within a second. */
const firstInterval = 250

/** Reads a request until it is no longer `processing`, in growing intervals, up to the one that the service advises. @param requestOf of a response. */
export async function waitForRequest<Body, Read extends { readonly status: string }>(
  transport: Transport,
  id: 'readRequest' | 'readAnyRequest',
  requestId: string,
  { onProgress, ...options }: WaitOptions<Read>,
  requestOf: (body: Body) => Read,
): Promise<Read> {
  for (let delay = firstInterval; ; delay *= 1.3) {
    const { request, retryAfter } = await transport.send(id, { path: [requestId], options }, async (response) => ({
      request: requestOf(await readJson<Body>(response)),
      retryAfter: Number(response.headers.get('retry-after')) || interval,
    }))
    onProgress?.(request)
    if (request.status !== 'processing') return request
    await pause(Math.min(delay, retryAfter * 1_000), options.signal)
  }
}
