import { type FieldError, isObject } from '../domain/field-types.ts'
import {
  detailMessage,
  fieldOfCode,
  isDetailCode,
  isOffense,
  offenseMessage,
  warningMessage,
} from '../texts/portuguese-messages.ts'
import { InvariantError } from '../core/log.ts'

/** The beginning of a list. Strings of users cannot match: their quotes are escaped. */
const beginning = /"(?:details|offense-details|warnings)":\[/g
/** Translated lists of a response that are looked up: the members of a batch often have the same errors. */
const maxKnown = 1_000

/** Names of the lists that get messages. */
const listNames = /"(?:details|offense-details|warnings|offenses)"/

/** Whether the JSON text may have lists that get messages: most have none. */
export const mayHaveMessages = (text: string): boolean => listNames.test(text)

/** The JSON text with a message in each element of its lists. */
export function withMessages(sent: string): string {
  const text = withDetails(sent)
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
function withDetails(text: string): string {
  let result = ''
  let end = 0
  for (const { 0: offenses, 1: list, index } of text.matchAll(codes)) {
    const details = (JSON.parse(`[${list}]`) as string[]).filter(isOffense).map((code) => {
      return { code, message: offenseMessage(code, fieldOfCode(code)) }
    })
    result += `${text.slice(end, index)}${offenses},"offense-details":${JSON.stringify(details)}`
    end = index + offenses.length
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
