/*
 * What money takes: one charge and a page of 100 of a contract of 20,000 people with 24 invoices, the next invoice of it, its charges, and storing its
 * forecast. `node bench/money.ts [PEOPLE]` (Linux)
 *
 * `node bench/money.ts queue [OPEN]`: the queue by money at risk and by age with 100,000 open exclusions, and how long their figures take.
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { monthsOf } from '#registry/rules/cut-off.ts'
import { calendar } from '../test/world/contract.ts'
import { type Bench, call, connected, ms, percentile, printTable, runBench, verdict } from './bench.ts'
import { openContract, storeInvoices, storeOpenExclusions } from './contract.ts'

const ofQueue = process.argv[2] === 'queue'
const people = Number(process.argv[ofQueue ? 3 : 2] ?? (ofQueue ? 100_000 : 20_000))
const months = monthsOf('2024-12', '2026-11')
const rounds = 15
const settings = { calendar: calendar(18), proration: 'daily-30' }

type Read = readonly [name: string, wantedMs: number, request: (round: number) => Promise<unknown>]

/** The targets of the forecast, 2 s for 10,000 people, and of storing it, 30 s for 100,000. */
const forecastMs = Math.round((2000 * people) / 10_000)
const storingMs = Math.round((30_000 * people) / 100_000)

/** Takes each read some times. */
async function measure(title: string, reads: readonly Read[]): Promise<void> {
  const rows = [['read', 'p50', 'worst', 'wanted']]
  for (const [name, wanted, request] of reads) {
    const took: number[] = []
    for (let round = -2; round < rounds; round += 1) {
      const start = performance.now()
      await request(Math.max(0, round))
      if (round >= 0) took.push(performance.now() - start)
    }
    const median = percentile(took, 50)
    rows.push([name, ms(median), ms(Math.max(...took)), verdict(median, 'at most', wanted, ' ms')])
  }
  printTable(`${title}, load ${loadavg()[0]?.toFixed(1)}`, rows)
}

/** The queue, when all movements have their figures. */
async function measureQueue(bench: Bench): Promise<void> {
  const service = await bench.service(bench.url, { VIGENCIA_BUSINESS_DATE: '2026-12-14' })
  const { contract } = await openContract(service, bench.url, people, settings)
  await storeOpenExclusions(bench.url, contract)
  const client = await connected(bench.url)
  const counted = async () => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from movement_money')
    return rows[0]?.count ?? 0
  }
  while ((await counted()) === 0) await pause(100)
  const start = performance.now()
  while ((await counted()) < people) await pause(100)
  const figures = performance.now() - start
  await client.query('analyze movement_money')
  await client.end()
  const read = (order: string) => () =>
    call(service.url, 'GET', `/operator/v1/enrollment?status=open&sort=${order}&items-per-page=50`, contract.admin)
  await measure(`${people.toLocaleString('en')} open exclusions, figures of all in ${ms(figures)}`, [
    ['the first page by money at risk', 300, read('money-at-risk')],
    ['the first page by age', 300, read('created-at')],
  ])
}

await runBench(20, async (bench) => {
  if (ofQueue) return measureQueue(bench)
  const service = await bench.service(bench.url, { VIGENCIA_BUSINESS_DATE: '2026-12-14' })
  const { contract, companyTaxId, partner } = await openContract(service, bench.url, people, settings)
  await storeInvoices(bench.url, contract, months)
  const { contractId, admin, covered } = contract
  const charges = `/operator/v1/contract/${contractId}/charge`
  const benefit = (n: number) => covered[(n * 997) % covered.length]?.benefitId
  const get = (path: string, headers: Record<string, string> = admin) => call(service.url, 'GET', path, headers)
  const last = 'reference-month=2026-11'
  const next = 'reference-month=2027-01'
  await measure(`${people.toLocaleString('en')} people, ${months.length} invoices`, [
    ['one charge of an invoice', 60, (n) => get(`${charges}?${last}&benefit-id=${benefit(n)}`)],
    ['one charge of the next invoice', 60, (n) => get(`${charges}?${next}&benefit-id=${benefit(n)}`)],
    ['a page of 100 of an invoice', 300, (n) => get(`${charges}?${last}&items-per-page=100&page=${1 + n}`)],
    [
      'the same for the company',
      300,
      (n) => get(`/v1/company/${companyTaxId}/charge?${last}&items-per-page=100&page=${1 + n}`, partner.headers),
    ],
    [
      'a page of 100 of the next invoice',
      forecastMs,
      (n) => get(`${charges}?${next}&items-per-page=100&page=${1 + n}`),
    ],
    ['the next invoice', forecastMs, () => get(`/operator/v1/contract/${contractId}/forecast`)],
    [
      'storing its forecast',
      storingMs,
      () =>
        call(service.url, 'POST', `/operator/v1/contract/${contractId}/forecast/freeze`, admin, {
          'reference-month': '2027-01',
        }),
    ],
  ])
})
