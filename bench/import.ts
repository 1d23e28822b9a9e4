/*
 * An import of members with one benefit each through the operator's door, against COPY of the rows that it made into an equal
 * database: `node bench/import.ts [members]`. The service's peak memory is Linux's VmHWM.
 */
import { once } from 'node:events'
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { ms, percentile, printTable, times, verdict } from './figures.ts'
import { importHeader, importLine } from './import-file.ts'
import { makePartner, signIn } from './partner.ts'
import { connected } from './rows.ts'
import { runBench, operator, type Program, type Bench } from './bench.ts'

const members = Number(process.argv[2] ?? 100_000)
const rounds = members > 200_000 ? 1 : 3
const tables = ['member', 'benefit'] as const
const askEveryMs = 25
const mebibyte = 1024 * 1024

async function writeFile(path: string, companyTaxIds: readonly string[]): Promise<number> {
  const out = createWriteStream(path)
  out.write(importHeader)
  for (let n = 0; n < members; n += 1) {
    const line = importLine(companyTaxIds[n % companyTaxIds.length] ?? '', n)
    if (!out.write(line)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return out.bytesWritten
}

const memory = (pid: number, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Without `fetch`, which gives up after five minutes without a response. */
async function send(url: string, admin: { authorization: string }, path: string): Promise<Record<string, unknown>> {
  const headers = { ...admin, 'content-type': 'text/csv' }
  const outgoing = request(url, { method: 'POST', headers })
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>
  await pipeline(createReadStream(path), outgoing)
  const [response] = await responded
  return (await json(response)) as Record<string, unknown>
}

interface Imported {
  readonly ms: number
  readonly idleMiB: number
  readonly peakMiB: number
  /** Of `/healthz`, called one after the other while it ran. */
  readonly healthMs: readonly number[]
}

async function importFile({ url, pid }: Program, path: string, idle: number | null): Promise<Imported> {
  const admin = await signIn(url, operator.id, operator.secret)
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const idleMiB = idle ?? memory(pid, 'VmRSS')
  const healthMs: number[] = []
  let isDone = false
  const asking = (async () => {
    while (!isDone) {
      const sentAt = performance.now()
      await (await fetch(`${url}/healthz`)).text()
      healthMs.push(performance.now() - sentAt)
      await pause(askEveryMs)
    }
  })().catch(() => {})
  const start = performance.now()
  const body = await send(`${url}/operator/v1/member/import`, admin, path)
  const took = performance.now() - start
  isDone = true
  await asking
  if (body['accepted'] !== members) throw new Error(`not all were accepted: ${JSON.stringify(body).slice(0, 500)}`)
  return { ms: took, idleMiB, peakMiB: memory(pid, 'VmHWM'), healthMs }
}

/** COPY of the rows into the equal database, one durable transaction, as psql would. @returns its milliseconds. */
async function copyRows(bench: Bench, fromUrl: string, toUrl: string): Promise<number> {
  const source = await connected(fromUrl)
  const target = await connected(toUrl)
  for (const table of tables) {
    await pipeline(source.query(copyTo(`copy ${table} to stdout`)), createWriteStream(join(bench.folder, table)))
  }
  const start = performance.now()
  await target.query('begin')
  for (const table of tables) {
    await pipeline(createReadStream(join(bench.folder, table)), target.query(copyFrom(`copy ${table} from stdin`)))
  }
  await target.query('commit')
  const took = performance.now() - start
  await Promise.all([source.end(), target.end()])
  return took
}

await runBench(30, async (bench) => {
  const base = await bench.database('base')
  const first = await bench.service(base)
  const { companyTaxIds } = await makePartner(first.url, 10)
  await first.stop()
  const path = join(bench.folder, 'members.csv')
  const bytes = await writeFile(path, companyTaxIds)
  const rows: string[][] = []
  for (let round = 0; round < rounds; round += 1) {
    const [imported, copied] = [
      await bench.database(`imported${round}`, 'base'),
      await bench.database(`copied${round}`, 'base'),
    ]
    const service = await bench.service(imported)
    const one = await importFile(service, path, null)
    const copy = await copyRows(bench, imported, copied)
    // Sent again it says what the book knows.
    const again = rounds > 1 ? await importFile(service, path, one.idleMiB) : null
    await service.stop()
    for (const [name, run] of [
      ['first', one],
      ['again, nothing new', again],
    ] as const) {
      if (run === null) continue
      rows.push([
        name,
        ms(run.ms),
        ms(copy),
        times(run.ms / copy),
        name === 'first' ? verdict(run.ms / copy, 'at most', 4, ' x') : '',
        `${Math.round(run.peakMiB - run.idleMiB)} MiB`,
        ms(percentile(run.healthMs, 50)),
        ms(percentile(run.healthMs, 99)),
      ])
    }
  }
  printTable(
    `Import of ${members.toLocaleString('en')} members with one benefit each (${Math.round(bytes / mebibyte)} MiB)`,
    [
      ['Import', 'Took', 'COPY', 'Of COPY', 'Wanted', 'Peak memory over idle', '/healthz meanwhile p50', 'p99'],
      ...rows,
    ],
  )
})
