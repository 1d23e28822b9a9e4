import { setTimeout as pause } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { type ApiResponse, type CallOptions, expectOk, send } from '../world/test-app.ts'
import type { Installation } from './installation.ts'
import type { Tenant } from './tenant.ts'

/** A call with an Idempotency-Key and its response. */
interface KeyedCall {
  readonly path: string
  readonly body: unknown
  readonly key: string
  readonly response: ApiResponse
}

/** Repeats each call until its response is final, as clients do: after a connection that broke, a 503, a 409 with Retry-After. */
export interface RetryingClient {
  /** Calls with a response that is final. */
  readonly calls: KeyedCall[]
  readonly retries: number
  /** A partner's POST, each time under the same Idempotency-Key. @throws for a response that is not 2xx. */
  post(path: string, body?: unknown): Promise<ApiResponse>
  /** Any call. @returns the final response, of any status. */
  send(api: 'partner' | 'operator' | null, method: string, path: string, options?: CallOptions): Promise<ApiResponse>
}

/** After so long a call without a final response is an error. */
const maxMs = 90_000

/** @param onResponse called after each final response. */
export function retryingClient(installation: Installation, tenant: Tenant, onResponse: () => void): RetryingClient {
  const calls: KeyedCall[] = []
  let retries = 0
  const sendFinal: RetryingClient['send'] = async (api, method, path, options = {}) => {
    const token = api === null ? null : api === 'partner' ? tenant.token : tenant.operatorToken
    const end = performance.now() + maxMs
    for (let wait = 5; ; wait = Math.min(wait * 2, 250)) {
      const url = await installation.url()
      const response = await send(url + path, method, { token, ...options }).catch(unlessBroken)
      const isBusy = response?.status === 409 && response.headers.get('retry-after') !== null
      if (response !== null && response.status !== 503 && !isBusy) {
        onResponse()
        return response
      }
      if (performance.now() > end) throw new Error(`${method} ${path} has no final response within ${maxMs} ms`)
      retries += 1
      await pause(wait)
    }
  }
  return {
    calls,
    get retries() {
      return retries
    },
    send: sendFinal,
    async post(path, body) {
      const key = randomUUID()
      const response = await sendFinal('partner', 'POST', path, { body, headers: { 'idempotency-key': key } })
      calls.push({ path, body, key, response: expectOk(response) })
      return response
    },
  }
}

const brokenCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** null for a connection that broke. @throws any other error, such as a response that openapi.json does not describe. */
function unlessBroken(error: unknown): null {
  if (brokenCodes.has((error as { code?: string }).code ?? '')) return null
  throw error
}
