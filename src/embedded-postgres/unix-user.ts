import { readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { StartError } from '../platform/errors.ts'

/** The unix user that PostgreSQL runs as. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  /** The unix user of this process, the only one PostgreSQL lets in. */
  readonly client: string
  /** What `spawn` needs to become that user: nothing when it is this one. */
  readonly become: { uid?: number; gid?: number }
}

/** True when this process is root, whom PostgreSQL refuses. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/**
 * Chooses the unix user: this one, or, for root, the owner of what is there already, else `postgres`, else `nobody`.
 * `owners` are the user numbers that own the files, the most telling first.
 */
export async function chooseAccount(owners: number[]): Promise<Account> {
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

/** Tells whether the account may use a file or folder so (4 read, 2 write, 1 execute or walk through), its parents included. */
export async function isReachable(path: string, account: Account, bits: number): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined)
  if (!facts) return false
  const shift = facts.uid === account.uid ? 6 : facts.gid === account.gid ? 3 : 0
  if (((facts.mode >> shift) & bits) !== bits) return false
  return path === '/' || isReachable(dirname(path), account, 1)
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
