/*
 * The whole list of members: 10,000 against a bare server that selects all and stringifies it, 200,000 against `\copy` of the same
 * items; first byte, memory; reads of a request by id beside three such lists; pages and filters against a bare server. `node bench/lists.ts [ROUNDS]` (Linux)
 *
 * `node bench/lists.ts tables [ROUNDS]`: 100,000 rows written and read as CSV and as a workbook, against the same text without rules.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  type Bench,
  type Drained,
  type Partner,
  type Program,
  connected,
  drain,
  drive,
  entitle,
  getRequest,
  makeBook,
  makePartner,
  median,
  medianRatio,
  ms,
  percentile,
  printTable,
  programsFile,
  requestId,
  runBench,
  times,
  verdict,
} from './bench.ts'
import { memberItems } from './programs.ts'

const ofTables = process.argv[2] === 'tables'
const rounds = Number(process.argv[ofTables ? 3 : 2] ?? 3)
const path = '/v1/member'
const readsInFlight = 4
// As many as one client may read at once.
const listsBeside = 2
const hasPsql = spawnSync('psql', ['--version']).status === 0

interface DataSet {
  readonly databaseUrl: string
  readonly service: Program
  readonly floor: Program
  readonly partner: Partner
}

/** A database with a book, all of which is one client's; the service and the floor on it. */
async function makeDataSet(bench: Bench, name: string, companies: number, members: number): Promise<DataSet> {
  const databaseUrl = await bench.database(name)
  const service = await bench.service(databaseUrl)
  const partner = await makePartner(service.url, 0)
  const client = await connected(databaseUrl)
  await makeBook(client, { companies, members, membersOfRequest: 10 })
  await entitle(client, partner.clientId, 1, companies)
  await client.query('vacuum (analyze) entitlement')
  await client.end()
  return { databaseUrl, service, floor: await bench.floor(databaseUrl, partner.clientId), partner }
}

/** `\copy` of the items to nowhere. @returns milliseconds. */
async function copyItems({ databaseUrl, partner }: DataSet): Promise<number> {
  const items = memberItems(partner.clientId).replaceAll(/\s+/g, ' ')
  if (hasPsql) {
    const start = performance.now()
    const { status, stderr } = spawnSync('psql', ['-X', '-q', databaseUrl, '-c', `\\copy (${items}) to /dev/null`])
    if (status !== 0) throw new Error(stderr.toString())
    return performance.now() - start
  }
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const start = performance.now()
  await pipeline(
    client.query(copyTo(`copy (${items}) to stdout`)),
    new Writable({ write: (_chunk, _encoding, done) => done() }),
  )
  await client.end()
  return performance.now() - start
}

interface Listed extends Drained {
  readonly rise: number
  readonly cpuMs: number
}

async function list({ service, partner }: DataSet): Promise<Listed> {
  const before = service.settleMemory()
  const cpuBefore = service.cpuMs()
  const drained = await drain(service.url, path, partner.headers)
  return { ...drained, rise: service.peakMemory() - before, cpuMs: service.cpuMs() - cpuBefore }
}

async function compare(
  name: string,
  dataSet: DataSet,
  floor: { readonly name: string; take(): Promise<number>; readonly limit: number },
): Promise<string[][]> {
  const lists: Listed[] = []
  const floors: number[] = []
  const idle = dataSet.service.settleMemory()
  for (let round = -1; round < rounds; round += 1) {
    const taken =
      round % 2 === 0 ? [await list(dataSet), await floor.take()] : [await floor.take(), await list(dataSet)]
    if (round < 0) continue
    for (const one of taken) {
      if (typeof one === 'number') floors.push(one)
      else lists.push(one)
    }
  }
  const took = lists.map((one) => one.milliseconds)
  const first = lists.map((one) => one.firstByteMs)
  const ratio = medianRatio(took, floors)
  // Compared with the memory before the first list, so that memory not freed counts too.
  const rise = Math.max(...lists.map((one) => one.rise), dataSet.service.settleMemory() - idle)
  return [
    [
      name,
      ms(median(took)),
      `${times(ratio)} ${verdict(ratio, 'at most', floor.limit)}`,
      `${ms(median(first))} ${verdict(median(first), 'at most', 50, ' ms')}`,
      `${rise.toFixed(0)} MiB ${verdict(rise, 'at most', 64, ' MiB')}`,
      `${Math.round(median(lists.map((one) => one.cpuMs)))} ms`,
    ],
    [`  floor: ${floor.name}`, ms(median(floors)), '', '', '', ''],
  ]
}

