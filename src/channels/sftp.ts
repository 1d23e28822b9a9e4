import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { posix } from 'node:path'
import { trimEnd } from '../core/trim-end.ts'
import { guardedLookup, type Resolve } from '../webhooks/sender.ts'
import { mayCallHost } from '../webhooks/ssrf-filter.ts'

/** The server of a carrier. */
export interface SftpServer {
  readonly host: string
  readonly port: number
  readonly user: string
  /** The fingerprint of its key, as `ssh-keygen -l` prints it: `SHA256:...`. */
  readonly hostKey: string
  readonly password: string | null
  readonly privateKey: string | null
}

export interface SftpOptions {
  /** Allows addresses that are not public, except link-local ones and metadata services. */
  readonly allowPrivate: boolean
  /** Default: a DNS query. */
  readonly resolve?: Resolve
}

/** What went wrong, as a code of the service. */
export class SftpError extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** The part of `ssh2-sftp-client` that is used. */
interface Client {
  connect(options: object): Promise<unknown>
  stat(path: string): Promise<{ readonly size: number }>
  put(content: Buffer, path: string): Promise<unknown>
  rename(from: string, to: string): Promise<unknown>
  end(): Promise<unknown>
  on(event: string, listener: () => void): void
}

const packageName = 'ssh2-sftp-client'
const timeoutMs = 20_000
/** Of all that is done on a server. */
const maxMs = 90_000

/** The package is optional: it is loaded when it is needed. @throws SftpError `package-missing`. */
export async function loadClient(): Promise<new () => Client> {
  try {
    return ((await import(packageName)) as { default: new () => Client }).default
  } catch {
    throw new SftpError('package-missing')
  }
}

/**
 * Puts a file into a folder of a server, complete or not at all. A file with this name and size is there already: nothing is done.
 * @throws SftpError
 */
export async function putFile(
  server: SftpServer,
  options: SftpOptions,
  folder: string,
  { name, content }: { readonly name: string; readonly content: Buffer },
): Promise<void> {
  await withClient(server, options, async (client) => {
    const target = posix.join(folder, name)
    const found = await client.stat(target).catch(() => null)
    if (found !== null) {
      if (found.size !== content.length) throw new SftpError('file-differs')
      return
    }
    // Who reads the folder takes no file that is half written.
    const temporary = posix.join(folder, `.${name}.part`)
    await client.put(content, temporary).catch(() => {
      throw new SftpError('not-written')
    })
    await client.rename(temporary, target).catch(() => {
      throw new SftpError('not-renamed')
    })
  })
}

async function withClient<T>(
  server: SftpServer,
  options: SftpOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new (await loadClient())()
  // Errors are those of the calls.
  for (const event of ['error', 'end', 'close']) client.on(event, () => {})
  const sock = await openSocket(server, options)
  let isKnownHost = true
  const hostVerifier = (key: Buffer) => {
    isKnownHost = `SHA256:${trimEnd(createHash('sha256').update(key).digest('base64'), '=')}` === server.hostKey
    return isKnownHost
  }
  const { user: username, password, privateKey } = server
  const credentials = {
    username,
    ...(password === null ? {} : { password }),
    ...(privateKey === null ? {} : { privateKey }),
  }
  // A server that answers no more.
  const timer = setTimeout(() => sock.destroy(), maxMs)
  try {
    await client.connect({ sock, hostVerifier, ...credentials, readyTimeout: timeoutMs, retries: 0 })
    return await work(client)
  } catch (error) {
    if (!isKnownHost) throw new SftpError('host-key-changed')
    if (error instanceof SftpError) throw error
    throw new SftpError(/auth/i.test((error as Error).message) ? 'not-authenticated' : 'connection-failed')
  } finally {
    clearTimeout(timer)
    await client.end().catch(() => {})
    sock.destroy()
  }
}

/** The address is checked after the name is resolved, as for webhooks. */
async function openSocket({ host, port }: SftpServer, { allowPrivate, resolve }: SftpOptions): Promise<Socket> {
  // An address that is given is not looked up.
  if (!mayCallHost(host, allowPrivate)) throw new SftpError('private-address')
  const socket = connect({ host, port, lookup: guardedLookup(resolve, allowPrivate) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    socket.destroy()
    throw new SftpError(codeOfConnection(error as NodeJS.ErrnoException))
  }
  socket.on('error', () => {})
  return socket
}

function codeOfConnection(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRNOTALLOWED') return 'private-address'
  if (error.name === 'AbortError') return 'timeout'
  return error.code === 'ECONNREFUSED' ? 'connection-refused' : 'connection-failed'
}
