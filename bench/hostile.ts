/*
 * Reads of a well-behaved client alone and beside a hostile one: `node bench/hostile.ts [ATTACK...]`, attacks 1 to 13, all by default.
 *
 * 1 a Range header of 14,000 spaces     4 unread downloads and lists, half-sent uploads and calls
 * 2 JSON of 116,000 unknown keys        5 webhook endpoints, as many as allowed, and an inclusion of 2,000 people
 * 3 300 connections of wrong logins     6 a hundred bodies of 16 MiB under way
 * 7 64 pages that count 30,000 members  10 requests of 10,000 parts
 * 8 128 of them                         11 openapi.json
 * 9 10,000 rejected members, Portuguese 12 a file of decisions with 160,000 columns
 *                                       13 imports of hostile workbooks
 *
 * Each has a service and a database of its own, which are removed in the end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { completeCnpj } from '#kernel/tax-id.ts'
import {
  type Bench,
  type Program,
  call,
  getRequest,
  ms,
  operator,
  payroll,
  percentile,
  printTable,
  runBench,
  signIn,
  startProgram,
  times,
  verdict,
  programsFile,
} from './bench.ts'
import type { Target } from './programs.ts'

const connections = 4
const aloneMs = 6_000
const besideMs = 12_000
/** A read without a response for this long ends the measurement. */
const guardMs = 15_000
const wantedRatio = 5
const mebibyte = 1024 * 1024
const companyFile = new URL('../test/data/company.json', import.meta.url)

interface Reads {
  readonly latencies: readonly number[]
  /** What went wrong, by status or kind, with how often. */
  readonly errors: Readonly<Record<string, number>>
  /** Whether a read got no response within the guard's time. */
  readonly hung: boolean
}

/** Sends a read over and over on some connections, and counts what is not 200. */
async function read(url: string, request: Buffer, milliseconds: number): Promise<Reads> {
  const latencies: number[] = []
  const errors: Record<string, number> = {}
  const count = (name: string) => {
    errors[name] = (errors[name] ?? 0) + 1
  }
  const end = performance.now() + milliseconds
  let hung = false
  const loop = async () => {
    while (performance.now() < end && !hung) {
      const why = await onConnection(url, request, () => performance.now() < end && !hung, latencies, count)
      if (why === 'hung') hung = true
      else if (why !== null) {
        count(why)
        await pause(50)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return { latencies, errors, hung }
}

/** Reads on one connection. @returns why that ended early; null when the time is over. */
function onConnection(
  url: string,
  request: Buffer,
  goesOn: () => boolean,
  latencies: number[],
  count: (name: string) => void,
): Promise<string | null> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let sentAt = 0
    let got = ''
    let guard: NodeJS.Timeout | undefined
    const done = (why: string | null) => {
      clearTimeout(guard)
      socket.destroy()
      resolve(why)
    }
    const send = () => {
      sentAt = performance.now()
      got = ''
      guard = setTimeout(() => {
        latencies.push(guardMs)
        done('hung')
      }, guardMs)
      socket.write(request)
    }
    socket.once('connect', send)
    socket.once('error', () => done('connection error'))
    socket.once('close', () => done('closed'))
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString('latin1')
      const headEnd = got.indexOf('\r\n\r\n')
      const length = /^content-length: (\d+)/im.exec(got)?.[1]
      if (headEnd < 0 || got.length < headEnd + 4 + Number(length ?? 0)) return
      clearTimeout(guard)
      const status = got.slice(9, 12)
      if (status === '200') latencies.push(performance.now() - sentAt)
      else count(status)
      if (goesOn()) send()
      else done(null)
    })
  })
}

/** A service with a well-behaved client and another one that attacks, each with a company of its own. */
interface Scene {
  readonly program: Program
  readonly url: string
  readonly admin: { authorization: string }
  readonly good: Tenant
  readonly bad: Tenant
  /** Path of the request that the well-behaved client reads. */
  readonly request: string
}

interface Tenant {
  readonly clientId: string
  readonly clientSecret: string
  readonly headers: { authorization: string }
  readonly companyTaxId: string
}

