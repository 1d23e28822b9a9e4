import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'

/** 16 hexadecimal digits that change with the content. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** Weak, since the same tag is sent with each content coding. */
export function entityTag(content: string): string {
  return `W/"${contentHash(content)}"`
}

/** Whether `If-None-Match` has the tag: the caller has the content. */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((part) => part.trim()) ?? []
  return known.includes(etag) || known.includes('*')
}