/** Point reads alone, and while lists are read repeatedly, alternating. */
async function readsBeside({ service, partner }: DataSet): Promise<string[][]> {
  const reads = Array.from({ length: 200 }, (_, n) =>
    getRequest(service.url, `/v1/request/${requestId(n + 1)}`, partner.headers),
  )
  const alone: number[] = []
  const beside: number[] = []
  let lists = 0
  for (let round = -1; round < rounds; round += 1) {
    const quiet = await drive(service.url, reads, { inFlight: readsInFlight, milliseconds: 1_500 })
    const shared = new Int32Array(new SharedArrayBuffer(8))
    const readers = new Worker(new URL('./programs.ts', import.meta.url), {
      workerData: { url: service.url, path, headers: partner.headers, lists: listsBeside, shared },
    })
    await once(readers, 'online')
    const busy = await drive(service.url, reads, { inFlight: readsInFlight, milliseconds: 4_000 })
    Atomics.store(shared, 0, 1)
    await once(readers, 'exit')
    if (round < 0) continue
    alone.push(...quiet.latencies)
    beside.push(...busy.latencies)
    lists += Atomics.load(shared, 1)
  }
  const row = (name: string, values: number[]) => [
    name,
    values.length.toLocaleString('en'),
    ...[50, 95, 99, 99.9].map((percent) => ms(percentile(values, percent))),
  ]
  const ratio = percentile(beside, 99) / percentile(alone, 99)
  return [
    [...row('alone', alone), ''],
    [
      ...row(`while ${listsBeside} lists are read (${lists} in all)`, beside),
      `${times(ratio)} ${verdict(ratio, 'at most', 3)}`,
    ],
  ]
}

/** The rate of one read compared with the bare server, alternating. */
async function compareReads(
  name: string,
  what: string,
  paths: readonly string[],
  { service, floor, partner }: DataSet,
) {
  const rate = async ({ url }: Program, milliseconds: number) => {
    const sent = paths.map((one) => getRequest(url, one, partner.headers))
    const { latencies, seconds } = await drive(url, sent, { inFlight: readsInFlight, milliseconds })
    return latencies.length / seconds
  }
  const [own, bare]: [number[], number[]] = [[], []]
  for (let round = -1; round < 2 * rounds; round += 1) {
    const first = round % 2 === 0 ? await rate(service, 1_000) : await rate(floor, 1_000)
    const second = round % 2 === 0 ? await rate(floor, 1_000) : await rate(service, 1_000)
    if (round < 0) continue
    own.push(round % 2 === 0 ? first : second)
    bare.push(round % 2 === 0 ? second : first)
  }
  const ratio = medianRatio(own, bare)
  return [name, what, `${median(own).toFixed(1)}/s`, `${times(ratio)} ${verdict(ratio, 'at least', 0.9)}`]
}

/** Paths of the filter by CPF, of people spread over the list. */
async function filters({ databaseUrl }: DataSet): Promise<string[]> {
  const client = await connected(databaseUrl)
  const { rows } = await client.query<{ taxId: string }>(
    'select tax_id as "taxId" from member order by md5(tax_id) limit 500',
  )
  await client.end()
  return rows.map(({ taxId }) => `${path}?filter=tax-id%3D${taxId}`)
}

