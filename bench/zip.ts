/*
 * The ZIP of an invoice, 1 GB in 200 files, against a bare server that writes as many bytes to its socket; memory on the way, and
 * whether `unzip` (or Python) finds it whole. `node bench/zip.ts [ROUNDS] [FILES]` (Linux)
 */
import { spawnSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { median, medianRatio, ms, printTable, times, verdict } from './figures.ts'
import { drain } from './load.ts'
import { call, makePartner, signIn } from './partner.ts'
import { runBench, operator } from './bench.ts'

const rounds = Number(process.argv[2] ?? 5)
const files = Number(process.argv[3] ?? 200)
const fileBytes = 5_000_000
const invoiceId = 'FATURA-1'

async function putInvoice(url: string, companyTaxId: string): Promise<void> {
  const admin = await signIn(url, operator.id, operator.secret)
  await call(url, 'PUT', `/operator/v1/invoice/${invoiceId}`, admin, {
    'company-tax-id': companyTaxId,
    'carrier-name': 'Operadora Aurora',
    amount: 1_000_000,
    'due-date': '2026-12-10',
    'reference-period-start': '2026-11-01',
    'reference-period-end': '2026-11-30',
  })
  // Random bytes, each file others: nothing along the way can make them fewer.
  const bytes = Buffer.alloc(fileBytes)
  for (let n = 1; n <= files; n += 1) {
    randomFillSync(bytes)
    const id = `01995e0c-0007-7000-8000-${n.toString(16).padStart(12, '0')}`
    const name = encodeURIComponent(`relatório de coparticipação ${n}.pdf`)
    const response = await fetch(
      `${url}/operator/v1/invoice/${invoiceId}/file/${id}?name=${name}&type=detailed-statement`,
      {
        method: 'PUT',
        headers: { ...admin, 'content-type': 'application/pdf' },
        body: bytes,
      },
    )
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
}

/** What the first program at hand that reads ZIPs says of it. */
async function checked(url: string, headers: Record<string, string>, file: string): Promise<string> {
  const response = await fetch(url, { headers })
  if (response.body === null) throw new Error('no ZIP came')
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(file))
  for (const [program, ...args] of [
    ['unzip', '-tqq', file],
    ['python3', '-m', 'zipfile', '-t', file],
  ] as const) {
    const { status, error, stdout, stderr } = spawnSync(program, args)
    if (error !== undefined) continue
    if (status !== 0) throw new Error(`${program}: ${stdout.toString()}${stderr.toString()}`)
    return `${program} finds it whole`
  }
  return 'neither unzip nor python3 here: not opened'
}

await runBench(5, async (bench) => {
  const databaseUrl = await bench.database('zip')
  const service = await bench.service(databaseUrl, { VIGENCIA_DATA_DIR: join(bench.folder, 'files') })
  const partner = await makePartner(service.url, 1)
  await putInvoice(service.url, partner.companyTaxIds[0] ?? '')
  const floor = await bench.floor(databaseUrl, partner.clientId)
  const path = `/v1/invoices/${invoiceId}/download`
  const head = await fetch(service.url + path, { method: 'HEAD', headers: partner.headers })
  const size = Number(head.headers.get('content-length'))
  const opened = await checked(service.url + path, partner.headers, join(bench.folder, 'invoice.zip'))
  const [own, bare, first, rises]: [number[], number[], number[], number[]] = [[], [], [], []]
  const zip = async () => {
    const before = service.settleMemory()
    const { milliseconds, firstByteMs } = await drain(service.url, path, partner.headers)
    return { milliseconds, firstByteMs, rise: service.peakMemory() - before }
  }
  const bytes = async () => (await drain(floor.url, `/bytes?size=${size}`, {})).milliseconds
  for (let round = -1; round < rounds; round += 1) {
    const floorFirst = round % 2 === 0 ? await bytes() : null
    const taken = await zip()
    const floorTook = floorFirst ?? (await bytes())
    if (round < 0) continue
    own.push(taken.milliseconds)
    first.push(taken.firstByteMs)
    rises.push(taken.rise)
    bare.push(floorTook)
  }
  const ratio = medianRatio(bare, own)
  const gigabytes = (milliseconds: number) => `${(size / milliseconds / 1_000_000).toFixed(2)} GB/s`
  printTable(`ZIP of ${files} files, ${(size / 1_000_000).toFixed(0)} MB, ${rounds} rounds in turn; ${opened}`, [
    ['What', 'Whole', 'Rate', 'First byte', 'Peak over what it held', 'Of the floor'],
    [
      'ZIP',
      ms(median(own)),
      gigabytes(median(own)),
      ms(median(first)),
      `${Math.max(...rises).toFixed(0)} MiB`,
      `${times(ratio)} ${verdict(ratio, 'at least', 0.8)}`,
    ],
    ['floor: as many bytes from memory', ms(median(bare)), gigabytes(median(bare)), '', '', ''],
  ])
})
