import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Client as Database } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Limits } from '#platform/core/limits.ts'
import { recordCode } from '../../world/conformance.ts'
import { type Client, type Company, type TestApp, openTestApp, primary, until } from '../../world/test-app.ts'
import { downloadPath, putFile, putInvoice } from '../../world/invoice.ts'
import { newSlot, pdf, pdfOf, putRaw, upload } from '../../world/upload.ts'

const mebibyte = 1024 * 1024
const inclusion = '/v1/enrollment/inclusion'
const json = { 'content-type': 'application/json' }

let testApp: TestApp
let company: Company
let first: Client
let second: Client
const sockets = new Set<Socket>()

async function open(limits: Partial<Limits>): Promise<void> {
  testApp = await openTestApp({}, { limits })
  company = await testApp.company()
  first = await testApp.partner(company.taxId)
  second = await testApp.partner(company.taxId)
}

async function close(): Promise<void> {
  for (const socket of sockets) socket.destroy()
  await testApp?.close()
}

interface Sent {
  readonly socket: Socket
  /** What came back so far. */
  text(): string
  /** Resolves with the status line and all that follows, once the connection is closed. */
  readonly closed: Promise<string>
}

/** Opens a connection and writes these bytes, and no more. */
function write(bytes: string | Buffer, localAddress?: string): Sent {
  const { hostname: host, port } = new URL(testApp.url)
  const socket = connect({ port: Number(port), host, ...(localAddress !== undefined && { localAddress }) })
  sockets.add(socket)
  const received: Buffer[] = []
  const text = () => Buffer.concat(received).toString()
  socket.on('error', () => {}).on('data', (chunk) => received.push(chunk))
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text())))
  socket.write(bytes)
  return { socket, text, closed }
}

const head = (client: Client | null, method: string, path: string, ...lines: string[]) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    ...(client === null ? [] : [`authorization: Bearer ${client.token}`]),
    ...lines,
    '',
    '',
  ].join('\r\n')

/** A call whose body lacks its last bytes. */
const halfSent = (client: Client | null, path: string, length: number, from?: string) =>
  write(head(client, 'POST', path, 'content-type: application/json', `content-length: ${length}`) + '{', from)

/** Resolves once all of these connections are open, and what was written to them was sent. */
const allSent = (calls: readonly Sent[]) =>
  until(async () => calls.every(({ socket }) => !socket.connecting && socket.writableLength === 0), Boolean)

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])

const include = (client: Client, headers: Record<string, string> = {}) =>
  client.post(`${inclusion}?dry-run=true`, { 'company-tax-id': company.taxId, members: [primary()] }, headers)

/** A body of more than what is read without a permit. */
const large = (client: Client, bytes = mebibyte / 4) =>
  client.post(
    `${inclusion}?dry-run=true`,
    JSON.stringify({ 'company-tax-id': company.taxId, members: [primary()] }).padEnd(bytes),
  )

/** What came back on the connections of calls that wait: nothing. */
const noResponse = (calls: readonly Sent[]) => expect(calls.map((call) => call.text())).toEqual(calls.map(() => ''))

