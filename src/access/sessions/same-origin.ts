import type { FastifyRequest } from 'fastify'
import type { Config } from '#platform/core/config.ts'
import { ApiError } from '#platform/core/errors.ts'

/**
 * Protects what a cookie authenticates against requests that another site makes a browser send (OWASP: Fetch Metadata, with the Origin
 * header where a browser has none). A request that reads may come without both headers, one that writes may not.
 * @throws ApiError 403 `cross-site-request`.
 */
export function requireSameOrigin(request: FastifyRequest, config: Pick<Config, 'publicUrl'>): void {
  const isSafe = request.method === 'GET' || request.method === 'HEAD'
  if (!(isSameOrigin(request, config) ?? isSafe)) throw new ApiError('cross-site-request')
}

/**
 * The same where no cookie authenticates: a request without both headers is not from a browser.
 * @throws ApiError 403 `cross-site-request`.
 */
export function refuseCrossSite(request: FastifyRequest, config: Pick<Config, 'publicUrl'>): void {
  if (isSameOrigin(request, config) === false) throw new ApiError('cross-site-request')
}

/** Whether the request comes from a page of the service, or (GET) from the address bar; null when it does not say. */
function isSameOrigin({ headers, method }: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): boolean | null {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && method === 'GET')
  const { origin, host } = headers
  if (origin === undefined) return null
  const own = publicUrl === null ? null : new URL(publicUrl).origin
  return origin === own || (own?.startsWith('https:') !== true && origin === `http://${host}`)
}

/** Where browsers find the service: without a public URL at the host of the request. */
export function originOf({ headers }: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl ?? `http://${headers.host}`
}
