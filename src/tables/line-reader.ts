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
      const newline = this.#buffer.subarray(0, this.#end).indexOf(NEWLINE, this.#start)
      const stop = newline >= 0 ? newline : this.#isAtEnd ? this.#end : -1
      if (stop >= 0) {
        if (newline < 0 && stop === this.#start && !isTooLong) return null
        const bytes = this.#buffer.subarray(
          this.#start,
          this.#buffer[stop - 1] === RETURN && stop > this.#start ? stop - 1 : stop,
        )
        this.#start = newline >= 0 ? stop + 1 : stop
        this.#number += 1
        return { number: this.#number, bytes: isTooLong || bytes.length > maxLineBytes ? null : bytes }
      }
      // One more byte may be the CR of its line break.
      if (this.#end - this.#start > maxLineBytes + 1) {
        isTooLong = true
        this.#start = this.#end
      }
      this.#fill()
    }
  }

  #fill(): void {
    this.#buffer.copyWithin(0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
    const read = readSync(this.#file, this.#buffer, this.#end, blockBytes, this.#position)
    this.#position += read
    this.#end += read
    if (read === 0) this.#isAtEnd = true
  }
}
