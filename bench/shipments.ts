/*
 * A shipment of 10,000 items: how long its counts, the close, the file, the sending and the answer of the carrier take, and what memory the
 * close needs. The answer is compared with a file of as many decisions. `node bench/shipments.ts [ITEMS]`
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  call,
  makeContract,
  makePartner,
  ms,
  operator,
  payroll,
  printTable,
  runBench,
  signIn,
  verdict,
} from './bench.ts'

const items = Number(process.argv[2] ?? 10_000)
const maxMilliseconds = 10_000
const maxMiB = 150
/** The time of an answer, as a multiple of that of decisions. */
const maxOfDecisions = 1.5
type Json = Record<string, unknown>

await runBench(10, async (bench) => {
  const service = await bench.service(bench.url)
  const { url } = service
  const partner = await makePartner(url, 2)
  const admin = await signIn(url, operator.id, operator.secret)
  const [companyTaxId = '', otherTaxId = ''] = partner.companyTaxIds
  await makeContract(url, admin, companyTaxId)
  const include = async (taxId: string) => {
    const request = await call(url, 'POST', '/v1/enrollment/inclusion', partner.headers, payroll(taxId, items))
    for (;;) {
      const { status } = await call(url, 'GET', `/v1/request/${String(request['request-id'])}`, partner.headers)
      if (status === 'completed') break
      await pause(200)
    }
  }
  await include(companyTaxId)
  const list = await call(url, 'GET', '/operator/v1/shipment?status=open', admin)
  const path = `/operator/v1/shipment/${String((list['result'] as Json[])[0]?.['shipment-id'])}`
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const counts = async () =>
    ((await call(url, 'GET', path, admin))['result'] as Json)['counts'] as Record<string, number>
  const rows = [['step', 'figure', 'wanted']]
  const add = (step: string, figure: string, wanted = '') => rows.push([step, figure, wanted])
  add('list of shipments', ms(await timed(() => call(url, 'GET', '/operator/v1/shipment', admin))))
  // Before the counts, which write the same file.
  const before = service.settleMemory()
  add('counts of the open one', ms(await timed(counts)))
  const close = await timed(() => call(url, 'POST', `${path}/close`, admin))
  add('close', ms(close), verdict(close, 'at most', maxMilliseconds, ' ms'))
  const more = service.peakMemory() - before
  add('memory of both', `${more.toFixed(1)} MiB`, verdict(more, 'at most', maxMiB, ' MiB'))
  add('file', ms(await timed(async () => (await fetch(`${url}${path}/file`, { headers: admin })).arrayBuffer())))
  const sent = await timed(async () => {
    await call(url, 'POST', `${path}/send`, admin)
    while (((await counts())['ready'] ?? 0) > 0) await pause(100)
  })
  add('send, until all are at the carrier', ms(sent))
  add('items', String((await counts())['sent']))

  const idsOf = async (list: string, name: string) => {
    const ids: string[] = []
    for (let page = 1; ids.length < items; page += 1) {
      const found = (await call(url, 'GET', `${list}page=${page}&items-per-page=500`, admin))['result'] as Json[]
      ids.push(...found.map((one) => String(one[name])))
    }
    return ids
  }
  /** Sends a file of lines, and waits for the end of its job. */
  const decide = async (target: string, lines: readonly Json[]) => {
    const body = lines.map((line) => JSON.stringify(line)).join('\n')
    const headers = { ...admin, 'content-type': 'application/x-ndjson' }
    const response = await fetch(url + target, { method: 'POST', headers, body })
    const { result: job } = (await response.json()) as { result: { 'job-id': string } }
    for (;;) {
      const { result } = await call(url, 'GET', `/operator/v1/decision-job/${job['job-id']}`, admin)
      const { status, accepted } = result as { status: string; accepted: number }
      if (status === 'done' && accepted === items) return
      if (status === 'done' || status === 'broken') throw new Error(JSON.stringify(result))
      await pause(50)
    }
  }
  const answers = (await idsOf(`${path}/item?`, 'enrollment-id')).map((id, n) => ({
    'enrollment-id': id,
    outcome: 'accepted',
    'card-number': `C-${n}`,
  }))
  const answered = await timed(() => decide(`${path}/acknowledgement`, answers))
  await include(otherTaxId)
  const queue = `/operator/v1/enrollment?company-tax-id=${otherTaxId}&`
  const decisions = (await idsOf(queue, 'id')).map((id, n) => ({
    'enrollment-id': id,
    status: 'completed',
    'card-number': `D-${n}`,
  }))
  const decided = await timed(() => decide('/operator/v1/enrollment/decision?confirm=true', decisions))
  add(
    'answer of the carrier to all',
    ms(answered),
    verdict(answered / decided, 'at most', maxOfDecisions, ' x decisions'),
  )
  add('a file of as many decisions', ms(decided))
  printTable(`A shipment of ${items} items`, rows)
})