/** A company of its own and a client of it. */
async function openTenant(url: string, admin: { authorization: string }, name: string): Promise<Tenant> {
  const companyTaxId = completeCnpj(`BENCH${name}001`)
  const { 'company-tax-id': _, ...body } = JSON.parse(readFileSync(companyFile, 'utf8')) as Record<string, unknown>
  await call(url, 'PUT', `/operator/v1/company/${companyTaxId}`, admin, body)
  const made = await call(url, 'POST', '/operator/v1/client', admin, { name, 'company-tax-ids': [companyTaxId] })
  const [clientId, clientSecret] = [String(made['client-id']), String(made['client-secret'])]
  return { clientId, clientSecret, headers: await signIn(url, clientId, clientSecret), companyTaxId }
}

async function openScene(bench: Bench, name: string): Promise<Scene> {
  const program = await bench.service(await bench.database(name), {
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
    VIGENCIA_DEMO: 'false',
    VIGENCIA_DATA_DIR: join(bench.folder, name),
  })
  const { url } = program
  const admin = await signIn(url, operator.id, operator.secret)
  const good = await openTenant(url, admin, 'GOOD')
  const bad = await openTenant(url, admin, 'EVIL')
  return { program, url, admin, good, bad, request: await include(url, good, 10) }
}

/** Includes that many people and waits until they are processed. @returns the path of the request. */
async function include(url: string, tenant: Tenant, members: number): Promise<string> {
  const body = payroll(tenant.companyTaxId, members)
  const accepted = await call(url, 'POST', '/v1/enrollment/inclusion', tenant.headers, body)
  const path = `/v1/request/${String(accepted['request-id'])}`
  while ((await call(url, 'GET', path, tenant.headers))['status'] === 'processing') await pause(100)
  return path
}

/** Gives the tenant an invoice with one file of so many bytes. @returns the path of its download. */
async function makeFile({ url, admin }: Scene, { companyTaxId, clientId }: Tenant, bytes: number): Promise<string> {
  const id = `fatura-${clientId}`
  await call(url, 'PUT', `/operator/v1/invoice/${id}`, admin, {
    'company-tax-id': companyTaxId,
    'carrier-name': 'Operadora Aurora',
    amount: 1_845_090,
    'due-date': '2036-12-10',
    'reference-period-start': '2036-11-01',
    'reference-period-end': '2036-11-30',
  })
  const fileId = '01995e0b-29f4-7b12-8e33-d4c5b6a79808'
  const response = await fetch(`${url}/operator/v1/invoice/${id}/file/${fileId}?name=a.pdf&type=other`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/pdf' },
    body: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes - 9)]),
  })
  if (!response.ok) throw new Error(`file: ${response.status} ${await response.text()}`)
  return `/v1/invoices/${id}/download?file-id=${fileId}`
}

async function makeUpload(url: string, tenant: Tenant): Promise<string> {
  const slot = await call(url, 'POST', '/v1/enrollment/document-upload-url', tenant.headers)
  const { pathname, search } = new URL(String(slot['upload-url']))
  return pathname + search
}

interface Attack {
  /** Resolves once it is under way, or after a while when the service does not let it get there. */
  readonly ready: Promise<unknown>
  /** What the attacker got, by status. */
  stop(): Promise<string>
}

function startAttack(name: string, target: Target): Attack {
  const child: ChildProcess = spawn(process.execPath, [programsFile, 'attacker', name], {
    env: { ...process.env, ATTACK: JSON.stringify(target) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  process.once('exit', () => child.kill('SIGKILL'))
  const lines: string[] = []
  const ready = new Promise<void>((resolve) => {
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'ready') resolve()
      else lines.push(line)
    })
  })
  return {
    ready: Promise.race([ready, pause(20_000), ended]),
    async stop() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await ended
      clearTimeout(late)
      const { statuses = {} } = JSON.parse(lines.at(-1) ?? '{}') as { statuses?: Record<string, number> }
      return shown(statuses)
    },
  }
}

const shown = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ') || 'none'

