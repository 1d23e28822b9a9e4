import { afterAll, expect, test } from 'vitest'
import { lostAndDoubled, startMovements } from '../crash/movement-load.ts'
import { readOpenWork, readViolations } from '../crash/invariants.ts'
import { health, primary } from '../data/people.ts'
import { onServer } from '../world/engine.ts'
import { expectOk, monday, until, useTestApp } from '../world/test-app.ts'
import { lastNode, type PlacedCompany, placeCompany } from './placed-company.ts'

const testApp = useTestApp()
const name = () => new URL(testApp.databaseUrl).pathname.slice(1)
/** A company on a worker that stays, and one on the worker that stops. */
const placeBoth = async (): Promise<[PlacedCompany, PlacedCompany]> => [
  await placeCompany(testApp, false),
  await placeCompany(testApp, true),
]

afterAll(() => start())

/** The database of the node accepts no connections, and has none: what its clients see of a server that is stopped. */
async function stop(): Promise<void> {
  await onServer(lastNode.href, `alter database ${name()} allow_connections false`)
  await onServer(
    lastNode.href,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name()}'`,
  )
}

const start = () => onServer(lastNode.href, `alter database ${name()} allow_connections true`)

const include = ({ company, partner }: PlacedCompany) => {
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  return partner.post('/v1/enrollment/inclusion', body)
}

test('while a worker is away reads ask all shards and are 503, and what was accepted is done once it is back', async () => {
  const [staying, away] = await placeBoth()
  const both = [staying, away]
  const before = await Promise.all(both.map(include))
  expect(before.map(({ status }) => status)).toEqual([200, 200])
  const requestIds = before.map(({ body }) => body['request-id'])
  const finished = await testApp.finished(staying.partner, requestIds[0])
  await testApp.finished(away.partner, requestIds[1])
  const [enrollmentId] = (
    await testApp.sql<{ id: string }>('select id from enrollment where company_id = $1', [staying.company.id])
  ).map(({ id }) => id)
  const [member] = expectOk(await staying.partner.get('/v1/member?include-inactive=true')).body.result
  const paths = [
    '/v1/member',
    '/v1/member?page=1',
    `/v1/member?filter=tax-id%3D${member.profile['tax-id']}`,
    `/v1/member/${member.id}`,
    '/v1/member?updated-since=2026-01-01T00:00:00Z',
    '/v1/benefit',
    '/v1/invoices',
    '/v1/invoices/pending-payment',
    '/v1/enrollment/history',
    '/v1/enrollment/history?updated-since=2026-01-01T00:00:00Z',
    '/v1/request',
  ]
  const staysAt = [...paths, `/v1/request/${finished['request-id']}`, `/v1/enrollment/detail/${enrollmentId}`]
  const openRequest = await include(away)
  await stop()
  for (const path of staysAt) expect([path, (await staying.partner.get(path)).status]).toEqual([path, 503])
  for (const path of [...paths.filter((one) => !one.includes(member.id)), `/v1/request/${requestIds[1]}`]) {
    expect([path, (await away.partner.get(path)).status]).toEqual([path, 503])
  }
  for (const placed of both) {
    expect((await placed.partner.get('/v1/company')).status).toBe(200)
    // The people of an inclusion are looked for in all companies.
    expect((await include(placed)).status).toBe(503)
  }
  await start()
  expect((await testApp.finished(away.partner, openRequest.body['request-id'])).status).toBe('completed')
  for (const [{ partner }, people] of [
    [staying, 1],
    [away, 2],
  ] as const) {
    expect(expectOk(await partner.get('/v1/member?include-inactive=true')).body.result).toHaveLength(people)
  }
  expect((await staying.partner.get(`/v1/request/${requestIds[1]}`)).status).toBe(403)
})

test('a worker stops and comes back while clients include, alter and exclude: only 503 meanwhile, nothing lost or doubled', async () => {
  const loads = (await placeBoth()).map(({ company, partner }) =>
    startMovements(
      { token: partner.token, companyTaxId: company.taxId },
      () => [testApp.url],
      company.products[health] ?? '',
      3,
    ),
  )
  const eachReaches = (count: number, of: (load: (typeof loads)[number]) => number) =>
    until(
      async () => loads.map(of),
      (counts) => counts.every((one) => one >= count),
    )
  await eachReaches(30, ({ writes }) => writes)
  await stop()
  await eachReaches(20, ({ responses }) => responses.get(503) ?? 0)
  await start()
  const before = loads.map(({ writes }) => writes)
  await until(
    async () => loads.map(({ writes }) => writes),
    (counts) => counts.every((writes, n) => writes >= (before[n] ?? 0) + 30),
  )
  await Promise.all(loads.map((load) => load.end()))
  await until(
    () => readOpenWork(testApp.sql, monday),
    (open) => open === 0,
  )
  for (const load of loads) {
    console.log(
      `worker stopped: ${load.writes} movements acknowledged, responses ${JSON.stringify([...load.responses])}, longest pause ${Math.round(load.longestGapMs)} ms`,
    )
    expect(load.unexpected).toEqual([])
    expect(await lostAndDoubled(testApp.sql, load)).toEqual({ lost: 0, doubled: 0 })
  }
  expect(await readViolations(testApp.sql)).toEqual({})
})
