import type { LineSource, TextLine } from './records.ts'

/** The lines of a text, which end by LF, CR or both, without their line breaks. */
export class TextLines implements LineSource {
  readonly #text: string
  readonly #maxLength: number
  #at = 0
  /** Where the next LF and CR are; before `#at`: not known. */
  #newline = -1
  #return = -1
  #number = 0

  /** @param maxLength characters of a line; a longer one has no text. */
  constructor(text: string, maxLength: number) {
    this.#text = text
    this.#maxLength = maxLength
  }

  next(): TextLine | null {
    if (this.#at >= this.#text.length) return null
    const newline = this.#indexOf('\n', this.#newline)
    const carriage = this.#indexOf('\r', this.#return)
    this.#newline = newline
    this.#return = carriage
    const end = Math.min(newline, carriage)
    const text = end - this.#at > this.#maxLength ? null : this.#text.slice(this.#at, end)
    this.#at = end + (carriage + 1 === newline ? 2 : 1)
    this.#number += 1
    return { number: this.#number, text }
  }

  /** @param before where it was found before. */
  #indexOf(character: string, before: number): number {
    if (before >= this.#at) return before
    const at = this.#text.indexOf(character, this.#at)
    return at < 0 ? this.#text.length : at
  }
}
