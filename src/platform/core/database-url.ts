import { StartError } from './errors.ts'

/** One server of a database URL with several. */
export interface DatabaseServer {
  /** The URL with this server alone, as `pg` reads it. */
  readonly url: string
  /** A host name, an address, or the folder of a unix socket. */
  readonly host: string
  readonly port: number
}

/** The servers of a database URL, in its order. */
export interface DatabaseServers {
  readonly list: readonly DatabaseServer[]
  /** What a server must be, as libpq's `target_session_attrs`: `read-write` accepts writes, `primary` is not in recovery. */
  readonly target: 'read-write' | 'primary'
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
  const query = search.split('&').filter((part) => part !== '')
  const valueOf = (name: string) =>
    decoded(query.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1) ?? '')
  const rest = query.filter((parameter) => !/^(host|port|target_session_attrs)=/.test(parameter))
  const named = valueOf('host') === '' ? null : valueOf('host').split(',')
  const numbered = valueOf('port') === '' ? null : valueOf('port').split(',')
  const inAuthority = authority.split(',').map((part) => /^(\[.*\]|[^:]*)(?::(\d*))?$/.exec(part) ?? [])
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
