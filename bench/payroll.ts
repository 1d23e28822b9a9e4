/*
 * What payroll by effective date takes: a page of the deductions, what an export has, the export itself and the list of months, of 10,000 employees with
 * a year of invoices, closed months and exports. `node bench/payroll.ts [PEOPLE]` (Linux)
 */
import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { monthsOf } from '#registry/rules/cut-off.ts'
import { call, connected, ms, printTable, runBench, verdict } from './bench.ts'
import { openContract, storeInvoices } from './contract.ts'

const people = Number(process.argv[2] ?? 10_000)
const months = monthsOf('2025-11', '2026-10')
const wanted = (forTenThousand: number) => Math.round((forTenThousand * people) / 10_000)

await runBench(20, async (bench) => {
  const service = await bench.service(bench.url, { VIGENCIA_BUSINESS_DATE: '2026-11-23' })
  const { contract, companyTaxId } = await openContract(service, bench.url, people, { proration: 'daily-30' })
  await storeInvoices(bench.url, contract, months)
  const { contractId, admin } = contract
  const client = await connected(bench.url)
  await client.query('update member set employee_id = tax_id')
  await client.end()
  const send = (method: string, path: string, body?: unknown) => call(service.url, method, path, admin, body)
  await send('PUT', `/operator/v1/contribution-rule/${randomUUID()}`, {
    'contract-id': contractId,
    'valid-from': '2024-01-01',
    'primary-employee-share': { 'basis-points': 3_000 },
    'dependent-employee-share': { 'basis-points': 6_000 },
    'coparticipation-employee-share': { 'basis-points': 10_000 },
  })
  await send('PUT', `/operator/v1/company/${companyTaxId}/payroll-profile`, {
    'layout-id': 'payroll-csv',
    events: { primary: '7611', dependent: '7612', coparticipation: '7613' },
    basis: 'effective-date',
    'first-month': months[0],
  })
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const start = performance.now()
    await act()
    return performance.now() - start
  }
  const exportOf = (month: string) =>
    timed(() =>
      send('POST', '/operator/v1/payroll-export', { 'company-tax-id': companyTaxId, 'reference-month': month }),
    )
  for (const month of months) {
    await exportOf(month)
    await send('POST', '/operator/v1/closing', {
      'company-tax-id': companyTaxId,
      'reference-month': month,
      reason: 'bench',
    })
  }
  const month = '2026-11'
  const company = `/operator/v1/company/${companyTaxId}`
  const reads = [
    ['a page of 100 of the deductions', 2_000, `${company}/deduction?reference-month=${month}&items-per-page=100`],
    ['the deductions of a charged month', 2_000, `${company}/deduction?reference-month=2026-10&items-per-page=100`],
    ['what an export has', 5_000, `/operator/v1/payroll?company-tax-id=${companyTaxId}&reference-month=${month}`],
    ['the months of the payroll', 5_000, `/operator/v1/payroll-period?company-tax-id=${companyTaxId}`],
  ] as const
  const rows = [['act', 'took', 'wanted']]
  for (const [name, most, path] of reads) {
    const took = [await timed(() => send('GET', path)), await timed(() => send('GET', path))]
    const best = Math.min(...took)
    rows.push([name, ms(best), verdict(best, 'at most', wanted(most), ' ms')])
  }
  const took = await exportOf(month)
  rows.push(['an export', ms(took), verdict(took, 'at most', wanted(5_000), ' ms')])
  printTable(
    `${people.toLocaleString('en')} employees, ${months.length} closed months, load ${loadavg()[0]?.toFixed(1)}`,
    rows,
  )
})
