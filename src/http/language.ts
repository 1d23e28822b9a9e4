import type { FastifyReply, FastifyRequest } from 'fastify'
import { mayHaveMessages, withMessages } from './portuguese-text.ts'
import { withMessagesInThread } from './portuguese-threads.ts'

/*
 * `Accept-Language: pt-BR` adds a Portuguese `message` to each element of `details`, `offense-details` and `warnings`, when the response is sent:
 * what is stored has no language, so a replayed response has that of the call that replays it.
 */

/** Whether `Accept-Language` (RFC 9110, 12.5.4) prefers Portuguese to English, which is the default. */
export function prefersPortuguese(header: string | undefined): boolean {
  if (header === undefined || !/\bpt\b/i.test(header)) return false
  let portuguese = 0
  let english = 0
  for (const item of header.split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    // A malformed weight excludes the language.
    const weight = q === undefined ? 1 : Number(q) || 0
    if (/^pt(?:-|$)/.test(range)) portuguese = Math.max(portuguese, weight)
    else if (/^en(?:-|$)/.test(range)) english = Math.max(english, weight)
  }
  // Of equal weights the first in the header.
  return portuguese > english || (portuguese === english && portuguese > 0 && isFirst(header))
}

const isFirst = (header: string): boolean => /(?:^|,)\s*(pt|en)\b/i.exec(header)?.[1]?.toLowerCase() === 'pt'

/** Whether the text of the response may be translated: errors, and what the route says to have details. */
export function mayTranslate(request: FastifyRequest, { statusCode }: FastifyReply, payload: unknown): boolean {
  if (typeof payload !== 'string' || !prefersPortuguese(request.headers['accept-language'])) return false
  return statusCode >= 400 || request.routeOptions.config.hasDetails === true
}

/** From this length on a text is translated in a thread: smaller ones take the event loop a few milliseconds at most. */
const threadFromLength = 64 * 1024

/** The JSON text of a response in the language of the request. Sets the headers of the language where the text changes. */
export async function inLanguage(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || !mayHaveMessages(payload)) return payload
  const text =
    payload.length < threadFromLength
      ? withMessages(payload)
      : await withMessagesInThread(request.databaseClient.id, payload)
  if (text !== payload) setPortuguese(reply)
  return text
}

/** Sets the headers of a response in Portuguese. */
export function setPortuguese(reply: FastifyReply): void {
  void reply.header('content-language', 'pt-BR').header('vary', 'accept-language')
}
