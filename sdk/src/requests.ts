import { pause } from './retry.ts'
import { type Transport, readJson } from './transport.ts'
import type { RequestOptions } from './types.ts'

export interface WaitOptions<Read = unknown> extends RequestOptions {
  /** Called with each reading of the request. */
  readonly onProgress?: (request: Read) => void
}

/** The id of a request, or the response that has it: that of a dry run has none. */
export type RequestReference = string | { readonly 'request-id': string }

/** Seconds between two readings at most, when the service does not say. */
const interval = 2
/** Milliseconds until the second reading: most requests are processed within a second. */
const firstInterval = 250

/** Reads a request until it is no longer `processing`, in growing intervals, up to the one that the service advises. @param requestOf of a response. */
export async function waitForRequest<Body, Read extends { readonly status: string }>(
  transport: Transport,
  id: 'readRequest' | 'readAnyRequest',
  request: RequestReference,
  { onProgress, ...options }: WaitOptions<Read>,
  requestOf: (body: Body) => Read,
): Promise<Read> {
  const requestId = typeof request === 'string' ? request : request['request-id']
  for (let delay = firstInterval; ; delay *= 1.3) {
    const { read, retryAfter } = await transport.send(id, { path: [requestId], options }, async (response) => ({
      read: requestOf(await readJson<Body>(response)),
      retryAfter: Number(response.headers.get('retry-after')) || interval,
    }))
    onProgress?.(read)
    if (read.status !== 'processing') return read
    await pause(Math.min(delay, retryAfter * 1_000), options.signal)
  }
}
