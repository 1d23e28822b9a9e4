import { isUtf8 } from 'node:buffer'
import { visit } from 'jsonc-parser'
import type { FieldError } from '#kernel/fields.ts'
import type { Message } from '#kernel/messages.ts'

/** A body that is not JSON, or JSON that is rejected as a whole; its detail repeats nothing of the body. */
export class JsonError extends Error {
  override readonly name: string = 'JsonError'
  /** For the `details` of the error. */
  readonly detail: FieldError

  constructor(message: Message, detail: Partial<FieldError> = {}) {
    super(message.key)
    this.detail = { field: 'body', code: 'invalid', message, ...detail }
  }
}

/** JSON with more values than are allowed. */
export class TooManyValuesError extends JsonError {
  override readonly name = 'TooManyValuesError'

  constructor(key: 'too-many-objects' | 'too-many-values') {
    super({ key }, { code: 'too-many-values' })
  }
}

/** The limits of a body. */
export interface JsonLimits {
  /** Strings, numbers, objects and so on, keys not counted, in sum. */
  readonly values: number
  /** The objects and arrays among them. */
  readonly containers: number
}

/** For a body of up to 1 MiB: parsing 116,000 keys of as many names takes the event loop 60 ms. The largest company needs 14,000 values. */
export const bodyLimits: JsonLimits = { values: 20_000, containers: 20_000 }

/**
 * For a batch of up to 16 MiB. A heap that runs over while JSON is parsed ends the process, even in a thread. 10,000 members with
 * four products and five documents each need a third of these.
 */
export const batchLimits: JsonLimits = { values: 1_500_000, containers: 500_000 }

/** For a body of up to 4 MiB with 10,000 items of a few texts each: the event loop parses it in 50 ms. */
export const itemLimits: JsonLimits = { values: 100_000, containers: 20_000 }

const MAX_NESTING = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const BRACE_OPEN = 0x7b
const BRACKET_OPEN = 0x5b
const BRACE_CLOSE = 0x7d
const BRACKET_CLOSE = 0x5d
const PROTO = '__proto__'

/**
 * Parses the JSON text of a body. Throws JsonError for malformed JSON, invalid UTF-8, nesting over 64, and NUL, a lone surrogate or a key
 * `__proto__`, escaped or not; TooManyValuesError before anything is built. Of a repeated key the last one counts.
 */
export function parseJson(sent: Buffer, limits: JsonLimits = bodyLimits): unknown {
  const body = sent.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? sent.subarray(byteOrderMark.length) : sent
  if (!isUtf8(body)) throw new JsonError({ key: 'not-utf-8' })
  countValues(body, limits)
  const text = body.toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw syntaxError(text, error as Error)
  }
  // Only an escape can stand for NUL or a lone surrogate.
  if (body.includes('\\u') || body.includes(PROTO)) checkTexts(value)
  return value
}

const byteOrderMark = Buffer.from('\uFEFF')

/** The error of a text that `JSON.parse` refused, with the place of the error, and without the text there. */
function syntaxError(text: string, { message }: Error): JsonError {
  const [, position] = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message) ?? []
  const isCutOff = message === 'Unexpected end of JSON input'
  const before = text.slice(0, isCutOff ? text.length : Number(position ?? firstWrongToken(text)))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return new JsonError({ key: 'not-json-at', line, column }, { code: 'malformed-json', line, column })
}

/** Where the first token stands that JSON does not have: `JSON.parse` quotes the text around it, and does not tell its position. */
function firstWrongToken(text: string): number {
  let first = text.length
  const onError = (_code: number, offset: number) => {
    first = offset
    // Nothing behind it is read: brackets there were not counted.
    throw new SyntaxError()
  }
  try {
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return first
}

/** Counts containers, commas and nesting in the bytes: a heap that runs over while they are parsed would end the process. */
function countValues(body: Buffer, limits: JsonLimits): void {
  let depth = 0
  let containers = 0
  // At most: a container's first value is counted although it may be empty.
  let values = 1
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (byte === QUOTE) {
      for (i += 1; i < body.length && body[i] !== QUOTE; i++) if (body[i] === BACKSLASH) i += 1
    } else if (byte === BRACE_OPEN || byte === BRACKET_OPEN) {
      containers += 1
      values += 1
      depth += 1
      if (depth > MAX_NESTING) throw new JsonError({ key: 'too-deep', limit: MAX_NESTING })
      if (containers > limits.containers) throw new TooManyValuesError('too-many-objects')
    } else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) depth -= 1
    else if (byte === COMMA) {
      values += 1
      if (values > limits.values) throw new TooManyValuesError('too-many-values')
    }
  }
}

function checkTexts(value: unknown): void {
  if (typeof value === 'string') checkText(value)
  else if (Array.isArray(value)) for (const item of value) checkTexts(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === PROTO) throw new JsonError({ key: 'holds-proto' })
      checkText(key)
      checkTexts(item)
    }
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw new JsonError({ key: 'holds-nul' })
  if (!text.isWellFormed()) throw new JsonError({ key: 'holds-lone-surrogate' })
}
