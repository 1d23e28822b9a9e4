import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { syncFolder } from '../sync-folder.ts'
import { checkKey, type Storage } from './storage.ts'

/** Stores files in a folder. File and folder are synced before a write resolves; only the owner of the process may read them. */
export function openFolderStorage(folder: string): Storage {
  const pathOf = (key: string) => join(folder, checkKey(key))
  return {
    async write(key, chunks) {
      const path = pathOf(key)
      const part = partOf(path)
      await makeFolder(dirname(path))
      try {
        const size = await writeDurably(part, chunks)
        await rename(part, path)
        await syncFolder(dirname(path))
        return { size }
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async read(key, part) {
      const file = await open(pathOf(key), 'r')
      try {
        const { size: fileSize } = await file.stat()
        const first = part?.first ?? 0
        const size = Math.max(0, Math.min(fileSize, (part?.last ?? fileSize) + 1) - first)
        return { stream: streamOf(file, first, size), size }
      } catch (error) {
        await file.close()
        throw error
      }
    },
    async remove(key) {
      const path = pathOf(key)
      await rm(partOf(path), { force: true })
      await rm(path, { force: true })
    },
    close() {},
  }
}

function partOf(path: string): string {
  return `${path}.part`
}

async function writeDurably(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(chunks)
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

const readBytes = 256 * 1024

/** The bytes of an open file, which is closed with the stream. */
function streamOf(file: FileHandle, first: number, size: number): Readable {
  const stream = Readable.from(bytesOf(file, first, size), { objectMode: false, highWaterMark: readBytes })
  return stream.once('close', () => void file.close())
}

/** An error when the file became shorter; a stream of Node would just end. */
async function* bytesOf(file: FileHandle, first: number, size: number): AsyncGenerator<Buffer> {
  for (let position = first; position < first + size;) {
    const length = Math.min(readBytes, first + size - position)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, position)
    if (bytesRead === 0) throw new Error('the file ended early')
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Creates the missing folders of the path and syncs the parent of each. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await syncFolder(dirname(folder))
}
