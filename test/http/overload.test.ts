import { connect, type Socket } from 'node:net'
import { Client as PgClient } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ApiResponse, type Client, type Company, useTestApp, send, until } from './test-app.ts'

/** What one process lets in with two connections to the database: of all partners, and of one client. */
const places = 256
const ofOneClient = places / 4

const testApp = useTestApp({ VIGENCIA_DATABASE_CONNECTIONS: '2' })
let company: Company
beforeAll(async () => {
  company = await testApp.company()
})
/** One address of the app, so that one process gets all the calls. */
let base: string
beforeAll(() => {
  base = testApp.url
})

const get = (client: Client, path: string): Promise<ApiResponse> => send(base + path, 'GET', { token: client.token })

const companyOf = (client: Client) => get(client, `/v1/company/${company.taxId}`)

/** Runs `work` while every read of companies waits. */
async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  const holder = new PgClient({ connectionString: testApp.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin; lock table company in access exclusive mode')
    return await work()
  } finally {
    await holder.end()
  }
}

const refusal = ({ status, headers, body }: ApiResponse) => [status, body?.error, headers.get('retry-after')]
const refused = [503, 'Too many calls at once', '1']

interface Crowd {
  readonly all: Promise<ApiResponse[]>
  /** Those with a response so far. */
  readonly received: ApiResponse[]
}

function crowd(client: Client, size: number): Crowd {
  const received: ApiResponse[] = []
  const call = async () => {
    const response = await companyOf(client)
    received.push(response)
    return response
  }
  return { all: Promise.all(Array.from({ length: size }, call)), received }
}

describe('while nothing moves', () => {
  test('calls of a client beyond a quarter of the limit get 503 at once; another client’s are accepted, and all accepted calls get a response', async () => {
    const [greedy, other] = [await testApp.partner(company.taxId), await testApp.partner(company.taxId)]
    const [first, second] = await whileHeld(async () => {
      const many = crowd(greedy, ofOneClient + 20)
      await until(
        async () => many.received.length,
        (count) => count === 20,
      )
      expect(many.received.map(refusal)).toEqual(many.received.map(() => refused))
      const few = crowd(other, 5)
      expect(refusal(await companyOf(greedy))).toEqual(refused)
      return [many, few]
    })
    const ok = (await first.all).filter(({ status }) => status === 200)
    expect(ok).toHaveLength(ofOneClient)
    expect((await second.all).map(({ status }) => status)).toEqual(Array<number>(5).fill(200))
  })

  test('of all partners’ calls no more than the places wait; health and operators are let in', async () => {
    const clients: Client[] = []
    for (let n = 0; n < 5; n += 1) clients.push(await testApp.partner(company.taxId))
    const [crowds, operator] = await whileHeld(async () => {
      const made = clients.map((client) => crowd(client, 60))
      const received = () => made.flatMap((one) => one.received)
      await until(
        async () => received().length,
        (count) => count === 300 - places,
      )
      expect(received().map(refusal)).toEqual(received().map(() => refused))
      expect((await fetch(`${base}/healthz`)).status).toBe(200)
      expect((await fetch(`${base}/v1/health`)).status).toBe(200)
      return [made, get(testApp.operator, '/operator/v1/client')] as const
    })
    const all = (await Promise.all(crowds.map((one) => one.all))).flat()
    expect(all.filter(({ status }) => status === 200)).toHaveLength(places)
    expect((await operator).status).toBe(200)
  })

  test('a call whose client disconnected counts against the limit until its work has ended', async () => {
    const client = await testApp.partner(company.taxId)
    await whileHeld(async () => {
      const { hostname, port } = new URL(base)
      const sockets = await Promise.all(
        Array.from(
          { length: ofOneClient },
          () =>
            new Promise<Socket>((resolve) => {
              const socket = connect(Number(port), hostname, () => {
                const head = `GET /v1/company/${company.taxId} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client.token}\r\n\r\n`
                socket.write(head, () => resolve(socket))
              })
            }),
        ),
      )
      await until(
        () => companyOfOrBusy(client),
        (status) => status === 503,
      )
      for (const socket of sockets) socket.destroy()
      await until(async () => sockets.every((socket) => socket.closed), Boolean)
      for (let n = 0; n < 20; n += 1) expect((await companyOf(client)).status).toBe(503)
    })
    // Not all end at once: some may still hold a permit when the first is released.
    const again = await until(
      async () => new Set((await crowd(client, ofOneClient).all).map(({ status }) => status)),
      (statuses) => !statuses.has(503),
    )
    expect(again).toEqual(new Set([200]))
  })
})

/** The status, or `waits` without an early response: an admitted call waits for the lock. */
async function companyOfOrBusy(client: Client): Promise<number | 'waits'> {
  const giveUp = AbortSignal.timeout(200)
  try {
    const response = await fetch(`${base}/v1/company/${company.taxId}`, {
      headers: { authorization: `Bearer ${client.token}` },
      signal: giveUp,
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 'waits'
  }
}

test('a call no longer counts after any kind of response', async () => {
  const client = await testApp.partner(company.taxId)
  const kinds = [
    () => companyOf(client),
    () => get(client, '/v1/company/1'),
    () => get(client, '/v1/member'),
    () => get(client, '/v1/company?page=x'),
    () => get(client, `/v1/request/${company.id}`),
  ]
  for (const kind of kinds) {
    for (let n = 0; n < ofOneClient / 2; n += 1) await kind()
  }
  expect((await companyOf(client)).status).toBe(200)
  const all = await crowd(client, ofOneClient).all
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
})