/** Repeats `work` with a pause between, until stopped. @returns how often it succeeded in time, and how often it was tried. */
function probe(work: (signal: AbortSignal) => Promise<boolean>, pauseMs: number): () => Promise<string> {
  const stopping = new AbortController()
  let [done, tried] = [0, 0]
  const running = (async () => {
    while (!stopping.signal.aborted) {
      tried += 1
      if (await work(AbortSignal.timeout(5_000)).catch(() => false)) done += 1
      await pause(pauseMs)
    }
  })()
  return async () => {
    stopping.abort()
    await running
    return `${done} of ${tried}`
  }
}

async function fetched(url: string, init: RequestInit): Promise<boolean> {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  return response.ok
}

interface Outcome {
  readonly row: string[]
  readonly notes: string[]
}

/** Reads alone, then beside an attack, with what else is done meanwhile. */
async function measure(
  title: string,
  { url, good, request }: Scene,
  start: () => Attack | Promise<Attack>,
  meanwhile?: () => () => Promise<string>,
): Promise<Outcome> {
  const bytes = getRequest(url, request, good.headers)
  await read(url, bytes, 3_000)
  const alone = await read(url, bytes, aloneMs)
  const attack = await start()
  await attack.ready
  const stopProbe = meanwhile?.()
  const beside = await read(url, bytes, besideMs)
  const [probed, got] = [await stopProbe?.(), await attack.stop()]
  const p99 = [alone, beside].map(({ latencies }) => percentile(latencies, 99)) as [number, number]
  const ratio = p99[1] / p99[0]
  return {
    row: [
      title,
      ms(percentile(alone.latencies, 50)),
      ms(p99[0]),
      beside.hung ? 'no response' : ms(percentile(beside.latencies, 50)),
      beside.hung ? `none in ${guardMs / 1_000} s` : ms(p99[1]),
      beside.hung ? '-' : times(ratio),
      shown(beside.errors),
      probed ?? '',
      beside.hung || Object.keys(beside.errors).length > 0
        ? `MISSED (no errors, at most ${wantedRatio})`
        : verdict(ratio, 'at most', wantedRatio),
    ],
    notes: [`${title}: the attacker got ${got}`],
  }
}

async function targetOf(scene: Scene, request = ''): Promise<Target> {
  const { url, admin, bad } = scene
  const second = await openTenant(url, admin, 'EVI2')
  return {
    url,
    authorization: bad.headers.authorization,
    otherAuthorization: second.headers.authorization,
    adminAuthorization: admin.authorization,
    companyTaxId: bad.companyTaxId,
    requestPath: request,
    filePath: await makeFile(scene, bad, 16 * mebibyte),
    uploadPath: await makeUpload(url, bad),
  }
}

/** Right logins while others try wrong ones. */
const logins = ({ url, good }: Scene) => {
  const body = JSON.stringify({ 'client-id': good.clientId, 'client-secret': good.clientSecret })
  const headers = { 'content-type': 'application/json' }
  const stop = probe((signal) => fetched(`${url}/v1/authenticate`, { method: 'POST', headers, body, signal }), 200)
  return async () => `right logins: ${await stop()}`
}

/** Readiness, the operators' queue and a right login, one after the other. */
const others = (scene: Scene) => {
  const { url, admin, good } = scene
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'client-id': good.clientId, 'client-secret': good.clientSecret }),
  }
  const stop = probe(
    async (signal) =>
      (await fetched(`${url}/readyz`, { signal })) &&
      (await fetched(`${url}/operator/v1/enrollment?items-per-page=1`, { headers: admin, signal })) &&
      fetched(`${url}/v1/authenticate`, { ...init, signal }),
    200,
  )
  return async () => `readiness, operator and login within 5 s: ${await stop()}`
}

/** An attack by a client that has included so many batches of 10,000. */
async function large(bench: Bench, name: string, title: string, batches: number): Promise<Outcome> {
  const scene = await openScene(bench, name.toLowerCase())
  try {
    let request = ''
    for (let n = 0; n < batches; n += 1) request = await include(scene.url, scene.bad, 10_000)
    const target = await targetOf(scene, request)
    return await measure(
      title,
      scene,
      () => startAttack(name, target),
      () => others(scene),
    )
  } finally {
    await scene.program.stop()
  }
}

