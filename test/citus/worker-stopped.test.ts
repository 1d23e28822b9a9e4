import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { primary } from '../data/people.ts'
import { onServer } from '../http/engine.ts'
import { type Client, type Company, expectOk, useTestApp } from '../http/test-app.ts'

const testApp = useTestApp()
const stopped = inject('nodeUrls')[2] ?? ''
const name = () => new URL(testApp.databaseUrl).pathname.slice(1)

/** A company with its partner, by the worker that has its rows. */
interface Placed {
  readonly company: Company
  readonly partner: Client
}
let there: Placed
let away: Placed

/** A company whose rows are, or are not, on the node that is stopped. */
async function place(onStopped: boolean): Promise<Placed> {
  for (;;) {
    const company = await testApp.company()
    const [row] = await testApp.sql<{ port: number }>(
      `select nodeport as port from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('member', $1::uuid)`,
      [company.id],
    )
    if ((String(row?.port) === new URL(stopped).port) === onStopped) {
      return { company, partner: await testApp.partner(company.taxId) }
    }
  }
}

beforeAll(async () => {
  there = await place(false)
  away = await place(true)
})

afterAll(() => start())

/** The database of the node accepts no connections, and has none: what its clients see of a server that is stopped. */
async function stop(): Promise<void> {
  await onServer(stopped, `alter database ${name()} allow_connections false`)
  await onServer(stopped, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name()}'`)
}

const start = () => onServer(stopped, `alter database ${name()} allow_connections true`)

const include = ({ company, partner }: Placed) => {
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  return partner.post('/v1/enrollment/inclusion', body)
}

test('while a worker is away companies are listed, other calls get 503, and what was accepted is done once it is back', async () => {
  const before = await Promise.all([include(there), include(away)])
  expect(before.map(({ status }) => status)).toEqual([200, 200])
  await stop()
  for (const placed of [there, away]) {
    const { partner } = placed
    expect((await partner.get('/v1/company')).status).toBe(200)
    // They read all workers, wherever the company is.
    expect((await partner.get('/v1/member')).status).toBe(503)
    expect((await partner.get('/v1/invoices')).status).toBe(503)
    expect((await include(placed)).status).toBe(503)
  }
  await start()
  for (const [n, { partner }] of [there, away].entries()) {
    const request = await testApp.finished(partner, before[n]?.body['request-id'])
    expect(request.status).toBe('completed')
    expect(expectOk(await partner.get('/v1/member?include-inactive=true')).body.result).toHaveLength(1)
  }
})
