/*
 * Inclusions: how long a batch takes to be accepted and to be processed, against what a bare server takes to parse the same body
 * and to insert the same rows, and against COPY of them; and what a point read feels of it; and the
 * same batches as an operator requests them. `node bench/inclusion.ts [ROUNDS]`
 */
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import {
  type Bench,
  type Partner,
  type Program,
  call,
  connected,
  copyAll,
  drive,
  getRequest,
  insertRequest,
  makePartner,
  median,
  medianRatio,
  ms,
  operator,
  payroll,
  percentile,
  printTable,
  runBench,
  signIn,
  takeDown,
  times,
  verdict,
} from './bench.ts'

const rounds = Number(process.argv[2] ?? 7)
/** Batches that are not counted: tables are empty, threads cold, and a thousand members do not yet get the code compiled. */
const warmUps = { 1_000: 40, 10_000: 1 }
const readsInFlight = 4
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

interface Posted {
  readonly milliseconds: number
  readonly body: Record<string, unknown>
}

function post(url: string, headers: Record<string, string>, body: Buffer): Promise<Posted> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const milliseconds = performance.now() - start
          const text = Buffer.concat(chunks).toString()
          if (response.statusCode !== 200) reject(new Error(`${response.statusCode} ${text.slice(0, 500)}`))
          else resolve({ milliseconds, body: JSON.parse(text) as Record<string, unknown> })
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

interface Contest {
  readonly service: Program
  readonly floor: Program
  readonly partner: Partner
  /** One connection to each database: the service's own, the floor's, the one that is copied into. */
  readonly own: Client
  readonly floorClient: Client
  readonly copyClient: Client
}

/** Three databases that begin alike and are given the same rows: the service's, the floor's and COPY's. */
async function openContest(bench: Bench): Promise<Contest> {
  const base = await bench.database('base')
  const first = await bench.service(base)
  const partner = await makePartner(first.url, 10)
  await first.stop()
  const [own, floor, copied] = [
    await bench.database('own', 'base'),
    await bench.database('floor', 'base'),
    await bench.database('copied', 'base'),
  ]
  return {
    service: await bench.service(own),
    floor: await bench.floor(floor, partner.clientId),
    partner,
    own: await connected(own),
    floorClient: await connected(floor),
    copyClient: await connected(copied),
  }
}

async function finished(client: Client, requestId: string, everyMs: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ status: string }>('select status from request where id = $1', [requestId])
    const status = rows[0]?.status
    if (status === 'completed') return
    if (status !== 'processing') throw new Error(`the request ended as ${status}`)
    await pause(everyMs)
  }
}

async function include({ service, partner }: Contest, body: Buffer): Promise<{ milliseconds: number; id: string }> {
  const accepted = await post(`${service.url}/v1/enrollment/inclusion`, partner.headers, body)
  return { milliseconds: accepted.milliseconds, id: String(accepted.body['request-id']) }
}

/** Rounds of one batch each: the service accepts and processes, the floor parses and inserts, COPY copies. */
async function compare(contest: Contest, members: keyof typeof warmUps): Promise<string[][]> {
  const { floor, own, floorClient, copyClient, partner } = contest
  const series = { accept: [], parse: [], process: [], insert: [], copy: [] } as Record<string, number[]>
  let rowCount = 0
  for (let round = -warmUps[members]; round < rounds; round += 1) {
    const body = Buffer.from(payroll(partner.companyTaxIds[0] ?? '', members))
    // Writes the changes of the floors to disk now, not while the service is measured.
    await own.query('checkpoint')
    const parsed = await post(`${floor.url}/parse`, {}, body)
    const accepted = await include(contest, body)
    const start = performance.now()
    await finished(own, accepted.id, 2)
    const processed = performance.now() - start
    const made = await takeDown(own, accepted.id)
    rowCount = made.rowCount
    for (const client of [floorClient, copyClient]) await insertRequest(client, made)
    const inserted = await post(`${floor.url}/bulk`, {}, Buffer.from(made.json))
    const copied = await copyAll(copyClient, made)
    // The service looks after its statistics itself; for the others autovacuum would come too late.
    for (const client of [floorClient, copyClient]) await client.query('analyze')
    if (round < 0) continue
    series['accept']?.push(accepted.milliseconds)
    series['parse']?.push(parsed.milliseconds)
    series['process']?.push(processed)
    series['insert']?.push(Number(inserted.body['ms']))
    series['copy']?.push(copied)
  }
  return rowsOf(members, rowCount, series as Series)
}

