import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { tooLarge } from '../http/upload-stream.ts'
import type { Encoding } from './records.ts'

/** The largest file of an import. */
export const maxImportBytes = 1024 * 1024 * 1024

/** A complete uploaded file. It is unlinked: the system deletes it when it is closed or the process ends. */
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
 * Writes the bytes to an unlinked file and detects the encoding: what is not valid UTF-8 as a whole is Windows-1252.
 * @throws ApiError 413; errors of the chunks and of the file system. Then no file is left.
 */
export async function spool(folder: string, chunks: AsyncIterable<Buffer>, limitBytes: number): Promise<Spooled> {
  const handle = await openUnlinked(folder)
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

async function openUnlinked(folder: string): Promise<FileHandle> {
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
 * Returns for each chunk, and for null at the end, whether all bytes so far are valid UTF-8; not called again after false. A
 * TextDecoder would allocate the text of each chunk.
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

/** The number of last bytes that begin a character which continues in the next chunk. */
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
