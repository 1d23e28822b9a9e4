/*
 * Pages of the invoices that are to be paid, by dates, against a bare server that counts and selects as one would write it, on
 * a database with plain indexes by company and by day. `node bench/invoices.ts [INVOICES...]`
 */
import type { Client } from 'pg'
import { median, ms, percentile, perSecond, printTable, times, verdict } from './figures.ts'
import { drive, getRequest } from './load.ts'
import { makePartner, type Partner } from './partner.ts'
import { entitle, makeCompanies } from './population.ts'
import { connected } from './rows.ts'
import { runBench, type Program, type Bench } from './bench.ts'

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100_000]
const companies = 2_000
const rounds = 4
const sliceMs = 200
const inFlight = 4

/** What people ask: the days of four years lie around today, one in ten invoices is still to be paid. */
const ranges: readonly (readonly [name: string, query: string])[] = [
  ['a day or two', 'from-dt=2026-10-10&until-dt=2026-10-11'],
  ['a month', 'from-dt=2026-10-01&until-dt=2026-10-31'],
  ['a month askew', 'from-dt=2026-09-17&until-dt=2026-10-16'],
  ['a year', 'from-dt=2026-01-01&until-dt=2026-12-31'],
  ['a year askew', 'from-dt=2025-11-07&until-dt=2026-11-06'],
  ['from a day on', 'from-dt=2026-06-15'],
  ['until a day', 'until-dt=2026-03-20'],
  ['all', ''],
]

