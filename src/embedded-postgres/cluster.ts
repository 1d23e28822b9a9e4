import { spawn } from 'node:child_process'
import { chmod, mkdtemp, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../platform/errors.ts'
import type { Account } from './unix-user.ts'
import type { Binaries } from './binaries.ts'
import { codeOf } from './errors.ts'
import { chowned, type Locations } from './locations.ts'

/** The one database user, who owns everything; only the unix user of the service is let in as this one. */
export const databaseUser = 'vigencia'

const draftPrefix = 'postgres.new-'

/** Where the two files are that say who is let in. They lie beside the cluster, where only the service can write. */
export function accessFiles(place: Locations): { hba: string; ident: string } {
  return { hba: join(place.base, 'pg_hba.conf'), ident: join(place.base, 'pg_ident.conf') }
}

/**
 * Makes the cluster when there is none, and states anew who is let in. Call with the folder locked.
 * @param mayMake false for a running service: it must not go on with an empty database when its own is lost.
 */
export async function prepareCluster(place: Locations, binaries: Binaries, mayMake: boolean): Promise<void> {
  await removeDrafts(place.base)
  const made = await majorVersion(place.cluster)
  const major = binaries.version.split('.')[0]
  if (made === undefined && !mayMake) {
    throw new StartError(`The database in ${place.cluster} is gone. Bring it back, or start anew with an empty one.`)
  }
  if (made === undefined) await initialise(place, binaries)
  else if (made !== major) {
    throw new StartError(
      `The database in ${place.cluster} was made by PostgreSQL ${made}, and these programs are PostgreSQL ${major}. ` +
        `Start the Vigencia that made it, dump it (pg_dump), and restore it into an empty data folder.`,
    )
  }
  const { hba, ident } = accessFiles(place)
  await writePublic(ident, `service "${place.account.client.replaceAll('"', '""')}" ${databaseUser}\n`)
  await writePublic(hba, `local all ${databaseUser} peer map=service\n`)
}

/** How to start a program as the account, with nothing of this process's environment. */
export function asAccount(account: Account): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  return { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }, ...account.become }
}

/** Says why a program of PostgreSQL could not even be started. */
export function spawnError(program: string, error: unknown): Error {
  const why =
    codeOf(error) === 'ENOENT'
      ? 'it does not run on this system: the programs from npm need glibc, which Alpine Linux has not'
      : codeOf(error) === 'EPERM'
        ? 'this root may not become another user (the container lacks the capability SETUID)'
        : `the system answered ${codeOf(error) ?? String(error)}`
  return new StartError(
    `${program} cannot be started: ${why}. Start in another way, or set VIGENCIA_DATABASE_URL to a PostgreSQL of yours.`,
    { cause: error },
  )
}

async function initialise(place: Locations, binaries: Binaries): Promise<void> {
  // Made aside and renamed when whole: an interrupted initdb leaves only a draft, which the next start removes.
  const draft = await chowned(await mkdtemp(join(place.base, draftPrefix)), place.account)
  try {
    await runInitdb(draft, place, binaries)
    await syncFolder(draft)
    await rename(draft, place.cluster)
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 })
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
    throw new StartError(
      `${place.cluster} holds files, but no database that PostgreSQL knows. Move that folder away to begin with an empty database, or restore it whole.`,
      { cause: error },
    )
  }
  await syncFolder(place.base)
}

async function runInitdb(folder: string, place: Locations, binaries: Binaries): Promise<void> {
  const access = ['--username', databaseUser, '--auth-local=peer', '--auth-host=reject']
  const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const parameters = ['--pgdata', folder, ...access, ...text, '--data-checksums', '--no-instructions']
  const child = spawn(binaries.initdb, parameters, { ...asAccount(place.account), stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(spawnError(binaries.initdb, error)))
    child.once('close', resolve)
  })
  if (code === 0) return
  if (said.includes('No space left on device')) {
    throw new StartError(
      `The disk that holds ${place.base} is full: PostgreSQL could not make its database. Free some space and start again.`,
    )
  }
  throw new StartError(
    `PostgreSQL could not make its database in ${place.base}; initdb says: ${said.trim() || `exit code ${code}`}`,
  )
}

async function removeDrafts(base: string): Promise<void> {
  const drafts = (await readdir(base)).filter((name) => name.startsWith(draftPrefix))
  // An initdb whose parent was killed may still be writing; it gives up when its folder goes.
  for (const name of drafts)
    await rm(join(base, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
}

async function majorVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writePublic(path: string, text: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, text, { flag: 'wx' })
  await chmod(path, 0o644)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
