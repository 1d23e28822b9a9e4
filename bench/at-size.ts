/*
 * What a book's size costs a point read: a filter by CPF, a request by id and a company, on a small and a large book side by side.
 * `node bench/at-size.ts [LARGE] [SMALL]`; 5,000,000 members take some minutes to make and about 12 GB.
 */
import type { Client } from 'pg'
import { median, ms, percentile, perSecond, printTable, times, verdict } from './figures.ts'
import { drive, getRequest } from './load.ts'
import { makePartner, type Partner } from './partner.ts'
import { entitle, makeBook } from './population.ts'
import { connected } from './rows.ts'
import { runBench, type Program, type Bench } from './bench.ts'

const [large = 1_000_000, small = 50_000] = process.argv.slice(2).map(Number)
const membersOfCompany = 500
const rounds = 21
const sliceMs = 300
const inFlight = 8
const sampleSize = 1_000

interface DataSet {
  readonly service: Program
  readonly partner: Partner
  /** Paths by what is read. */
  readonly paths: ReadonlyMap<string, readonly string[]>
}

async function makeDataSet(bench: Bench, members: number): Promise<DataSet> {
  const databaseUrl = await bench.database(`of${members}`)
  const service = await bench.service(databaseUrl)
  const partner = await makePartner(service.url, 0)
  const client = await connected(databaseUrl)
  const start = performance.now()
  const companies = Math.ceil(members / membersOfCompany)
  await makeBook(client, { companies, members, membersOfRequest: 10 })
  // A client of as many companies in either book: what grows is everybody else.
  await entitle(client, partner.clientId, 1, 100)
  await client.query('vacuum (analyze) entitlement')
  console.log(`${members.toLocaleString('en')} members made in ${Math.round((performance.now() - start) / 1_000)} s`)
  const paths = await pathsOf(client, partner)
  await client.end()
  return { service, partner, paths }
}

/** The same number of different questions of each kind, spread over the client's companies. */
async function pathsOf(client: Client, { clientId }: Partner): Promise<Map<string, string[]>> {
  const ask = async (text: string, path: (value: string) => string) => {
    const { rows } = await client.query<{ value: string }>(`${text} order by md5(value) limit ${sampleSize}`, [
      clientId,
    ])
    return rows.map(({ value }) => path(value))
  }
  const mine = 'company_id in (select company_id from entitlement where client_id = $1)'
  return new Map([
    [
      'filter by CPF',
      await ask(
        `select value from (select tax_id::text as value from member where ${mine}) x`,
        (taxId) => `/v1/member?filter=tax-id%3D${taxId}`,
      ),
    ],
    [
      'request by id',
      await ask(
        `select value from (select id::text as value from request where ${mine}) x`,
        (id) => `/v1/request/${id}`,
      ),
    ],
    [
      'company',
      await ask(
        `select value from (select c.tax_id::text as value from company c join entitlement t on t.company_id = c.id where t.client_id = $1) x`,
        (taxId) => `/v1/company/${taxId}`,
      ),
    ],
  ])
}

async function compare(what: string, dataSets: readonly (readonly [string, DataSet])[]): Promise<string[][]> {
  const all = dataSets.map(([name, dataSet]) => ({ name, dataSet, rates: [] as number[], latencies: [] as number[] }))
  for (let round = -2; round < rounds; round += 1) {
    for (const one of round % 2 === 0 ? all : all.toReversed()) {
      const { service, partner, paths } = one.dataSet
      const requests = (paths.get(what) ?? []).map((path) => getRequest(service.url, path, partner.headers))
      const milliseconds = round < 0 ? 1_500 : sliceMs
      const { latencies, seconds } = await drive(service.url, requests, { inFlight, milliseconds })
      if (round < 0) continue
      one.rates.push(latencies.length / seconds)
      one.latencies.push(...latencies)
    }
  }
  return all.map(({ name, rates, latencies }, n) => {
    const ratio = median(rates.map((rate, round) => (all[0]?.rates[round] ?? Number.NaN) / rate))
    return [
      n === 0 ? what : '',
      name,
      perSecond(median(rates)),
      ms(percentile(latencies, 50)),
      ms(percentile(latencies, 99)),
      n === 0 ? '' : `${times(ratio)} ${verdict(ratio, 'at most', 1.3)}`,
    ]
  })
}

await runBench(30, async (bench) => {
  const dataSets = [
    [`${small.toLocaleString('en')} members`, await makeDataSet(bench, small)],
    [`${large.toLocaleString('en')} members`, await makeDataSet(bench, large)],
  ] as const
  printTable(`Point reads by the size of the book, ${inFlight} in flight, ${rounds} rounds of ${sliceMs} ms in turn`, [
    ['Read', 'Book', 'Rate', 'p50', 'p99', 'Time against the small book'],
    ...(await compare('filter by CPF', dataSets)),
    ...(await compare('request by id', dataSets)),
    ...(await compare('company', dataSets)),
  ])
})
