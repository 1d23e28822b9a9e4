import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { StartError } from '../platform/errors.ts'
import { chooseAccount, isReachable, isRoot, type Account } from './unix-user.ts'
import { codeOf } from './errors.ts'
import { systemFolder } from './system-folder.ts'

/** Where the things of one data folder are, and who owns PostgreSQL's part of them. */
export interface Locations {
  /** The folder that was asked for, by its real path: lock, log, and whatever the service keeps for itself. */
  readonly dataDir: string
  /** Holds the cluster: the data folder itself, or for root another one that the account can reach. */
  readonly base: string
  /** PostgreSQL's own data directory. */
  readonly cluster: string
  readonly account: Account
}

/** The file in the data folder that tells where root's PostgreSQL keeps its data, when that is not here. */
export const recordName = 'postgres.location'
/** The file there that tells whose data it is. */
const noteName = 'data-folder.txt'

// A socket's path must fit in 103 bytes on macOS, 107 on Linux.
const longestSocketPath = 103
const shortPrefix = 'vigencia-'
/** The end of a socket's path; 5432 only names the file, nothing listens on a port. */
export const socketName = '.s.PGSQL.5432'

/** Makes the data folder when it is absent, closed to all others, and returns its real path. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir)
  await mkdir(dirname(path), { recursive: true })
  try {
    await mkdir(path, { mode: 0o700 })
    await chmod(path, 0o700)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
  return realpath(path)
}

/** Finds where the cluster is or shall be, and which user runs it. Call with the folder locked. */
export async function findLocations(dataDir: string): Promise<Locations> {
  const record = await readRecord(dataDir)
  if (record !== '' && !(await stat(record).catch(() => undefined))) {
    throw new StartError(
      `${join(dataDir, recordName)} says that the data is in ${record}, and that folder is not there. ` +
        'Bring it back, or remove that file to begin with an empty database.',
    )
  }
  if (record !== '') await checkRecord(record, dataDir)
  const existing = record === '' ? dataDir : record
  const owners = [join(existing, 'postgres'), dataDir].map(
    async (path) => (await stat(path).catch(() => undefined))?.uid ?? 0,
  )
  const account = await chooseAccount(await Promise.all(owners))
  const base = record === '' ? await chooseBase(dataDir, account) : record
  const cluster = join(base, 'postgres')
  await checkOwner(cluster, account)
  return { dataDir, base, cluster, account }
}

/** A copy of a data folder must not lead two services to one database; a moved one is noted. */
async function checkRecord(base: string, dataDir: string): Promise<void> {
  const note = join(base, noteName)
  const noted = (await readFile(note, 'utf8').catch(() => '')).trim()
  if (noted === dataDir) return
  if (noted !== '' && (await readRecord(noted)) === base) {
    throw new StartError(
      `${dataDir} is a copy of ${noted}, and the data in ${base} belongs to that one. ` +
        `Remove ${join(dataDir, recordName)} to begin with an empty database, or restore a dump into it.`,
    )
  }
  await writeFile(note, `${dataDir}\n`)
}

/** Where the cluster of a data folder is, or would be. */
export async function clusterIn(dataDir: string): Promise<string> {
  return join((await readRecord(dataDir)) || dataDir, 'postgres')
}

async function readRecord(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, recordName), 'utf8').catch(() => '')).trim()
}

/**
 * A folder of the account's own for the socket, closed to all others.
 * @param again the one that this service's server had before: made anew at the same path, so that the address stays.
 */
export async function makeSocketFolder(place: Locations, again?: string): Promise<string> {
  const own = join(place.base, 'socket')
  if (fits(own)) {
    await rm(own, { recursive: true, force: true })
    await mkdir(own, { mode: 0o700 })
    return chowned(own, place.account)
  }
  if (again !== undefined) {
    await removeSocketFolder(again, place.account)
    await mkdir(again, { mode: 0o700 })
    return chowned(again, place.account)
  }
  for (const parent of [await realpath(tmpdir()).catch(() => '/tmp'), '/tmp', '/var/tmp']) {
    if (!fits(join(parent, `${shortPrefix}XXXXXX`)) || !(await isReachable(parent, place.account, 1))) continue
    const folder = await mkdtemp(join(parent, shortPrefix)).catch(() => undefined)
    if (folder) return chowned(folder, place.account)
  }
  throw new StartError(
    `The path ${own} is too long for a socket, and no folder for temporary files can be written. Choose a shorter VIGENCIA_DATA_DIR.`,
  )
}

/** Removes a socket folder that stands outside the data folder; nothing else that may bear such a path. */
export async function removeSocketFolder(folder: string, account: Account): Promise<void> {
  const facts = await lstat(folder).catch(() => undefined)
  if (!facts?.isDirectory() || facts.uid !== account.uid || !basename(folder).startsWith(shortPrefix)) return
  const names = await readdir(folder)
  if (names.every((name) => name.startsWith(socketName))) await rm(folder, { recursive: true, force: true })
}

/** Gives a folder that this process has just made to the account. */
export async function chowned(folder: string, account: Account): Promise<string> {
  if (account.become.uid !== undefined) await chown(folder, account.uid, account.gid)
  return folder
}

async function chooseBase(dataDir: string, account: Account): Promise<string> {
  if (!isRoot()) return dataDir
  if (await isReachable(dirname(dataDir), account, 1)) {
    const { mode } = await stat(dataDir)
    if (!(await isReachable(dataDir, account, 1))) await chmod(dataDir, mode | 0o011)
    return dataDir
  }
  if (await stat(join(dataDir, 'postgres')).catch(() => undefined)) {
    throw new StartError(
      `The user ${account.name}, who runs PostgreSQL for root, cannot reach ${join(dataDir, 'postgres')}, because a parent folder is closed. ` +
        'Open the parents for passage (chmod o+x), or move the data folder to where that user can go.',
    )
  }
  // A new name each time: who removes the data folder to begin anew must not meet the old data again.
  const base = await mkdtemp(join(await systemFolder(), `${shortHash(dataDir)}-`))
  await chmod(base, 0o711)
  await writeFile(join(base, noteName), `${dataDir}\n`)
  await writeFile(join(dataDir, recordName), `${base}\n`)
  return base
}

async function checkOwner(cluster: string, account: Account): Promise<void> {
  const facts = await stat(cluster).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!facts || facts.uid === account.uid) return
  throw new StartError(
    `The database in ${cluster} belongs to user number ${facts.uid}, and this service would run it as ${account.name}. ` +
      `Start as its owner, or give it over: chown -R ${account.name} ${cluster}`,
  )
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, socketName)) <= longestSocketPath
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
