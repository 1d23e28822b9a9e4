/*
 * A test app: the service running on a database of its own, called through HTTP as its clients do.
 *
 *   const testApp = useTestApp()                            // staging, today is 2026-11-23 (a Monday); closed after the file
 *   const company = await testApp.company()                 // PUT by the operator: four products, a fresh CNPJ
 *   const partner = await testApp.partner(company.taxId)    // a client entitled to it, with a token
 *   const response = await partner.post('/v1/enrollment/inclusion', { ... })   // { status, headers, body, text }
 *   await testApp.finished(partner, response.body['request-id'])               // waits until no longer processing
 *
 * `useTestApp({}, { instances: 'all' })` is the service twice, in the process of the test; in the long run every app of test/http is two `api`
 * and two `worker` processes. Calls go to each address in turn. `openTestApp` gives an app that the test closes itself.
 */
import { isErrorBody } from '#platform/http/explain-error.ts'
import { DETAIL_CODES } from '#kernel/enums.ts'
import { englishDetail, errorMessage, helpPath } from '#kernel/texts/explain.ts'
import { warningMessage } from '#kernel/texts/messages.ts'
import { prefersPortuguese } from '#platform/http/language.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { readConfig } from '#platform/core/config.ts'
import type { Demo } from '#apps/demo/demo.ts'
import { defaultLimits, type Limits } from '#platform/core/limits.ts'
import { openLog } from '#platform/core/log.ts'
import { runProcess } from '#apps/bootstrap.ts'
import { health, nextCnpj } from '../data/people.ts'
import { checkResponse, recordCode } from './conformance.ts'
import { isLong } from '../scale.ts'
import { createDatabase, databaseOn, dropDatabase } from './engine.ts'

export { dependent, health, inProduct, nextCnpj, nextCpf, primary } from '../data/people.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the wire holds
export type Json = any

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined when it is not JSON. */
  readonly body: Json
}

export interface CallOptions {
  readonly token?: string | null
  readonly headers?: Record<string, string>
  /** Sent as JSON; a string or a Buffer goes as it is. */
  readonly body?: unknown
}

export interface Client {
  readonly clientId: string
  readonly clientSecret: string
  readonly token: string
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>
}

export interface Company {
  readonly id: string
  readonly taxId: string
  /** By product name. */
  readonly products: Record<string, string>
}

export interface TestApp {
  /** One of its addresses (round robin). */
  readonly url: string
  readonly databaseUrl: string
  readonly masterKey: string
  /** Where it stores files by default. */
  readonly dataDir: string
  readonly operator: Client
  /** The clients of the demo company; null without `VIGENCIA_DEMO`, and when it is several processes. */
  readonly demo: Demo | null
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
  /** A client of either door with a token of its own. */
  signIn(clientId: string, clientSecret: string): Promise<Client>
  company(overrides?: Record<string, unknown>): Promise<Company>
  partner(...companyTaxIds: string[]): Promise<Client>
  operatorOf(role: string): Promise<Client>
  /** The request once it is no longer `processing`. */
  finished(client: Client, requestId: string): Promise<Json>
  /** Includes the members and waits until the request is finished. */
  include(client: Client, company: Company, members: unknown[], query?: string): Promise<Json>
  /** Queries the app's database directly, for what no response shows. */
  readonly sql: <Row extends object = Record<string, Json>>(text: string, values?: unknown[]) => Promise<Row[]>
  /** Another worker, in the process of the test: it does what each worker does at its start. */
  startWorker(): Promise<{ close(): Promise<void> }>
  /** Stops the service and starts it again on the same data, e.g. on a later day. */
  restart(environment?: Record<string, string>): Promise<void>
  /** Ends the service and removes its database. */
  close(): Promise<void>
}

export const monday = '2026-11-23'

const operatorId = 'first-operator'
const operatorSecret = 'a-secret-of-the-test-operator-4711'

export interface TestAppOptions {
  /**
   * Several instances of the service, for what only they can break: two of the role `all`, or `split`, two `api` and two `worker`.
   * They share nothing but the database and the storage. In the long run every app of test/http is split, and each instance a process.
   */
  readonly instances?: 'all' | 'split'
  /** Other limits than the defaults: the service is one instance then. */
  readonly limits?: Partial<Limits>
}

/** Whether the test is one of test/http. */
const isHttpFile = (): boolean => expect.getState().testPath?.includes('/test/http/') === true

