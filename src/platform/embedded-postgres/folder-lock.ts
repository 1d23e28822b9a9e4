import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, FolderInUseError } from './errors.ts'
import { identityOf } from './process-info.ts'

/**
 * Locks the folder for this process, and returns what unlocks it. The lock of a process that has ended is replaced.
 * @throws FolderInUseError when the process that holds the lock runs.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'service.lock')
  const own = JSON.stringify({ pid: process.pid, identity: await identityOf(process.pid) })
  const draft = `${path}.${randomUUID()}`
  // Linked when it is complete: no other process reads half of it.
  await writeFile(draft, own, { flag: 'wx' })
  try {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      if (await linked(draft, path)) return () => unlock(path, own)
      const text = await readFile(path, 'utf8').catch(() => undefined)
      if (text === undefined) continue
      const pid = await runningHolder(text)
      if (pid !== undefined) throw new FolderInUseError(folder, pid)
      await removeStale(path, text)
    }
  } finally {
    await rm(draft, { force: true })
  }
  throw new FolderInUseError(folder)
}

/** The pid of the process that wrote the lock, while it runs. */
async function runningHolder(text: string): Promise<number | undefined> {
  try {
    const { pid, identity } = JSON.parse(text) as { pid: number; identity: string }
    return identity !== undefined && (await identityOf(pid)) === identity ? pid : undefined
  } catch {
    // A power failure can leave an empty file.
    return undefined
  }
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

/** Removes a stale lock; restores the lock of a process that replaced it meanwhile. */
async function removeStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if ((await readFile(aside, 'utf8')) !== stale) await linked(aside, path)
  await rm(aside, { force: true })
}

async function unlock(path: string, own: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === own) await rm(path, { force: true })
}
