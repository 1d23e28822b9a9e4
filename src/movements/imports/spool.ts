import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { tooLarge } from '#platform/http/refused-content.ts'
import type { Encoding } from '#platform/tables/encoding.ts'

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
    const utf8 = new TextDecoder('utf-8', { fatal: true })
    let size = 0
    let encoding: Encoding = 'utf-8'
    const checkUtf8 = (bytes: Buffer, options: { stream: boolean }) => {
      try {
        if (encoding === 'utf-8') utf8.decode(bytes, options)
      } catch {
        encoding = 'windows-1252'
      }
    }
    for await (const chunk of chunks) {
      if (size + chunk.length > limitBytes) throw tooLarge(limitBytes)
      if (size < head.length) chunk.copy(head, size)
      checkUtf8(chunk, { stream: true })
      await handle.writeFile(chunk)
      size += chunk.length
    }
    checkUtf8(Buffer.alloc(0), { stream: false })
    const from = head.equals(byteOrderMark) ? byteOrderMark.length : 0
    return { file: handle.fd, size, from, encoding, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** A file without a name: the system deletes it when it is closed or the process ends. */
export async function openUnlinked(folder: string): Promise<FileHandle> {
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
