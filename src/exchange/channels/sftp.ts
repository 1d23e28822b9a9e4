import { SftpError } from '#platform/core/sftp-error.ts'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { posix } from 'node:path'
import { trimEnd } from '#platform/core/trim-end.ts'
import { guardedLookup, type Resolve } from '#events/webhooks/sender.ts'
import { mayCallHost } from '#events/webhooks/ssrf-filter.ts'

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

/** An entry of a folder, as a server lists it. */
interface Entry {
  readonly filename: string
  /** A line of `ls -l`: `-` begins that of a file. */
  readonly longname: string
  readonly attrs: {
    readonly size: number
    /** In seconds. */
    readonly mtime: number
  }
}

/** The part of the client of `ssh2` below it that is used: it lists a folder part by part. */
interface Wrapper {
  opendir(path: string, done: (error: Error | undefined, handle: Buffer) => void): void
  readdir(
    handle: Buffer,
    done: (error: (Error & { code?: number }) | undefined, entries: readonly Entry[]) => void,
  ): void
  close(handle: Buffer, done: () => void): void
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
  get(path: string, target: undefined, options: object): Promise<Buffer>
  mkdir(path: string): Promise<unknown>
  end(): Promise<unknown>
  on(event: string, listener: () => void): void
  readonly sftp: Wrapper
}

const packageName = 'ssh2-sftp-client'
/** The maximum time of each call. */
const timeoutMs = 20_000
/** The maximum time of all calls on a server together. */
const maxMs = 90_000
/** The limits of a folder that is listed. */
const [maxEntries, maxListingBytes] = [10_000, 4 * 1024 * 1024]
/** What a part of a list counts beside its names; one without entries counts more, since a server may give them for ever. */
const [partBytes, emptyPartBytes] = [1024, 64 * 1024]
const endOfList = 1

/** The calls that are made on a server, each with a deadline of its own. @throws SftpError `timeout`. */
type Call = <T>(start: (client: Client) => Promise<T>) => Promise<T>

/** The error of a call: that it took too long, else the code. */
const failed = (code: string) => (error: unknown) => {
  throw error instanceof SftpError ? error : new SftpError(code)
}

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
  await withClient(server, options, async (call) => {
    const target = posix.join(folder, name)
    const found = await call((client) => client.stat(target)).catch(unlessTimeout)
    if (found !== null) {
      if (found.size !== content.length) throw new SftpError('file-differs')
      return
    }
    // Who reads the folder takes no file that is half written.
    const temporary = posix.join(folder, `.${name}.part`)
    await call((client) => client.put(content, temporary)).catch(failed('not-written'))
    await call((client) => client.rename(temporary, target)).catch(failed('not-renamed'))
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
  await withClient(server, options, async (call) => {
    let failure: unknown = null
    for (const { filename: name, longname, attrs } of await listFolder(call, folder)) {
      if (!longname.startsWith('-') || !plainName.test(name) || temporaryName.test(name)) continue
      // Servers may leave it out, or write any number of 64 bits.
      const modified = Number.isSafeInteger(attrs.mtime) ? attrs.mtime * 1_000 : 0
      const size = Number.isSafeInteger(attrs.size) ? attrs.size : Number.MAX_SAFE_INTEGER
      const path = posix.join(folder, name)
      const read = (maxBytes: number) =>
        call((client) => client.get(path, undefined, { readStreamOptions: { end: maxBytes } })).catch(
          failed('not-read'),
        )
      try {
        const subfolder = await handle({ name, size, modified, read })
        if (subfolder !== null) await move(call, { folder, subfolder, name, modified })
      } catch (error) {
        // The other files do not wait for it.
        failure ??= error
      }
    }
    if (failure !== null) throw failure
  })
}

/** null for an error of the server; a server that does not answer is not called again. */
function unlessTimeout(error: unknown): null {
  if (error instanceof SftpError) throw error
  return null
}

/** The entries of a folder. It is not read further than the bounds. @throws SftpError */
async function listFolder(call: Call, folder: string): Promise<Entry[]> {
  const handle = await call(
    ({ sftp }) =>
      new Promise<Buffer>((resolve, reject) =>
        sftp.opendir(folder, (error, opened) => (error === undefined ? resolve(opened) : reject(error))),
      ),
  ).catch(failed('not-listed'))
  const entries: Entry[] = []
  let bytes = 0
  for (;;) {
    const part = await call(({ sftp }) => readPart(sftp, handle)).catch(failed('not-listed'))
    if (part === null) break
    const base = part.length === 0 ? emptyPartBytes : partBytes
    bytes += part.reduce((sum, { filename, longname }) => sum + filename.length + longname.length, base)
    entries.push(...part)
    if (entries.length > maxEntries || bytes > maxListingBytes) throw new SftpError('listing-too-long')
  }
  await call(({ sftp }) => new Promise<void>((resolve) => sftp.close(handle, resolve)))
  return entries
}

/** null: there is no further part. */
function readPart(sftp: Wrapper, handle: Buffer): Promise<readonly Entry[] | null> {
  return new Promise((resolve, reject) =>
    sftp.readdir(handle, (error, entries) => {
      if (error === undefined) resolve(entries)
      else if (error.code === endOfList) resolve(null)
      else reject(error)
    }),
  )
}

/** A call that takes too long ends the connection. */
async function withDeadline<T>(sock: Socket, call: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new SftpError('timeout'))
    sock.destroy()
  }, timeoutMs)
  try {
    return await Promise.race([call, late.promise])
  } finally {
    clearTimeout(timer)
    // What the call says after its deadline is of no interest.
    call.catch(() => {})
  }
}

async function move(
  call: Call,
  { folder, subfolder, name, modified }: Pick<FoundFile, 'name' | 'modified'> & Record<'folder' | 'subfolder', string>,
): Promise<void> {
  const from = posix.join(folder, name)
  const target = posix.join(folder, subfolder)
  // It is there already, or the rename fails.
  await call((client) => client.mkdir(target)).catch(unlessTimeout)
  const renameTo = (last: string) => call((client) => client.rename(from, posix.join(target, last))).then(() => true)
  await renameTo(name)
    .catch(unlessTimeout)
    // Carriers use a name again.
    .then((isDone) => isDone ?? renameTo(`${modified}-${name}`))
    .catch(failed('not-renamed'))
}

async function withClient<T>(server: SftpServer, options: SftpOptions, work: (call: Call) => Promise<T>): Promise<T> {
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
    return await work((start) => withDeadline(sock, start(client)))
  } finally {
    clearTimeout(timer)
    // A server that hangs does not answer this either.
    sock.destroy()
    await client.end().catch(() => {})
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
