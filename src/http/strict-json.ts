import { visit } from 'jsonc-parser'
import { isAscii, isUtf8 } from 'node:buffer'
import type { FieldError } from '../domain/field-types.ts'

/** A body that is not JSON, or JSON that is rejected as a whole; the message repeats nothing of the body. */
export class JsonError extends Error {
  override readonly name: string = 'JsonError'
  /** For the `details` of the error. */
  readonly detail: FieldError

  constructor(message: string, detail: Partial<FieldError> = {}) {
    super(message)
    this.detail = { field: 'body', code: 'invalid', message: `The body ${message}.`, ...detail }
  }
}

/** JSON with more values than are allowed. */
export class TooManyValuesError extends JsonError {
  override readonly name = 'TooManyValuesError'

  constructor(message: string) {
    super(message, { code: 'too-many-values' })
  }
}

/** The limits of a body. */
export interface JsonLimits {
  /** Strings, numbers, objects and so on, keys not counted, in sum. */
  readonly values: number
  /** Of them: objects and arrays. */
  readonly containers: number
  /** The largest malformed text, in UTF-16 units, that is scanned for its first error: 1 MiB takes the event loop 60 ms and more. */
  readonly locatable: number
}

/** Of a body of up to 1 MiB: parsing 116,000 keys of as many names takes the event loop 60 ms. The largest company needs 14,000 values. */
export const bodyLimits: JsonLimits = { values: 20_000, containers: 20_000, locatable: 64 * 1024 }

/**
 * Of a batch of up to 16 MiB. A heap that runs over while JSON is parsed ends the process, even in a thread. 10,000 members with
 * four products and five documents each need a third of these.
 */
export const batchLimits: JsonLimits = { values: 1_500_000, containers: 500_000, locatable: Infinity }

/** Of a body of up to 4 MiB with 10,000 items of a few texts each: the event loop parses it in 50 ms. */
export const itemLimits: JsonLimits = { values: 100_000, containers: 20_000, locatable: 64 * 1024 }

const MAX_NESTING = 64
const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
const COMMA = 0x2c
const BRACE_OPEN = 0x7b
const BRACKET_OPEN = 0x5b
const BRACE_CLOSE = 0x7d
const BRACKET_CLOSE = 0x5d
const PROTO = '__proto__'

/**
 * Parses the JSON text of a body. Throws JsonError for malformed JSON, invalid UTF-8, NUL, a lone surrogate, a key
 * `__proto__` (both also when escaped) and nesting over 64; TooManyValuesError before anything is
 * built. Linear; the values are walked only where a key could be `__proto__`.
 */
export function parseJson(body: Buffer, limits: JsonLimits = bodyLimits): unknown {
  if (!isUtf8(body)) throw new JsonError('is not UTF-8')
  const mayHideProto = scan(body, limits)
  const text = body.toString(isAscii(body) ? 'latin1' : 'utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw syntaxError(text, limits, error as Error)
  }
  if (mayHideProto || body.includes(PROTO)) refuseProto(value)
  return value
}

/** The error of a text that `JSON.parse` refused, with the place of the first wrong character, and without the text there. */
function syntaxError(text: string, { locatable }: JsonLimits, { message }: Error): JsonError {
  const [, line, column] = /at position \d+ \(line (\d+) column (\d+)\)$/.exec(message) ?? []
  const place = line === undefined ? scanForError(text, locatable) : { line: Number(line), column: Number(column) }
  if (place === null) return new JsonError('is not JSON', { code: 'malformed-json' })
  return new JsonError(`is not JSON at line ${place.line}, column ${place.column}`, {
    code: 'malformed-json',
    ...place,
  })
}

class FoundError extends Error {}

/** For the errors of `JSON.parse` that do not tell their place. */
function scanForError(text: string, locatable: number): { line: number; column: number } | null {
  if (text.length > locatable) return null
  let place = { line: 1, column: 1 }
  try {
    visit(
      text,
      {
        onError(_code, _offset, _length, line, column) {
          place = { line: line + 1, column: column + 1 }
          throw new FoundError()
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    )
  } catch (error) {
    if (!(error instanceof FoundError)) throw error
  }
  return place
}

// One pass over the bytes, before anything is built: nesting, values and escapes. Returns whether an escape stands for a letter of
// `__proto__`.
function scan(body: Buffer, limits: JsonLimits): boolean {
  const length = body.length
  let depth = 0
  let containers = 0
  // At most: a container's first value is counted although it may be empty.
  let values = 1
  let hasAsciiEscape = false
  for (let i = 0; i < length; i++) {
    const byte = body[i]
    if (byte === QUOTE) {
      for (i += 1; i < length && body[i] !== QUOTE; i++) {
        if (body[i] !== BACKSLASH) continue
        i += 1
        if (body[i] !== LETTER_U) continue
        const code = checkedEscape(body, i + 1)
        if (code < 0x80) hasAsciiEscape = true
        // A high surrogate was checked together with the low one that follows.
        i += code >= 0xd800 && code <= 0xdbff ? 10 : 4
      }
    } else if (byte === BRACE_OPEN || byte === BRACKET_OPEN) {
      containers += 1
      values += 1
      depth += 1
      if (depth > MAX_NESTING) throw new JsonError(`is nested deeper than ${MAX_NESTING}`)
      if (containers > limits.containers) throw new TooManyValuesError('holds too many objects')
    } else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) depth -= 1
    else if (byte === COMMA) {
      values += 1
      if (values > limits.values) throw new TooManyValuesError('holds too many values')
    }
  }
  return hasAsciiEscape
}

// The code unit whose four hex digits start at `at`. Raw surrogates are no UTF-8, so escapes pair with escapes only.
function checkedEscape(body: Buffer, at: number): number {
  const code = hexadecimal(body, at)
  if (code === 0) throw new JsonError('holds NUL')
  if (code >= 0xdc00 && code <= 0xdfff) throw new JsonError('holds a lone surrogate')
  if (code >= 0xd800 && code <= 0xdbff) {
    const isEscape = body[at + 4] === BACKSLASH && body[at + 5] === LETTER_U
    const low = isEscape ? hexadecimal(body, at + 6) : 0
    if (low < 0xdc00 || low > 0xdfff) throw new JsonError('holds a lone surrogate')
  }
  return code
}

function hexadecimal(body: Buffer, at: number): number {
  let code = 0
  for (let i = at; i < at + 4; i++) {
    const byte = body[i] ?? 0
    const digit = byte >= 48 && byte <= 57 ? byte - 48 : (byte | 32) >= 97 && (byte | 32) <= 102 ? (byte | 32) - 87 : -1
    // `JSON.parse` refuses it, and tells its place.
    if (digit < 0) return SPACE
    code = code * 16 + digit
  }
  return code
}

function refuseProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) refuseProto(item)
    return
  }
  if (Object.hasOwn(value, PROTO)) throw new JsonError(`has a key ${PROTO}`)
  for (const key in value) refuseProto((value as Record<string, unknown>)[key])
}
