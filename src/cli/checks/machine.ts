import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { newKey } from '../../storage/storage.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { StartError } from '../../platform/errors.ts'
import type { Finding } from './finding.ts'

/** The data folder, the storage of files and the port. */
export async function* machineChecks(config: Config): AsyncGenerator<Finding> {
  const folder = await dataFolder(config)
  yield folder
  const isThere = await exists(config.dataDir)
  if (isThere) yield* keyFile(config)
  if (isThere || config.storageUrl !== null) yield await storage(config)
  if (config.role !== 'worker') yield await port(config)
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

async function dataFolder({ dataDir, databaseUrl }: Config): Promise<Finding> {
  const check = 'data folder'
  const facts = await stat(dataDir).catch(() => null)
  if (facts === null) {
    const message = `${dataDir} is not there yet`
    return { check, state: 'ok', message: databaseUrl === null ? `${message}; the first start makes it` : message }
  }
  const chosen = 'choose another one with VIGENCIA_DATA_DIR.'
  if (!facts.isDirectory())
    return { check, state: 'failed', message: `${dataDir} is not a folder`, next: `Move it away, or ${chosen}` }
  const isWritable = await access(dataDir, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable)
    return {
      check,
      state: 'failed',
      message: `${dataDir} cannot be written by this user`,
      next: `Give it to the user of the service, or ${chosen}`,
    }
  if ((facts.mode & 0o066) !== 0) {
    return { check, state: 'warning', message: `others may read or write ${dataDir}`, next: `chmod go-rw ${dataDir}` }
  }
  return { check, state: 'ok', message: dataDir }
}

async function* keyFile({ dataDir, masterKey }: Config): AsyncGenerator<Finding> {
  const path = join(dataDir, 'master.key')
  const facts = await stat(path).catch(() => null)
  if (facts === null || masterKey !== null) return
  const check = 'key file'
  if ((facts.mode & 0o077) !== 0)
    yield { check, state: 'failed', message: `others may read ${path}`, next: `chmod 600 ${path}` }
  else yield { check, state: 'ok', message: `${path} is readable to its owner only; keep a copy apart from the data` }
}

/** Writes, reads and removes a small file. */
async function storage(config: Config): Promise<Finding> {
  const check = 'storage'
  const where = config.storageUrl === null ? join(config.dataDir, 'files') : 'VIGENCIA_STORAGE_URL'
  try {
    const opened = await openStorage(config)
    try {
      const key = newKey('document')
      const bytes = Buffer.from('doctor')
      await opened.write(
        key,
        (async function* () {
          yield bytes
        })(),
      )
      const read = await Array.fromAsync((await opened.read(key)).stream as AsyncIterable<Buffer>)
      await opened.remove(key)
      if (!Buffer.concat(read).equals(bytes)) throw new Error('other bytes came back')
      return { check, state: 'ok', message: `${where} stores and returns files` }
    } finally {
      opened.close()
    }
  } catch (error) {
    if (error instanceof StartError)
      return {
        check,
        state: 'failed',
        message: error.message,
        next: 'Set VIGENCIA_STORAGE_URL as docs/configuration.md says.',
      }
    const { code, name } = error as NodeJS.ErrnoException
    return {
      check,
      state: 'failed',
      message: `${where} does not store files (${code ?? name})`,
      next: 'Check its permissions, its free space, and that this machine reaches it.',
    }
  }
}

/** Whether the port is free, or used by this service. */
async function port({ host, port: number }: Config): Promise<Finding> {
  const check = 'port'
  if (number === 0) return { check, state: 'ok', message: 'any free one' }
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  if (!(await isTaken(near, number)))
    return { check, state: 'ok', message: `${number} of ${host} is free: no service runs there` }
  const address = near.includes(':') ? `[${near}]` : near
  const isOurs = await fetch(`http://${address}:${number}/healthz`, { signal: AbortSignal.timeout(5_000) })
    .then(async (response) => ((await response.json()) as { status?: unknown }).status === 'ok')
    .catch(() => false)
  if (isOurs) return { check, state: 'ok', message: `a service runs on ${number} of ${host}` }
  return {
    check,
    state: 'failed',
    message: `${number} of ${host} is taken by another program`,
    next: 'Set VIGENCIA_PORT to a free one.',
  }
}

function isTaken(host: string, number: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: number, timeout: 3_000 })
    const end = (taken: boolean) => {
      socket.destroy()
      resolve(taken)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}

/** The master key that a start would use; null when there is none yet. Makes none. */
export async function masterKeyThere(config: Config): Promise<Buffer | null> {
  if (config.masterKey !== null) return config.masterKey
  const text = await readFile(join(config.dataDir, 'master.key'), 'utf8').catch(() => null)
  const key = text === null ? null : Buffer.from(text.trim(), 'base64')
  return key?.length === 32 ? key : null
}
