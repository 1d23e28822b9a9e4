/* What the benchmarks share: the engine and the programs that are measured, data, load and figures. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, type ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { completeCnpj } from '#kernel/tax-id.ts'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { cpfAt } from '../test/data/people.ts'

/** Figures of one run as ratios: absolute ones cannot be compared on a noisy machine. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2
}

/** By nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

/** The ratio of each round's pair, in the middle: both of a pair had the same neighbours on the machine. */
export function medianRatio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((value, round) => value / (under[round] ?? Number.NaN)))
}

export const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`
export const times = (value: number) => `${value.toFixed(2)} x`

/** `met`, or `MISSED`, with what was wanted. */
export function verdict(value: number, relation: 'at least' | 'at most', wanted: number, unit = ''): string {
  const met = relation === 'at least' ? value >= wanted : value <= wanted
  return `${met ? 'met' : 'MISSED'} (${relation} ${wanted}${unit})`
}

/** A table on standard output; the first row is its head. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) => `| ${widths.map((width, n) => (row[n] ?? '').padEnd(width)).join(' | ')} |`
  const [head = [], ...rest] = rows
  console.log(`\n${title}\n`)
  console.log(line(head))
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  for (const row of rest) console.log(line(row))
}

const vigencia = fileURLToPath(new URL('../bin/vigencia', import.meta.url))
/** The programs beside the service: run by Node with the name of one. */
export const programsFile = fileURLToPath(new URL('./programs.ts', import.meta.url))

export interface Program {
  readonly url: string
  readonly pid: number
  /** Milliseconds of CPU that the process has used; NaN where the system does not report it. */
  cpuMs(): number
  /** MiB that the process uses now; resets its peak. */
  settleMemory(): number
  /** MiB that the process uses now. */
  memory(): number
  /** The largest MiB since then. */
  peakMemory(): number
  stop(): Promise<void>
}

/** A durable engine in a folder of its own, and the programs that are measured on it, each a process. */
export interface Bench {
  readonly folder: string
  /** URL of the database of the engine, or of the one given. */
  readonly url: string
  /** The process of that engine; null for a database given by its URL. */
  readonly postmasterPid: number | null
  /** Makes a database, a copy of another where one is named. @returns its URL. */
  database(name: string, template?: string): Promise<string>
  /** The service as `npm start` runs it, on that database. */
  service(databaseUrl: string, environment?: Record<string, string>): Promise<Program>
  floor(databaseUrl: string, clientId: string): Promise<Program>
}

/** Where a bench runs, when not on an engine of its own in a temporary folder that is removed at the end. */
interface Place {
  /** An existing folder. */
  readonly folder?: string
  readonly isKept?: boolean
  /** 32 bytes in base64; a kept folder needs the same again. */
  readonly masterKey?: string
  /** A database instead of an engine in the folder. */
  readonly databaseUrl?: string | undefined
  /** Parameters of the engine's server. */
  readonly parameters?: Record<string, string>
}

export const operator = { id: 'bench-operator', secret: 'a-secret-of-the-bench-operator-4711' }

/** Runs `work`, then stops the programs and the engine; fails when it takes longer than `minutes`. */
export async function runBench(
  minutes: number,
  work: (bench: Bench) => Promise<void>,
  place: Place = {},
): Promise<void> {
  const [busy = 0] = loadavg()
  console.log(
    `\nNode ${process.version}, ${availableParallelism()} cores, load ${busy.toFixed(1)} before the first measurement`,
  )
  const folder = place.folder ?? mkdtempSync(join(tmpdir(), 'vigencia-bench-'))
  // For root: what PostgreSQL's own user cannot reach would lie elsewhere, and stay there.
  chmodSync(folder, 0o755)
  const engine =
    place.databaseUrl === undefined
      ? await startEmbedded({ dataDir: join(folder, 'data'), settings: place.parameters ?? {} })
      : { url: place.databaseUrl, pid: null, stop: () => Promise.resolve() }
  const programs: Program[] = []
  const stopAll = async () => {
    await Promise.allSettled(programs.map((program) => program.stop()))
    await engine.stop()
    if (place.isKept !== true) rmSync(folder, { recursive: true, force: true })
  }
  const broken = Promise.withResolvers<never>()
  const timer = setTimeout(() => broken.reject(new Error(`not done within ${minutes} minutes`)), minutes * 60_000)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => broken.reject(new Error(signal)))
  const masterKey = place.masterKey ?? randomBytes(32).toString('base64')
  const registered = (program: Program) => {
    programs.push(program)
    return program
  }
  const bench: Bench = {
    folder,
    url: engine.url,
    postmasterPid: engine.pid,
    async database(name, template = 'template1') {
      const client = new Client({ connectionString: engine.url })
      await client.connect()
      await client.query(`create database ${name} template ${template}`)
      await client.end()
      return engine.url.replace('/vigencia?', `/${name}?`)
    },
    service: async (databaseUrl, environment = {}) =>
      registered(
        await startProgram([vigencia, 'start'], join(folder, 'service.log'), {
          VIGENCIA_DATABASE_URL: databaseUrl,
          VIGENCIA_MASTER_KEY: masterKey,
          VIGENCIA_DATA_DIR: join(folder, 'service'),
          VIGENCIA_ENVIRONMENT: 'staging',
          VIGENCIA_OPERATOR_CLIENT_ID: operator.id,
          VIGENCIA_OPERATOR_CLIENT_SECRET: operator.secret,
          VIGENCIA_PORT: '0',
          VIGENCIA_LOG_LEVEL: 'error',
          VIGENCIA_RATE_LIMITS: 'off',
          ...environment,
        }),
      ),
    floor: async (databaseUrl, clientId) =>
      registered(
        await startProgram(
          [process.execPath, programsFile, 'floor', databaseUrl, clientId],
          join(folder, 'floor.log'),
          {},
        ),
      ),
  }
  try {
    await Promise.race([work(bench), broken.promise])
  } finally {
    clearTimeout(timer)
    await stopAll()
  }
}

/** Starts a program and waits until it prints its URL. Its standard error goes to a file. */
export async function startProgram(
  command: readonly string[],
  logFile: string,
  environment: Record<string, string>,
): Promise<Program> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VIGENCIA_'))
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await listeningAt(child)
  return {
    url,
    pid: child.pid ?? 0,
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    settleMemory: () => {
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
      return memoryOf(child.pid ?? 0, 'VmRSS')
    },
    memory: () => memoryOf(child.pid ?? 0, 'VmRSS'),
    peakMemory: () => memoryOf(child.pid ?? 0, 'VmHWM'),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(late)
    },
  }
}

/** From Linux's /proc, whose ticks are 10 ms: enough over seconds. */
function cpuMsOf(pid: number): number {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = after.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function listeningAt(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the program has no standard output')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /(?:listening on|Health and metrics:) (http:\/\/\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return url
  }
  throw new Error('the program ended before it listened')
}

/** What the processing of an inclusion writes, in the order in which the foreign keys want it. */
export const tables = ['member', 'benefit', 'enrollment', 'event'] as const

/** The rows of a request by table; `member` are the new ones. */
const madeBy: Record<(typeof tables)[number], string> = {
  member: `select m.* from member m where m.company_id = $company
    and m.id in (select e.member_id from enrollment e where e.request_id = $request)`,
  benefit: `select b.* from benefit b where b.company_id = $company
    and b.id in (select e.benefit_id from enrollment e where e.request_id = $request)`,
  enrollment: 'select e.* from enrollment e where e.request_id = $request',
  event: `select v.* from event v where v.company_id = $company and v.data ->> 'request-id' = $text
    and v.type = 'enrollment.created'`,
}

interface Made {
  /** The request as JSON; read before the measurement starts. */
  readonly request: string
  /** The rows of each table as one JSON object, for the floor. */
  readonly json: string
  /** The rows of each table in COPY's text format. */
  readonly copies: readonly (readonly [table: string, data: Buffer])[]
  readonly rowCount: number
}

export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  // When the bench ends early, the error is reported elsewhere.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** SQL: the columns of a table that are not generated, which nobody may insert. */
export async function columnsOf(client: ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows[0]?.columns ?? ''
}

/** Reads the rows that the processing of a request inserted, in the order of the tables. */
export async function takeDown(client: Client, requestId: string): Promise<Made> {
  const { rows } = await client.query<{ companyId: string; request: string }>(
    'select company_id as "companyId", row_to_json(r)::text as request from request r where id = $1',
    [requestId],
  )
  const [{ companyId, request } = { companyId: '', request: '' }] = rows
  const parts: string[] = []
  const copies: [string, Buffer][] = []
  let rowCount = 0
  for (const table of tables) {
    const columns = await columnsOf(client, table)
    const made = madeBy[table]
      .replaceAll('$company', `'${companyId}'::uuid`)
      .replaceAll('$request', `'${requestId}'::uuid`)
      .replaceAll('$text', `'${requestId}'`)
    const json = await client.query<{ list: string; count: string }>(
      `select coalesce(json_agg(x), '[]')::text as list, count(*) from (${made}) x`,
    )
    parts.push(`"${table}":${json.rows[0]?.list}`)
    rowCount += Number(json.rows[0]?.count)
    copies.push([
      `${table} (${columns})`,
      await buffer(client.query(copyTo(`copy (select ${columns} from (${made}) x) to stdout`))),
    ])
  }
  return { request, json: `{${parts.join()}}`, copies, rowCount }
}

/** The request that the rows belong to. */
export async function insertRequest(client: Client, { request }: Made): Promise<void> {
  await client.query('insert into request select * from json_populate_recordset(null::request, $1::json)', [
    `[${request}]`,
  ])
}

/** COPY of the rows, as psql would, in one durable transaction. @returns its milliseconds. */
export async function copyAll(client: Client, { copies }: Made): Promise<number> {
  const start = performance.now()
  await client.query('begin')
  for (const [table, data] of copies) {
    const stream = client.query(copyFrom(`copy ${table} from stdin`))
    stream.end(data)
    await once(stream, 'finish')
  }
  await client.query('commit')
  return performance.now() - start
}

/** The company of the tests and benches, as the operator puts it. */
const companyBody = JSON.parse(readFileSync(new URL('../test/data/company.json', import.meta.url), 'utf8')) as Record<
  string,
  unknown
>

export interface Partner {
  readonly clientId: string
  readonly headers: { readonly authorization: string }
  readonly companyTaxIds: string[]
}

/** Puts companies and makes a partner entitled to them all, through the service's own doors. */
export async function makePartner(url: string, companies: number): Promise<Partner> {
  const admin = await signIn(url, operator.id, operator.secret)
  const companyTaxIds = Array.from({ length: companies }, (_, n) =>
    completeCnpj(`BENCH${String(n).padStart(3, '0')}0001`),
  )
  for (const [n, taxId] of companyTaxIds.entries()) {
    const { 'company-tax-id': _, ...body } = companyBody
    await call(url, 'PUT', `/operator/v1/company/${taxId}`, admin, { ...body, name: `Companhia ${n}` })
  }
  const made = await call(url, 'POST', '/operator/v1/client', admin, {
    name: 'Folha',
    'company-tax-ids': companyTaxIds,
  })
  const clientId = String(made['client-id'])
  return { clientId, headers: await signIn(url, clientId, String(made['client-secret'])), companyTaxIds }
}

/** Makes a contract of the products of a company's first carrier. @returns its id. */
export async function makeContract(
  url: string,
  admin: { readonly authorization: string },
  taxId: string,
): Promise<string> {
  const { products } = (await call(url, 'GET', `/operator/v1/company/${taxId}`, admin))['result'] as {
    products: { readonly 'product-id': string; readonly 'carrier-name': string }[]
  }
  const carrier = products[0]?.['carrier-name']
  const plans = products
    .filter((one) => one['carrier-name'] === carrier)
    .map((one) => ({ 'product-id': one['product-id'] }))
  const body = { 'company-tax-id': taxId, 'carrier-name': carrier, 'contract-number': '900001', plans }
  const { result } = await call(url, 'POST', '/operator/v1/contract', admin, body)
  return (result as { 'contract-id': string })['contract-id']
}

/** The header of a client or operator. */
export async function signIn(url: string, clientId: string, clientSecret: string): Promise<{ authorization: string }> {
  const body = { 'client-id': clientId, 'client-secret': clientSecret }
  const response = await call(url, 'POST', '/v1/authenticate', {}, body)
  return { authorization: `Bearer ${String(response['access-token'])}` }
}

/** One call that must succeed. */
export async function call(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as Record<string, unknown>
}

let serial = 0

/** Sets the number of the last person that was made: people of another number have another CPF. */
export function startPeopleAfter(n: number): void {
  serial = n
}

/**
 * An inclusion of that many new people, of about 500 bytes each: families of
 * a primary and two dependents at most, everybody in the health product.
 */
export function payroll(companyTaxId: string, members: number): string {
  const list: Record<string, unknown>[] = []
  for (let family = 0; list.length < members; family += 1) {
    const holder = person({ 'beneficiary-type': 'primary' }, employment())
    list.push(holder)
    for (let n = 0; n < family % 3 && list.length < members; n += 1) {
      list.push(
        person({
          'beneficiary-type': 'dependent',
          'primary-member-tax-id': holder['tax-id'],
          'dependent-type': 'child',
        }),
      )
    }
  }
  return JSON.stringify({ 'company-tax-id': companyTaxId, members: list })
}

function person(role: Record<string, unknown>, more: Record<string, unknown> = {}): Record<string, unknown> {
  serial += 1
  return {
    ...role,
    name: `Conceição Letícia Kobayashi Müller ${serial}`,
    'tax-id': cpfAt(serial),
    'mothers-name': 'Ana Helena da Silva Kobayashi',
    'date-of-birth': role['beneficiary-type'] === 'primary' ? '1990-05-17' : '2020-01-31',
    gender: 'female',
    products: {
      'health-insurance': [{ name: 'Saúde Essencial Enfermaria', 'start-option': 'on-inclusion-date' }],
    },
    ...more,
  }
}

function employment(): Record<string, unknown> {
  const n = serial + 1
  return {
    'marital-status': 'single',
    'admission-date': '2022-05-03',
    'work-contract-type': 'brazil-labor-law',
    'job-title': 'Analista de Produção',
    'employee-id': `E${n}`,
    'cost-center': `CC-${n % 200}`,
    salary: 2_201_631,
    'email-corporate': `e${n}@serraazul.example`,
    'email-private': `pessoa${n}@mail.example`,
    phone: '11925618483',
  }
}

/** Latencies in milliseconds of the responses received, and the duration of the whole. */
interface Drive {
  readonly latencies: number[]
  /** How many of the responses were 429, where those are accepted. */
  readonly refused: number
  readonly seconds: number
}

/** The bytes of a GET on a connection that stays open. */
export function getRequest(url: string, path: string, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

/** The bytes of a POST on a connection that stays open. */
export function postRequest(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: string,
  contentType = 'application/json',
): Buffer {
  const length = Buffer.byteLength(body)
  const all = { host: new URL(url).host, ...headers, 'content-type': contentType, 'content-length': String(length) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Keeps `inFlight` requests under way, each on a connection of its own, for the time given. Speaks HTTP on bare sockets: a
 * client library would take as much of the two cores as the servers that are to be compared.
 * @param until ends the drive early when it resolves.
 */
export async function drive(
  url: string,
  requests: readonly Buffer[],
  options: {
    readonly inFlight: number
    readonly milliseconds: number
    readonly until?: Promise<unknown>
    /** Accepts 429. */
    readonly takes429?: boolean
    /** Milliseconds between a response and the next request. */
    readonly pauseMs?: number
  },
): Promise<Drive> {
  const { hostname, port } = new URL(url)
  const sockets = await Promise.all(Array.from({ length: options.inFlight }, () => opened(hostname, Number(port))))
  const latencies: number[] = []
  const start = performance.now()
  let end = start + options.milliseconds
  void options.until?.finally(() => {
    end = 0
  })
  let turn = 0
  let refused = 0
  const isTaken = (head: string) => {
    if (head === 'HTTP/1.1 200') return true
    if (head !== 'HTTP/1.1 429' || options.takes429 !== true) return false
    refused += 1
    return true
  }
  const next = () => requests[turn++ % requests.length] as Buffer
  try {
    await Promise.all(
      sockets.map((socket) => talk(socket, next, () => performance.now() < end, latencies, isTaken, options.pauseMs)),
    )
    return { latencies, refused, seconds: (performance.now() - start) / 1_000 }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** A long response: the time of its first and last byte, and its bytes with the head. */
export interface Drained {
  readonly firstByteMs: number
  readonly milliseconds: number
  readonly bytes: number
}

/** Reads a whole response and discards it, on a new connection each time. */
export async function drain(url: string, path: string, headers: Record<string, string>): Promise<Drained> {
  const { hostname, port } = new URL(url)
  const socket = await opened(hostname, Number(port))
  const start = performance.now()
  let firstByteMs = Number.NaN
  let bytes = 0
  let head = ''
  socket.write(getRequest(url, path, { ...headers, connection: 'close' }))
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (bytes === 0) {
      firstByteMs = performance.now() - start
      head = chunk.toString('latin1', 0, 500)
    }
    bytes += chunk.length
  }
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`not 200: ${head}`)
  return { firstByteMs, milliseconds: performance.now() - start, bytes }
}

function opened(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

function talk(
  socket: Socket,
  next: () => Buffer,
  goesOn: () => boolean,
  latencies: number[],
  isTaken: (head: string) => boolean,
  pauseMs = 0,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let got = ''
    const send = () => {
      sentAt = performance.now()
      socket.write(next())
    }
    socket.on('data', (chunk: Buffer) => {
      // Bytes, not characters: content-length counts them.
      got += chunk.toString('latin1')
      const length = responseLength(got)
      if (length === null || got.length < length) return
      latencies.push(performance.now() - sentAt)
      if (!isTaken(got.slice(0, 12))) {
        reject(new Error(`not 200: ${got.slice(0, 500)}`))
        return
      }
      got = ''
      if (!goesOn()) resolve()
      else if (pauseMs > 0) setTimeout(send, pauseMs)
      else send()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed the connection')))
    send()
  })
}

/** The length of the whole response, once its head is received. */
function responseLength(got: string): number | null {
  const head = got.indexOf('\r\n\r\n')
  if (head < 0) return null
  const length = /^content-length: (\d+)/im.exec(got.slice(0, head))?.[1]
  if (length === undefined) throw new Error('an answer without content-length cannot be measured')
  return head + 4 + Number(length)
}

/** A request that is due. */
interface DueRequest {
  /** Makes the bytes when the request is sent: what waits needs little memory. */
  readonly bytes: () => Buffer
  /** By `performance.now()`. */
  readonly dueAt: number
  /** Called once, with the status such as `200`, or the code of the socket's error and no body. The body has a character for each byte. */
  readonly onEnd: (status: string, body: string) => void
}

/** Sends what is due on idle connections, in order; what finds none waits. A connection that breaks is opened again. */
export class Sender {
  readonly #urls: readonly string[]
  readonly #idle: Socket[] = []
  readonly #waiting: DueRequest[] = []
  /** An index of `#waiting`: those before it are sent. */
  #next = 0
  #underWay = 0
  #isClosed = false

  private constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  /** Opens so many connections, spread over the servers. */
  static async open(urls: readonly string[], connections: number): Promise<Sender> {
    const sender = new Sender(urls)
    const all = Array.from({ length: connections }, (_, n) => sender.#connect(n % urls.length))
    sender.#idle.push(...(await Promise.all(all)))
    return sender
  }

  /** Requests without a connection yet. */
  get waiting(): number {
    return this.#waiting.length - this.#next
  }

  /** Requests whose response is not complete. */
  get underWay(): number {
    return this.#underWay
  }

  send(request: DueRequest): void {
    this.#waiting.push(request)
    this.#sendNext()
  }

  /** Resolves when every request has its response. */
  async done(): Promise<void> {
    while (this.#underWay + this.waiting > 0) await pause(5)
  }

  close(): void {
    this.#isClosed = true
    for (const socket of this.#idle) socket.destroy()
  }

  #connect(server: number): Promise<Socket> {
    const { hostname, port } = new URL(this.#urls[server] ?? '')
    return opened(hostname, Number(port)).then((socket) => {
      socket.removeAllListeners('error')
      // Also while it is idle: a server that ends closes it, and one that is never used gets 408 from Node after a while.
      socket.on('error', () => {}).resume()
      socket.once('close', () => this.#replace(socket, server))
      return socket
    })
  }

  #replace(closed: Socket, server: number): void {
    const index = this.#idle.indexOf(closed)
    if (index >= 0) this.#idle.splice(index, 1)
    void this.#reconnect(server)
  }

  async #reconnect(server: number): Promise<void> {
    while (!this.#isClosed) {
      const socket = await this.#connect(server).catch(() => null)
      if (socket !== null) {
        if (this.#isClosed) socket.destroy()
        else this.#idle.push(socket)
        return this.#sendNext()
      }
      await pause(100)
    }
  }

  #take(): DueRequest | undefined {
    const request = this.#waiting[this.#next]
    if (request === undefined) return undefined
    this.#next += 1
    if (this.#next > 1_000 && this.#next * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#next)
      this.#next = 0
    }
    return request
  }

  #sendNext(): void {
    // The one that has been idle longest, so that all are used and each server gets its share.
    const socket = this.#idle.shift()
    if (socket === undefined) return
    const request = this.#take()
    if (request === undefined) {
      this.#idle.unshift(socket)
      return
    }
    this.#underWay += 1
    let received = ''
    const end = (status: string, body: string) => {
      socket.off('data', onData).off('error', onError).off('close', onClose)
      this.#underWay -= 1
      if (!socket.destroyed) this.#idle.push(socket)
      request.onEnd(status, body)
      this.#sendNext()
    }
    const onData = (chunk: Buffer) => {
      // Bytes, not characters: content-length counts them.
      received += chunk.toString('latin1')
      const length = responseLength(received)
      if (length === null || received.length < length) return
      end(received.slice(9, 12), received.slice(received.indexOf('\r\n\r\n') + 4))
    }
    const onError = (error: NodeJS.ErrnoException) => end(error.code ?? 'error', '')
    const onClose = () => end('closed', '')
    socket.on('data', onData).once('error', onError).once('close', onClose)
    socket.write(request.bytes())
  }
}

