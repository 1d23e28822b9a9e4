import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { tooLarge } from '../http/upload-stream.ts'
import type { Encoding } from './records.ts'

/** The largest file that an import takes. */
export const maxImportBytes = 1024 * 1024 * 1024

/** A file that has arrived whole. It has no name: it is gone with the process, or when it is closed. */
export interface Spooled {
  readonly file: number
  readonly size: number
  /** After the byte order mark. */
  readonly from: number
  readonly encoding: Encoding
  close(): Promise<void>
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Keeps the bytes in a file without a name, and tells the encoding, for which it takes all of them: what is not UTF-8 as a
 * whole is Windows-1252.
 * @throws ApiError 413; whatever the chunks and the disk throw. Nothing is left behind then.
 */
export async function spool(folder: string, chunks: AsyncIterable<Buffer>, limitBytes: number): Promise<Spooled> {
  const handle = await openNameless(folder)
  try {
    const head = Buffer.alloc(byteOrderMark.length)
    const isUtf8 = utf8Check()
    let size = 0
    let encoding: Encoding = 'utf-8'
    for await (const chunk of chunks) {
      if (size + chunk.length > limitBytes) throw tooLarge()
      if (size < head.length) chunk.copy(head, size)
      if (encoding === 'utf-8' && !isUtf8(chunk)) encoding = 'windows-1252'
      await writeAll(handle, chunk)
      size += chunk.length
    }
    if (encoding === 'utf-8' && !isUtf8(null)) encoding = 'windows-1252'
    const from = head.equals(byteOrderMark) ? byteOrderMark.length : 0
    return { file: handle.fd, size, from, encoding, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const handle = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * Says of each chunk, and with null at the end, whether all so far can be UTF-8; not to be asked again after a no. A decoder would
 * leave a text of each chunk to the collector, more than the file in all.
 */
function utf8Check(): (chunk: Buffer | null) => boolean {
  let open = Buffer.alloc(0)
  return (chunk) => {
    if (chunk === null) return open.length === 0
    const missing = open.length === 0 ? 0 : sequenceLength(open[0] as number) - open.length
    const joint = Buffer.concat([open, chunk.subarray(0, missing)])
    if (chunk.length < missing) {
      open = joint
      return true
    }
    const rest = chunk.subarray(missing)
    const whole = rest.length - openAtEnd(rest)
    open = Buffer.from(rest.subarray(whole))
    return isUtf8(joint) && isUtf8(rest.subarray(0, whole))
  }
}

/** How many of the last bytes begin a character that goes on in the next chunk. */
function openAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

function sequenceLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    written += (await handle.write(chunk, written)).bytesWritten
  }
}
