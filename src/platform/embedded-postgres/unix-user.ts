import { access, chmod, constants, lstat, mkdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { StartError } from '../core/errors.ts'
import { codeOf } from './errors.ts'

/** The unix user that PostgreSQL runs as. */
export interface UnixUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
  /** The unix user of this process, the only one that PostgreSQL accepts sessions of. */
  readonly client: string
  /** What `spawn` needs to run a program as that user: nothing when it is the one of this process. */
  readonly become: { uid?: number; gid?: number }
}

/** True when this process is root, whom PostgreSQL refuses. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/**
 * The user of this process, or, for root, the first of `owners` that is not root, else `postgres`, else `nobody`.
 * @param owners the uids that own the data, the most specific first.
 * @throws StartError on a system or for a user that PostgreSQL cannot run on.
 */
export async function chooseUser(owners: number[]): Promise<UnixUser> {
  if (!process.geteuid || !process.getegid) {
    throw new StartError(
      'The embedded PostgreSQL runs on Linux and macOS. Elsewhere set VIGENCIA_DATABASE_URL to a PostgreSQL of yours.',
    )
  }
  const client = ownName()
  if (!isRoot()) return { name: client, uid: process.geteuid(), gid: process.getegid(), client, become: {} }

  const known = await readUsers()
  const owner = owners.map((uid) => known.find((user) => user.uid === uid)).find((user) => user !== undefined)
  const named = ['postgres', '_postgres', 'nobody'].map((name) => known.find((user) => user.name === name))
  const user = owner ?? named.find((candidate) => candidate !== undefined)
  if (!user) {
    throw new StartError(
      'PostgreSQL does not run as root, and this machine has neither a user named postgres nor one named nobody. ' +
        'Make one (useradd --system postgres), start as an ordinary user, or set VIGENCIA_DATABASE_URL to a PostgreSQL of yours.',
    )
  }
  return { ...user, client, become: { uid: user.uid, gid: user.gid } }
}

/** Whether the user has these permissions (4 read, 2 write, 1 execute) on a path, and may search all its parents. */
export async function isReachable(path: string, user: UnixUser, bits: number): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined)
  if (!facts) return false
  const shift = facts.uid === user.uid ? 6 : facts.gid === user.gid ? 3 : 0
  if (((facts.mode >> shift) & bits) !== bits) return false
  return path === '/' || isReachable(dirname(path), user, 1)
}

const systemFolders = ['/var/lib/vigencia', '/var/tmp/vigencia']

/** For root: a folder that only root writes and every user may search, for the data that cannot be under a closed home. */
export async function systemFolder(): Promise<string> {
  for (const folder of systemFolders) {
    if (await isTrusted(folder)) return folder
  }
  throw new StartError(
    `Neither ${systemFolders.join(' nor ')} can be used: each must be writable, owned by root and writable by root alone. ` +
      'Mend one, or choose a data folder that the user postgres can reach with VIGENCIA_DATA_DIR.',
  )
}

/** False for a folder of that name that another user made. */
async function isTrusted(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o711 })
    await chmod(folder, 0o711)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false
  }
  const facts = await lstat(folder)
  if (!facts.isDirectory() || facts.uid !== 0 || (facts.mode & 0o022) !== 0) return false
  if ((facts.mode & 0o001) === 0) await chmod(folder, facts.mode | 0o011)
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}

function ownName(): string {
  try {
    return userInfo().username
  } catch (error) {
    throw new StartError(
      `The user number ${process.geteuid?.()} has no name in /etc/passwd, and PostgreSQL needs one. ` +
        'Start as a user with a name, or set VIGENCIA_DATABASE_URL to a PostgreSQL of yours.',
      { cause: error },
    )
  }
}

async function readUsers(): Promise<{ name: string; uid: number; gid: number }[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const users = lines.map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  return users.filter(({ uid, gid }) => uid > 0 && gid > 0)
}
