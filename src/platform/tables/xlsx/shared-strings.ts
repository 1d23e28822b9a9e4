import { maxCellCharacters, unescaped } from './cells.ts'
import { readXml } from './xml.ts'
import { tooLarge, type ZipEntry } from './zip.ts'

const maxTexts = 4_000_000
/** Two million texts of ordinary length. */
const maxBytes = 64 * 1024 * 1024
const firstBytes = 64 * 1024

/** The texts that the cells of a workbook share, outside of the heap of JavaScript: two million of them are ordinary. */
export class SharedStrings {
  #bytes = Buffer.allocUnsafeSlow(firstBytes)
  #ends = new Uint32Array(1024)
  #count = 0
  #used = 0

  /** @param entry null: the workbook has none. @throws TableError. */
  static async read(entry: ZipEntry | null): Promise<SharedStrings> {
    const strings = new SharedStrings()
    if (entry === null) return strings
    let text = ''
    let isText = false
    // Rubies are beside the text.
    let isPhonetic = false
    await readXml(entry, {
      open: (name) => {
        if (name === 'si') text = ''
        else if (name === 'rPh') isPhonetic = true
        else if (name === 't') isText = !isPhonetic
      },
      text: (found) => {
        if (isText && text.length <= maxCellCharacters) text += found
      },
      close: (name) => {
        if (name === 't') isText = false
        else if (name === 'rPh') isPhonetic = false
        else if (name === 'si') strings.#add(unescaped(text))
      },
    })
    return strings
  }

  /** The text of that number, from 0; null when there is none. */
  at(index: number): string | null {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return null
    return this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], this.#ends[index])
  }

  #add(text: string): void {
    if (this.#count === maxTexts) throw tooLarge()
    if (this.#count === this.#ends.length) {
      const longer = new Uint32Array(this.#ends.length * 2)
      longer.set(this.#ends)
      this.#ends = longer
    }
    this.#reserve(Buffer.byteLength(text))
    this.#used += this.#bytes.write(text, this.#used)
    this.#ends[this.#count] = this.#used
    this.#count += 1
  }
  #reserve(bytes: number): void {
    const needed = this.#used + bytes
    if (needed > maxBytes) throw tooLarge()
    if (needed <= this.#bytes.length) return
    const longer = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(needed, this.#bytes.length * 2)))
    this.#bytes.copy(longer, 0, 0, this.#used)
    this.#bytes = longer
  }
}
