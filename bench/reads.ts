/*
 * Point reads through the whole service (token, entitlement, framework, headers) against a bare `node:http` and `pg` server that
 * runs the same statements, with a load of raw sockets and, where it is installed, of `wrk`. `node bench/reads.ts [ROUNDS]`
 */
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  type Partner,
  type Program,
  call,
  connected,
  drive,
  getRequest,
  makePartner,
  median,
  ms,
  payroll,
  perSecond,
  percentile,
  printTable,
  runBench,
  times,
  verdict,
} from './bench.ts'

const companies = 100
const requests = 200
const inFlight = 32
const rounds = Number(process.argv[2] ?? 41)
// Short, so that other load on the machine disturbs all servers of a round alike.
const sliceMs = 300
// V8 has compiled the request path of the service after about this time; after 2 s a read still takes up to a third more CPU.
const warmUpMs = 8_000
const hasWrk = spawnSync('wrk', ['-v']).error === undefined

/** What one server did in one round. */
interface Slice {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly responses: number
}

/** Loads a server for a moment. */
type Generator = (program: Program, paths: readonly string[], partner: Partner, isWarmUp: boolean) => Promise<Slice>

const rawSockets: Generator = async ({ url }, paths, { headers }, isWarmUp) => {
  const requests = paths.map((path) => getRequest(url, path, headers))
  const { latencies, seconds } = await drive(url, requests, { inFlight, milliseconds: isWarmUp ? warmUpMs : sliceMs })
  const [p50, p99] = [percentile(latencies, 50), percentile(latencies, 99)]
  return { rate: latencies.length / seconds, p50, p99, responses: latencies.length }
}

/** wrk takes whole seconds. */
const wrk =
  (folder: string): Generator =>
  async ({ url }, paths, { headers }) => {
    const script = join(folder, 'paths.lua')
    writeFileSync(
      script,
      `local paths = {${paths.map((path) => JSON.stringify(path)).join()}}
       local n = 0
       request = function()
         n = n % #paths + 1
         return wrk.format('GET', paths[n], { authorization = '${headers.authorization}' })
       end
       done = function(summary, latency)
         io.write(string.format('rate=%f p50=%f p99=%f responses=%d errors=%d',
           summary.requests * 1e6 / summary.duration, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
           summary.requests, summary.errors.status))
       end`,
    )
    const child = spawn('wrk', ['-t1', `-c${inFlight}`, '-d1', '-s', script, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = await text(child.stdout)
    const figure = (name: string) => Number(new RegExp(`${name}=([\\d.]+)`).exec(output)?.[1])
    if (figure('errors') !== 0) throw new Error(output)
    return { rate: figure('rate'), p50: figure('p50'), p99: figure('p99'), responses: figure('responses') }
  }

async function compare(
  what: string,
  [generator, load]: readonly [string, Generator],
  paths: readonly string[],
  partner: Partner,
  programs: readonly (readonly [string, Program])[],
): Promise<string[][]> {
  const all = programs.map(([name, program]) => ({ name, program, slices: [] as Slice[], cpuMs: 0 }))
  for (const one of all) await load(one.program, paths, partner, true)
  const count = load === rawSockets ? rounds : Math.ceil(rounds / 3)
  for (let round = 0; round < count; round += 1) {
    // Every other round backwards: no server always runs after the same other one.
    for (const one of round % 2 === 0 ? all : all.toReversed()) {
      const before = one.program.cpuMs()
      one.slices.push(await load(one.program, paths, partner, false))
      one.cpuMs += one.program.cpuMs() - before
    }
  }
  const [floor] = all
  return all.map(({ name, slices, cpuMs }) => {
    const ratios = (figure: 'rate' | 'p99') =>
      slices.map((slice, round) => slice[figure] / (floor?.slices[round]?.[figure] ?? Number.NaN))
    const [rate, tail] = [median(ratios('rate')), median(ratios('p99'))]
    const half = `${times(percentile(ratios('rate'), 25))} to ${times(percentile(ratios('rate'), 75))}`
    const responses = slices.reduce((sum, slice) => sum + slice.responses, 0)
    const isService = name !== 'floor'
    return [
      what,
      generator,
      name,
      perSecond(median(slices.map((slice) => slice.rate))),
      `${times(rate)} ${isService ? verdict(rate, 'at least', 0.9) : ''}`,
      half,
      `${Math.round((cpuMs / responses) * 1_000)} us`,
      ms(median(slices.map((slice) => slice.p50))),
      ms(median(slices.map((slice) => slice.p99))),
      `${times(tail)} ${isService ? verdict(tail, 'at most', 1.25) : ''}`,
    ]
  })
}

/** The ids of the enrollments, once all requests are processed. */
async function enrollmentIds(databaseUrl: string, count: number): Promise<string[]> {
  const client = await connected(databaseUrl)
  try {
    for (;;) {
      const { rows } = await client.query<{ id: string }>('select id from enrollment')
      if (rows.length >= count) return rows.map(({ id }) => id)
    }
  } finally {
    await client.end()
  }
}

await runBench(10, async (bench) => {
  const url = await bench.database('reads')
  const quiet = await bench.service(url)
  const partner = await makePartner(quiet.url, companies)
  const ids: string[] = []
  for (let n = 0; n < requests; n += 1) {
    const body = payroll(partner.companyTaxIds[n % companies] ?? '', 1)
    ids.push(String((await call(quiet.url, 'POST', '/v1/enrollment/inclusion', partner.headers, body))['request-id']))
  }
  const programs = [
    ['floor', await bench.floor(url, partner.clientId)],
    ['service, log level error', quiet],
    ['service, log level info', await bench.service(url, { VIGENCIA_LOG_LEVEL: 'info' })],
  ] as const
  const requestPaths = ids.map((id) => `/v1/request/${id}`)
  const enrollmentPaths = (await enrollmentIds(url, requests)).map((id) => `/v1/enrollment/detail/${id}`)
  const companyPaths = partner.companyTaxIds.map((taxId) => `/v1/company/${taxId}`)
  const generators: (readonly [string, Generator])[] = [['raw sockets', rawSockets]]
  if (hasWrk) generators.push([`wrk -t1 -c${inFlight}`, wrk(bench.folder)])
  const rows: string[][] = []
  for (const generator of generators) {
    rows.push(...(await compare('request by id', generator, requestPaths, partner, programs)))
    rows.push(...(await compare('enrollment by id', generator, enrollmentPaths, partner, programs)))
    rows.push(...(await compare('company', generator, companyPaths, partner, programs)))
  }
  printTable(`Point reads, ${inFlight} in flight, ${rounds} rounds in turn; figures are medians of the rounds`, [
    ['Read', 'Load', 'Server', 'Rate', 'Of the floor', 'Middle half', 'CPU a read', 'p50', 'p99', 'p99 of the floor'],
    ...rows,
  ])
})
