import pg from 'pg'
import { StartError } from './errors.ts'
import type { Log } from './log.ts'

/** One server of a database URL with several. */
interface Server {
  /** The URL with this server alone, as `pg` reads it. */
  readonly url: string
  /** A host name, an address, or the folder of a unix socket. */
  readonly host: string
  readonly port: number
}

/** The servers of a database URL, in its order. */
export interface DatabaseServers {
  readonly list: readonly Server[]
  /** What a server must be, as libpq's `target_session_attrs`: `read-write` accepts writes, `primary` is not in recovery. */
  readonly target: 'read-write' | 'primary'
}

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
 * Reads a URL in libpq's syntax, `postgres://user@host1:5432,host2:5432/db?target_session_attrs=read-write`; the hosts may also be in
 * the query (`?host=a,b&port=1,2`). Several hosts without `target_session_attrs` mean `read-write`, since the service always writes.
 * @returns null for one host without `target_session_attrs`, or with `any`: `pg` connects to it without a check.
 * @throws StartError for lists that do not match, and for another `target_session_attrs`.
 */
export function parseServers(url: string): DatabaseServers | null {
  const [, start = '', authority = '', path = '', search = ''] =
    /^([a-z]+:\/\/(?:[^/?]*@)?)([^/?]*)([^?]*)\??(.*)$/s.exec(url) ?? []
  const query = search.split('&').filter((one) => one !== '')
  const valueOf = (name: string) =>
    decoded(query.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? '')
  const rest = query.filter((one) => !/^(host|port|target_session_attrs)=/.test(one))
  const named = valueOf('host') === '' ? null : valueOf('host').split(',')
  const numbered = valueOf('port') === '' ? null : valueOf('port').split(',')
  const inAuthority = authority.split(',').map((one) => /^(\[.*\]|[^:]*)(?::(\d*))?$/.exec(one) ?? [])
  const hosts = (named ?? inAuthority.map(([, host = '']) => decoded(host))).map(withoutBrackets)
  const ports = numbered ?? (named === null ? inAuthority.map(([, , port = '']) => port) : [''])
  if (ports.length !== 1 && ports.length !== hosts.length) {
    throw new StartError(
      `VIGENCIA_DATABASE_URL has ${hosts.length} hosts and ${ports.length} ports: one port, or one for each host.`,
    )
  }
  const target = targetOf(valueOf('target_session_attrs'), hosts.length)
  if (target === null) return null
  const list = hosts.map((host, index) => {
    const port = ports[ports.length === 1 ? 0 : index] || '5432'
    if (host === '' || !/^\d{1,5}$/.test(port)) {
      throw new StartError('VIGENCIA_DATABASE_URL has a host without a name, or a port that is not a number.')
    }
    const address = [`host=${encodeURIComponent(host)}`, `port=${port}`]
    return { url: `${start}localhost${path}?${[...address, ...rest].join('&')}`, host, port: Number(port) }
  })
  return { list, target }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

function targetOf(text: string, hosts: number): DatabaseServers['target'] | null {
  if (text === 'read-write' || text === 'primary') return text
  if (hosts === 1 && (text === '' || text === 'any')) return null
  if (text === '') return 'read-write'
  throw new StartError(
    `target_session_attrs of VIGENCIA_DATABASE_URL must be read-write or primary: the service writes. It is ${JSON.stringify(text)}.`,
  )
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
  let last: Server | undefined
  let searching: Promise<Server> | null = null

  async function search(): Promise<Server> {
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
  server: Server,
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

function nameOf({ host, port }: Server): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
