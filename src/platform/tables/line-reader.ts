import { readSync } from 'node:fs'

/** A line of the file without its line break. `bytes` are valid until the next call; null: longer than `maxLineBytes`. */
interface RawLine {
  readonly number: number
  readonly bytes: Buffer | null
}

/** Several times the length of all columns. A longer line is malformed, which bounds the memory. */
export const maxLineBytes = 65_536

const blockBytes = 256 * 1024
const NEWLINE = 0x0a
const RETURN = 0x0d

/** Reads a file line by line in constant memory. Reads synchronously: for a worker thread. */
export class LineReader {
  readonly #file: number
  readonly #buffer = Buffer.allocUnsafe(blockBytes + maxLineBytes + 1)
  #start = 0
  #end = 0
  #position: number
  /** Where the next LF and the next CR are; before `#start`: not known, `Infinity`: none in what is read. */
  #newline = -1
  #return = -1
  #number = 0
  #isAtEnd = false

  /** @param from offset of the first line: after a byte order mark. */
  constructor(file: number, from: number) {
    this.#file = file
    this.#position = from
  }

  /** The next line; null at the end. */
  next(): RawLine | null {
    let isTooLong = false
    for (;;) {
      const found = this.#lineBreak()
      if (found !== null || this.#isAtEnd) {
        const { at, next } = found ?? { at: this.#end, next: this.#end }
        if (found === null && at === this.#start && !isTooLong) return null
        const bytes = this.#buffer.subarray(this.#start, at)
        this.#start = next
        this.#number += 1
        return { number: this.#number, bytes: isTooLong || bytes.length > maxLineBytes ? null : bytes }
      }
      // One more byte may be the CR of its line break.
      if (this.#end - this.#start > maxLineBytes + 1) {
        isTooLong = true
        this.#start = this.#end - 1
      }
      this.#fill()
    }
  }

  /** The end of the line, by LF, CR or both, and where the next one begins; null: not in what is read. */
  #lineBreak(): { at: number; next: number } | null {
    if (this.#newline < this.#start) this.#newline = this.#indexOf(NEWLINE)
    if (this.#return < this.#start) this.#return = this.#indexOf(RETURN)
    const at = Math.min(this.#newline, this.#return)
    if (at === Infinity) return null
    if (at === this.#newline) return { at, next: at + 1 }
    // The LF of a CR may not have been read.
    if (at + 1 === this.#end && !this.#isAtEnd) return null
    return { at, next: at + (at + 1 === this.#newline ? 2 : 1) }
  }

  #indexOf(byte: number): number {
    const at = this.#buffer.subarray(0, this.#end).indexOf(byte, this.#start)
    return at < 0 ? Infinity : at
  }

  #fill(): void {
    this.#buffer.copyWithin(0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
    this.#newline = -1
    this.#return = -1
    const read = readSync(this.#file, this.#buffer, this.#end, blockBytes, this.#position)
    this.#position += read
    this.#end += read
    if (read === 0) this.#isAtEnd = true
  }
}
