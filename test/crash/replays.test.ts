import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { closeEngineFixture, makeDemoData } from '../platform/embedded-postgres/engine-fixture.ts'
import { type ApiResponse, expectOk, inProduct, nextCpf, primary, send, until } from '../world/test-app.ts'
import { scaled } from '../scale.ts'
import { seed } from '../seed.ts'
import { rngOf } from './rng.ts'
import { engineUrlOf, killEngine } from './engine-processes.ts'
import { type Query, readViolations, readOpenWork } from './invariants.ts'
import { clearPrograms, type Program, startProgram } from './program.ts'

/* Each key is sent 20 times at once, while first the service and then the service with its PostgreSQL is killed, at random moments (seeded). */
const keys = scaled(10, 10_000)
const replays = 20
const keysAtOnce = scaled(5, 12)

const businessDate = '2026-11-23'
const company = '11222333000181'

afterAll(async () => {
  await clearPrograms()
  await closeEngineFixture()
})

interface Call {
  readonly key: string
  readonly path: string
  readonly body?: object
  readonly status: number
}

/** Inclusions, some resolved at once, upload URLs, and exclusions of unknown people. */
function callOf(n: number): Call {
  const key = randomUUID()
  if (n % 5 === 0) return { key, path: '/v1/enrollment/document-upload-url', status: 200 }
  if (n % 5 === 1) {
    const details = { 'end-date': businessDate, 'exclusion-reason': 'dismissal' }
    const path = `/v1/enrollment/exclusion/${nextCpf()}/benefit/${randomUUID()}`
    return { key, path, body: { 'exclusion-details': details }, status: 404 }
  }
  const member = primary({ products: inProduct('health-insurance', 'Saúde Essencial') })
  const query = n % 5 === 2 ? '?resolution=approve' : ''
  const body = { 'company-tax-id': company, members: [member] }
  return { key, path: `/v1/enrollment/inclusion${query}`, body, status: 200 }
}

interface Present {
  program: Program
  token: string
}

async function start(dataDir: string): Promise<Present> {
  const program = await startProgram({ VIGENCIA_DATA_DIR: dataDir, VIGENCIA_BUSINESS_DATE: businessDate })
  const secret = /Demo partner +demo-partner +(\S+)/.exec(program.outputLines.join('\n'))?.[1]
  const body = { 'client-id': 'demo-partner', 'client-secret': secret }
  const response = expectOk(await send(`${program.url}/v1/authenticate`, 'POST', { body }))
  return { program, token: response.body['access-token'] }
}

/** Sends until the response is final: retries aborted connections, 503 and the 409 of a request in progress. */
async function sendWithRetries(present: () => Promise<Present>, { key, path, body }: Call): Promise<ApiResponse> {
  for (let wait = 5; ; wait = Math.min(wait * 2, 250)) {
    const { program, token } = await present()
    const headers = { 'idempotency-key': key }
    const response = await send(program.url + path, 'POST', { token, body, headers }).catch(() => null)
    const isBusy = response?.status === 409 && response.headers.get('retry-after') !== null
    if (response !== null && response.status !== 503 && !isBusy) return response
    await pause(wait)
  }
}

async function withDatabase<T>(dataDir: string, work: (ask: Query) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: await engineUrlOf(dataDir) })
  await client.connect()
  try {
    return await work(async (text, values = []) => (await client.query(text, values)).rows)
  } finally {
    await client.end()
  }
}

test(
  `${keys} keys sent ${replays} times at once, with two kills in the middle: one execution each, equal responses`,
  { timeout: 180_000 + keys * 400 },
  async () => {
    const rng = rngOf(seed)
    const tenth = Math.floor(keys / 10)
    const moments = [rng.between(2 * tenth, 4 * tenth), rng.between(6 * tenth, 8 * tenth)]
    const dataDir = await makeDemoData()
    const begun = performance.now()
    let present = start(dataDir)
    let kills = 0
    const killed = async (dying: Program): Promise<Present> => {
      kills += 1
      await Promise.all([dying.kill(), kills === 1 ? null : killEngine(dataDir)])
      return start(dataDir)
    }
    await present
    const calls = Array.from({ length: keys }, (_, n) => callOf(n))
    const left = [...calls]
    const unequal: string[] = []
    let done = 0
    let repeated = 0
    const worker = async () => {
      for (let call = left.shift(); call !== undefined; call = left.shift()) {
        const { key, status } = call
        const responses = await Promise.all(
          Array.from({ length: replays }, async (_, n) => {
            const response = await sendWithRetries(() => present, call)
            // Kills during the replays of a key, not between keys.
            if (n === replays / 2 && (done += 1) === moments[kills]) {
              const { program } = await present
              present = killed(program)
            }
            return response
          }),
        )
        const texts = new Set(responses.map((one) => `${one.status} ${one.headers.get('x-request-id')} ${one.text}`))
        if (texts.size !== 1 || responses[0]?.status !== status) unequal.push(`${key}: ${[...texts].join(' | ')}`)
        repeated += responses.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length
      }
    }
    await Promise.all(Array.from({ length: keysAtOnce }, worker))
    expect(unequal).toEqual([])
    expect(kills).toBe(2)
    // A key whose first response was lost in a kill got replays only.
    expect(repeated).toBeGreaterThanOrEqual(keys * (replays - 1))

    const counted = await withDatabase(dataDir, async (ask) => {
      await until(
        () => readOpenWork(ask, businessDate),
        (open) => open === 0,
      )
      // Without those of the demo, which are life insurance.
      const [row] = await ask<Record<string, number>>(
        `with demo as (
           select enrollment.id, enrollment.request_id from enrollment
           join product on product.company_id = enrollment.company_id and product.id = enrollment.product_id
           where product.product_type = 'life-insurance')
         select (select count(*) from request where id not in (select request_id from demo))::int as requests,
           (select count(*) from enrollment where id not in (select id from demo))::int as enrollments,
           (select count(*) - (select count(*) from demo) from member)::int as members, (select count(*) from document)::int as documents,
           (select count(*) from audit where action = 'inclusion.requested'
             and target not in (select request_id::text from demo))::int as audited,
           (select count(*) from idempotency_key where status is not null)::int as stored,
           (select count(*) from idempotency_key where status is null)::int as open`,
      )
      return { ...row, violations: await readViolations(ask) }
    })
    const inclusions = calls.filter(({ path }) => path.includes('inclusion')).length
    expect(counted).toEqual({
      requests: inclusions,
      enrollments: inclusions,
      members: inclusions,
      documents: calls.filter(({ path }) => path.includes('document')).length,
      audited: inclusions,
      stored: keys,
      open: 0,
      violations: {},
    })
    const seconds = (performance.now() - begun) / 1_000
    console.log(
      `${keys} keys x ${replays}: killed after ${moments.join(' and ')} keys; ${repeated} replays; ${seconds.toFixed(1)} s`,
    )
    const { program } = await present
    expect(await program.stop()).toBe(0)
  },
)
