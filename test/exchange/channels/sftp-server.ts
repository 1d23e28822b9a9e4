/* A server of SFTP on loopback, with files in memory. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { posix } from 'node:path'
import type { AddressInfo, Server as NetServer } from 'node:net'

export interface SftpTestServer {
  readonly port: number
  /** The fingerprint of its key. */
  readonly hostKey: string
  /** By path. */
  readonly files: Map<string, Buffer>
  /** What its lists say otherwise than `files`, by path; a time in seconds. */
  readonly listed: Map<string, Partial<Listed>>
  /** Paths that were opened for writing. */
  readonly written: string[]
  /** Paths of the calls that read. */
  readonly reads: string[]
  /** How many clients have authenticated. */
  readonly sessions: number
  /** Awaited before and after a rename, which is answered then. */
  onRename: (moment: 'before' | 'after') => Promise<void> | void
  /** Awaited before a block of a file is given. */
  onRead: (path: string) => Promise<void> | void
  /** Whether its lists have no end: each part has the files again, or nothing. */
  isEndless: boolean
  /** Awaited before a part of a list is given. */
  onList: () => Promise<void> | void
  close(): Promise<void>
}

interface Listed {
  readonly name: string
  /** The first character of the line that the server shows of it. */
  readonly type: string
  readonly size: number
  readonly mtime: number | undefined
}

type Json = any // oxlint-disable-line typescript/no-explicit-any -- the package has no types
// Without types: it is imported by its name.
const name: string = 'ssh2'
const { Server, utils } = (await import(name)).default
const { OPEN_MODE, STATUS_CODE } = utils.sftp
const credentials = { user: 'serra-azul', password: 'senha' }

export async function startSftpServer(): Promise<SftpTestServer> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string
  const publicKey = utils.parseKey(key).getPublicSSH() as Buffer
  const state: Pick<SftpTestServer, 'onRename' | 'onRead' | 'onList' | 'isEndless'> & { sessions: number } = {
    sessions: 0,
    isEndless: false,
    onRename: () => {},
    onRead: () => {},
    onList: () => {},
  }
  const files = new Map<string, Buffer>()
  const listed = new Map<string, Partial<Listed>>()
  const written: string[] = []
  const reads: string[] = []
  const server = new Server({ hostKeys: [key] }, (client: Json) => {
    client.on('error', () => {})
    client.on('authentication', (context: Json) => {
      const isRight = context.username === credentials.user && context.password === credentials.password
      if (context.method === 'password' && isRight) context.accept()
      else context.reject(['password'])
    })
    client.on('ready', () => {
      state.sessions += 1
      client.on('session', (accept: () => Json) => {
        accept().on('sftp', (acceptSftp: () => Json) => serve(acceptSftp(), { files, listed, written, reads }, state))
      })
    })
  }) as NetServer
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    hostKey: `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`,
    files,
    listed,
    written,
    reads,
    get sessions() {
      return state.sessions
    },
    set onRename(value: SftpTestServer['onRename']) {
      state.onRename = value
    },
    set onRead(value: SftpTestServer['onRead']) {
      state.onRead = value
    },
    get isEndless() {
      return state.isEndless
    },
    set isEndless(value: boolean) {
      state.isEndless = value
    },
    set onList(value: SftpTestServer['onList']) {
      state.onList = value
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const attributes = (file: Buffer) => ({ mode: 0o100644, uid: 0, gid: 0, size: file.length, atime: 0, mtime: 0 })

function serve(
  sftp: Json,
  { files, listed, written, reads }: Pick<SftpTestServer, 'files' | 'listed' | 'written' | 'reads'>,
  state: Pick<SftpTestServer, 'onRename' | 'onRead' | 'onList' | 'isEndless'>,
): void {
  const handles: string[] = []
  const status = (id: number, isFound: boolean) => sftp.status(id, isFound ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE)
  const stat = (id: number, path: string) => {
    const file = files.get(path)
    if (file === undefined) status(id, false)
    else sftp.attrs(id, attributes(file))
  }
  sftp.on('STAT', stat).on('LSTAT', stat)
  sftp.on('REALPATH', (id: number, path: string) => sftp.name(id, [{ filename: path, longname: path, attrs: {} }]))
  sftp.on('OPEN', (id: number, path: string, flags: number) => {
    if (flags & OPEN_MODE.WRITE) {
      files.set(path, Buffer.alloc(0))
      written.push(path)
    }
    if (files.has(path)) sftp.handle(id, Buffer.of(handles.push(path) - 1))
    else status(id, false)
  })
  sftp.on('READ', async (id: number, handle: Buffer, offset: number, length: number) => {
    const path = handles[handle[0] ?? 0] ?? ''
    await state.onRead(path)
    const data = files.get(path)?.subarray(offset, offset + length)
    reads.push(path)
    if (data === undefined || data.length === 0) sftp.status(id, STATUS_CODE.EOF)
    else sftp.data(id, data)
  })
  sftp.on('MKDIR', (id: number) => status(id, true))
  const ended = new Set<number>()
  sftp.on('OPENDIR', (id: number, path: string) => sftp.handle(id, Buffer.of(handles.push(path) - 1)))
  sftp.on('READDIR', async (id: number, handle: Buffer) => {
    const number = handle[0] ?? 0
    await state.onList()
    if (ended.has(number) && !state.isEndless) {
      sftp.status(id, STATUS_CODE.EOF)
      return
    }
    ended.add(number)
    const found = [...files].filter(([path]) => posix.dirname(path) === handles[number])
    sftp.name(
      id,
      found.map(([path, file]) => {
        const one = { name: posix.basename(path), type: '-', size: file.length, mtime: 0, ...listed.get(path) }
        const { name: filename, type, size, mtime } = one
        return {
          filename,
          longname: `${type}rw-r--r-- 1 0 0 ${size} ${filename}`,
          attrs: { ...attributes(file), size, mtime },
        }
      }),
    )
  })
  sftp.on('WRITE', (id: number, handle: Buffer, offset: number, data: Buffer) => {
    const path = handles[handle[0] ?? 0] ?? ''
    const file = Buffer.alloc(Math.max(files.get(path)?.length ?? 0, offset + data.length))
    files.get(path)?.copy(file)
    data.copy(file, offset)
    files.set(path, file)
    status(id, true)
  })
  sftp.on('FSETSTAT', (id: number) => status(id, true)).on('SETSTAT', (id: number) => status(id, true))
  sftp.on('CLOSE', (id: number) => status(id, true))
  sftp.on('RENAME', async (id: number, from: string, to: string) => {
    await state.onRename('before')
    const file = files.get(from)
    if (file !== undefined) files.set(to, file)
    const isFound = files.delete(from)
    await state.onRename('after')
    status(id, isFound)
  })
}
