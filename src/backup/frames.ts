/*
 * The content of a backup before compression and encryption: frames of one letter, a length of four bytes, and that many bytes.
 * `J` is a note in JSON, `D` is data of what the last note describes, `E` is the end of that data.
 */

export type Frame =
  | { readonly kind: 'note'; readonly note: Note }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'end' }

export interface Header {
  readonly 'created-at': string
  /** The applied migrations with the digests of their texts: the version of the schema. */
  readonly migrations: readonly { readonly name: string; readonly digest: string }[]
  /** Where files are stored: those of an S3-compatible store (`elsewhere`) are not in a backup. */
  readonly files: 'folder' | 'elsewhere'
}

export interface TableNote {
  readonly table: string
  readonly columns: readonly string[]
}

export interface Sequence {
  readonly name: string
  readonly value: string
  readonly called: boolean
}

export type Note =
  | { readonly header: Header }
  | TableNote
  | { readonly file: string }
  | { readonly sequences: readonly Sequence[] }
  | { readonly complete: true }

const [letterJ = 0, letterD = 0, letterE = 0] = [...Buffer.from('JDE')]
const headBytes = 5
const maxBytes = 64 * 1024 * 1024

export const noteFrame = (note: Note): Buffer => frame(letterJ, Buffer.from(JSON.stringify(note)))
export const bytesFrame = (bytes: Buffer): Buffer => frame(letterD, bytes)
export const endFrame = (): Buffer => frame(letterE, Buffer.alloc(0))

function frame(letter: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head[0] = letter
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/** The frames in a stream of bytes. @throws Error when it ends within one. */
export async function* readFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let waiting: Buffer[] = []
  let size = 0
  const take = (count: number): Buffer => {
    const all = waiting.length === 1 ? (waiting[0] ?? Buffer.alloc(0)) : Buffer.concat(waiting)
    size -= count
    waiting = size === 0 ? [] : [all.subarray(count)]
    return all.subarray(0, count)
  }
  let head: Buffer | null = null
  for await (const chunk of chunks) {
    waiting.push(chunk)
    size += chunk.length
    for (;;) {
      if (head === null) {
        if (size < headBytes) break
        head = take(headBytes)
        if (head.readUInt32BE(1) > maxBytes) throw new Error('not a frame of a backup')
      }
      const length = head.readUInt32BE(1)
      if (size < length) break
      yield frameOf(head[0] ?? 0, take(length))
      head = null
    }
  }
  if (size > 0 || head !== null) throw new Error('the backup ended within a frame')
}

function frameOf(letter: number, bytes: Buffer): Frame {
  if (letter === letterJ) return { kind: 'note', note: JSON.parse(bytes.toString()) as Note }
  if (letter === letterD) return { kind: 'bytes', bytes }
  if (letter === letterE) return { kind: 'end' }
  throw new Error('not a frame of a backup')
}