describe('a client that is alone has all of a limit; its further calls wait, while another is served at once', () => {
  beforeAll(() => open({ downloads: 8, uploads: 8, bodyBytes: 8 * mebibyte, streams: 4 }))
  afterAll(close)

  test('of downloads: unread ones', async () => {
    const invoice = await putInvoice(testApp, company)
    const path = downloadPath(invoice, await putFile(testApp, invoice, { bytes: pdfOf(30 * mebibyte) }))
    const unread = (client: Client) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { authorization: `Bearer ${client.token}` }
        request(testApp.url + path, { headers, agent: false }, resolve)
          .on('error', reject)
          .end()
      })
    const held = await Promise.all(Array.from({ length: 8 }, () => unread(first)))
    expect(held.map(({ statusCode }) => statusCode)).toEqual(held.map(() => 200))
    const next = unread(first)
    expect((await buffer(await unread(second))).length).toBe(30 * mebibyte)
    for (const response of held) response.on('error', () => {})
    held[0]?.destroy()
    expect((await buffer(await next)).length).toBe(30 * mebibyte)
    for (const response of held) response.destroy()
  })

  test('of uploads: half-sent ones', async () => {
    const slots = []
    for (let n = 0; n < 9; n += 1) slots.push(await newSlot(first))
    const half = slots.slice(0, 8).map(({ url }) => {
      const { pathname, search } = new URL(url)
      return write(head(null, 'PUT', pathname + search, 'content-length: 1000') + pdf.toString())
    })
    await until(
      () => testApp.sql('select key from orphan_file'),
      (rows) => rows.length === 8,
    )
    const next = putRaw(slots[8]!, pdf)
    expect(await upload(second)).toMatch(/^[0-9a-f-]{36}$/)
    noResponse(half)
    half[0]?.socket.destroy()
    expect((await next).status).toBe(200)
    for (const { socket } of half) socket.destroy()
  })

  test('of whole lists: eight at once', async () => {
    const lists = await Promise.all(Array.from({ length: 8 }, () => first.get('/v1/member')))
    expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200))
  })

  test('of the bytes of bodies, by their declared length', async () => {
    const half = Array.from({ length: 6 }, () => halfSent(first, inclusion, 1.5 * mebibyte))
    expect((await include(second)).status).toBe(200)
    noResponse(half)
    const next = large(first)
    for (const { socket } of half) socket.destroy()
    expect((await next).status).toBe(200)
  })

  test('of the bytes of bodies without a length, which count as the largest', async () => {
    const chunked = head(first, 'POST', inclusion, 'content-type: application/json', 'transfer-encoding: chunked')
    const half = [write(chunked + '1\r\n{\r\n'), write(chunked + '1\r\n{\r\n')]
    expect((await include(second)).status).toBe(200)
    noResponse(half)
    const next = large(first)
    for (const { socket } of half) socket.destroy()
    expect((await next).status).toBe(200)
  })

  test('of the bytes of bodies without a length: many whole ones', async () => {
    const chunked = head(
      first,
      'POST',
      `${inclusion}?dry-run=true`,
      'content-type: application/json',
      'transfer-encoding: chunked',
      'connection: close',
    )
    const whole = Array.from({ length: 6 }, () => write(`${chunked}2\r\n{}\r\n0\r\n\r\n`))
    expect((await Promise.all(whole.map((call) => call.closed))).map(statusOf)).toEqual(whole.map(() => 400))
  })
})

describe('a call that has waited too long', () => {
  beforeAll(() => open({ bodyBytes: mebibyte, maxWaitMs: 200 }))
  afterAll(close)

  test('gets 503 with Retry-After', async () => {
    const half = Array.from({ length: 4 }, () => halfSent(first, inclusion, mebibyte / 4))
    await allSent(half)
    // They are known by now.
    expect((await include(second)).status).toBe(200)
    const refused = await until(
      () => large(first),
      ({ status }) => status !== 200,
    )
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'too-many-calls',
      '1',
    ])
    expect((await include(second)).status).toBe(200)
    for (const { socket } of half) socket.destroy()
  })

  test('as an upload to an address that has one under way; it is free again afterwards', async () => {
    const slot = await newSlot(first)
    const { pathname, search } = new URL(slot.url)
    const half = write(head(null, 'PUT', pathname + search, 'content-length: 1000') + pdf.toString())
    const refused = await until(
      () => putRaw(slot, Buffer.from('no document')),
      ({ status }) => status === 503,
    )
    expect([refused.body.error, refused.headers.get('retry-after')]).toEqual([
      'An upload to this address is under way',
      '1',
    ])
    half.socket.destroy()
    const again = await until(
      () => putRaw(slot, pdf),
      ({ status }) => status !== 503,
    )
    expect(again.status).toBe(200)
  })
})

describe('of large inclusions, while the database holds them', () => {
  beforeAll(() => open({ largeBatches: 4 }))
  afterAll(close)

  test('calls of two clients wait, and all are taken once the database goes on', async () => {
    const batch = (client: Client) => large(client, (1.1 * mebibyte) | 0)
    const holder = new Database({ connectionString: testApp.databaseUrl })
    await holder.connect()
    await holder.query('begin; lock table company in access exclusive mode')
    const held = batch(first)
    const waiting = () =>
      testApp.sql(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    await until(waiting, (rows) => rows.length > 0)
    const all = [held, ...Array.from({ length: 8 }, () => batch(first)), batch(second)]
    await holder.end()
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200))
  })
})

