import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replacePrivateFile } from '../demo/profile.ts'

const pathIn = (dataDir: string) => join(dataDir, 'service.json')

/** Writes where the service of a data folder listens, for `vigencia doctor`. @returns a function that removes the file. */
export function writeServiceFile(dataDir: string, url: string): () => void {
  const path = pathIn(dataDir)
  replacePrivateFile(path, { url })
  return () => rmSync(path, { force: true })
}

/** Where the service of the data folder listens, or did when it was killed; null when there is none. */
export function readServiceFile(dataDir: string): string | null {
  try {
    const { url } = JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as { url?: unknown }
    return typeof url === 'string' ? url : null
  } catch {
    return null
  }
}
