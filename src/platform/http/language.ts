import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from './json-response.ts'
import { explainError, isErrorBody } from './explain-error.ts'
import type { Language } from '#kernel/texts/texts.ts'
import { sentenceLists, SentenceWriter } from './sentences.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * `missing`: the body is an error, without what its code means. `written`: the handler has made the sentences. An object: the body with its
     * sentences, beside the one that is stored. null: as the route says.
     */
    sentences: 'missing' | 'written' | { readonly of: string; readonly withSentences: Buffer } | null
  }
}

/*
 * What handlers send and what is stored has codes and parameters. The last step of a request makes the sentences, in the language of
 * `Accept-Language`: a replayed response has that of the call that replays it.
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
  // With equal weights, the first in the header counts.
  return portuguese > english || (portuguese === english && portuguese > 0 && isFirst(header))
}

const isFirst = (header: string): boolean => /(?:^|,)\s*(pt|en)\b/i.exec(header)?.[1]?.toLowerCase() === 'pt'

/** The language of the response. */
export const languageOf = ({ headers }: FastifyRequest): Language =>
  prefersPortuguese(headers['accept-language']) ? 'pt-BR' : 'en'

/** Whether sentences are to be made for the text of the response. */
export function lacksSentences(
  request: FastifyRequest,
  { statusCode }: FastifyReply,
  payload: unknown,
): payload is string {
  const { sentences, routeOptions } = request
  if (typeof payload !== 'string' || sentences === 'written') return false
  if (sentences !== null) return true
  return (statusCode >= 400 || routeOptions.config.hasDetails?.() === true) && sentenceLists.test(payload)
}

/** How long the event loop is kept by one response, whose list of rejected members may be megabytes. */
const maxBlockMs = 10

/** The JSON text of a response with its sentences. Sets the headers of the language where it has any in Portuguese. */
export async function inLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
): Promise<string | Buffer> {
  const { sentences } = request
  if (typeof sentences === 'object' && sentences?.of === payload) {
    if (languageOf(request) === 'pt-BR') setPortuguese(reply)
    return sentences.withSentences
  }
  const value: unknown = JSON.parse(payload)
  if (reply.statusCode < 400 || !isErrorBody(value)) return write(request, reply, value)
  const language = languageOf(request)
  if (language === 'pt-BR') setPortuguese(reply)
  const { error, code, ...others } = value
  return write(request, reply, { error, code, ...explainError(code, language, request.server.publicUrl), ...others })
}

/** The value as JSON with its sentences, for a handler to return as the text of `sendJson`. */
export async function sendInLanguage(request: FastifyRequest, reply: FastifyReply, value: unknown): Promise<never> {
  request.sentences = 'written'
  return sendJson(reply, await write(request, reply, value))
}

async function write(request: FastifyRequest, reply: FastifyReply, value: unknown): Promise<string> {
  const language = languageOf(request)
  const writer = new SentenceWriter(language)
  let text = ''
  let startedAt = performance.now()
  for (const part of writer.write(value)) {
    text += part
    if (performance.now() - startedAt < maxBlockMs) continue
    await setImmediate()
    startedAt = performance.now()
  }
  if (language === 'pt-BR' && writer.hasSentences) setPortuguese(reply)
  return text
}

/** Sets the headers of a response in Portuguese. */
export function setPortuguese(reply: FastifyReply): void {
  void reply.header('content-language', 'pt-BR').header('vary', 'accept-language')
}