describe('with two calls of a client under way at most', () => {
  beforeAll(() => open({ partnerCallsPerConnection: 2 }))
  afterAll(close)

  test('a half-sent body does not count', async () => {
    const half = Array.from({ length: 20 }, () => halfSent(first, inclusion, 1_000))
    await until(async () => half.every(({ socket }) => !socket.connecting && socket.bytesWritten > 0), Boolean)
    expect((await first.get(`/v1/company/${company.taxId}`)).status).toBe(200)
    expect(half.map((call) => call.text())).toEqual(half.map(() => ''))
    for (const { socket } of half) socket.destroy()
  })

  test('a download counts until its end, no longer', async () => {
    const invoice = await putInvoice(testApp, company)
    const path = downloadPath(invoice, await putFile(testApp, invoice))
    for (let n = 0; n < 10; n += 1) {
      const response = await until(
        () => first.get(path),
        ({ status }) => status !== 503,
      )
      expect(response.status).toBe(200)
    }
  })
})

describe('below the minimum speed', () => {
  beforeAll(() => open({ minimumSpeed: { bytesPerSecond: 64 * 1024, windowMs: 300 }, downloads: 1 }))
  afterAll(close)

  test('a body gets 408 and its connection is closed', async () => {
    const text = await halfSent(first, inclusion, 1_000).closed
    expect(statusOf(text)).toBe(408)
    const body: unknown = JSON.parse(text.slice(text.indexOf('{')))
    recordCode(body)
    expect(body).toMatchObject({ error: 'Request Timeout', code: 'request-timeout' })
  })

  test('an upload keeps nothing, and its address is as it was', async () => {
    const slot = await newSlot(first)
    const { pathname, search } = new URL(slot.url)
    const text = await write(head(null, 'PUT', pathname + search, 'content-length: 1000') + pdf.toString()).closed
    expect(statusOf(text)).toBe(408)
    expect(
      await until(
        () => testApp.sql('select key from orphan_file'),
        (rows) => rows.length === 0,
      ),
    ).toEqual([])
    expect((await putRaw(slot, pdf)).status).toBe(200)
  })

  test('a download is broken off, and its permit is free again', async () => {
    const invoice = await putInvoice(testApp, company)
    const path = downloadPath(invoice, await putFile(testApp, invoice, { bytes: pdfOf(60 * mebibyte) }))
    const unread = write(head(first, 'GET', path))
    await new Promise<void>((resolve) => unread.socket.once('data', () => resolve(void unread.socket.pause())))
    const again = await first.get(path, { range: 'bytes=0-9' })
    expect(again.text).toHaveLength(10)
    unread.socket.resume()
    expect(Buffer.byteLength(await unread.closed)).toBeLessThan(60 * mebibyte)
  })

  test('a call whose body is there is not concerned, however long it takes', async () => {
    expect((await include(first, json)).status).toBe(200)
  })
})

