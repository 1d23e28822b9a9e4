const bare = /^[\x20-\x7e]{1,255}$/
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/**
 * The key of an `Idempotency-Key` header: bare, or quoted as the draft's structured string with `\"` and `\\`; both spellings
 * are one key. Null when it has not 1 to 255 printable ASCII characters (IETF draft 07).
 */
export function parseIdempotencyKey(value: string): string | null {
  if (!value.startsWith('"')) return bare.test(value) ? value : null
  const inside = quoted.exec(value)?.[1]?.replaceAll(/\\(["\\])/g, '$1')
  return inside !== undefined && bare.test(inside) ? inside : null
}

const stored = new Set([400, 403, 404, 409])

/** Whether the response is stored; the others (401, 413, 415, 429, 5xx) may differ when the call is repeated. */
export function isStored(status: number): boolean {
  return (status >= 200 && status < 300) || stored.has(status)
}

/** Whether calls of a route may have an `Idempotency-Key`: POSTs of the partner API, and of operators those that declare it. */
export function isKeyed(config: { readonly api?: string; readonly takesKey?: true }, method: string): boolean {
  return method === 'POST' && (config.api === 'partner' || config.takesKey === true)
}