/** So many invoices with a slip each, spread over companies and days, put as the service would have put them. */
async function makeInvoices(client: Client, count: number): Promise<void> {
  await makeCompanies(client, companies)
  const company = `('01995e0c-0001-7000-8000-' || lpad(to_hex(n % ${companies} + 1), 12, '0'))::uuid`
  const day = `(date '2023-01-01' + (n::bigint * 7919 % 1461)::int)`
  const slip = `('01995e0c-0006-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const all = `generate_series(1, ${count}) n`
  await client.query('set session_replication_role = replica')
  await client.query(`insert into invoice_owner (id, company_id) select 'FATURA-' || n, ${company} from ${all}`)
  await client.query(
    `insert into invoice (company_id, id, invoice_config_id, carrier_name, amount, due_date, reference_period_start,
       reference_period_end, unpaid_due_date, overdue_event_written, created_at, updated_at)
     select ${company}, 'FATURA-' || n, ${slip}, 'Operadora Aurora', n::bigint * 37 % 9000000, ${day}, ${day} - 30, ${day} - 1, ${day}, true, now(), now()
     from ${all}`,
  )
  await client.query(
    `insert into invoice_file (company_id, invoice_id, file_id, name, type, content_type, size, crc32, storage_key, status,
       payment_slip_due_date, created_at, updated_at)
     select ${company}, 'FATURA-' || n, ${slip}, 'boleto.pdf', 'payment-slip', 'application/pdf', 1000, 0, 'k' || n, 'pending', ${day}, now(), now()
     from ${all}`,
  )
  await client.query('reset session_replication_role')
  await client.query('vacuum (analyze) invoice, invoice_file, invoice_owner, company')
}

interface DataSet {
  readonly service: Program
  readonly one: Partner
  readonly all: Partner
  readonly floorOfOne: Program
  readonly floorOfAll: Program
}

async function makeDataSet(bench: Bench, count: number): Promise<DataSet> {
  const own = await bench.database(`own${count}`)
  const service = await bench.service(own)
  const [one, all] = [await makePartner(service.url, 0), await makePartner(service.url, 0)]
  const client = await connected(own)
  await makeInvoices(client, count)
  await entitle(client, one.clientId, 7, 7)
  await entitle(client, all.clientId, 1, companies)
  await client.query('vacuum (analyze) entitlement')
  await client.end()
  // Of a database in use no copy can be made.
  await service.stop()
  const bare = await bench.database(`bare${count}`, `own${count}`)
  const floorClient = await connected(bare)
  for (const index of ['invoice_unpaid_of_company', 'invoice_unpaid_by_due_date', 'invoice_overdue_event_due']) {
    await floorClient.query(`drop index ${index}`)
  }
  await floorClient.query('create index on invoice (company_id, due_date)')
  await floorClient.query('create index on invoice (due_date)')
  await floorClient.query('vacuum (analyze) invoice')
  await floorClient.end()
  return {
    service: await bench.service(own),
    one,
    all,
    floorOfOne: await bench.floor(bare, one.clientId),
    floorOfAll: await bench.floor(bare, all.clientId),
  }
}

interface Contest {
  readonly partner: Partner
  readonly service: Program
  readonly floor: Program
}

/** Rates of both for one question, in turns. */
async function compare(
  { partner, service, floor }: Contest,
  query: string,
): Promise<{ ratios: number[]; own: number[]; p99: number }> {
  const path = `/v1/invoices/pending-payment?${query}`
  const [mine, theirs] = (await Promise.all([
    fetch(service.url + path, { headers: partner.headers }).then((response) => response.json()),
    fetch(floor.url + path).then((response) => response.json()),
  ])) as [Listed, Listed]
  // A fast wrong answer is no answer.
  if (idsOf(mine) !== idsOf(theirs)) throw new Error(`${path}: ${idsOf(mine)} but ${idsOf(theirs)}`)
  const requests = (url: string, headers: Record<string, string>) => [getRequest(url, path, headers)]
  const rate = async (program: Program, headers: Record<string, string>) => {
    const { latencies, seconds } = await drive(program.url, requests(program.url, headers), {
      inFlight,
      milliseconds: sliceMs,
    })
    return { rate: latencies.length / seconds, latencies }
  }
  const ratios: number[] = []
  const own: number[] = []
  const latencies: number[] = []
  for (let round = -1; round < rounds; round += 1) {
    const first = round % 2 === 0 ? await rate(service, partner.headers) : await rate(floor, {})
    const second = round % 2 === 0 ? await rate(floor, {}) : await rate(service, partner.headers)
    if (round < 0) continue
    const [service_, floor_] = round % 2 === 0 ? [first, second] : [second, first]
    ratios.push(service_.rate / floor_.rate)
    own.push(service_.rate)
    latencies.push(...service_.latencies)
  }
  return { ratios, own, p99: percentile(latencies, 99) }
}

interface Listed {
  readonly result: readonly { readonly id: string }[]
  readonly pagination: { readonly 'total-items': number }
}

const idsOf = ({ result, pagination }: Listed) => `${pagination['total-items']}: ${result.map(({ id }) => id).join()}`

async function pages(contest: Contest, query: string): Promise<[string, string][]> {
  const path = `/v1/invoices/pending-payment?${query}`
  const response = await fetch(contest.service.url + path, { headers: contest.partner.headers })
  const { pagination } = (await response.json()) as { pagination: { 'total-pages': number } }
  const last = pagination['total-pages']
  const requests: [string, string][] = [['1', query]]
  if (last > 3) requests.push([String(Math.ceil(last / 2)), `${query}&page=${Math.ceil(last / 2)}`])
  if (last > 3) requests.push([String(last), `${query}&page=${last}`])
  return requests
}

await runBench(25, async (bench) => {
  for (const count of sizes) {
    const { service, one, all, floorOfOne, floorOfAll } = await makeDataSet(bench, count)
    const contests: [string, Contest][] = [
      ['1', { partner: one, service, floor: floorOfOne }],
      ['2,000', { partner: all, service, floor: floorOfAll }],
    ]
    const rows: string[][] = []
    const worst: Record<string, number> = {}
    for (const [companies, contest] of contests) {
      for (const [name, query] of ranges) {
        for (const [page, requests] of await pages(contest, query)) {
          const { ratios, own, p99 } = await compare(contest, requests)
          const ratio = median(ratios)
          worst[companies] = Math.min(worst[companies] ?? Infinity, ratio)
          rows.push([
            companies,
            name,
            page,
            perSecond(median(own)),
            ms(p99),
            times(ratio),
            verdict(ratio, 'at least', 0.9),
          ])
        }
      }
    }
    printTable(
      `Pages of 20 of ${count.toLocaleString('en')} invoices, ${inFlight} in flight, ${rounds} rounds of ${sliceMs} ms in turn`,
      [['Companies', 'Due', 'Page', 'Rate', 'p99', 'Of the floor', 'Wanted'], ...rows],
    )
    for (const [companies, ratio] of Object.entries(worst)) console.log(`\nslowest with ${companies}: ${times(ratio)}`)
    for (const program of [service, floorOfOne, floorOfAll]) await program.stop()
  }
})