const bareServer = (dataSet: DataSet) => ({
  name: 'bare server, all rows selected and stringified',
  take: async () => (await drain(dataSet.floor.url, path, {})).milliseconds,
  limit: 1,
})
const copy = (dataSet: DataSet) => ({
  name: hasPsql
    ? 'psql \\copy of the same items as JSON'
    : 'COPY of the same items as JSON (no psql here: pg-copy-streams)',
  take: () => copyItems(dataSet),
  limit: 1.3,
})

/** Each work in a process of its own, so that its memory is its own. */
function compareTables(folder: string): void {
  const run = (work: string, file: string) => {
    const { stdout, stderr } = spawnSync(process.execPath, [programsFile, 'table', work, join(folder, file)])
    if (stdout.length === 0) throw new Error(stderr.toString())
    return JSON.parse(stdout.toString()) as { milliseconds: number; peak: number }
  }
  const rows = ['csv', 'xlsx'].flatMap((format) =>
    ['write', 'read'].map((verb) => {
      const works = [`${verb}-${format}`, `${verb}-${format}-floor`] as const
      // What a floor writes is not read.
      const outcomes = Array.from({ length: rounds }, () =>
        works.map((work) => run(work, verb === 'write' && work.endsWith('floor') ? 'floor' : `table.${format}`)),
      )
      const [own, floor] = works.map((_, index) => outcomes.flatMap((one) => one[index] ?? []))
      const of = (list: typeof own, figure: 'milliseconds' | 'peak') => (list ?? []).map((one) => one[figure])
      return [
        `${verb} ${format}`,
        ms(median(of(own, 'milliseconds'))),
        ms(median(of(floor, 'milliseconds'))),
        times(medianRatio(of(own, 'milliseconds'), of(floor, 'milliseconds'))),
        `${Math.max(...of(own, 'peak')).toFixed(0)} MiB`,
        `${Math.max(...of(floor, 'peak')).toFixed(0)} MiB`,
      ]
    }),
  )
  printTable(`100,000 rows of 20 columns, ${rounds} rounds in turn with the floor`, [
    ['Work', 'Time', 'Floor', 'Of the floor', 'Memory', 'Floor'],
    ...rows,
  ])
}

if (ofTables) {
  const folder = mkdtempSync(join(tmpdir(), 'vigencia-tables-'))
  compareTables(folder)
  rmSync(folder, { recursive: true })
  process.exit(0)
}

await runBench(12, async (bench) => {
  const small = await makeDataSet(bench, 'small', 1, 10_000)
  const large = await makeDataSet(bench, 'large', 1, 200_000)
  const many = await makeDataSet(bench, 'many', 2_000, 200_000)
  printTable(`The whole list of members, ${rounds} rounds in turn with the floor`, [
    ['List', 'Whole', 'Of the floor', 'First byte', 'Peak over idle', 'CPU of the service'],
    ...(await compare('10,000 of one company', small, bareServer(small))),
    ...(await compare('200,000 of one company', large, copy(large))),
    ...(await compare('200,000 of 2,000 companies', many, copy(many))),
  ])
  printTable(`Reads of a request by id, ${readsInFlight} in flight`, [
    ['Reads', 'Answers', 'p50', 'p95', 'p99', 'p99.9', 'Wanted of p99'],
    ...(await readsBeside(large)),
  ])
  const dataSets = [
    ['200,000 of one company', large],
    ['200,000 of 2,000 companies', many],
  ] as const
  const reads: string[][] = []
  for (const [name, dataSet] of dataSets) {
    reads.push(await compareReads(name, 'filter by CPF', await filters(dataSet), dataSet))
    reads.push(await compareReads(name, 'page 1', [`${path}?page=1`], dataSet))
    reads.push(await compareReads(name, 'page 5,000', [`${path}?page=5000`], dataSet))
  }
  printTable(`Filters and pages of members, ${readsInFlight} in flight, in turn with the bare server`, [
    ['List', 'Read', 'Rate', 'Of the floor'],
    ...reads,
  ])
})
