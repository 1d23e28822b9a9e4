export interface Element {
  readonly text: string
  /** Where it begins, from 1. */
  readonly line: number
}

/** The JSON ended before it was whole. */
export class CutShortError extends Error {}

/**
 * The elements of the array that stands under `key` in a JSON object, one by one as their bytes arrive. The text between is
 * taken to be the JSON of a service or of JSON.parse: it is not judged.
 */
export async function* elementsOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  key: string,
): AsyncGenerator<Element> {
  const scanner = new Scanner(key)
  for await (const chunk of chunks) yield* scanner.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  if (!scanner.isWhole) throw new CutShortError('the JSON ended early')
}

const [quote, backslash, open, close, openArray, closeArray, comma, colon, newline] = [...Buffer.from('"\\{}[],:\n')]

class Scanner {
  readonly #key: Buffer
  #depth = 0
  #line = 1
  #inString = false
  #isEscaped = false
  /** Whether the array is open whose elements are asked for; they stand at depth 2. */
  #inArray = false
  #string: number[] = []
  #name: Buffer = Buffer.alloc(0)
  #pieces: Buffer[] | null = null
  #startLine = 0
  isWhole = false

  constructor(key: string) {
    this.#key = Buffer.from(key)
  }

  *take(chunk: Buffer): Generator<Element> {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      if (byte === newline) this.#line += 1
      if (this.#inString) {
        this.#readString(byte)
        continue
      }
      const ends = this.#inArray && this.#depth === 2 && (byte === comma || byte === closeArray)
      if (ends && this.#pieces !== null) {
        yield this.#element(chunk.subarray(from, at))
      } else if (this.#inArray && this.#depth === 2 && !ends && this.#pieces === null && byte > 0x20) {
        this.#pieces = []
        this.#startLine = this.#line
        from = at
      }
      this.#readMark(byte)
    }
    this.#pieces?.push(Buffer.from(chunk.subarray(from)))
  }

  #element(last: Buffer): Element {
    const text = Buffer.concat([...(this.#pieces ?? []), last])
      .toString('utf8')
      .trimEnd()
    this.#pieces = null
    return { text, line: this.#startLine }
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) this.#inString = false
    else if (this.#depth === 1) this.#string.push(byte)
  }

  #readMark(byte: number): void {
    if (byte === quote) {
      this.#inString = true
      this.#string = []
    } else if (byte === colon && this.#depth === 1) this.#name = Buffer.from(this.#string)
    else if (byte === open || byte === openArray) {
      this.#depth += 1
      if (byte === openArray && this.#depth === 2) this.#inArray = this.#name.equals(this.#key)
    } else if (byte === close || byte === closeArray) {
      this.#depth -= 1
      if (this.#depth === 1) this.#inArray = false
      this.isWhole = this.#depth === 0
    }
  }
}
