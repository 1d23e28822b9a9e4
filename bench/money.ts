/*
 * What money takes: one charge and a page of 100 of a contract of 20,000 people with 24 invoices, the next invoice of it, its charges, and storing its
 * forecast. `node bench/money.ts [PEOPLE]` (Linux)
 */
import { loadavg } from 'node:os'
import { monthsOf } from '#registry/rules/cut-off.ts'
import { calendar } from '../test/world/contract.ts'
import { call, ms, percentile, printTable, runBench, verdict } from './bench.ts'
import { openContract, storeInvoices } from './contract.ts'

const people = Number(process.argv[2] ?? 20_000)
const months = monthsOf('2024-12', '2026-11')
const rounds = 15
/** Of the forecast: 2 s for 10,000 people; of storing it: 30 s for 100,000. */
const forecastMs = Math.round((2000 * people) / 10_000)
const storingMs = Math.round((30_000 * people) / 100_000)

await runBench(20, async (bench) => {
  const service = await bench.service(bench.url, { VIGENCIA_BUSINESS_DATE: '2026-12-14' })
  const more = { calendar: calendar(18), proration: 'daily-30' }
  const { contract, companyTaxId, partner } = await openContract(service, bench.url, people, more)
  await storeInvoices(bench.url, contract, months)
  const { contractId, admin, covered } = contract
  const charges = `/operator/v1/contract/${contractId}/charge`
  const benefit = (n: number) => covered[(n * 997) % covered.length]?.benefitId
  const get = (path: string, headers: Record<string, string> = admin) => call(service.url, 'GET', path, headers)
  const last = 'reference-month=2026-11'
  const next = 'reference-month=2027-01'
  const measured: readonly (readonly [name: string, wanted: number, request: (round: number) => Promise<unknown>])[] = [
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
  ]
  const rows = [['read', 'p50', 'worst', 'wanted']]
  for (const [name, wanted, request] of measured) {
    const took: number[] = []
    for (let round = -2; round < rounds; round += 1) {
      const start = performance.now()
      await request(Math.max(0, round))
      if (round >= 0) took.push(performance.now() - start)
    }
    const median = percentile(took, 50)
    rows.push([name, ms(median), ms(Math.max(...took)), verdict(median, 'at most', wanted, ' ms')])
  }
  const title = `${people.toLocaleString('en')} people, ${months.length} invoices, load ${loadavg()[0]?.toFixed(1)}`
  printTable(title, rows)
})