export async function openTestApp(
  environment: Record<string, string> = {},
  { instances, limits }: TestAppOptions = {},
): Promise<TestApp> {
  const engineUrl = inject('engineUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await createDatabase(name)
  const databaseUrl = databaseOn(engineUrl, name)
  const masterKey = randomBytes(32).toString('base64')
  const dataDir = await mkdtemp(join(tmpdir(), 'vigencia-app-'))
  const variables = {
    VIGENCIA_DATABASE_URL: databaseUrl,
    VIGENCIA_MASTER_KEY: masterKey,
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_OPERATOR_CLIENT_ID: operatorId,
    VIGENCIA_OPERATOR_CLIENT_SECRET: operatorSecret,
    VIGENCIA_PORT: '0',
    VIGENCIA_DATA_DIR: dataDir,
    VIGENCIA_LOG_LEVEL: process.env['VIGENCIA_TEST_LOG_LEVEL'] ?? 'error',
    VIGENCIA_RATE_LIMITS: 'off',
    VIGENCIA_ONBOARDING: 'on',
    // A run at night deletes nothing under a test.
    VIGENCIA_RETENTION_HOURS: 'off',
    ...(environment['VIGENCIA_ENVIRONMENT'] === 'production'
      ? { VIGENCIA_PUBLIC_URL: 'https://benefits.example' }
      : { VIGENCIA_BUSINESS_DATE: monday }),
    ...environment,
  }
  // An app of one role is one instance: the test plays the other part itself.
  const isOne = environment['VIGENCIA_ROLE'] !== undefined || limits !== undefined
  const kind = isLong && isHttpFile() ? 'split' : instances
  const start = (all: Record<string, string>) => {
    if (isOne || kind === undefined) return startInside(all, limits)
    return isLong ? startProcesses(all, kind) : startInstances(all, kind)
  }
  let context = await start(variables)
  let turn = 0
  // Planned once: the rules of the database are long statements, which some tests run after each step. Citus plans for the values only.
  const planning = inject('nodeUrls').length > 1 ? {} : { options: '-c plan_cache_mode=force_generic_plan' }
  const pool = new Pool({ connectionString: databaseUrl, max: 2, ...planning })
  // The engine may end the connection before it is closed here.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  const nextUrl = () => context.urls[turn++ % context.urls.length] ?? ''
  const call = (method: string, path: string, options: CallOptions = {}) => send(nextUrl() + path, method, options)
  const signIn = async (clientId: string, clientSecret: string): Promise<Client> => {
    const response = await call('POST', '/v1/authenticate', {
      body: { 'client-id': clientId, 'client-secret': clientSecret },
    })
    if (response.status !== 200) throw new Error(`could not sign in: ${response.status} ${response.text}`)
    return clientWith(call, clientId, clientSecret, response.body['access-token'])
  }
  const operator = await signIn(operatorId, operatorSecret)
  const testApp: TestApp = {
    get url() {
      return nextUrl()
    },
    databaseUrl,
    masterKey,
    dataDir,
    operator,
    get demo() {
      return context.demo
    },
    call,
    signIn,
    async company(overrides = {}) {
      const taxId = nextCnpj()
      const response = expectOk(await operator.put(`/operator/v1/company/${taxId}`, { ...companyBody, ...overrides }))
      const result = response.body.result
      const products = result.products.map((product: Json) => [product['product-name'], product['product-id']])
      return { id: result.id, taxId, products: Object.fromEntries(products) }
    },
    async partner(...companyTaxIds) {
      const response = expectOk(
        await operator.post('/operator/v1/client', { name: 'Folha', 'company-tax-ids': companyTaxIds }),
      )
      return signIn(response.body['client-id'], response.body['client-secret'])
    },
    async operatorOf(role) {
      const response = expectOk(await operator.post('/operator/v1/operator', { name: role, role }))
      return signIn(response.body['client-id'], response.body['client-secret'])
    },
    finished: (client, requestId) =>
      until(
        async () => expectOk(await client.get(`/v1/request/${requestId}`)).body,
        (body) => body.status !== 'processing',
      ),
    async include(client, company, members, query = '') {
      const body = { 'company-tax-id': company.taxId, members }
      const response = expectOk(await client.post(`/v1/enrollment/inclusion${query}`, body))
      return testApp.finished(client, response.body['request-id'])
    },
    sql: async (text, values = []) => {
      // Without values it may be several statements, which cannot be prepared.
      const name = values.length > 0 ? { name: createHash('md5').update(text).digest('hex') } : {}
      return (await pool.query({ ...name, text, values })).rows
    },
    startWorker: () => startInside({ ...variables, VIGENCIA_ROLE: 'worker' }),
    async restart(changes = {}) {
      await context.close()
      Object.assign(variables, changes)
      context = await start(variables)
    },
    async close() {
      await context.close()
      await pool.end()
      await dropDatabase(name)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return testApp
}

/** An app of the file: opened before its first test, closed after its last. */
export function useTestApp(environment: Record<string, string> = {}, options: TestAppOptions = {}): TestApp {
  let opened: TestApp | undefined
  beforeAll(async () => {
    opened = await openTestApp(environment, options)
  })
  afterAll(() => opened?.close())
  return new Proxy({} as TestApp, {
    get: (_target, name) => {
      if (opened === undefined) throw new Error('the app is there once the hooks and tests run')
      return Reflect.get(opened, name) as unknown
    },
  })
}

/** A company and its partner, made before the tests. */
export function useCompany(testApp: TestApp): { readonly company: Company; readonly partner: Client } {
  const made = { company: {} as Company, partner: {} as Client }
  beforeAll(async () => {
    Object.assign(made.company, await testApp.company())
    Object.assign(made.partner, await testApp.partner(made.company.taxId))
  })
  return made
}

interface Started {
  readonly urls: string[]
  readonly demo: Demo | null
  close(): Promise<void>
}

async function startInside(variables: Record<string, string>, limits: Partial<Limits> = {}): Promise<Started> {
  const config = { ...readConfig(variables), limits: { ...defaultLimits, ...limits } }
  const running = await runProcess(
    config,
    config.databaseUrl ?? '',
    config.masterKey ?? Buffer.alloc(0),
    openLog(config.logLevel),
  )
  return { urls: [running.url ?? ''], demo: running.demo, close: () => running.close() }
}

/** Several instances in the process of the test, which costs no start of Node. */
async function startInstances(variables: Record<string, string>, kind: 'all' | 'split'): Promise<Started> {
  const roles = kind === 'all' ? ['all', 'all'] : ['api', 'api', 'worker', 'worker']
  const started: Started[] = []
  const close = async () => {
    await Promise.all(started.map((one) => one.close()))
  }
  try {
    for (const role of roles) started.push(await startInside({ ...variables, VIGENCIA_ROLE: role }))
    // A worker listens too, for its metrics.
    return { urls: started.slice(0, 2).flatMap(({ urls }) => urls), demo: started[0]?.demo ?? null, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startProcesses(variables: Record<string, string>, kind: 'all' | 'split'): Promise<Started> {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
  const environment = Object.entries(process.env).filter(([key]) => !key.startsWith('VIGENCIA_'))
  const children: ChildProcess[] = []
  const begin = async (role: string): Promise<string> => {
    const child = spawn(process.execPath, [main, 'start'], {
      env: { ...Object.fromEntries(environment), ...variables, VIGENCIA_ROLE: role },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /listening on (http:\/\/\S+)/.exec(line)?.[1]
      if (url !== undefined || line.includes('worker is running')) {
        child.stdout.resume()
        return url ?? ''
      }
    }
    throw new Error(`the ${role} process ended before it was ready`)
  }
  const close = async () => {
    const living = children.filter((child) => child.exitCode === null && child.signalCode === null)
    const ended = living.map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of living) child.kill('SIGTERM')
    await Promise.all(ended)
    if (living.length < children.length) throw new Error('a process of the service ended by itself')
  }
  try {
    const role = kind === 'all' ? 'all' : 'api'
    const urls = await Promise.all([begin(role), begin(role)])
    if (kind === 'split') await Promise.all([begin('worker'), begin('worker')])
    return { urls, demo: null, close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

function clientWith(call: TestApp['call'], clientId: string, clientSecret: string, token: string): Client {
  return {
    clientId,
    clientSecret,
    token,
    get: (path, headers = {}) => call('GET', path, { token, headers }),
    post: (path, body, headers = {}) => call('POST', path, { token, body, headers }),
    put: (path, body, headers = {}) => call('PUT', path, { token, body, headers }),
    delete: (path, headers = {}) => call('DELETE', path, { token, headers }),
  }
}

/**
 * One call as any HTTP client makes it. The body of an error comes without what every error has.
 * @throws when openapi.json does not describe the response, and when an error does not explain its code.
 */
export async function send(url: string, method: string, options: CallOptions = {}): Promise<ApiResponse> {
  const received = await sendUnchecked(url, method, options)
  checkResponse(method, url, received)
  return { ...received, body: withoutExplanation(received, options.headers?.['accept-language']) }
}

/**
 * The body without what its codes tell: `message` and `help` of an error, and in English the `offense-details` of `offenses` that are stored as
 * codes alone, and the sentences of details and warnings that are those of their codes. @throws when they are others.
 */
export function withoutExplanation({ status, body }: ApiResponse, acceptLanguage?: string): Json {
  const language = prefersPortuguese(acceptLanguage) ? 'pt-BR' : 'en'
  const kept = language === 'en' ? withoutSentencesOfCodes(body) : body
  if (status < 400 || !isErrorBody(kept)) return kept
  const { message, help, ...others } = kept as Json
  const isExplained =
    message === errorMessage(kept.code, language) && String(help).endsWith(helpPath(kept.code, language))
  if (!isExplained) throw new Error(`the error does not explain its code in ${language}: ${JSON.stringify(kept)}`)
  return others
}

const DETAIL_SENTENCES = new Map<string, string>(DETAIL_CODES.map((code) => [code, englishDetail(code)]))

function withoutSentencesOfCodes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSentencesOfCodes)
  if (typeof value !== 'object' || value === null) return value
  const { offenses, 'offense-details': details } = value
  const isAdded = Array.isArray(offenses) && Array.isArray(details) && details.every((one) => !('field' in one))
  if (isAdded && details.some(({ code, message }, index) => code !== offenses[index] || !message)) {
    throw new Error(`the details do not explain their offenses: ${JSON.stringify(value)}`)
  }
  const { code, warning, message } = value
  const isTold =
    message !== undefined && (message === DETAIL_SENTENCES.get(code) || message === warningMessage(warning, 'en'))
  const removed = new Set([...(isAdded ? ['offense-details'] : []), ...(isTold ? ['message'] : [])])
  const entries = Object.entries(value).filter(([key]) => !removed.has(key))
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutSentencesOfCodes(inner)]))
}

/** `node:http` takes less CPU than `fetch`: over 28 files of test/http 50 seconds in all, not 57. */
const agent = new Agent({ keepAlive: true })

/** The same without the check against openapi.json: for a test that breaks the database on purpose and provokes a 500. */
export async function sendUnchecked(url: string, method: string, options: CallOptions = {}): Promise<ApiResponse> {
  const { token, body } = options
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const headers = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(raw === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(raw) }),
    ...options.headers,
  }
  const sent = request(url, { method, headers, agent })
  // The service may respond, and end the connection, while a body is still sent.
  sent.on('error', () => {}).end(raw)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = await readText(
    response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response,
  )
  const json = parsed(text)
  recordCode(json)
  return { status: response.statusCode ?? 0, headers: headersOf(response), text, body: json }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  return headers
}

/** The text as JSON; undefined when it is not. */
export function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Throws with the whole response when it is not 2xx: for the setup of a test. */
export function expectOk(response: ApiResponse): ApiResponse {
  if (response.status >= 200 && response.status < 300) return response
  throw new Error(`expected 2xx, got ${response.status}: ${response.text}`)
}

/** Repeats the read until the condition holds; fails after the timeout, with the last value. */
export async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean, withinMs = 120_000): Promise<T> {
  const end = performance.now() + withinMs
  for (let wait = 16; ; wait = Math.min(wait * 1.5, 200)) {
    const value = await read()
    if (holds(value)) return value
    if (performance.now() > end)
      throw new Error(`not within ${withinMs} ms; last seen: ${JSON.stringify(value)?.slice(0, 2_000)}`)
    await pause(wait)
  }
}

export const premium = 'Saúde Premium Apartamento'
export const dental = 'Dental Sorriso'
export const life = 'Vida em Grupo'

export const companyBody = {
  name: 'Metalúrgica Serra Azul S.A.',
  products: [
    {
      'product-name': health,
      'carrier-name': 'Operadora Aurora',
      'product-type': 'health-insurance',
      'allowed-dependent-types': ['spouse', 'partner', 'child', 'stepchild'],
      'allowed-start-options': ['on-inclusion-date', 'on-admission-date', 'on-next-billing-period'],
      'billing-day': 1,
      'cut-off-day': 20,
    },
    {
      'product-name': premium,
      'carrier-name': 'Operadora Aurora',
      'product-type': 'health-insurance',
      'allowed-dependent-types': ['spouse', 'partner', 'child'],
      'allowed-start-options': ['on-inclusion-date', 'on-next-billing-period'],
      'billing-day': 15,
      'cut-off-day': 5,
    },
    {
      'product-name': dental,
      'carrier-name': 'Odonto Brisa',
      'product-type': 'dental-insurance',
      'allowed-dependent-types': ['spouse', 'child'],
      'allowed-start-options': ['on-inclusion-date', 'on-admission-date'],
    },
    {
      'product-name': life,
      'carrier-name': 'Seguradora Farol',
      'product-type': 'life-insurance',
      'allowed-dependent-types': [],
      'allowed-start-options': ['on-admission-date'],
    },
  ],
}
