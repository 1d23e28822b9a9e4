/*
 * Rate limits: how exactly two processes enforce one, how a client that floods affects another, and what a call costs.
 * `node bench/limits.ts [ROUNDS]`
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseRateLimits, RateLimiter } from '../src/http/limits/rate-limit.ts'
import type { Sql } from '../src/core/database.ts'
import { median, medianRatio, ms, percentile, perSecond, printTable, times, verdict } from './figures.ts'
import { drive, getRequest } from './load.ts'
import { makePartner, type Partner } from './partner.ts'
import { runBench, type Program } from './bench.ts'

const rounds = Number(process.argv[2] ?? 7)
const costRounds = 31
const quota = 600
const sliceMs = 1_500

const pathOf = (partner: Partner) => `/v1/company/${partner.companyTaxIds[0]}`

async function accuracy(programs: readonly Program[]): Promise<string[][]> {
  const ways: [string, number[]][] = [
    ['half and half', [4, 4]],
    ['nine in ten at one', [9, 1]],
    ['all at one', [8, 0]],
  ]
  const rows: string[][] = []
  for (const [way, inFlight] of ways) {
    const partner = await makePartner(programs[0]?.url ?? '', 1)
    const drives = await Promise.all(
      programs.map((program, n) =>
        drive(program.url, [getRequest(program.url, pathOf(partner), partner.headers)], {
          inFlight: inFlight[n] ?? 0,
          milliseconds: 5_000,
          takes429: true,
        }),
      ),
    )
    const passed = drives.map(({ latencies, refused }) => latencies.length - refused)
    const all = passed.reduce((sum, one) => sum + one, 0)
    const off = (Math.abs(all - quota) / quota) * 100
    const sent = drives.reduce((sum, { latencies }) => sum + latencies.length, 0)
    rows.push([way, String(sent), passed.join(' + '), `${off.toFixed(1)}%`, verdict(off, 'at most', 10, '%')])
  }
  return rows
}

/** A pace of about 100 calls a second that touches both processes: what is leased by one and not used is lost. */
async function slowly(programs: readonly Program[]): Promise<string[]> {
  const partner = await makePartner(programs[0]?.url ?? '', 1)
  const responses: Promise<number>[] = []
  for (let n = 0; n < 800; n += 1) {
    const { url } = programs[n % 100 === 0 ? 1 : 0] as Program
    responses.push(
      fetch(url + pathOf(partner), { headers: partner.headers }).then(async (response) => {
        await response.arrayBuffer()
        return response.status
      }),
    )
    await pause(10)
  }
  const passed = (await Promise.all(responses)).filter((status) => status === 200).length
  const off = (Math.abs(passed - quota) / quota) * 100
  return [
    '100 a second, one in a hundred at the other',
    '800',
    String(passed),
    `${off.toFixed(1)}%`,
    verdict(off, 'at most', 10, '%'),
  ]
}

async function flooding(
  url: string,
  path: string,
  partner: Partner,
): Promise<() => Promise<{ responses: number; refused: number }>> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./flood.ts', import.meta.url)), url, path, '32'], {
    env: { ...process.env, FLOOD_HEADERS: JSON.stringify(partner.headers) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return async () => {
    child.kill('SIGTERM')
    const { value } = await lines.next()
    return JSON.parse(String(value)) as { responses: number; refused: number }
  }
}

interface Effect {
  readonly calm: number[]
  readonly flooded: number[]
  responses: number
  refused: number
}

/** Latencies of a client with a call at a time, alone and beside one that floods, alternating. */
async function floodEffect(program: Program): Promise<Effect> {
  const { url } = program
  const effect: Effect = { calm: [], flooded: [], responses: 0, refused: 0 }
  const flooder = await makePartner(url, 1)
  for (let round = 0; round < rounds; round += 1) {
    const other = await makePartner(url, 1)
    // Slowly enough to stay within its own limit.
    const measure = async () => {
      const requests = [getRequest(url, pathOf(other), other.headers)]
      return (await drive(url, requests, { inFlight: 1, milliseconds: sliceMs, pauseMs: 5 })).latencies
    }
    effect.calm.push(...(await measure()))
    const stop = await flooding(url, pathOf(flooder), flooder)
    // Until its own quota is used up.
    await pause(1_000)
    effect.flooded.push(...(await measure()))
    const { responses, refused } = await stop()
    effect.responses += responses
    effect.refused += refused
  }
  return effect
}

