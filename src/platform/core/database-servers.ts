import pg from 'pg'
import type { DatabaseServer, DatabaseServers } from './database-url.ts'
import type { Log } from './log.ts'

/** What a server that is not the target says of itself. */
const refusals = { 'read-write': 'read-only', primary: 'in recovery' }

/** Whether a server is the target. */
const checks = {
  'read-write': "select current_setting('transaction_read_only') = 'off' as ok",
  primary: 'select not pg_is_in_recovery() as ok',
}

/** No server of the URL can be used: those that were tried, with the reason of each. It has no password. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError'

  constructor(reasons: readonly string[]) {
    super(`no server of the database can be used: ${reasons.join('; ')}`)
  }
}

/**
 * The client of `pg` for these servers: before each connection it looks for the one that is the target, the last good one first and the
 * others in order. So a pool finds the new primary by itself. A host that does not respond costs its share of `timeoutMs`.
 * @param settings how to connect, without the server.
 * @throws NoServerError from `connect`; the error of the server when it refuses the user or has no such database, as libpq does.
 */
export function clientOf(
  { list, target }: DatabaseServers,
  settings: pg.ClientConfig,
  timeoutMs: number,
  log: Log,
): typeof pg.Client {
  let last: DatabaseServer | undefined
  let searching: Promise<DatabaseServer> | null = null

  async function search(): Promise<DatabaseServer> {
    const reasons: string[] = []
    for (const server of [...list].sort((a, b) => Number(b === last) - Number(a === last))) {
      const reason = await whyNot(server, target, { ...settings, connectionTimeoutMillis: timeoutMs / list.length })
      if (reason === null) {
        if (last !== undefined && last !== server)
          log.warn({ server: nameOf(server) }, 'another database server is used')
        last = server
        return server
      }
      reasons.push(`${nameOf(server)} (${reason})`)
    }
    throw new NoServerError(reasons)
  }

  return class extends pg.Client {
    override connect(): Promise<this>
    override connect(onEnd: (error: Error) => void): void
    override connect(onEnd?: (error: Error) => void): Promise<this> | undefined {
      // Connections that a pool opens at the same time share one search.
      searching ??= search().finally(() => (searching = null))
      const found = searching.then(({ host, port }) => Object.assign(this, { host, port }))
      if (onEnd === undefined) return found.then(() => super.connect() as unknown as Promise<this>)
      found.then(() => super.connect(onEnd), onEnd)
      return undefined
    }
  }
}

/** Why the server cannot be used now; null when it is the target. */
async function whyNot(
  server: DatabaseServer,
  target: DatabaseServers['target'],
  settings: pg.ClientConfig,
): Promise<string | null> {
  const client = new pg.Client({ ...settings, connectionString: server.url })
  // Without a listener, a connection that breaks between two statements would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const check = { text: checks[target], query_timeout: settings.connectionTimeoutMillis }
    const { rows } = await client.query<{ ok: boolean }>(check)
    return rows[0]?.ok === true ? null : refusals[target]
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // Another server would refuse the user too, and the reason must be seen.
    if (/^(28|3D)/.test(code ?? '') || message.startsWith('SASL'))
      throw Object.assign(error as Error, { server: nameOf(server) })
    return message === '' ? (code ?? 'unreachable') : message
  } finally {
    // Not awaited: a server that does not respond does not close either.
    client.end().catch(() => {})
  }
}

function nameOf({ host, port }: DatabaseServer): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
