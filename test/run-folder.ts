import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { inject, vi } from 'vitest'

/** A folder that the first worker to need it makes, for all workers of the run. @param make fills a folder and returns its path. */
export async function sharedFolder(name: string, make: () => Promise<string>): Promise<string> {
  const folder = join(inject('runFolder'), name)
  try {
    await mkdir(`${folder}.lock`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await vi.waitUntil(() => existsSync(folder), { timeout: 120_000, interval: 20 })
    return folder
  }
  await rename(await make(), folder)
  return folder
}
