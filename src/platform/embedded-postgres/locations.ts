import { createHash } from 'node:crypto'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { StartError } from '../core/errors.ts'
import { codeOf } from './errors.ts'
import { chooseUser, isReachable, isRoot, systemFolder, type UnixUser } from './unix-user.ts'

/** The paths of one data folder, and the unix user that owns PostgreSQL's part of them. */
export interface Locations {
  /** The configured folder, by its real path: lock, log and the files of the service. */
  readonly dataDir: string
  /** Holds the cluster: the data folder, or for root another one that the user can reach. */
  readonly base: string
  /** PostgreSQL's data directory. */
  readonly cluster: string
  readonly socketFolder: string
  readonly user: UnixUser
}

const clusterName = 'postgres'
/** In a base outside the data folder: the path of the data folder that it belongs to. */
const ownerFile = 'data-folder.txt'

// The path of a socket must fit in 103 bytes on macOS, 107 on Linux.
const maxSocketPathBytes = 103
/** The name of the socket in its folder. 5432 is only part of the name: there is no TCP port. */
export const socketName = '.s.PGSQL.5432'

/** Makes the data folder when it is absent, closed to other users, and returns its real path. */
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

/** The locations of a locked data folder. @throws StartError when the user of PostgreSQL cannot use them. */
export async function findLocations(dataDir: string): Promise<Locations> {
  const linked = await linkedBase(dataDir)
  if (linked !== undefined) await checkLink(linked, dataDir)
  const owners = [join(dataDir, clusterName), dataDir].map(
    async (path) => (await stat(path).catch(() => undefined))?.uid ?? 0,
  )
  const user = await chooseUser(await Promise.all(owners))
  const base = linked ?? (await chooseBase(dataDir, user))
  const cluster = join(base, clusterName)
  await checkOwner(cluster, user)
  return { dataDir, base, cluster, socketFolder: socketFolderOf(base), user }
}

/** The cluster of a data folder, by its real path once there is one. */
export async function clusterIn(dataDir: string): Promise<string> {
  return join((await linkedBase(dataDir)) ?? dataDir, clusterName)
}

/** The folder of the cluster where `postgres` in the data folder is a symbolic link: root's data under a closed home. */
async function linkedBase(dataDir: string): Promise<string | undefined> {
  const target = await readlink(join(dataDir, clusterName)).catch(() => undefined)
  return target === undefined ? undefined : dirname(target)
}

/** Accepts a data folder that was moved, and refuses a copy: two services must not use one database. */
async function checkLink(base: string, dataDir: string): Promise<void> {
  const link = join(dataDir, clusterName)
  if (!(await stat(base).catch(() => undefined))) {
    throw new StartError(
      `${link} is a link into ${base}, and that folder is not there. Bring it back, or remove the link to begin with an empty database.`,
    )
  }
  const file = join(base, ownerFile)
  const owner = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (owner === dataDir) return
  if (owner !== '' && (await linkedBase(owner)) === base) {
    throw new StartError(
      `${dataDir} is a copy of ${owner}, and the data in ${base} belongs to that one. ` +
        `Remove ${link} to begin with an empty database, or restore a dump into it.`,
    )
  }
  await writeFile(file, `${dataDir}\n`)
}

async function chooseBase(dataDir: string, user: UnixUser): Promise<string> {
  if (!isRoot()) return dataDir
  if (await isReachable(dirname(dataDir), user, 1)) {
    const { mode } = await stat(dataDir)
    if (!(await isReachable(dataDir, user, 1))) await chmod(dataDir, mode | 0o011)
    return dataDir
  }
  const cluster = join(dataDir, clusterName)
  if (await stat(cluster).catch(() => undefined)) {
    throw new StartError(
      `The user ${user.name}, who runs PostgreSQL for root, cannot reach ${cluster}, because a parent folder is closed. ` +
        'Open the parents for passage (chmod o+x), or move the data folder to where that user can go.',
    )
  }
  // A new name each time: after the data folder is removed, the next start must not find the old data.
  const base = await mkdtemp(join(await systemFolder(), `${shortHash(dataDir)}-`))
  await chmod(base, 0o711)
  await writeFile(join(base, ownerFile), `${dataDir}\n`)
  await symlink(join(base, clusterName), cluster)
  return base
}

async function checkOwner(cluster: string, user: UnixUser): Promise<void> {
  const facts = await stat(cluster).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!facts || facts.uid === user.uid) return
  throw new StartError(
    `The database in ${cluster} belongs to user number ${facts.uid}, and this service would run it as ${user.name}. ` +
      `Start as its owner, or give it over: chown -R ${user.name} ${cluster}`,
  )
}

function socketFolderOf(base: string): string {
  const own = join(base, 'socket')
  const fits = Buffer.byteLength(join(own, socketName)) <= maxSocketPathBytes
  return fits ? own : `/tmp/vigencia-${shortHash(base)}`
}

/** Makes the folder of the socket again, closed to all but the user. */
export async function makeSocketFolder({ socketFolder, user }: Locations): Promise<void> {
  await rm(socketFolder, { recursive: true, force: true })
  await mkdir(socketFolder, { mode: 0o700 })
  await giveTo(user, socketFolder)
}

/** Gives a folder that this process has just made to the user. */
export async function giveTo({ become }: UnixUser, folder: string): Promise<void> {
  if (become.uid !== undefined && become.gid !== undefined) await chown(folder, become.uid, become.gid)
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
