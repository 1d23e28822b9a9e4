import { connect, type Socket } from 'node:net'
import { Client as PgClient } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ApiResponse, type Client, type Company, useTestApp, send, until } from '../../world/test-app.ts'

/** What one process lets in of a client that is alone, with two connections to the database. */
const places = 256

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
  test('calls of a client beyond the limit wait; another client’s are accepted, health and operators too; all get a response', async () => {
    const [greedy, other] = [await testApp.partner(company.taxId), await testApp.partner(company.taxId)]
    const [many, few, operator] = await whileHeld(async () => {
      const first = crowd(greedy, places + 40)
      const second = crowd(other, 5)
      const third = get(testApp.operator, '/operator/v1/operator')
      for (const path of ['/healthz', '/v1/health', '/readyz']) expect((await fetch(base + path)).status).toBe(200)
      expect((await third).status).toBe(200)
      expect([...first.received, ...second.received]).toEqual([])
      return [first, second, third] as const
    })
    const all = [...(await many.all), ...(await few.all)]
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await operator).status).toBe(200)
  })

  test('calls whose client disconnected leave their places when their work has ended', async () => {
    const client = await testApp.partner(company.taxId)
    await whileHeld(async () => {
      const { hostname, port } = new URL(base)
      const sockets = await Promise.all(
        Array.from(
          { length: places + 20 },
          () =>
            new Promise<Socket>((resolve) => {
              const socket = connect(Number(port), hostname, () => {
                const head = `GET /v1/company/${company.taxId} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client.token}\r\n\r\n`
                socket.write(head, () => resolve(socket))
              })
            }),
        ),
      )
      for (const socket of sockets) socket.destroy()
      await until(async () => sockets.every((socket) => socket.closed), Boolean)
    })
    const again = await crowd(client, places).all
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

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
    for (let n = 0; n < places / 4 / 2; n += 1) await kind()
  }
  expect((await companyOf(client)).status).toBe(200)
  const all = await crowd(client, places / 4).all
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
})
