import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { setImmediate } from 'node:timers/promises'
import { type FieldError, isObject } from '../domain/field-types.ts'
import {
  detailMessage,
  fieldOfCode,
  isDetailCode,
  isOffense,
  offenseMessage,
  warningMessage,
} from '../domain/portuguese-messages.ts'
import { InvariantError } from '../platform/log.ts'

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

/** Whether a response schema has `details`, `offense-details` or `warnings`. */
export function hasDetails(schema: unknown): boolean {
  const text = JSON.stringify(schema ?? null)
  return ['"details"', '"offense-details"', '"warnings"'].some((key) => text.includes(key))
}

/** Adds the hook to a route, after the one that stores responses. For `onRoute`. */
export function addLanguage(route: RouteOptions): void {
  const responses = (route.schema?.response ?? {}) as Readonly<Record<string, unknown>>
  const isSuccessDetailed = hasDetails(responses[200])
  const translate = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (reply.statusCode < 400 && !isSuccessDetailed) return payload
    return inLanguage(request, reply, payload)
  }
  const others = [route.onSend ?? []].flat()
  // The last hook of a HEAD route replaces the body by its length.
  route.onSend = route.method === 'HEAD' ? [translate, ...others] : [...others, translate]
}

/** The JSON text of a response in the language of the request. Sets the headers of the language where the text changes. */
export async function inLanguage({ headers }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || !prefersPortuguese(headers['accept-language'])) return payload
  const text = await withMessages(payload)
  if (text !== payload) setPortuguese(reply)
  return text
}

/** Sets the headers of a response in Portuguese. */
export function setPortuguese(reply: FastifyReply): void {
  void reply.header('content-language', 'pt-BR').header('vary', 'accept-language')
}

/** The beginning of a list. Strings of users cannot match: their quotes are escaped. */
const beginning = /"(?:details|offense-details|warnings)":\[/g
/** After this long other requests are served: a batch may have 10,000 lists. */
const sliceMs = 4
/** Translated lists of a response that are looked up: the members of a batch often have the same errors. */
const maxKnown = 1_000

/** Lets other requests be served from time to time. */
function slices(): () => Promise<void> {
  let end = performance.now() + sliceMs
  return async () => {
    if (performance.now() < end) return
    await setImmediate()
    end = performance.now() + sliceMs
  }
}

/** The JSON text with a message in each element of its lists. Parsing it as a whole would block the event loop for a large batch. */
async function withMessages(sent: string): Promise<string> {
  const nextSlice = slices()
  const text = await withDetails(sent, nextSlice)
  const known = new Map<string, string>()
  let result = ''
  let end = 0
  for (const { 0: start, index } of text.matchAll(beginning)) {
    // Inside the list before.
    if (index < end) continue
    const from = index + start.length - 1
    const to = endOfList(text, from)
    const source = text.slice(index, to)
    let list = known.get(source)
    if (list === undefined) {
      const withMessage = translators[start.slice(1, start.indexOf('"', 1)) as keyof typeof translators]
      const elements = JSON.parse(text.slice(from, to)) as unknown[]
      list = JSON.stringify(elements.map((one) => (isObject(one) ? withMessage(one) : one)))
      if (known.size < maxKnown) known.set(source, list)
    }
    result += text.slice(end, from) + list
    end = to
    await nextSlice()
  }
  return result + text.slice(end)
}

/** The end of the JSON list that begins at `from`. */
function endOfList(text: string, from: number): number {
  let depth = 0
  for (let at = from; ; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[') depth += 1
    else if (character === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    } else if (character === undefined) throw new InvariantError('a response is not JSON')
  }
}

/** The closing quote of the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '"' || character === undefined) return at
  }
}

/** Codes alone, as parts of requests and imports have them. */
const codes = /"offenses" ?: ?\[([a-z", -]+)\](?! ?, ?"offense-details")/g

/** The JSON text with `offense-details` beside the `offenses` that have none. */
async function withDetails(text: string, nextSlice: () => Promise<void>): Promise<string> {
  let result = ''
  let end = 0
  for (const { 0: offenses, 1: list, index } of text.matchAll(codes)) {
    const details = (JSON.parse(`[${list}]`) as string[]).filter(isOffense).map((code) => {
      return { code, message: offenseMessage(code, fieldOfCode(code)) }
    })
    result += `${text.slice(end, index)}${offenses},"offense-details":${JSON.stringify(details)}`
    end = index + offenses.length
    await nextSlice()
  }
  return result + text.slice(end)
}

type Element = Readonly<Record<string, unknown>>

const translators: Readonly<
  Record<'details' | 'offense-details' | 'warnings', (one: Readonly<Record<string, unknown>>) => Element>
> = {
  details: (one) => (isDetail(one) ? detailWithMessage(one) : one),
  'offense-details': (one) => (isDetail(one) ? offenseWithMessage(one) : one),
  warnings: (one) => {
    const message = typeof one['warning'] === 'string' ? warningMessage(one['warning']) : undefined
    return message === undefined ? one : { ...one, message }
  },
}

function isDetail(one: Element): one is Element & { code: string; field: string } {
  const { code, field } = one
  return typeof code === 'string' && typeof field === 'string'
}

function detailWithMessage(detail: Element & { code: string; field: string }): Element {
  const { field, code, message: _, ...others } = detail
  if (!isDetailCode(code)) return detail
  return { field, code, message: detailMessage(detail as unknown as FieldError), ...others }
}

function offenseWithMessage(detail: Element & { code: string; field: string }): Element {
  const { code, field } = detail
  return isOffense(code) ? { ...detail, message: offenseMessage(code, field) } : detail
}
