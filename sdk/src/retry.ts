import { ApiError, ConnectionError, TimeoutError } from './errors.ts'

const firstDelay = 500
const maxDelay = 30_000
/** A longer Retry-After is an error: the caller decides. */
const maxRetryAfter = 120_000

/**
 * Milliseconds until the next attempt; null when the error is final. Exponential backoff with full jitter, after the seconds of `Retry-After`.
 * @param isSafe whether a call that may have been executed may be sent again.
 * @param attempt from 1.
 */
export function retryDelay(error: unknown, isSafe: boolean, attempt: number): number | null {
  if (!isRetryable(error, isSafe)) return null
  const wait = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0
  if (wait > maxRetryAfter) return null
  return wait + Math.random() * Math.min(maxDelay, firstDelay * 2 ** (attempt - 1))
}

function isRetryable(error: unknown, isSafe: boolean): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return isSafe
  if (!(error instanceof ApiError)) return false
  const { status, code } = error
  // Nothing was done: limits and quotas are checked before the call.
  if (code === 'too-many-calls') return true
  // The two others do not end by waiting: a correct secret is always accepted.
  if (status === 429) return code !== 'too-many-attempts' && code !== 'too-many-unused-documents'
  // 502 and 504 are a proxy's.
  return isSafe && ([502, 503, 504].includes(status) || code === 'idempotency-key-in-use')
}

/** Resolves after the milliseconds. @throws the reason of the signal. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort, { once: true })
  })
}
