import { createHash } from 'node:crypto'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Message } from '#kernel/messages.ts'
import { invalidBody } from '#platform/core/errors.ts'
import type { Context } from '#platform/http/context.ts'
import { readConflicts } from './endpoint-queries.ts'
import { blockedTarget, normalizeUrl, targetMessage } from './ssrf-filter.ts'

/** @returns the hash of the normalized URL. @throws ApiError 400 for a URL that the sender would not call. */
export function checkTarget({ config }: Context, text: string): Buffer {
  const rules = { httpsOnly: config.environment === 'production', allowPrivate: config.webhookAllowPrivate }
  const code = blockedTarget(text, rules)
  if (code !== null) throw invalidBody([{ field: 'url', code, message: targetMessage(code, rules) }])
  return createHash('sha256').update(normalizeUrl(text)).digest()
}

/** @throws ApiError 400 when another endpoint has the URL, since each event would be sent twice, or the caller has `max` endpoints. */
export async function checkConflicts(
  sql: Sql,
  caller: Client,
  urlHash: Buffer,
  ownId: string | null,
  max = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { count, idAtUrl } = await readConflicts(sql, caller, urlHash, ownId)
  if (idAtUrl !== null) {
    const message: Message = { key: 'url-taken', id: idAtUrl }
    throw invalidBody([{ field: 'url', code: 'duplicate-url', message }], 'duplicate-url')
  }
  if (count < max) return
  const message: Message = { key: 'max-endpoints', limit: max }
  throw invalidBody([{ field: 'url', code: 'too-many-endpoints', message }], 'too-many-endpoints')
}