/* Books of any size, made by the database itself: the service's own doors would take hours. */
interface Book {
  readonly companies: number
  readonly members: number
  /** Each member's inclusion too, so many to a request; 0: none. */
  readonly membersOfRequest?: number
  /** A primary and its dependents: three when absent. */
  readonly familySize?: number
}

/** The members by number from 1: SQL over the column n, and the same in JavaScript. */
export const idOf = (kind: string, n: string) => `('01995e0c-${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** The id of a request of the book. */
export const requestId = (n: number) => `01995e0c-0004-7000-8000-${n.toString(16).padStart(12, '0')}`

/** Spread over all that there are, as CPFs are: nine digits that follow no order of the members', each once. */
const nineDigits = (n: string) => `((${n})::bigint * 387420489 % 1000000007)`

/** SQL of a CPF with its check digits, over nine digits in `nine`. */
const cpfOf = (nine: string) => {
  const digit = (position: number) => `((${nine} / ${10 ** (8 - position)}) % 10)`
  const sum = (first: number) => Array.from({ length: 9 }, (_, n) => `${digit(n)} * ${first - n}`).join(' + ')
  const check = (total: string) => `(case when (${total}) % 11 < 2 then 0 else 11 - (${total}) % 11 end)`
  return { first: check(sum(10)), second: (first: string) => check(`${sum(11)} + ${first} * 2`) }
}

/**
 * SQL of people: number, company, id, CPF; every third is the primary of the two after, or the first of as many as `familySize` says.
 * @param numbers SQL that selects `n`, from 3, and `company`, the number of the company from 1.
 */
export const people = (numbers: string, familySize = 3) => `
  select n, company, ${idOf('0001', 'company')} as company_id, md5('member' || n)::uuid as id,
    md5('member' || n - n % ${familySize})::uuid as primary_id, n % ${familySize} = 0 as is_primary,
    lpad(nine::text, 9, '0') || first || ${cpfOf('nine').second('first')} as tax_id
  from (select n, company, nine, ${cpfOf('nine').first} as first
    from (select n, company, ${nineDigits('n')} as nine from (${numbers}) numbered) x
    where nine < 1000000000) y`

/** The people of a book, spread evenly over its companies. */
const evenly = (book: Book, from: number, to: number) =>
  people(`select n, (n / 3) % ${book.companies} + 1 as company from generate_series(${from}, ${to}) n`, book.familySize)

/** Makes so many companies, numbered from 1, with two products each. */
export async function makeCompanies(client: Client, companies: number): Promise<void> {
  const taxIds = Array.from({ length: companies }, (_, n) => completeCnpj(String(n + 1).padStart(12, '0')))
  await client.query(
    `insert into company (id, tax_id, name, search_name, created_at, updated_at)
     select ${idOf('0001', 'n')}, tax_id, 'Companhia ' || n, 'companhia ' || n, now(), now()
     from unnest($1::text[]) with ordinality made (tax_id, n)
     on conflict (id) do nothing`,
    [taxIds],
  )
  await client.query(
    `insert into carrier (id, name, created_at, updated_at) values (gen_random_uuid(), 'Operadora Aurora', now(), now()) on conflict (key) do nothing`,
  )
  await client.query(
    `insert into product (company_id, id, name, name_key, carrier_name, product_type, allowed_dependent_types, allowed_start_options, position)
     select ${idOf('0001', 'n')}, ${idOf('0002', 'n * 2 + k')}, p.name, fold(p.name), 'Operadora Aurora', p.type,
       '{spouse,child}', '{on-inclusion-date}', k
     from generate_series(1, ${companies}) n,
       (values (0, 'Saúde Essencial Enfermaria', 'health-insurance'), (1, 'Sorriso Pleno', 'dental-insurance')) p (k, name, type)
     on conflict do nothing`,
  )
}

/** Entitles a client to the companies of those numbers. */
export async function entitle(client: Client, clientId: string, first: number, last: number): Promise<void> {
  await client.query(
    `insert into entitlement (company_id, client_id, created_at)
     select c.id, $1, now() from generate_series($2::int, $3::int) n join company c on c.id = ${idOf('0001', 'n')}
     on conflict do nothing`,
    [clientId, first, last],
  )
}

/**
 * Puts a book into empty tables: families of three of one company, a health benefit each, a dental one too for every fifth
 * family, and as many requests as their inclusions take. Indexes are made after the rows.
 */
export async function makeBook(client: Client, book: Book): Promise<void> {
  await makeCompanies(client, book.companies)
  const perRequest = book.membersOfRequest ?? 0
  const tables = ['member', 'benefit', ...(perRequest > 0 ? ['enrollment'] : [])]
  await withoutIndexes(client, tables, async () => {
    // In pieces, so that the time limit of a bench can end it in between.
    for (let from = 3; from < book.members + 3; from += 250_000) {
      const to = Math.min(from + 249_999, book.members + 2)
      await insertMembers(client, evenly(book, from, to))
      if (perRequest > 0) await insertMovements(client, book, evenly(book, from, to), perRequest)
    }
  })
  await client.query(`vacuum (analyze) ${[...tables, 'company', 'product', 'request', 'entitlement'].join()}`)
}

/** Inserts those people and their benefits. @param from SQL of `people`. */
export async function insertMembers(client: Client, from: string): Promise<void> {
  await client.query(
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, admission_date,
       employee_id, cost_center, salary, details, created_at, updated_at)
     select company_id, id, tax_id, 'Conceição Letícia Kobayashi Müller ' || n, 'Ana Helena da Silva Kobayashi',
       date '1950-01-01' + n % 20000, case when n % 2 = 0 then 'female' else 'male' end, 'single', '2022-05-03', 'E' || n,
       'CC-' || n % 200, 2201631, '{"job-title":"Analista de Produção","phone":"11925618483"}', now(), now()
     from (${from}) p`,
  )
  await client.query(
    `insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date,
       card_number, created_at, updated_at)
     select company_id, ${idOf('0003', 'n * 2 + k')}, id, ${idOf('0002', 'company * 2 + k')},
       case when is_primary then 'primary' else 'dependent' end, case when not is_primary then primary_id end,
       case when not is_primary then 'child' end, 'active', '2025-01-01', '0076' || n, now(), now()
     from (${from}) x, generate_series(0, case when n / 3 % 5 = 0 then 1 else 0 end) k`,
  )
}

