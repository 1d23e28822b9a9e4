import { InvalidResponseError } from './errors.ts'

const quote = 0x22
const backslash = 0x5c
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

/**
 * Cuts the text of `{"result":[{...},{...}]}` into its items as it arrives. Only the ends of the items are searched: `JSON.parse` reads them.
 */
export class ResultItems {
  /** What was not cut off yet, and how far it was searched. */
  #text = ''
  #at = 0
  /** The depth of brackets within the array; -1 before it, -2 after it. */
  #depth = -1
  #start = 0
  #isString = false

  /** Whether the text is complete. */
  get isEnded(): boolean {
    return this.#depth === -2 && this.#text.trimEnd().endsWith('}')
  }

  /** @returns the items that end in this piece of the text. @throws InvalidResponseError */
  *push(text: string): Generator<unknown, void, undefined> {
    this.#text += text
    if (this.#depth === -1) {
      const head = /^\s*\{\s*"result"\s*:\s*\[/.exec(this.#text)?.[0]
      if (head === undefined) {
        if (this.#text.length > 1_000 || !/^[\s{"result:]*$/.test(this.#text)) throw notJson()
        return
      }
      this.#depth = 0
      this.#at = head.length
    }
    for (; this.#depth >= 0 && this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      if (this.#isString) {
        if (code === quote) this.#isString = false
        // The next character is escaped.
        else if (code === backslash) this.#at += 1
      } else if (code === quote) this.#isString = true
      else if (opening.has(code)) {
        if (this.#depth === 0) this.#start = this.#at
        this.#depth += 1
      } else if (closing.has(code)) {
        this.#depth -= 1
        if (this.#depth === 0) yield parse(this.#text.slice(this.#start, this.#at + 1))
        else if (this.#depth === -1) this.#depth = -2
      }
    }
    const cut = this.#depth > 0 ? this.#start : this.#at
    this.#text = this.#text.slice(cut)
    this.#at -= cut
    this.#start = 0
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

/** Without a cause: it would quote the text. */
function notJson(): InvalidResponseError {
  return new InvalidResponseError('The list is not JSON')
}
