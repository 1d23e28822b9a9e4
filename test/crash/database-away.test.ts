import { Client, Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type EmbeddedEngine, startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { closeEngineFixture, stopAtEnd, makeData } from '../platform/embedded-postgres/engine-fixture.ts'
import {
  type ApiResponse,
  companyBody,
  expectOk,
  type Json,
  monday,
  nextCpf,
  send,
  sendUnchecked,
  until,
} from '../world/test-app.ts'
import { rngOf } from './rng.ts'
import { type Query, readDifferences, readOpenWork } from './invariants.ts'
import { clearPrograms, type Program, startProgram } from './program.ts'
import { openTenant, products, type Tenant, variablesOn } from './tenant.ts'
import { type Batch, largeBatch, sendBatch, smallBatch, waitUntilReady } from './load.ts'
import { scaled } from '../scale.ts'

const rng = rngOf(4_711)
let dataDir: string
let engine: EmbeddedEngine
let program: Program
let tenant: Tenant
let pool: Pool

const startEngine = () => stopAtEnd(startEmbedded({ dataDir, settings: { fsync: 'off' } }))
const ask: Query = async (text, values = []) => (await pool.query(text, values)).rows

beforeAll(async () => {
  dataDir = await makeData()
  engine = await startEngine()
  program = await startProgram(variablesOn(engine.url))
  tenant = await openTenant(program.url)
  pool = new Pool({ connectionString: engine.url, max: 2 })
  // PostgreSQL may end a connection that is being closed.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
})

afterAll(async () => {
  await pool.end()
  await clearPrograms()
  await closeEngineFixture()
})

/** Stops PostgreSQL, runs the work without it, and starts it again at the same address. */
async function without<T>(work: () => Promise<T>): Promise<T> {
  const { url } = engine
  await engine.stop()
  try {
    return await work()
  } finally {
    engine = await startEngine()
    expect(engine.url).toBe(url)
  }
}

async function expectSettled(batches: readonly Batch[]): Promise<void> {
  await until(
    () => readOpenWork(ask, monday),
    (open) => open === 0,
  )
  expect(await readDifferences(ask, batches)).toEqual({})
  expect(program.ended).toBe(false)
  expect(program.errorLines).toEqual([])
}

function expectAway(response: ApiResponse, operation: string): void {
  expect({ operation, status: response.status }).toEqual({ operation, status: 503 })
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(response.body).toMatchObject({ error: expect.any(String), 'request-trace-id': expect.any(String) })
  expect(response.headers.get('x-request-id')).toBe(response.body['request-trace-id'])
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly token?: string
}

const make = ({ method, path, ...options }: Call): Promise<ApiResponse> => send(tenant.url + path, method, options)

/** Calls of every kind that succeed only once: the repetition fails if the call was stored although its response was 503. */
async function kindsOfCalls(): Promise<Call[]> {
  const { token, operatorToken, companyTaxId } = tenant
  const batch = largeBatch(2, products)
  expect(await sendBatch(tenant, batch)).toBe(200)
  await expectSettled([batch])
  const [open] = await ask<{ id: string }>(`select id from enrollment where status = 'created' limit 1`)
  const inclusion = (members: number) => ({
    'company-tax-id': companyTaxId,
    members: largeBatch(members, products).members,
  })
  const move = { status: 'pending-documents', reason: 'Falta o comprovante' }
  const credentials = { 'client-id': tenant.clientId, 'client-secret': tenant.clientSecret }
  return [
    { method: 'GET', path: '/readyz' },
    { method: 'POST', path: '/v1/authenticate', body: credentials },
    { method: 'GET', path: '/v1/company', token },
    { method: 'GET', path: `/v1/company/${companyTaxId}`, token },
    { method: 'GET', path: '/v1/member', token },
    { method: 'GET', path: `/v1/request/${batch.requestId}`, token },
    { method: 'GET', path: `/v1/enrollment/detail/${open?.id}`, token },
    { method: 'POST', path: '/v1/enrollment/inclusion', token, body: inclusion(1) },
    { method: 'POST', path: '/v1/enrollment/inclusion?resolution=approve', token, body: inclusion(scaled(600, 1_500)) },
    { method: 'GET', path: '/operator/v1/company', token: operatorToken },
    { method: 'GET', path: '/operator/v1/enrollment', token: operatorToken },
    { method: 'GET', path: '/operator/v1/audit', token: operatorToken },
    { method: 'PUT', path: `/operator/v1/company/${companyTaxId}`, token: operatorToken, body: companyBody },
    { method: 'POST', path: '/operator/v1/client', token: operatorToken, body: { name: 'A', 'company-tax-ids': [] } },
    {
      method: 'POST',
      path: '/operator/v1/enrollment/transition',
      token: operatorToken,
      body: { 'enrollment-ids': [open?.id], ...move },
    },
    {
      method: 'POST',
      path: `/operator/v1/enrollment/${open?.id}/transition`,
      token: operatorToken,
      body: { status: 'created' },
    },
  ]
}

interface Operation extends Call {
  readonly operationId: string
  readonly declares503: boolean
}

/** A call of every operation in the OpenAPI document, from its examples. */
async function everyOperation(): Promise<Operation[]> {
  const { paths } = expectOk(await send(`${tenant.url}/openapi.json`, 'GET')).body
  const uuid = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
  const fill = (name: string) =>
    !name.includes('tax-id') ? uuid : /company/.test(name) ? tenant.companyTaxId : nextCpf()
  return Object.entries(paths as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Json>).map(([method, operation]) => {
      const content = operation.requestBody?.content?.['application/json']
      const [named] = Object.values((content?.examples ?? {}) as Record<string, Json>)
      return {
        operationId: operation.operationId,
        declares503: '503' in operation.responses,
        method: method.toUpperCase(),
        path: path.replaceAll(/\{[^}]+\}/g, fill),
        token: path.startsWith('/operator/') ? tenant.operatorToken : tenant.token,
        ...(operation.requestBody === undefined ? {} : { body: content?.example ?? named?.value ?? {} }),
      }
    }),
  )
}

