/*
 * Point reads through the whole service (token, entitlement, framework, headers) against a bare `node:http` and `pg` server that
 * asks the same statements. `node bench/reads.ts`
 */
import { median, ms, percentile, perSecond, printTable, times, verdict } from './figures.ts'
import { drive, getRequest } from './load.ts'
import { call, makePartner, payroll, type Partner } from './partner.ts'
import { onStage, type Program } from './stage.ts'

const companies = 100
const requests = 200
const inFlight = 32
const rounds = Number(process.argv[2] ?? 41)
// Short, so that a neighbour on the machine disturbs all servers of a round alike.
const sliceMs = 300

interface Contestant {
  readonly name: string
  readonly program: Program
  readonly rates: number[]
  readonly latencies: number[]
  cpuMs: number
}

async function compare(
  what: string,
  paths: readonly string[],
  partner: Partner,
  programs: readonly (readonly [string, Program])[],
): Promise<string[][]> {
  const all = programs.map(([name, program]): Contestant => ({ name, program, rates: [], latencies: [], cpuMs: 0 }))
  const slice = ({ program }: Contestant, milliseconds: number) => {
    const sent = paths.map((path) => getRequest(program.url, path, partner.headers))
    return drive(program.url, sent, { inFlight, milliseconds })
  }
  for (const one of all) await slice(one, 2_000)
  for (let round = 0; round < rounds; round += 1) {
    // Every other round backwards: nobody always runs after the same neighbour.
    for (const one of round % 2 === 0 ? all : all.toReversed()) {
      const before = one.program.cpuMs()
      const { latencies, seconds } = await slice(one, sliceMs)
      one.cpuMs += one.program.cpuMs() - before
      one.rates.push(latencies.length / seconds)
      for (const latency of latencies) one.latencies.push(latency)
    }
  }
  const [floor] = all
  return all.map(({ name, rates, latencies, cpuMs }) => {
    const ratios = rates.map((rate, round) => rate / (floor?.rates[round] ?? Number.NaN))
    const ratio = median(ratios)
    const wanted = name.endsWith('error') ? verdict(ratio, 'at least', 0.85) : ''
    const half = `${times(percentile(ratios, 25))} to ${times(percentile(ratios, 75))}`
    const tail = [ms(percentile(latencies, 50)), ms(percentile(latencies, 99))]
    const cpu = `${Math.round((cpuMs / latencies.length) * 1_000)} us`
    return [what, name, perSecond(median(rates)), times(ratio), half, cpu, ...tail, wanted]
  })
}

await onStage(5, async (stage) => {
  const url = await stage.database('reads')
  const quiet = await stage.context(url)
  const partner = await makePartner(quiet.url, companies)
  const ids: string[] = []
  for (let n = 0; n < requests; n += 1) {
    const body = payroll(partner.companyTaxIds[n % companies] ?? '', 1)
    ids.push(String((await call(quiet.url, 'POST', '/v1/enrollment/inclusion', partner.headers, body))['request-id']))
  }
  const programs = [
    ['floor', await stage.floor(url, partner.clientId)],
    ['service, log level error', quiet],
    ['service, log level info', await stage.context(url, { VIGENCIA_LOG_LEVEL: 'info' })],
  ] as const
  const requestPaths = ids.map((id) => `/v1/request/${id}`)
  const companyPaths = partner.companyTaxIds.map((taxId) => `/v1/company/${taxId}`)
  printTable(`Point reads, ${inFlight} in flight, ${rounds} rounds of ${sliceMs} ms each in turn`, [
    [
      'Read',
      'Server',
      'Rate',
      'Of the floor',
      'Middle half of the rounds',
      'CPU of the server a read',
      'p50',
      'p99',
      'Wanted',
    ],
    ...(await compare('request by id', requestPaths, partner, programs)),
    ...(await compare('company', companyPaths, partner, programs)),
  ])
})
