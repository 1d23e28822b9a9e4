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

interface SftpOptions {
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

interface ListedFile {
  /** `-`: a file. */
  readonly type: string
  readonly name: string
  readonly size: number
  readonly modifyTime: number
}

/** A file in a folder of a server. */
export interface FoundFile {
  readonly name: string
  readonly size: number
  /** As the server has it, in milliseconds. */
  readonly modified: number
  /** Its bytes, at most `maxBytes` and one. */
  readonly read: (maxBytes: number) => Promise<Buffer>
}

/** The part of `ssh2-sftp-client` that is used. */
interface Client {
  connect(options: object): Promise<unknown>
  stat(path: string): Promise<{ readonly size: number }>
  put(content: Buffer, path: string): Promise<unknown>
  rename(from: string, to: string): Promise<unknown>
  list(path: string): Promise<readonly ListedFile[]>
  get(path: string, target: undefined, options: object): Promise<Buffer>
  mkdir(path: string): Promise<unknown>
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

/** A name of the server that stays in its folder. With U+FFFD it was not UTF-8, and does not find its file. */
const plainName = /^[^./\\\p{Cc}\uFFFD][^/\\\p{Cc}\uFFFD]{0,199}$/u
/** What programs call a file that they are writing; others put a point first. */
const temporaryName = /\.(part|filepart|tmp)$/i

/**
 * Handles the files of a folder of a server, and moves each to the subfolder that `handle` returns; null: it stays.
 * @throws SftpError, or the first error of `handle`, once all files were handled.
 */
export async function takeFiles(
  server: SftpServer,
  options: SftpOptions,
  folder: string,
  handle: (file: FoundFile) => Promise<string | null>,
): Promise<void> {
  await withClient(server, options, async (client) => {
    const listed = await client.list(folder).catch(() => {
      throw new SftpError('not-listed')
    })
    let failure: unknown = null
    for (const { type, name, size, modifyTime } of listed) {
      if (type !== '-' || !plainName.test(name) || temporaryName.test(name)) continue
      // Servers may leave it out.
      const modified = Number.isSafeInteger(modifyTime) ? modifyTime : 0
      const path = posix.join(folder, name)
      const read = (maxBytes: number) =>
        client.get(path, undefined, { readStreamOptions: { end: maxBytes } }).catch(() => {
          throw new SftpError('not-read')
        })
      try {
        const subfolder = await handle({ name, size, modified, read })
        if (subfolder !== null) await move(client, { folder, subfolder, name, modified })
      } catch (error) {
        // The other files do not wait for it.
        failure ??= error
      }
    }
    if (failure !== null) throw failure
  })
}

async function move(
  client: Client,
  { folder, subfolder, name, modified }: Pick<FoundFile, 'name' | 'modified'> & Record<'folder' | 'subfolder', string>,
): Promise<void> {
  const from = posix.join(folder, name)
  const target = posix.join(folder, subfolder)
  // It is there already, or the rename fails.
  await client.mkdir(target).catch(() => {})
  await client
    .rename(from, posix.join(target, name))
    // Carriers use a name again.
    .catch(() => client.rename(from, posix.join(target, `${modified}-${name}`)))
    .catch(() => {
      throw new SftpError('not-renamed')
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
    await client
      .connect({ sock, hostVerifier, ...credentials, readyTimeout: timeoutMs, retries: 0 })
      .catch((error: unknown) => {
        if (!isKnownHost) throw new SftpError('host-key-changed')
        throw new SftpError(/auth/i.test((error as Error).message) ? 'not-authenticated' : 'connection-failed')
      })
    return await work(client)
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
