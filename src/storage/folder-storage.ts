import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { checkKey } from './storage-key.ts'
import type { Storage } from './storage.ts'

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
    let size = 0
    for await (const chunk of chunks) {
      await writeAll(file, chunk)
      size += chunk.length
    }
    await file.sync()
    return size
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written)
    written += bytesWritten
  }
}

const readBytes = 256 * 1024

/** The bytes of an open file. An error when the file became shorter; a stream of Node would just end. */
function streamOf(file: FileHandle, first: number, size: number): Readable {
  const end = first + size
  let left = size
  const next = async (stream: Readable) => {
    if (left === 0) {
      stream.push(null)
      return
    }
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafeSlow(Math.min(readBytes, left)),
      0,
      Math.min(readBytes, left),
      end - left,
    )
    if (bytesRead === 0) throw new Error('the file ended early')
    left -= bytesRead
    stream.push(buffer.subarray(0, bytesRead))
  }
  return new Readable({
    highWaterMark: readBytes,
    read() {
      next(this).catch((error: Error) => this.destroy(error))
    },
    destroy(error, done) {
      void closeThen(file, () => done(error))
    },
  })
}

async function closeThen(file: FileHandle, callback: () => void): Promise<void> {
  try {
    await file.close()
  } finally {
    callback()
  }
}

/** Creates the missing folders of the path and syncs the parent of each. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await syncFolder(dirname(folder))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
