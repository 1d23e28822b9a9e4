/*
 * A shipment of 10,000 items: how long its counts, the close, the file and the sending take, and what memory the close needs.
 * `node bench/shipments.ts [ITEMS]`
 */
import { setTimeout as pause } from 'node:timers/promises'
import { call, makePartner, ms, operator, payroll, printTable, runBench, signIn, verdict } from './bench.ts'

const items = Number(process.argv[2] ?? 10_000)
const maxMilliseconds = 10_000
const maxMiB = 150
type Json = Record<string, unknown>

await runBench(10, async (bench) => {
  const service = await bench.service(bench.url)
  const { url } = service
  const partner = await makePartner(url, 1)
  const admin = await signIn(url, operator.id, operator.secret)
  const companyTaxId = partner.companyTaxIds[0] ?? ''
  const { products } = (await call(url, 'GET', `/operator/v1/company/${companyTaxId}`, admin))['result'] as {
    products: { readonly 'product-id': string; readonly 'carrier-name': string }[]
  }
  const carrier = products[0]?.['carrier-name']
  const plans = products
    .filter((one) => one['carrier-name'] === carrier)
    .map((one) => ({ 'product-id': one['product-id'] }))
  await call(url, 'POST', '/operator/v1/contract', admin, {
    'company-tax-id': companyTaxId,
    'carrier-name': carrier,
    'contract-number': '900001',
    plans,
  })
  const request = await call(url, 'POST', '/v1/enrollment/inclusion', partner.headers, payroll(companyTaxId, items))
  for (;;) {
    const { status } = await call(url, 'GET', `/v1/request/${String(request['request-id'])}`, partner.headers)
    if (status === 'completed') break
    await pause(200)
  }
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
  printTable(`A shipment of ${items} items`, rows)
})