/** A request is of one company: `n / (3 * companies * perRequest)` with the company are its key. */
async function insertMovements(client: Client, book: Book, from: string, perRequest: number) {
  const request = `(n / 3 / ${book.companies} / ${perRequest}) * ${book.companies} + (n / 3) % ${book.companies} + 1`
  await client.query(
    `insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
     select distinct company_id, ${idOf('0004', request)}, (select id from client where api = 'partner' limit 1), 'inclusion', 'completed',
       timestamptz '2026-01-01', timestamptz '2026-01-01'
     from (${from}) p
     on conflict do nothing`,
  )
  await client.query(
    `insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
       primary_member_id, product_id, product_name, benefit_id, data, initial_status, created_at, updated_at)
     select company_id, ${idOf('0005', 'n')}, ${idOf('0004', request)}, 'inclusion', 'completed', id, tax_id,
       case when is_primary then 'primary' else 'dependent' end, case when not is_primary then primary_id end,
       (select p.id from product p where p.company_id = x.company_id and p.position = 0), 'Saúde Essencial Enfermaria',
       ${idOf('0003', 'n * 2')}, '{"employee-id":"E1","salary":2201631}', 'created', timestamptz '2026-01-01' + n * interval '1 second', now()
     from (${from}) x`,
  )
}

