import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** The first line of a backup; the number is that of the form. */
export const firstLine = Buffer.from('VIGENCIA-BACKUP-1\n')
/** SHA-256 of all that comes before it ends the file. */
export const sealBytes = 32

const readBytes = 1024 * 1024

/** Whether the file is a backup whose every byte is as it was written. Reads all of it. */
export async function isSealed(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  const end = size - sealBytes
  if (end < firstLine.length) return false
  const hash = createHash('sha256')
  for await (const chunk of bytesOf(file, 0, end)) hash.update(chunk)
  const [head, seal] = [await bytesAt(file, 0, firstLine.length), await bytesAt(file, end, sealBytes)]
  return head.equals(firstLine) && hash.digest().equals(seal)
}

/** What stands between the first line and the seal. */
export async function* contentOf(file: FileHandle): AsyncGenerator<Buffer> {
  const { size } = await file.stat()
  yield* bytesOf(file, firstLine.length, size - sealBytes)
}

async function* bytesOf(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const chunk = await bytesAt(file, at, Math.min(readBytes, to - at))
    if (chunk.length === 0) return
    at += chunk.length
    yield chunk
  }
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}
