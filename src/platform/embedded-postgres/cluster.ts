import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../core/errors.ts'
import { syncFolder } from '../core/sync-folder.ts'
import type { Binaries } from './binaries.ts'
import { codeOf } from './errors.ts'
import { giveTo, type Locations } from './locations.ts'
import type { UnixUser } from './unix-user.ts'

/** The one database user, a superuser; only the unix user of the service may connect as this one. */
export const databaseUser = 'vigencia'

const draftPrefix = 'postgres.new-'

/** The files of client authentication. They are outside the cluster, where only the service can write. */
export function authenticationFiles(locations: Locations): { hba: string; ident: string } {
  return { hba: join(locations.base, 'pg_hba.conf'), ident: join(locations.base, 'pg_ident.conf') }
}

/**
 * Makes the cluster when there is none, and writes the files of client authentication again. Call with the folder locked.
 * @param mayInit false for a restart: a service must not continue with an empty database when its own is lost.
 * @throws StartError when there is no cluster and none may be made, or when it is of another major version.
 */
export async function prepareCluster(locations: Locations, binaries: Binaries, mayInit: boolean): Promise<void> {
  await removeDrafts(locations.base)
  const found = await majorVersion(locations.cluster)
  const major = binaries.version.split('.')[0]
  if (found === undefined && !mayInit) {
    throw new StartError(`The database in ${locations.cluster} is gone. Bring it back, or start with an empty one.`)
  }
  if (found === undefined) await initialize(locations, binaries)
  else if (found !== major) {
    throw new StartError(
      `The database in ${locations.cluster} was made by PostgreSQL ${found}, and these programs are PostgreSQL ${major}. ` +
        `Start the Vigencia that made it, dump it (pg_dump), and restore it into an empty data folder.`,
    )
  }
  const { hba, ident } = authenticationFiles(locations)
  await writePublic(ident, `service "${locations.user.client.replaceAll('"', '""')}" ${databaseUser}\n`)
  await writePublic(hba, `local all ${databaseUser} peer map=service\n`)
}

/** Options of `spawn` for a program that runs as the user, with nothing of this process's environment. */
export function asUser({ become }: UnixUser): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  return { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }, ...become }
}

/** Why a program of PostgreSQL could not be started. */
export function spawnError(program: string, error: unknown): Error {
  const reason =
    codeOf(error) === 'ENOENT'
      ? 'it does not run on this system: the programs from npm need glibc, which Alpine Linux has not'
      : codeOf(error) === 'EPERM'
        ? 'this root may not become another user (the container lacks the capability SETUID)'
        : `the system answered ${codeOf(error) ?? String(error)}`
  return new StartError(
    `${program} cannot be started: ${reason}. Start in another way, or set VIGENCIA_DATABASE_URL to a PostgreSQL of yours.`,
    { cause: error },
  )
}

async function initialize(locations: Locations, binaries: Binaries): Promise<void> {
  // Renamed when it is complete: an interrupted initdb leaves only a draft, which the next start removes.
  const draft = await mkdtemp(join(locations.base, draftPrefix))
  await giveTo(locations.user, draft)
  try {
    await runInitdb(draft, locations, binaries)
    await syncFolder(draft)
    await rename(draft, locations.cluster)
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 })
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
    throw new StartError(
      `${locations.cluster} holds files, but no database that PostgreSQL knows. Move that folder away to begin with an empty database, or restore it whole.`,
      { cause: error },
    )
  }
  await syncFolder(locations.base)
}

async function runInitdb(folder: string, locations: Locations, binaries: Binaries): Promise<void> {
  const access = ['--username', databaseUser, '--auth-local=peer', '--auth-host=reject']
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const parameters = ['--pgdata', folder, ...access, ...locale, '--data-checksums', '--no-instructions']
  const child = spawn(binaries.initdb, parameters, { ...asUser(locations.user), stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-2000)))
  const [code] = (await once(child, 'close').catch((error: unknown) => {
    throw spawnError(binaries.initdb, error)
  })) as [number | null]
  if (code === 0) return
  if (output.includes('No space left on device')) {
    throw new StartError(
      `The disk that holds ${locations.base} is full: PostgreSQL could not make its database. Free some space and start again.`,
    )
  }
  throw new StartError(
    `PostgreSQL could not make its database in ${locations.base}; initdb says: ${output.trim() || `exit code ${code}`}`,
  )
}

/** An initdb whose parent was killed may still write; it gives up when its folder is removed. */
async function removeDrafts(base: string): Promise<void> {
  const drafts = (await readdir(base)).filter((name) => name.startsWith(draftPrefix))
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
