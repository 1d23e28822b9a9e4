/*
 * A roster and an invoice of a carrier of almost 100,000 lines each, 50 of them wrong: how long they take from the upload until they are compared, what
 * memory the service needs, and what reads of partners take meanwhile; and an invoice after 13 others, whose months of cover are compared too. `node bench/reconciliation.ts [LINES]` (Linux)
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type CoveredBenefit, simulateInvoice, simulateRoster } from '#apps/cli/carrier-simulator/carrier-file.ts'
import { csvLine, lineEnd } from '#platform/tables/write.ts'
import { call, drive, getRequest, ms, percentile, printTable, runBench, times, verdict } from './bench.ts'
import { type BenchContract, openContract, storeInvoices } from './contract.ts'

const lines = Number(process.argv[2] ?? 100_000)
const errors = 50
/** Errors add lines, of which a file has 100,000 at most. */
const count = lines - errors
const maxMilliseconds = 60_000
const maxMiB = 300
/** The p99 of reads meanwhile, as a multiple of that alone. */
const maxOfAlone = 3
const readsInFlight = 4
type Json = Record<string, unknown>

/** The files of a month, as CSV. */
function filesOf(covered: readonly CoveredBenefit[], month: string) {
  const options = { seed: 17, errors, asOf: `${month}-01` }
  const csv = (list: readonly (CoveredBenefit & { endDate?: string | null; amount?: number })[]) => {
    const head = ['card-number', 'tax-id', 'name', 'date-of-birth', 'relationship', 'carrier-plan-code', 'start-date']
    const rows = list.map((one) => [
      one.cardNumber,
      one.taxId,
      one.name,
      one.dateOfBirth,
      one.relationship,
      one.planCode,
      one.startDate,
      one.amount === undefined ? (one.endDate ?? null) : (one.amount / 100).toFixed(2).replace('.', ','),
    ])
    const last = list[0]?.amount === undefined ? 'end-date' : 'amount'
    return [[...head, last], ...rows].map((cells) => csvLine(cells) + lineEnd).join('')
  }
  return {
    roster: csv(simulateRoster(covered, options).lines),
    invoice: csv(simulateInvoice(covered, options).lines),
  }
}

/** Sends a file and compares it. @returns the milliseconds of each step. @throws when other discrepancies are found than the seeded ones. */
async function reconcile({ service, admin, contractId }: BenchContract, kind: string, month: string, body: string) {
  const { url } = service
  const until = async (path: string, status: string) => {
    for (;;) {
      const { result } = (await call(url, 'GET', path, admin)) as { result: Json }
      if (result['status'] === status) return result
      if (result['status'] === 'failed') throw new Error(JSON.stringify(result))
      await pause(100)
    }
  }
  const start = performance.now()
  const query = `contract-id=${contractId}&kind=${kind}&reference-month=${month}&layout-id=generic-csv-${kind}`
  const headers = { ...admin, 'content-type': 'text/csv' }
  const response = await fetch(`${url}/operator/v1/carrier-file?${query}`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(await response.text())
  const { result: file } = (await response.json()) as { result: Json }
  const sent = performance.now()
  await until(`/operator/v1/carrier-file/${String(file['file-id'])}`, 'read')
  const read = performance.now()
  const made = await call(url, 'POST', '/operator/v1/reconciliation', admin, { 'carrier-file-id': file['file-id'] })
  const id = String((made['result'] as Json)['reconciliation-id'])
  const { counts } = await until(`/operator/v1/reconciliation/${id}`, 'open')
  const found = (counts as Json[]).reduce((sum, one) => sum + Number(one['open']), 0)
  if (found !== errors) throw new Error(`${found} discrepancies, not ${errors}: ${JSON.stringify(counts)}`)
  const end = performance.now()
  return { sent: sent - start, read: read - sent, compared: end - read, total: end - start }
}

await runBench(20, async (bench) => {
  const service = await bench.service(bench.url, { VIGENCIA_BUSINESS_DATE: '2026-12-01' })
  const { contract, partner } = await openContract(service, bench.url, count)
  const reads = contract.covered
    .slice(0, 200)
    .map(({ taxId }) => getRequest(service.url, `/v1/member?filter=tax-id%3D${taxId}`, partner.headers))
  const load = (until?: Promise<unknown>) =>
    drive(service.url, reads, {
      inFlight: readsInFlight,
      milliseconds: until === undefined ? 10_000 : 600_000,
      pauseMs: 5,
      ...(until === undefined ? {} : { until }),
    })
  await load()

  const rows = [['file', 'sent', 'read and matched', 'compared', 'total', 'wanted', 'memory', 'wanted']]
  const files = filesOf(contract.covered, '2026-10')
  for (const kind of ['roster', 'invoice'] as const) {
    const before = service.settleMemory()
    const took = await reconcile(contract, kind, '2026-10', files[kind])
    const more = service.peakMemory() - before
    rows.push([
      kind,
      ...[took.sent, took.read, took.compared, took.total].map(ms),
      verdict(took.total, 'at most', maxMilliseconds, ' ms'),
      `${more.toFixed(1)} MiB`,
      verdict(more, 'at most', maxMiB, ' MiB'),
    ])
  }
  printTable(`Files of ${lines.toLocaleString('en')} lines, load ${loadavg()[0]?.toFixed(1)}`, rows)

  const alone = [...(await load()).latencies]
  const next = filesOf(contract.covered, '2026-11')
  const work = (async () => {
    for (const kind of ['roster', 'invoice'] as const) await reconcile(contract, kind, '2026-11', next[kind])
  })()
  const beside = (await load(work)).latencies
  await work
  alone.push(...(await load()).latencies)
  const ratio = percentile(beside, 99) / percentile(alone, 99)
  const row = (name: string, values: readonly number[]) => [
    name,
    values.length.toLocaleString('en'),
    ...[50, 95, 99].map((percent) => ms(percentile(values, percent))),
  ]
  printTable(`Reads of a member by CPF, ${readsInFlight} in flight, load ${loadavg()[0]?.toFixed(1)}`, [
    ['reads', 'responses', 'p50', 'p95', 'p99', 'wanted of p99'],
    [...row('alone', alone), ''],
    [...row('while both files are compared', beside), `${times(ratio)} ${verdict(ratio, 'at most', maxOfAlone)}`],
  ])

  const earlier = ['2025-11', '2025-12', ...Array.from({ length: 9 }, (_, n) => `2026-0${n + 1}`)]
  await storeInvoices(bench.url, contract, earlier)
  const before = service.settleMemory()
  const took = await reconcile(contract, 'invoice', '2026-12', filesOf(contract.covered, '2026-12').invoice)
  const more = service.peakMemory() - before
  printTable(`An invoice of ${lines.toLocaleString('en')} lines after 13 others, load ${loadavg()[0]?.toFixed(1)}`, [
    ['sent', 'read and matched', 'compared', 'total', 'wanted', 'memory', 'wanted'],
    [
      ...[took.sent, took.read, took.compared, took.total].map(ms),
      verdict(took.total, 'at most', maxMilliseconds, ' ms'),
      `${more.toFixed(1)} MiB`,
      verdict(more, 'at most', maxMiB, ' MiB'),
    ],
  ])
})
