import { constants, existsSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Config } from '#platform/core/config.ts'
import { newKey } from '#platform/core/storage/storage.ts'
import { openStorage } from '#platform/core/storage/open-storage.ts'
import { StartError } from '#platform/core/errors.ts'
import { readServiceFile } from '../service-file.ts'
import { type Finding, findingsOf } from './finding.ts'

/** The data folder, the storage of files and the port. */
export async function* machineChecks(config: Config): AsyncGenerator<Finding> {
  yield await dataFolder(config)
  const isThere = existsSync(config.dataDir)
  if (isThere) yield* keyFile(config)
  if (isThere || config.storageUrl !== null) yield await storage(config)
  if (config.role !== 'worker') yield await port(config)
}

async function dataFolder({ dataDir, databaseUrl }: Config): Promise<Finding> {
  const { ok, warning, failed } = findingsOf('data folder')
  const facts = await stat(dataDir).catch(() => null)
  if (facts === null)
    return ok(`${dataDir} is not there yet${databaseUrl === null ? '; the first start makes it' : ''}`)
  const chosen = 'choose another one with VIGENCIA_DATA_DIR.'
  if (!facts.isDirectory()) return failed(`${dataDir} is not a folder`, `Move it away, or ${chosen}`)
  try {
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch {
    return failed(`${dataDir} cannot be written by this user`, `Give it to the user of the service, or ${chosen}`)
  }
  if ((facts.mode & 0o066) !== 0) return warning(`others may read or write ${dataDir}`, `chmod go-rw ${dataDir}`)
  return ok(dataDir)
}

async function* keyFile({ dataDir, masterKey }: Config): AsyncGenerator<Finding> {
  const { ok, failed } = findingsOf('key file')
  const path = join(dataDir, 'master.key')
  const facts = await stat(path).catch(() => null)
  if (facts === null || masterKey !== null) return
  if ((facts.mode & 0o077) !== 0) yield failed(`others may read ${path}`, `chmod 600 ${path}`)
  else yield ok(`${path} is readable to its owner only; keep a copy apart from the data`)
}

/** Writes, reads and removes a small file. */
async function storage(config: Config): Promise<Finding> {
  const { ok, failed } = findingsOf('storage')
  const where = config.storageUrl === null ? join(config.dataDir, 'files') : 'VIGENCIA_STORAGE_URL'
  try {
    const opened = await openStorage(config)
    try {
      const key = newKey('document')
      const bytes = Buffer.from('doctor')
      await opened.write(key, Readable.from([bytes]))
      const read = await buffer((await opened.read(key)).stream)
      await opened.remove(key)
      if (!read.equals(bytes)) throw new Error('other bytes came back')
      return ok(`${where} stores and returns files`)
    } finally {
      opened.close()
    }
  } catch (error) {
    if (error instanceof StartError)
      return failed(error.message, 'Set VIGENCIA_STORAGE_URL as docs/reference/configuration.md says.')
    const { code, name } = error as NodeJS.ErrnoException
    const next = 'Check its permissions, its free space, and that this machine reaches it.'
    return failed(`${where} does not store files (${code ?? name})`, next)
  }
}

/** Whether the port is free, or used by this service, which may have been started with another one. */
async function port({ host, port: number, dataDir }: Config): Promise<Finding> {
  const { ok, failed } = findingsOf('port')
  const running = readServiceFile(dataDir)
  if (running !== null && (await isService(running))) return ok(`the service of ${dataDir} runs at ${running}`)
  if (number === 0) return ok('any free one')
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  if (!(await isTaken(near, number))) return ok(`${number} of ${host} is free: no service runs there`)
  const address = near.includes(':') ? `[${near}]` : near
  if (await isService(`http://${address}:${number}`)) return ok(`a service runs on ${number} of ${host}`)
  return failed(`${number} of ${host} is taken by another program`, 'Set VIGENCIA_PORT to a free one.')
}

async function isService(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })
    return ((await response.json()) as { status?: unknown }).status === 'ok'
  } catch {
    return false
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
