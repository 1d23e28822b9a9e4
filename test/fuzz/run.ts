import type { Agent } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { rngOf } from '../crash/rng.ts'
import { recordCode, responseErrors } from '../world/conformance.ts'
import { Pool } from './pool.ts'
import { noteLink } from './onboarding.ts'
import { type FuzzRequest, type Kind, requestOf, type World } from './request.ts'
import { Refused, Run } from './sequence.ts'
import { sequences } from './sequences.ts'
import { curlOf, type FuzzResponse, openAgent, type Secrets, sendRequest, withoutSecrets } from './send.ts'

export interface FuzzOptions {
  readonly url: string
  readonly world: World
  /** Requests are sent with these clients; no request names them. */
  readonly clientIds: readonly string[]
  readonly requests: number
  readonly seed: number
  /** Requests at once. With 1 each run of a seed sends them in the same order. */
  readonly concurrency?: number
  /** Responses that take longer are counted. */
  readonly slowMs?: number
  readonly onProgress?: (report: FuzzReport) => void
}

/** A response that the document does not describe, or an unexpected error. */
interface Failure {
  /** What several failures of one cause have in common. */
  readonly signature: string
  count: number
  /** The first one: seed and index, the request as a curl command, the response, and the earlier requests that it depends on. */
  readonly text: string
}

export interface FuzzReport {
  readonly seed: number
  sent: number
  readonly kinds: Record<Kind, number>
  readonly statuses: Record<string, number>
  /** Operations with a response of 2xx. */
  readonly succeeded: Set<string>
  readonly failures: Failure[]
  /** Requests whose response took longer than the limit. */
  readonly slow: string[]
  slowestMs: number
}

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b\d{11}\b/g
const wholeLists = new Set(['listMembers', 'exportEnrollmentQueue', 'exportCompanyRoster', 'exportRoster'])
const maxRemembered = 3_000
const stepsBetweenSequences = 250
const maxFailures = 50

/** An earlier request, for the sequence that is printed with a failure. */
interface Sent {
  readonly line: string
  readonly isWrite: boolean
  readonly names: ReadonlySet<string>
}

/** Sends requests made from openapi.json and checks each response against it. */
export class Fuzzer {
  readonly #options: FuzzOptions
  readonly #pool: Pool
  readonly #poolOfPartner: ReadonlyMap<string, Pool>
  readonly #secrets: Secrets
  readonly #earlier: Sent[] = []
  readonly #report: FuzzReport

  constructor(options: FuzzOptions) {
    this.#options = options
    const excluded = new Set(options.clientIds)
    this.#pool = new Pool(excluded)
    const partners = options.world.actors.filter(({ api }) => api === 'partner')
    this.#poolOfPartner = new Map(partners.map(({ name }) => [name, new Pool(excluded)]))
    this.#secrets = new Map(options.world.actors.map(({ token, name }) => [token, `$${name}`]))
    for (const { companyTaxIds } of options.world.actors) {
      for (const taxId of companyTaxIds) this.#pool.add('company-tax-id', taxId)
    }
    const kinds = { valid: 0, 'nearly-valid': 0, hostile: 0 }
    const { seed } = options
    this.#report = { seed, sent: 0, kinds, statuses: {}, succeeded: new Set(), failures: [], slow: [], slowestMs: 0 }
  }

  async run(): Promise<FuzzReport> {
    const { requests, concurrency = 4 } = this.#options
    const agent = openAgent(concurrency)
    let next = 0
    const work = async () => {
      while (next < requests && this.#report.failures.length < maxFailures) {
        const index = (next += 1) - 1
        await this.#step(agent, index)
        if (index % stepsBetweenSequences === 0) await this.#runSequence(agent, index)
        // Other work of a process that also serves the requests.
        await nextTurn()
      }
    }
    try {
      await Promise.all(Array.from({ length: concurrency }, work))
    } finally {
      agent.destroy()
    }
    return this.#report
  }

