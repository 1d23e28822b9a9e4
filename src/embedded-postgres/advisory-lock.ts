import { Client } from 'pg'
import { databaseUser } from './cluster.ts'
import { FolderInUseError } from './folder-lock.ts'
import { identityOf } from './process-info.ts'
import { waitFor } from './poll.ts'

/** One number, known to every Vigencia; the lock lives in the database `postgres`, apart from the service's own. */
const lockKey = '8532478901127741505'
const titlePrefix = 'vigencia-service-'

/** Opens a session as the service's database user. */
export async function connect(socketFolder: string): Promise<Client> {
  const client = new Client({
    host: socketFolder,
    port: 5432,
    user: databaseUser,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5000,
    application_name: `${titlePrefix}${process.pid}`,
  })
  // Without a listener an error between two queries would end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * Takes the lock that decides, whatever the lock file says, which service has the folder.
 * It lives as long as the session; that of a killed service goes when PostgreSQL notices, hence the patience.
 */
export async function claim(client: Client, dataDir: string): Promise<void> {
  let holder: number | undefined
  const taken = await waitFor(3000, async () => {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${lockKey}) as taken`)
    if (rows[0]?.taken) return true
    holder = await readHolder(client)
    const lives = holder !== undefined && holder !== process.pid && (await identityOf(holder)) !== undefined
    return lives ? false : undefined
  })
  if (!taken) throw new FolderInUseError(dataDir, holder)
}

async function readHolder(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ title: string }>(
    `select a.application_name as title from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1
       and (l.classid::bigint << 32 | l.objid::bigint) = ${lockKey}`,
  )
  const pid = Number(rows[0]?.title.slice(titlePrefix.length))
  return pid > 0 ? pid : undefined
}