/** Liveness, metrics, documentation, cached public keys, the options of the sign-in; an upload to a URL with an invalid signature; no onboarding link. */
const needNoDatabase = new Set([
  'readHealth',
  'readHome',
  'readLiveness',
  'readMetrics',
  'readOpenApi',
  'readPartnerOpenApi',
  'readKeySet',
  // Both are 409 without a public URL.
  'createSessionByPasskey',
  'readPasskeyOptions',
  'readSignInOptions',
  'uploadDocument',
  'uploadDocumentByPost',
  'startOnboardingSession',
  'readOwnOnboarding',
  'calculateOnboardingPrice',
  'uploadOnboardingDocument',
  'deleteOnboardingDocument',
  'submitOnboarding',
])

test('without the database every kind of call gets 503, and all work again when it is back', async () => {
  const calls = await kindsOfCalls()
  const operations = await everyOperation()
  const undeclared: string[] = []
  await without(async () => {
    for (const call of calls) expectAway(await make(call), `${call.method} ${call.path}`)
    const ready = await make({ method: 'GET', path: '/readyz' })
    expect(ready.body.code).toBe('database-away')
    for (const call of operations.filter(({ operationId }) => needNoDatabase.has(operationId))) {
      expect((await make(call)).status).toBeLessThan(500)
    }
    for (const call of operations.filter(({ operationId }) => !needNoDatabase.has(operationId))) {
      expectAway(await make(call), call.operationId)
      if (!call.declares503) undeclared.push(call.operationId)
    }
    for (const path of ['/docs', '/docs/guides/index']) {
      expect((await sendUnchecked(tenant.url + path, 'GET')).status).toBe(200)
    }
    for (const path of ['/v1/health', '/healthz']) expect((await make({ method: 'GET', path })).status).toBe(200)
    expect((await make({ method: 'GET', path: '/v1/company' })).status).toBe(401)
  })
  expect(await waitUntilReady(tenant.url)).toBe(true)
  for (const call of calls) expectOk(await make(call))
  await expectSettled([])
  expect(undeclared).toEqual([])
})

