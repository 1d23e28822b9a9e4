import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { StartError } from '../errors.ts'

/**
 * The master key of `DATA_DIR/master.key`, made there (mode 0600) when there is none. Processes that start at once get the same.
 * @throws StartError when the file is there and is no key: it is never overwritten.
 */
export function masterKeyIn(dataDir: string): Buffer {
  const path = keyPath(dataDir)
  return readKey(path) ?? makeKey(dataDir, path)
}

/**
 * The master key that a start would use; makes none.
 * @throws StartError when there is none: `VIGENCIA_MASTER_KEY` is not set and, on the embedded engine, `DATA_DIR/master.key` is missing.
 */
export function existingMasterKey(config: Pick<Config, 'masterKey' | 'databaseUrl' | 'dataDir'>): Buffer {
  if (config.masterKey !== null) return config.masterKey
  if (config.databaseUrl !== null) {
    throw new StartError('The master key is missing: set VIGENCIA_MASTER_KEY to the one that the service runs with.')
  }
  const path = keyPath(config.dataDir)
  const key = readKey(path)
  if (key === null) {
    throw new StartError(
      `${path} is not there: put the master key of this database back, or set VIGENCIA_MASTER_KEY. No new one was made.`,
    )
  }
  return key
}

const keyPath = (dataDir: string) => join(dataDir, 'master.key')

function readKey(path: string): Buffer | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new StartError(`${path} cannot be read: make it readable to this user, or set VIGENCIA_MASTER_KEY.`)
  }
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) {
    throw new StartError(`${path} is not 32 bytes in base64: put the key of this folder's database back.`)
  }
  return key
}

/** Written under another name, then linked, which fails when another process was first: a partial key is never read. */
function makeKey(dataDir: string, path: string): Buffer {
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${randomBytes(32).toString('base64')}\n`)
    fsyncSync(file)
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(file)
    rmSync(draft, { force: true })
  }
  syncFolder(dataDir)
  const key = readKey(path)
  if (key === null) throw new StartError(`${path} vanished while it was made: start again.`)
  return key
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
