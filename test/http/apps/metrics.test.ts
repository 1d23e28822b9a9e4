import { Client as PgClient } from 'pg'
import { beforeAll, expect, inject, test } from 'vitest'
import { databaseOn } from '../../world/engine.ts'
import { type Client, type Company, expectOk, useTestApp, primary, send, until } from '../../world/test-app.ts'

const testApp = useTestApp()
let company: Company
let partner: Client
/** One process of the app: each counts for itself. */
let url: string
beforeAll(async () => {
  url = testApp.url
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})
const call = (path: string, method = 'GET', body?: unknown) => send(url + path, method, { token: partner.token, body })

async function scrape(at = url): Promise<string> {
  return expectOk(await send(`${at}/metrics`, 'GET')).text
}

/** The value of a metric with exactly these labels; 0 when it is not there. */
function valueOf(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length + 1))
}

const duration = (method: string, route: string, status: number) =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`

test('GET /metrics needs no token, is plain text, and has the process’s own figures', async () => {
  const response = await send(`${url}/metrics`, 'GET')
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'vigencia_database_connections',
    'vigencia_database_connections_idle',
    'vigencia_database_connections_awaited',
    'vigencia_work_waiting',
    'vigencia_work_oldest_seconds',
    'vigencia_audit_pending_rows',
    'vigencia_audit_pending_oldest_seconds',
  ]) {
    expect(response.text).toMatch(new RegExp(`^${name} [0-9.e+-]+$`, 'm'))
  }
  expect(valueOf(response.text, 'vigencia_database_up')).toBe(1)
  // The scrape itself, at least.
  expect(valueOf(response.text, 'http_requests_in_flight')).toBeGreaterThanOrEqual(1)
})

test('every line is a comment or a figure, and every metric is explained once', async () => {
  await call('/v1/company')
  const lines = (await scrape())
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
  const odd = lines.filter((line) => !/^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}\n]*\})? ([0-9.e+-]+|NaN|[+-]Inf))$/.test(line))
  expect(odd).toEqual([])
  const explained = lines.flatMap((line) => /^# TYPE (\w+)/.exec(line)?.[1] ?? [])
  expect(new Set(explained).size).toBe(explained.length)
  const named = lines.flatMap((line) => /^(\w+)/.exec(line)?.[1]?.replace(/_(bucket|sum|count)$/, '') ?? [])
  expect(named.filter((name) => !explained.some((known) => known.startsWith(name)))).toEqual([])
})

test('counts answers by method, route template and status, in buckets that add up', async () => {
  const before = await scrape()
  const name = duration('GET', '/v1/company/:companyTaxId', 200)
  for (let n = 0; n < 3; n += 1) expectOk(await call(`/v1/company/${company.taxId}`))
  await call('/v1/company/11222333000181')
  await call('/v1/no-such-thing/52998224725')
  const after = await until(scrape, (text) => valueOf(text, name) >= valueOf(before, name) + 3)
  expect(valueOf(after, name) - valueOf(before, name)).toBe(3)
  // The figures are of the process, which other tests use too.
  const grown = (of: string) => valueOf(after, of) - valueOf(before, of)
  expect(grown(duration('GET', '/v1/company/:companyTaxId', 403))).toBe(1)
  expect(grown(duration('GET', 'unknown', 404))).toBe(1)
  // prom-client writes `le` before the other labels.
  const all = name.replace('_count{', '_bucket{le="+Inf",')
  expect(valueOf(after, all)).toBe(valueOf(after, name))
  const buckets = after.split('\n').filter((line) => line.replace(/le="[^"]*"/, 'le="+Inf"').startsWith(`${all} `))
  const counts = buckets.map((line) => Number(line.split(' ').at(-1)))
  expect(counts).toHaveLength(15)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(valueOf(after, name.replace('_count{', '_sum{'))).toBeGreaterThan(0)
})

test('counts movement requests by type and outcome, and movements that ended once they are committed', async () => {
  const before = await scrape()
  const grown = (text: string, name: string) => valueOf(text, name) - valueOf(before, name)
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  const accepted = expectOk(await call('/v1/enrollment/inclusion', 'POST', body))
  expect((await call('/v1/enrollment/inclusion', 'POST', { ...body, members: [{}] })).status).toBe(400)
  const request = await testApp.finished(partner, accepted.body['request-id'])
  const [id] =
    request['enrollment-ids'] ??
    Object.values(request['status-by-tax-id']).flatMap((one) =>
      Object.values(one as object).map((part) => part['enrollment-id']),
    )
  const move = () =>
    send(`${url}/operator/v1/enrollment/${id}/transition`, 'POST', {
      token: testApp.operator.token,
      body: { status: 'completed' },
    })
  expectOk(await move())
  expect((await move()).status).toBe(409)
  const after = await until(
    scrape,
    (text) => grown(text, 'vigencia_requests_total{type="inclusion",outcome="refused"}') > 0,
  )
  expect(grown(after, 'vigencia_requests_total{type="inclusion",outcome="accepted"}')).toBe(1)
  expect(grown(after, 'vigencia_requests_total{type="inclusion",outcome="refused"}')).toBe(1)
  expect(grown(after, 'vigencia_movements_total{type="inclusion",outcome="completed"}')).toBe(1)
})

test('what waits for a worker shows with its age', async () => {
  await testApp.sql(
    `insert into work (id, kind, client_id, company_id, target_id, run_at, created_at)
     values (gen_random_uuid(), 'inclusion', 'nobody', gen_random_uuid(), gen_random_uuid(), now() + interval '1 day', now() - interval '100 seconds')`,
  )
  const text = await scrape()
  expect(valueOf(text, 'vigencia_work_waiting')).toBe(1)
  expect(valueOf(text, 'vigencia_work_oldest_seconds')).toBeGreaterThanOrEqual(100)
  await testApp.sql(`delete from work where client_id = 'nobody'`)
  expect(valueOf(await scrape(), 'vigencia_work_oldest_seconds')).toBe(0)
})

test('a scrape answers while the database hangs, and while it is away, without what only it can tell', async () => {
  const holder = new PgClient({ connectionString: testApp.databaseUrl })
  await holder.connect()
  await holder.query('begin; lock table audit_pending in access exclusive mode')
  const hanging = await scrape()
  expect(hanging).toMatch(/^vigencia_database_up 0$/m)
  expect(hanging).not.toMatch(/^vigencia_work_waiting/m)
  await holder.end()
  await until(scrape, (text) => valueOf(text, 'vigencia_database_up') === 1)

  const name = new URL(testApp.databaseUrl.replace('localhost', 'host')).pathname.slice(1)
  const admin = new PgClient({ connectionString: databaseOn(inject('engineUrl'), 'postgres') })
  await admin.connect()
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  const away = await scrape()
  expect(away).toMatch(/^vigencia_database_up 0$/m)
  expect(away).toContain('http_request_duration_seconds_count')
  await admin.query(`alter database ${name} with allow_connections true`)
  await admin.end()
  await until(scrape, (text) => valueOf(text, 'vigencia_database_up') === 1)
})

test('holds no person, no id, no address and no secret', async () => {
  const member = primary()
  await testApp.include(partner, company, [member])
  await call(`/v1/member?filter=tax-id=${member['tax-id']}`)
  await call(`/v1/${member['tax-id']}`)
  const text = await scrape()
  for (const one of [
    member['tax-id'],
    member.name,
    company.taxId,
    company.id,
    partner.clientId,
    partner.token,
    '127.0.0.1',
  ]) {
    expect(text).not.toContain(one)
  }
})