type Series = Record<'accept' | 'parse' | 'process' | 'insert' | 'copy', number[]>

function rowsOf(members: number, rowCount: number, { accept, parse, process, insert, copy }: Series): string[][] {
  const over = median(accept.map((value, round) => value - (parse[round] ?? Number.NaN)))
  const ofInsert = medianRatio(insert, process)
  const ofCopy = medianRatio(process, copy)
  const batch = `${members.toLocaleString('en')} members, ${rowCount.toLocaleString('en')} rows`
  const isSmall = members === 1_000
  return [
    [
      batch,
      'accepted (POST to 200)',
      ms(median(accept)),
      `${ms(over)} over parsing`,
      isSmall ? verdict(over, 'at most', 20, ' ms') : '',
    ],
    ['', 'floor: body received and parsed', ms(median(parse)), '', ''],
    ['', 'processed (200 to completed)', ms(median(process)), '', ''],
    [
      '',
      'floor: insert from JSON',
      ms(median(insert)),
      `service at ${times(ofInsert)} of its rate`,
      isSmall ? verdict(ofInsert, 'at least', 0.75) : '',
    ],
    ['', 'COPY', ms(median(copy)), `service takes ${times(ofCopy)}`, isSmall ? '' : verdict(ofCopy, 'at most', 3)],
  ]
}

/** Point reads alone, and while batches of 10,000 are accepted and processed, alternating. */
async function readsBeside(contest: Contest): Promise<string[][]> {
  const { service, partner, own } = contest
  const ids: string[] = []
  for (let n = 0; n < 100; n += 1) {
    const body = payroll(partner.companyTaxIds[1] ?? '', 1)
    ids.push(String((await call(service.url, 'POST', '/v1/enrollment/inclusion', partner.headers, body))['request-id']))
  }
  const reads = ids.map((id) => getRequest(service.url, `/v1/request/${id}`, partner.headers))
  const alone: number[] = []
  const beside: number[] = []
  for (let round = -1; round < rounds; round += 1) {
    const body = Buffer.from(payroll(partner.companyTaxIds[0] ?? '', 10_000))
    const quiet = await drive(service.url, reads, { inFlight: readsInFlight, milliseconds: 1_500 })
    const work = include(contest, body).then(({ id }) => finished(own, id, 10))
    const busy = await drive(service.url, reads, { inFlight: readsInFlight, milliseconds: 60_000, until: work })
    await work
    if (round < 0) continue
    alone.push(...quiet.latencies)
    beside.push(...busy.latencies)
  }
  const row = (name: string, values: number[]) => [
    name,
    values.length.toLocaleString('en'),
    ...[50, 95, 99, 99.9].map((percent) => ms(percentile(values, percent))),
  ]
  const ratio = percentile(beside, 99) / percentile(alone, 99)
  return [
    [...row('alone', alone), ''],
    [...row('while 10,000 are accepted and processed', beside), `${times(ratio)} ${verdict(ratio, 'at most', 3)}`],
  ]
}

const ruleCount = 200
/** Every primary meets the tenth of them, and lacks nothing. */
const insertRules = `insert into requirement_rule (id, name, active, conditions, require, enforcement, created_at, updated_at)
  select gen_random_uuid(), 'Rule ' || n, false, jsonb_build_object('carrier-names', '[]'::jsonb, 'product-types', '[]'::jsonb,
    'product-ids', '[]'::jsonb, 'company-tax-ids', '[]'::jsonb, 'movements', '["inclusion"]'::jsonb,
    'beneficiary-types', case when n % 10 = 0 then '["primary"]'::jsonb else '["dependent"]'::jsonb end,
    'dependent-types', case when n % 10 = 0 then '[]'::jsonb else '["sibling"]'::jsonb end, 'work-contract-types', '[]'::jsonb,
    'exclusion-reasons', '[]'::jsonb, 'lives', null, 'age-from', 110, 'age-until', null, 'days-since-admission-over', null, 'late', null),
    '[{"any-of": ["other"], "of": null, "message": "x"}]', 'pending', now(), now() from generate_series(1, $1) n`