/** Takes the indexes and foreign keys of the tables away while `work` fills them: one by one, entries cost several times as much. */
export async function withoutIndexes(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const constraints = await client.query<{ drop: string; make: string }>(
    `select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
       format('alter table %s add constraint %I %s%s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid),
         case when c.contype = 'f' then ' not valid' else '' end) as make
     from pg_constraint c
     where c.contype in ('f', 'p', 'u') and (c.conrelid = any($1::text[]::regclass[]) or c.confrelid = any($1::text[]::regclass[]))
     order by c.contype = 'f' desc, c.conname`,
    [tables],
  )
  const indexes = await client.query<{ drop: string; make: string }>(
    `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make from pg_index i
     where i.indrelid = any($1::text[]::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))`,
    [tables],
  )
  await client.query(`set maintenance_work_mem = '512MB'; set session_replication_role = replica`)
  for (const { drop } of [...constraints.rows, ...indexes.rows]) await client.query(drop)
  await work()
  for (const { make } of [...constraints.rows.toReversed(), ...indexes.rows]) await client.query(make)
  await client.query(`reset maintenance_work_mem; reset session_replication_role`)
}

/* What the processes of a PostgreSQL on this machine use, from Linux's /proc. */
interface PostgresUsage {
  /** The time of all processes since their start, with those that have ended. */
  readonly cpuMs: number
  /** Proportional set size of all: shared buffers count once. null without the right to read it. */
  readonly mebibytes: number | null
}

