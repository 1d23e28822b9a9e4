import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { clearPrograms, startProgram } from '../crash/program.ts'
import { openTestApp, send, type TestApp, until } from '../world/test-app.ts'

const mebibyte = 1024 * 1024

let testApp: TestApp | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await clearPrograms()
  await testApp?.close()
})

/** Opens connections that send these bytes, and no more. */
async function hold(url: string, count: number, ...parts: readonly (string | Buffer)[]): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
      // A refused body breaks its connection.
      socket.on('error', () => {}).resume()
      for (const part of parts) socket.write(part)
      return socket
    }),
  )
}

test('beside 1,000 connections that send their headers slowly, other requests get their responses; later they are closed', async () => {
  testApp = await openTestApp()
  const partner = await testApp.partner((await testApp.company()).taxId)
  const slow = await hold(testApp.url, 1_000, 'GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  const closed = slow.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (let n = 0; n < 100; n += 1) expect((await partner.get('/v1/company')).status).toBe(200)
  expect(slow.filter(({ closed: isClosed }) => isClosed)).toEqual([])
  // Headers have a minute.
  await Promise.all(closed)
})

test('bodies of 16 MiB of 50 clients at once take a bounded memory, and other requests get their responses', async () => {
  const app = (testApp = await openTestApp())
  const company = await app.company()
  const clients = await Promise.all(Array.from({ length: 50 }, () => app.partner(company.taxId)))
  const program = await startProgram({
    VIGENCIA_DATABASE_URL: app.databaseUrl,
    VIGENCIA_MASTER_KEY: app.masterKey,
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_DATA_DIR: app.dataDir,
    VIGENCIA_ROLE: 'api',
  })
  const residentMebibytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1]) / 1024
  const before = residentMebibytes()
  const almost = Buffer.alloc(16 * mebibyte - 1, ' ')
  for (const client of clients) {
    await hold(
      program.url,
      1,
      `POST /v1/enrollment/inclusion HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${almost.length + 1}\r\n\r\n`,
      almost,
    )
  }
  // Those that are accepted have sent all but the last byte; the others were refused, and their connections take no more.
  await until(
    async () => sockets.filter(({ writableLength, destroyed }) => writableLength > 0 && !destroyed).length,
    (pending) => pending === 0,
  )
  const health = await send(`${program.url}/v1/company`, 'GET', { token: clients[0]?.token ?? null })
  expect([200, 503]).toContain(health.status)
  expect(residentMebibytes() - before).toBeLessThan(900)
  for (const socket of sockets) socket.destroy()
  const after = await until(
    () => send(`${program.url}/v1/company`, 'GET', { token: clients[0]?.token ?? null }),
    ({ status }) => status === 200,
  )
  expect(after.status).toBe(200)
})