const effectRow = (name: string, { calm, flooded, responses, refused }: Effect, wanted: boolean) => {
  const [alone, beside] = [percentile(calm, 99), percentile(flooded, 99)]
  const ratio = beside / alone
  const rate = perSecond(responses / ((rounds * (sliceMs + 1_000)) / 1_000))
  const share = `${Math.round((refused / Math.max(1, responses)) * 100)}%`
  return [name, rate, share, ms(alone), ms(beside), times(ratio), wanted ? verdict(ratio, 'at most', 2, ' x') : '']
}

/** CPU of `take` with its headers, without a database behind it. */
async function costOfTaking(): Promise<number> {
  const sql = { rows: async () => [{ leased: 0, secondsLeft: 60 }] } as unknown as Sql
  const quotas = parseRateLimits('999999/999999/20')
  if (quotas === null) return Number.NaN
  const limiter = new RateLimiter(sql, quotas)
  const clients = Array.from({ length: 100 }, (_, n) => `client-${n}`)
  let letters = 0
  const some = async (times: number) => {
    for (let n = 0; n < times; n += 1) letters += (await limiter.take(clients[n % 100] ?? '', 'reads')).limit.length
  }
  await some(200_000)
  const costs: number[] = []
  for (let round = 0; round < 9; round += 1) {
    const start = performance.now()
    await some(200_000)
    costs.push(((performance.now() - start) / 200_000) * 1_000)
  }
  if (letters === 0) throw new Error('nothing was taken')
  return median(costs)
}

/** CPU of the server for a read, with limits and without, alternating. */
async function costOfReads(programs: readonly (readonly [string, Program])[], partner: Partner): Promise<string[][]> {
  const all = programs.map(([name, program]) => ({ name, program, rates: [] as number[], cpu: [] as number[] }))
  const requests = ({ url }: Program) => [getRequest(url, pathOf(partner), partner.headers)]
  for (const { program } of all) await drive(program.url, requests(program), { inFlight: 16, milliseconds: 5_000 })
  for (let round = 0; round < costRounds; round += 1) {
    for (const { program, rates, cpu } of round % 2 === 0 ? all : all.toReversed()) {
      const before = program.cpuMs()
      const { latencies, seconds } = await drive(program.url, requests(program), { inFlight: 16, milliseconds: 300 })
      rates.push(latencies.length / seconds)
      cpu.push(((program.cpuMs() - before) / latencies.length) * 1_000)
    }
  }
  const [off] = all
  return all.map(({ name, rates, cpu }) => [
    name,
    perSecond(median(rates)),
    times(medianRatio(rates, off?.rates ?? [])),
    `${median(cpu).toFixed(1)} us`,
  ])
}

await runBench(8, async (bench) => {
  const url = await bench.database('limits')
  const limited = { VIGENCIA_RATE_LIMITS: `${quota}/120/9999` }
  const two = [await bench.service(url, limited), await bench.service(url, limited)]
  printTable(`A limit of ${quota} reads a minute on two processes`, [
    ['Calls', 'Sent', 'Let through', 'Off by', 'Wanted'],
    ...(await accuracy(two)),
    await slowly(two),
  ])
  await two[1]?.stop()

  const roomy = { VIGENCIA_RATE_LIMITS: '999999/999999/9999' }
  const off = await bench.service(url)
  const on = await bench.service(url, roomy)
  const [strict] = two as [Program]
  printTable(`A client with a call at a time beside one with 32 that never waits, ${rounds} rounds`, [
    ['Limits', 'The flood', 'Of it refused', 'p99 alone', 'p99 beside it', 'Ratio', 'Wanted'],
    effectRow('600 reads', await floodEffect(strict), true),
    effectRow('off', await floodEffect(off), false),
  ])

  // A fresh pair: the one that was flooded runs warmer.
  await off.stop()
  const pair = [['off', await bench.service(url)] as const, ['on', on] as const]
  const partner = await makePartner(on.url, 1)
  printTable('A read with limits and without', [
    ['Limits', 'Rate', 'Of that without', 'CPU of the server a read'],
    ...(await costOfReads(pair, partner)),
  ])
  const cost = await costOfTaking()
  printTable('Counting a call, with its headers', [
    ['Cost', 'Wanted'],
    [`${cost.toFixed(2)} us`, verdict(cost, 'at most', 2, ' us')],
  ])
})