  async #step(agent: Agent, index: number): Promise<void> {
    const { seed, world, onProgress } = this.#options
    const report = this.#report
    const request = requestOf(seed, index, world, { of: (name) => this.#poolOfPartner.get(name ?? '') ?? this.#pool })
    report.sent += 1
    report.kinds[request.kind] += 1
    await this.#exchange(agent, request)
    onProgress?.(report)
  }

  async #runSequence(agent: Agent, index: number): Promise<void> {
    const { seed, world } = this.#options
    const sequence = sequences[(index / stepsBetweenSequences) % sequences.length]
    try {
      await sequence?.(new Run(rngOf(seed ^ index), world, index, (request) => this.#exchange(agent, request)))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }

  /** Sends and checks a request; null without a response. */
  async #exchange(agent: Agent, request: FuzzRequest): Promise<FuzzResponse | null> {
    const { url, slowMs = 2_000 } = this.#options
    const report = this.#report
    try {
      const response = await sendRequest(agent, url, request)
      const { status, ms } = response
      report.statuses[status] = (report.statuses[status] ?? 0) + 1
      report.slowestMs = Math.max(report.slowestMs, ms)
      if (status < 300) report.succeeded.add(request.operation.id)
      if (ms > slowMs)
        report.slow.push(`${Math.round(ms)} ms, request ${request.index}: ${this.#line(request, response)}`)
      recordCode(response.body)
      const errors = errorsOf(request, response)
      if (errors.length > 0) this.#fail(request, errors, response)
      this.#remember(request, response)
      return response
    } catch (error) {
      this.#fail(request, [`no response: ${(error as Error).message}`], null)
      return null
    }
  }

  #remember(request: FuzzRequest, response: FuzzResponse): void {
    const { status, body, headers } = response
    if (status < 300) {
      this.#pool.note(request.operation.path, body, request.target)
      this.#poolOfPartner.get(request.actor?.name ?? '')?.note(request.operation.path, body, request.target)
      const cookie = /^(?:__Host-)?vigencia-session=[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0]
      if (cookie !== undefined && !cookie.endsWith('=')) this.#pool.add('cookie', cookie)
    }
    if (status < 300) noteLink(this.#pool, request, body)
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD' && status < 300
    const names = new Set([...namesIn(request), ...(isWrite ? (response.text.slice(0, 20_000).match(ids) ?? []) : [])])
    this.#earlier.push({ line: this.#line(request, response), isWrite, names })
    if (this.#earlier.length > maxRemembered) this.#earlier.shift()
  }

  #line({ index, kind, method, target }: FuzzRequest, { status }: FuzzResponse): string {
    return withoutSecrets(`#${index} ${kind} ${method} ${target.slice(0, 200)} -> ${status}`, this.#secrets)
  }

  #fail(request: FuzzRequest, errors: readonly string[], response: FuzzResponse | null): void {
    const what = errors.join('; ').replaceAll(ids, '…').slice(0, 300)
    const signature = `${request.operation.id} ${response?.status ?? ''} ${what}`
    const { failures } = this.#report
    const known = failures.find((one) => one.signature === signature)
    if (known !== undefined) {
      known.count += 1
      return
    }
    // The writes that name what this request names: mostly the shortest sequence that leads to it.
    const named = namesIn(request)
    const related = this.#earlier.filter(({ isWrite, names }) => isWrite && [...named].some((name) => names.has(name)))
    const text = [
      `seed ${this.#options.seed}, request ${request.index} (${request.kind}, ${request.operation.id}): ${errors.join('; ')}`,
      curlOf(request, this.#secrets),
      response === null ? 'no response' : withoutSecrets(shownResponse(response), this.#secrets),
      ...(related.length > 0 ? ['after', ...related.slice(-12).map(({ line }) => `  ${line}`)] : []),
    ].join('\n')
    failures.push({ signature, count: 1, text })
  }
}

/** What is wrong with a response; empty when the document describes it. */
function errorsOf(request: FuzzRequest, response: FuzzResponse): string[] {
  const { status, body } = response
  const errors = responseErrors(request.method, request.target, response)
  const code = status === 503 ? (body as { code?: unknown } | null)?.code : null
  // Requests of this run at the same moment: more whole lists than one client may read.
  const isContention = code === 'too-many-calls' && wholeLists.has(request.operation.id)
  return status >= 500 && !isContention ? [`status ${status}`, ...errors] : errors
}

function namesIn({ target, body }: FuzzRequest): Set<string> {
  return new Set([...(target.match(ids) ?? []), ...(body?.toString('latin1', 0, 20_000).match(ids) ?? [])])
}

function shownResponse({ status, headers, text }: FuzzResponse): string {
  const lines = [...headers].filter(([name]) => name !== 'date').map(([name, value]) => `${name}: ${value}`)
  return [`${status}`, ...lines, '', text.slice(0, 2_000)].join('\n')
}