describe('while two clients, or a stranger at two addresses, hold all that they can get', () => {
  let third: Client
  beforeAll(async () => {
    await open({ downloads: 8, uploads: 8, bodyBytes: 8 * mebibyte, anonymousBodyBytes: 2 * mebibyte, streams: 4 })
    third = await testApp.partner(company.taxId)
  })
  afterAll(close)

  const endAll = (calls: readonly Sent[]) => {
    for (const { socket } of calls) socket.destroy()
  }
  const times = <T>(count: number, make: (client: Client) => T): T[] =>
    [first, second].flatMap((client) => Array.from({ length: count }, () => make(client)))

  test('of half-sent bodies of 100 bytes, another client’s call is served, with a length or without', async () => {
    const half = times(260, (client) => halfSent(client, inclusion, 100))
    await allSent(half)
    expect((await include(third)).status).toBe(200)
    const body = JSON.stringify({ 'company-tax-id': company.taxId, members: [primary()] })
    const chunked = write(
      head(
        third,
        'POST',
        `${inclusion}?dry-run=true`,
        'content-type: application/json',
        'transfer-encoding: chunked',
        'connection: close',
      ) + `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    )
    expect(statusOf(await chunked.closed)).toBe(200)
    noResponse(half)
    endAll(half)
  })

  test.each(['/v1/authenticate', '/operator/v1/session', '/operator/v1/session/link', '/operator/v1/session/password'])(
    'of half-sent bodies for %s, everybody else signs in and calls',
    async (path) => {
      const half = ['127.0.0.2', '127.0.0.3'].flatMap((from) =>
        Array.from({ length: 260 }, () => halfSent(null, path, 100, from)),
      )
      await allSent(half)
      const answered = await testApp.call('POST', path, { body: {} })
      expect([400, 401]).toContain(answered.status)
      expect((await include(third)).status).toBe(200)
      noResponse(half)
      endAll(half)
    },
  )

  test('of half-sent bodies of the largest length, another’s large bodies are read', async () => {
    const half = times(20, (client) => halfSent(client, inclusion, mebibyte))
    await allSent(half)
    for (let n = 0; n < 3; n += 1) expect((await large(third, mebibyte / 2)).status).toBe(200)
    endAll(half)
  })

  test('of half-sent uploads, another’s is stored', async () => {
    const half: Sent[] = []
    // Calls that ended may have left some, which the retention job deletes.
    const before = (await testApp.sql<{ key: string }>('select key from orphan_file')).map(({ key }) => key)
    const begun = async () => (await testApp.sql('select from orphan_file where key <> all($1)', [before])).length
    for (const client of [...Array<Client>(8).fill(first), second, second]) {
      // The service may not have noticed yet that the calls of the test before have ended: it refuses this one then.
      let isBegun = false
      while (!isBegun) {
        const { pathname, search } = new URL((await newSlot(client)).url)
        const call = write(head(null, 'PUT', pathname + search, 'content-length: 1000') + pdf.toString())
        const count = half.length
        isBegun =
          (await until(
            async () => (call.text() === '' ? ((await begun()) > count ? true : null) : false),
            (answer) => answer !== null,
          )) === true
        if (isBegun) half.push(call)
      }
    }
    expect(await upload(third)).toMatch(/^[0-9a-f-]{36}$/)
    expect(half.filter((call) => call.text() !== '').map((call) => statusOf(call.text()))).toEqual([503])
    endAll(half)
  })

  test('of unread downloads, another’s is sent', async () => {
    const invoice = await putInvoice(testApp, company)
    const path = downloadPath(invoice, await putFile(testApp, invoice, { bytes: pdfOf(30 * mebibyte) }))
    const unread: Sent[] = []
    for (const client of [...Array<Client>(8).fill(first), second, second]) {
      const call = write(head(client, 'GET', path))
      unread.push(call)
      await new Promise<void>((resolve) => call.socket.once('data', () => resolve(void call.socket.pause())))
    }
    const read = await fetch(testApp.url + path, { headers: { authorization: `Bearer ${third.token}` } })
    expect((await read.arrayBuffer()).byteLength).toBe(30 * mebibyte)
    endAll(unread)
  })
})

describe('with all connections taken by four addresses', () => {
  beforeAll(() => open({ connections: 40 }))
  afterAll(close)

  test.each([
    ['that send nothing', ''],
    ['that send half of the headers', 'POST /v1/authenticate HTTP/1.1\r\nhost: x\r\n'],
    [
      'that send half of a body',
      `${head(null, 'POST', '/v1/authenticate', 'content-type: application/json', 'content-length: 99')}{`,
    ],
    ['that are kept after a response', head(null, 'GET', '/healthz')],
  ])('%s, another is let in: the one that has waited longest is closed', async (_what, bytes) => {
    const taken: Sent[] = []
    for (const from of ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']) {
      for (let n = 0; n < 10; n += 1) taken.push(write(bytes, from))
      await allSent(taken)
    }
    if (bytes.startsWith('GET')) await until(async () => taken.every((call) => call.text().includes('200 OK')), Boolean)
    expect((await include(first)).status).toBe(200)
    expect(taken.filter(({ socket }) => socket.closed).length).toBeLessThan(10)
    for (const { socket } of taken) socket.destroy()
  })
})

describe('connections', () => {
  beforeAll(() => open({ connections: 400 }))
  afterAll(close)

  test('an address has at most a quarter: one more is closed, and taken again when there is room', async () => {
    const silent = Array.from({ length: 120 }, () => write(''))
    const left = await until(
      async () => silent.filter(({ socket }) => !socket.closed).length,
      (count) => count <= 100,
    )
    expect(left).toBeGreaterThan(80)
    for (const { socket } of silent) socket.destroy()
    await until(
      () => include(first).catch(() => null),
      (response) => response?.status === 200,
    )
  })
})