const millisecondsOfTick = 10

/** The pid of the server of this connection; null when it runs elsewhere. */
export async function postmasterOf(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  const stat = statOf(pid)
  return stat?.name === 'postgres' ? stat.parent : null
}

/** @param postmasters their pids: of a Citus cluster on this machine there are several. */
export function postgresUsage(postmasters: readonly number[]): PostgresUsage {
  let ticks = 0
  let kibibytes: number | null = 0
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    const stat = Number.isInteger(pid) ? statOf(pid) : null
    if (stat === null || !(postmasters.includes(pid) || postmasters.includes(stat.parent))) continue
    ticks += stat.ticks + (postmasters.includes(pid) ? stat.ticksOfEnded : 0)
    const size = proportionalSize(pid)
    kibibytes = size === null || kibibytes === null ? null : kibibytes + size
  }
  return { cpuMs: ticks * millisecondsOfTick, mebibytes: kibibytes === null ? null : kibibytes / 1024 }
}

function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text
      .slice(end + 2)
      .split(' ')
      .map(Number)
    const sum = (first: number) => (fields[first] ?? 0) + (fields[first + 1] ?? 0)
    // utime and stime; cutime and cstime of children that were waited for.
    return {
      name: text.slice(text.indexOf('(') + 1, end),
      parent: fields[1] ?? 0,
      ticks: sum(11),
      ticksOfEnded: sum(13),
    }
  } catch {
    // It has ended.
    return null
  }
}

function proportionalSize(pid: number): number | null {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return statOf(pid) === null ? 0 : null
  }
}
