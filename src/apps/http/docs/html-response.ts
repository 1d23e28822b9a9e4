import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag, isKnown } from '#platform/http/entity-tag.ts'

/** Text of a page or asset, with the entity tag of its content. */
export interface Tagged {
  readonly text: string
  readonly etag: string
}

export function tagged(text: string): Tagged {
  return { text, etag: entityTag(text) }
}

/**
 * The policy of the HTML pages: what they load comes from this service. `upgrade-insecure-requests` is absent, since the pages also work
 * over plain HTTP in a private network.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';')

/** Scalar sets styles in attributes and elements at run time: see docs/decisions/0035-reference-page.md. */
export const referencePolicy = pagePolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

/** Sends a page, or 304 when the browser has it; the browser asks each time. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Tagged,
  policy = pagePolicy,
): FastifyReply {
  void reply.header('content-security-policy', policy)
  void reply.headers({ 'cache-control': 'no-cache', etag: page.etag }).type('text/html; charset=utf-8')
  return reply.statusCode === 200 && isKnown(request, page.etag) ? reply.status(304).send() : reply.send(page.text)
}