/** The well-behaved client does, within 5 s, what the hostile one has taken all places of. */
async function holding(
  bench: Bench,
  name: 'downloads' | 'uploads' | 'lists' | 'calls',
  title: string,
): Promise<Outcome> {
  const scene = await openScene(bench, name)
  const { url, good, bad } = scene
  // A list that no socket's buffer takes whole.
  if (name === 'lists') for (let n = 0; n < 3; n += 1) await include(url, bad, 10_000)
  const target = await targetOf(scene)
  const file = await makeFile(scene, good, 10_000)
  const { headers } = good
  const json = { ...headers, 'content-type': 'application/json' }
  const inclusion = payroll(good.companyTaxId, 1)
  const works: Record<typeof name, (signal: AbortSignal) => Promise<boolean>> = {
    downloads: (signal) => fetched(url + file, { headers, signal }),
    lists: (signal) => fetched(`${url}/v1/member`, { headers, signal }),
    calls: (signal) =>
      fetched(`${url}/v1/enrollment/inclusion?dry-run=true`, {
        method: 'POST',
        headers: json,
        body: inclusion,
        signal,
      }),
    uploads: async (signal) =>
      fetched(url + (await makeUpload(url, good)), { method: 'PUT', body: Buffer.from('%PDF-1.7\n'), signal }),
  }
  try {
    return await measure(
      title,
      scene,
      () => startAttack(name, target),
      () => {
        const stop = probe(works[name], 200)
        return async () => `${name} within 5 s: ${await stop()}`
      },
    )
  } finally {
    await scene.program.stop()
  }
}

/** The delay of another client's events: from their timestamp to the receiver, with those that did not come. */
async function fanOut(bench: Bench): Promise<Outcome> {
  const scene = await openScene(bench, 'webhooks')
  const { url, good, bad } = scene
  const flooded = await startProgram(
    [process.execPath, programsFile, 'receiver'],
    join(bench.folder, 'receiver.log'),
    {},
  )
  const delays: number[] = []
  const own = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      delays.push(Date.now() - Date.parse((JSON.parse(text) as { timestamp: string }).timestamp))
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  const hook = `http://127.0.0.1:${(own.address() as AddressInfo).port}/hook`
  const type = { 'event-types': ['request.completed'] }
  await call(url, 'POST', '/v1/webhook-endpoint', good.headers, { url: hook, ...type })
  let endpoints = 0
  const start = async (): Promise<Attack> => {
    const headers = { ...bad.headers, 'content-type': 'application/json' }
    const make = (n: number) =>
      fetched(`${url}/v1/webhook-endpoint`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ url: `${flooded.url}/hook/${n}` }),
      })
    const end = performance.now() + 30_000
    while (endpoints < 1_000 && performance.now() < end && (await make(endpoints))) endpoints += 1
    const accepted = await call(url, 'POST', '/v1/enrollment/inclusion', bad.headers, payroll(bad.companyTaxId, 2_000))
    return {
      ready: pause(1_000),
      stop: async () => `${endpoints} endpoints, ${String(accepted['request-id']) && '2,000 people'}`,
    }
  }
  let sent = 0
  const makeEvent = async (signal: AbortSignal) => {
    const headers = { ...good.headers, 'content-type': 'application/json' }
    const body = payroll(good.companyTaxId, 1)
    const taken = await fetched(`${url}/v1/enrollment/inclusion`, { method: 'POST', headers, body, signal })
    if (taken) sent += 1
    return taken
  }
  try {
    return await measure('5 webhook fan-out', scene, start, () => {
      delays.length = 0
      const stop = probe(makeEvent, 500)
      return async () => {
        await stop()
        for (let waited = 0; waited < 30 && delays.length < sent; waited += 1) await pause(1_000)
        const late =
          delays.length === 0 ? 'none' : `median ${ms(percentile(delays, 50))}, longest ${ms(percentile(delays, 100))}`
        return `events delivered: ${delays.length} of ${sent}, delay ${late}`
      }
    })
  } finally {
    own.closeAllConnections()
    own.close()
    await scene.program.stop()
    await flooded.stop()
  }
}

