import type { LineSource, TextLine } from './records.ts'

/** The lines of a text, without their line breaks. */
export class TextLines implements LineSource {
  readonly #text: string
  readonly #maxLength: number
  #at = 0
  #number = 0

  /** @param maxLength characters of a line; a longer one has no text. */
  constructor(text: string, maxLength: number) {
    this.#text = text
    this.#maxLength = maxLength
  }

  next(): TextLine | null {
    if (this.#at >= this.#text.length) return null
    const newline = this.#text.indexOf('\n', this.#at)
    const stop = newline < 0 ? this.#text.length : newline
    const end = stop > this.#at && this.#text[stop - 1] === '\r' ? stop - 1 : stop
    const text = end - this.#at > this.#maxLength ? null : this.#text.slice(this.#at, end)
    this.#at = stop + 1
    this.#number += 1
    return { number: this.#number, text }
  }
}
