import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { putFile, type SftpServer, takeFiles } from '#exchange/channels/sftp.ts'
import { type SftpTestServer, startSftpServer } from './sftp-server.ts'

let server: SftpTestServer
beforeAll(async () => {
  server = await startSftpServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.files.clear()
  server.listed.clear()
  server.isEndless = false
  server.written.length = 0
})

const file = { name: '900001-3.csv', content: Buffer.from('a;b\r\n'.repeat(20_000)) }
const options = { allowPrivate: true }
const account = (more: Partial<SftpServer> = {}): SftpServer => ({
  host: '127.0.0.1',
  port: server.port,
  user: 'serra-azul',
  hostKey: server.hostKey,
  password: 'senha',
  privateKey: null,
  ...more,
})
const errorOf = (more: Partial<SftpServer>, given = options) =>
  putFile(account(more), given, '/out', file).then(
    () => null,
    (error: { code: string }) => error.code,
  )

test('a file is written under another name, and then has its own', async () => {
  await putFile(account(), options, '/out', file)
  expect([...server.files]).toEqual([['/out/900001-3.csv', file.content]])
  expect(server.written).toEqual(['/out/.900001-3.csv.part'])
})

test('a file that is there already is not put again; another one of its name is an error', async () => {
  await putFile(account(), options, '/out', file)
  await putFile(account(), options, '/out', file)
  expect(server.written).toHaveLength(1)
  server.files.set('/out/900001-3.csv', Buffer.from('x'))
  expect(await errorOf({})).toBe('file-differs')
})

test('a server with another key gets neither the password nor a file', async () => {
  const before = server.sessions
  expect(await errorOf({ hostKey: 'SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDeGNh1S0bHWPHvpS4' })).toBe('host-key-changed')
  expect([server.sessions, server.written]).toEqual([before, []])
})

test('addresses that are not public are not called, given or looked up', async () => {
  const isPublic = { allowPrivate: false }
  expect(await errorOf({}, isPublic)).toBe('private-address')
  expect(await errorOf({ host: 'localhost' }, isPublic)).toBe('private-address')
  const resolve = () => Promise.resolve(['127.0.0.1'])
  expect(await errorOf({ host: 'sftp.aurora.example' }, { ...isPublic, resolve } as typeof options)).toBe(
    'private-address',
  )
})

test.each([
  ['not-authenticated', { password: 'errada' }],
  ['connection-refused', { port: 1 }],
])('what goes wrong has the code %s', async (code, more) => {
  expect(await errorOf(more)).toBe(code)
  expect(server.written).toEqual([])
})

/** Looks into a folder. @returns the sizes of its files, or the code of the error. */
const sizesOf = async (folder: string): Promise<unknown> => {
  const sizes: number[] = []
  const look = async ({ size }: { readonly size: number }) => {
    sizes.push(size)
    return null
  }
  return takeFiles(account(), options, folder, look).then(
    () => sizes,
    (error: { code: string }) => error.code,
  )
}

test.each([
  ['the same files again', 200],
  ['nothing', 0],
])('a list without an end, each part of which has %s, is not read further than its bounds', async (_, count) => {
  for (let n = 0; n < count; n += 1) server.files.set(`/in/${n}.csv`, Buffer.alloc(0))
  server.isEndless = true
  expect(await sizesOf('/in')).toBe('listing-too-long')
  server.isEndless = false
  expect(await sizesOf('/in')).toHaveLength(count)
})

test('a size that no number has is larger than any limit', async () => {
  server.files.set('/in/a.csv', Buffer.from('a'))
  server.listed.set('/in/a.csv', { size: 2 ** 63 })
  expect(await sizesOf('/in')).toEqual([Number.MAX_SAFE_INTEGER])
})