let endLoad: () => Promise<void> = async () => {}

afterEach(() => endLoad())

interface Load {
  readonly batches: Batch[]
  /** The number of responses by status; `broken`: an aborted list. */
  readonly responses: Map<number | 'broken', number>
  readonly ok: number
  end(): Promise<void>
}

/** Concurrent calls of several kinds, until stopped. */
function startLoad(): Load {
  const batches: Batch[] = []
  const responses = new Map<number | 'broken', number>()
  const ending = new AbortController()
  const note = (status: number | 'broken' | null) => {
    const kind = status ?? 'broken'
    responses.set(kind, (responses.get(kind) ?? 0) + 1)
  }
  const again = async (step: () => Promise<number | 'broken' | null>): Promise<void> => {
    while (!ending.signal.aborted) {
      const status = await step().catch(() => 'broken' as const)
      note(status)
      if (program.ended) return
      if (status === 503) await waitUntilReady(tenant.url)
    }
  }
  const { token, operatorToken, companyTaxId } = tenant
  const include = (make: () => Batch) => async () => {
    const batch = make()
    batches.push(batch)
    return sendBatch(tenant, batch)
  }
  const credentials = { 'client-id': tenant.clientId, 'client-secret': tenant.clientSecret }
  const running = [
    again(include(() => smallBatch(rng, products, monday))),
    again(include(() => smallBatch(rng, products, monday))),
    again(include(() => largeBatch(scaled(80, 700), products))),
    again(async () => (await make({ method: 'GET', path: `/v1/company/${companyTaxId}`, token })).status),
    again(async () => (await make({ method: 'POST', path: '/v1/authenticate', body: credentials })).status),
    again(async () => {
      const path = `/operator/v1/company/${companyTaxId}`
      return (await make({ method: 'PUT', path, token: operatorToken, body: companyBody })).status
    }),
  ]
  endLoad = async () => {
    ending.abort()
    await Promise.allSettled(running)
  }
  return {
    batches,
    responses,
    get ok() {
      return responses.get(200) ?? 0
    },
    async end() {
      ending.abort()
      await Promise.all(running)
    },
  }
}

/** Waits until the load has this many more responses with status 200. */
async function untilServed(load: Load, more: number): Promise<void> {
  const begun = load.ok
  await until(
    async () => {
      if (program.ended) throw new Error(`the service ended by itself:\n${program.errorLines.join('\n')}`)
      return load.ok - begun
    },
    (got) => got >= more,
  )
}

test('stopped and started under load: 200 or 503 and nothing else; what was accepted before completes after', async () => {
  const held = largeBatch(scaled(600, 1_200), products)
  const holder = new Client({ connectionString: engine.url })
  // The server ends this connection; until then its lock blocks every step of the worker.
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin; lock table enrollment in share row exclusive mode')
  expect(await sendBatch(tenant, held)).toBe(200)
  const load = startLoad()
  await untilServed(load, 20)
  await without(async () => {
    await until(
      async () => load.responses.get(503) ?? 0,
      (count) => count > 0 || program.ended,
    )
  })
  await untilServed(load, 20)
  await load.end()
  expect(new Set(load.responses.keys())).toEqual(new Set([200, 503]))
  await expectSettled([...load.batches, held])
})

const cuts = scaled(2, 10)

test(`every connection cut, ${cuts} times under load: 200 or 503 and nothing else, nothing lost or doubled`, async () => {
  const load = startLoad()
  for (let times = 0; times < cuts; times += 1) {
    await untilServed(load, 10)
    await ask(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and application_name like 'vigencia %'`,
    )
  }
  await untilServed(load, 10)
  await load.end()
  expect([...load.responses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  await expectSettled(load.batches)
})