/** Memory of the service before, at most during, and a minute after the attack. */
async function withMemory(bench: Bench, name: string, title: string): Promise<Outcome> {
  const scene = await openScene(bench, name)
  const { program } = scene
  try {
    const target = await targetOf(scene)
    let before = 0
    const outcome = await measure(title, scene, () => {
      before = program.settleMemory()
      return startAttack(name, target)
    })
    const peak = program.peakMemory()
    await pause(60_000)
    const after = program.settleMemory()
    const memory = [before, peak, after].map((value) => `${Math.round(value)} MiB`)
    return {
      ...outcome,
      notes: [
        ...outcome.notes,
        `${title.split(' ')[0]} memory (RSS): ${memory[0]} before, at most ${memory[1]} during, ${memory[2]} 60 s after`,
      ],
    }
  } finally {
    await program.stop()
  }
}

async function plain(bench: Bench, name: string, title: string, meanwhile?: (scene: Scene) => () => Promise<string>) {
  const scene = await openScene(bench, name)
  try {
    const target = await targetOf(scene)
    return await measure(title, scene, () => startAttack(name, target), meanwhile && (() => meanwhile(scene)))
  } finally {
    await scene.program.stop()
  }
}

const attacks: Record<string, (bench: Bench) => Promise<Outcome>[] | AsyncGenerator<Outcome>> = {
  1: (bench) => [plain(bench, 'range', '1 Range of 14,000 spaces')],
  2: (bench) => [plain(bench, 'keys', '2 116,000 unknown keys')],
  3: (bench) => [plain(bench, 'logins', '3 300 wrong logins', logins)],
  4: async function* (bench) {
    yield await holding(bench, 'downloads', '4 32 unread downloads')
    yield await holding(bench, 'uploads', '4 64 half-sent uploads')
    yield await holding(bench, 'lists', '4 8 unread lists')
    yield await holding(bench, 'calls', '4 2 x 256 half-sent calls')
  },
  5: (bench) => [fanOut(bench)],
  6: (bench) => [withMemory(bench, 'bodies', '6 100 bodies of 16 MiB')],
  7: (bench) => [large(bench, 'pages', '7 64 pages, counted', 3)],
  8: (bench) => [large(bench, 'morePages', '8 128 pages, counted', 3)],
  9: (bench) => [large(bench, 'rejected', '9 10,000 rejected, Portuguese', 0)],
  10: (bench) => [large(bench, 'parts', '10 requests of 10,000 parts', 1)],
  11: (bench) => [large(bench, 'openapi', '11 openapi.json', 0)],
  12: (bench) => [large(bench, 'columns', '12 160,000 columns', 0)],
  13: (bench) => [withMemory(bench, 'workbooks', '13 hostile workbooks')],
  tables: (bench) => [withMemory(bench, 'tables', 'tables 40 unread tables of small workbooks')],
}

const selected = process.argv.slice(2)
const chosen = selected.length > 0 ? selected : Object.keys(attacks)
for (const name of chosen) if (attacks[name] === undefined) throw new Error(`no such attack: ${name}`)

await runBench(13, async (bench) => {
  const outcomes: Outcome[] = []
  for (const name of chosen) {
    for await (const outcome of attacks[name]?.(bench) ?? []) {
      outcomes.push(outcome)
      console.log(`\n${outcome.row.join(' | ')}\n${outcome.notes.join('\n')}`)
    }
  }
  printTable(`Reads on ${connections} connections, alone and beside an attack`, [
    [
      'Attack',
      'p50 alone',
      'p99 alone',
      'p50 beside',
      'p99 beside',
      'Ratio',
      'Errors of reads',
      'The other client beside it',
      'Wanted',
    ],
    ...outcomes.map(({ row }) => row),
  ])
  console.log(`\n${outcomes.flatMap(({ notes }) => notes).join('\n')}`)
})
