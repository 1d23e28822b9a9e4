import { randomBytes } from 'node:crypto'
import { chmod, link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../platform/errors.ts'
import { codeOf } from './errors.ts'
import { identityOf } from './process-info.ts'

/** Thrown when another live service has the data folder. */
export class FolderInUseError extends StartError {
  override readonly name = 'FolderInUseError'

  constructor(folder: string, pid?: number) {
    const who =
      pid === undefined ? 'another Vigencia (perhaps in another container)' : `another Vigencia, process ${pid}`
    const stop = pid === undefined ? 'Stop it' : `Stop it (kill ${pid})`
    super(
      `The data folder ${folder} is in use by ${who}. ${stop}, or give this one a folder of its own with VIGENCIA_DATA_DIR.`,
    )
  }
}

interface Holder {
  pid: number
  identity: string
}

/**
 * Takes the folder for this process and returns what frees it again.
 * A lock whose holder no longer runs is taken over.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'service.lock')
  const identity = (await identityOf(process.pid)) ?? 'unknown'
  const mine = `${JSON.stringify({ pid: process.pid, identity, at: new Date().toISOString() })}\n`
  const draft = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`
  // Written aside and linked: nobody can ever read a lock that is half written.
  await writeFile(draft, mine, { flag: 'wx' })
  await chmod(draft, 0o644)
  try {
    for (let attempt = 0; attempt < 50; attempt++) {
      if (await linked(draft, path)) return () => unlock(path, mine)
      const held = await readFile(path, 'utf8').catch(() => undefined)
      if (held === undefined) continue
      const holder = parseHolder(held)
      if (holder && (await identityOf(holder.pid)) === holder.identity) throw new FolderInUseError(folder, holder.pid)
      await takeAway(path, held)
    }
  } finally {
    await rm(draft, { force: true })
  }
  throw new FolderInUseError(folder)
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes a stale lock, and puts it back when another process had just replaced it by a live one. */
async function takeAway(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if ((await readFile(aside, 'utf8')) !== stale) await linked(aside, path)
  await rm(aside, { force: true })
}

async function unlock(path: string, mine: string): Promise<void> {
  const held = await readFile(path, 'utf8').catch(() => undefined)
  if (held === mine) await rm(path, { force: true })
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, identity } = JSON.parse(text) as Partial<Holder>
    return typeof pid === 'number' && pid > 0 && typeof identity === 'string' ? { pid, identity } : undefined
  } catch {
    // A power cut can leave an empty file: nobody holds that.
    return undefined
  }
}
