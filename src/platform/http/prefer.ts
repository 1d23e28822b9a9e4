import type { IncomingHttpHeaders } from 'node:http'

/** The value of a preference in `Prefer` (RFC 7240: a list; the first of a name counts), in lower case; null when it has none. */
export function preferenceOf(headers: IncomingHttpHeaders, name: string): string | null {
  for (const one of [headers['prefer'] ?? []].flat().join(',').split(',')) {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*"?([\w-]+)"?\s*(?:;|$)/.exec(one) ?? []
    if (key.toLowerCase() === name) return value.toLowerCase()
  }
  return null
}