/** Batches of 10,000 without and with rules of required documents, alternating: from the POST to the end of the request. */
async function withRules(contest: Contest): Promise<string[][]> {
  const { own, partner } = contest
  await own.query(insertRules, [ruleCount])
  const series: Record<'without' | 'with', number[]> = { without: [], with: [] }
  for (let round = -1; round < rounds; round += 1) {
    for (const which of ['without', 'with'] as const) {
      await own.query('update requirement_rule set active = $1', [which === 'with'])
      await own.query('checkpoint')
      const body = Buffer.from(payroll(partner.companyTaxIds[0] ?? '', 10_000))
      const start = performance.now()
      await finished(own, (await include(contest, body)).id, 2)
      if (round >= 0) series[which].push(performance.now() - start)
    }
  }
  await own.query('delete from requirement_rule')
  const ratio = medianRatio(series.with, series.without)
  return [
    ['none', ms(median(series.without)), ''],
    [`${ruleCount}`, ms(median(series.with)), `${times(ratio)} ${verdict(ratio, 'at most', 1.2)}`],
  ]
}

/** Batches of 10,000 by the partner and by an operator, with intake, alternating: from the POST to the 200, and from there to the end. */
async function byOperator({ service, partner, own }: Contest): Promise<string[][]> {
  const admin = await signIn(service.url, operator.id, operator.secret)
  const receivedAt = new Date(Date.now() - 3_600_000).toISOString()
  const intake = JSON.stringify({ medium: 'email', 'received-at': receivedAt, 'requester-name': 'Paula Andrade' })
  const senders = {
    partner: { path: '/v1', headers: partner.headers, begin: '{' },
    operator: { path: '/operator/v1', headers: admin, begin: `{"intake":${intake},` },
  } as const
  const accepted: Record<keyof typeof senders, number[]> = { partner: [], operator: [] }
  const whole: Record<keyof typeof senders, number[]> = { partner: [], operator: [] }
  for (let round = -1; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['partner', 'operator'] as const) : (['operator', 'partner'] as const)
    for (const sender of order) {
      const { path, headers, begin } = senders[sender]
      const body = Buffer.from(payroll(partner.companyTaxIds[0] ?? '', 10_000).replace('{', begin))
      await own.query('checkpoint')
      const start = performance.now()
      const posted = await post(`${service.url}${path}/enrollment/inclusion`, headers, body)
      await finished(own, String(posted.body['request-id']), 2)
      if (round < 0) continue
      accepted[sender].push(posted.milliseconds)
      whole[sender].push(performance.now() - start)
    }
  }
  const ratio = medianRatio(whole.operator, whole.partner)
  return [
    ['partner', ms(median(accepted.partner)), ms(median(whole.partner)), ''],
    [
      'operator',
      ms(median(accepted.operator)),
      ms(median(whole.operator)),
      `${times(ratio)} ${verdict(ratio, 'at most', 1.05)}`,
    ],
  ]
}

await runBench(8, async (bench) => {
  const contest = await openContest(bench)
  const head = ['Batch', 'What', 'Median', 'Compared', 'Wanted']
  const small = await compare(contest, 1_000)
  const large = await compare(contest, 10_000)
  printTable(`Inclusions, ${rounds} rounds, each on people whom nobody knows yet`, [head, ...small, ...large])
  printTable(`Reads of a request by id, ${readsInFlight} in flight`, [
    ['Reads', 'Answers', 'p50', 'p95', 'p99', 'p99.9', 'Wanted of p99'],
    ...(await readsBeside(contest)),
  ])
  printTable('10,000 members, by the rules of required documents', [
    ['Rules', 'Accepted and processed', 'Wanted'],
    ...(await withRules(contest)),
  ])
  printTable('10,000 members, by who requests them', [
    ['Who', 'Accepted', 'Accepted and processed', 'Wanted'],
    ...(await byOperator(contest)),
  ])
  for (const client of [contest.own, contest.floorClient, contest.copyClient]) await client.end()
  agent.destroy()
})
