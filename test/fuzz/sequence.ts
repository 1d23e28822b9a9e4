import { setTimeout as pause } from 'node:timers/promises'
import type { Rng } from '../crash/rng.ts'
import { cpfAt, dependent, health, inProduct, primary } from '../data/people.ts'
import { jsonText } from './hostile.ts'
import { operations } from './operations.ts'
import type { Actor, FuzzRequest, World } from './request.ts'
import type { FuzzResponse } from './send.ts'

/* Sequences of valid calls, for what random calls hardly reach. Other requests name their objects meanwhile, and may be first. */

// oxlint-disable-next-line typescript/no-explicit-any -- tests read any JSON
export type Json = any

/** A call was refused, mostly since another request was first: the sequence ends. */
export class Refused extends Error {}

export interface SequenceCall {
  /** The values of the path's parameters, in their order. */
  readonly path?: readonly (string | number)[]
  readonly query?: Readonly<Record<string, string>>
  /** Bytes need their type in the headers. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Who is signed in by the headers, or as nobody, has none. Otherwise the first of the API. */
  readonly actor?: Actor | null
}

/** Sends and checks a request of the sequence; null without a response. */
export type Exchange = (request: FuzzRequest) => Promise<FuzzResponse | null>

/** One run of a sequence. */
export class Run {
  readonly rng: Rng
  readonly world: World
  readonly companyTaxId: string
  readonly #index: number
  readonly #exchange: Exchange

  constructor(rng: Rng, world: World, index: number, exchange: Exchange) {
    this.rng = rng
    this.world = world
    this.#index = index
    this.#exchange = exchange
    this.companyTaxId = this.actor('partner').companyTaxIds[0] ?? ''
  }

  actor(api: Actor['api'], name?: string): Actor {
    const found = this.world.actors.find((one) => one.api === api && (name === undefined || one.name === name))
    if (found === undefined) throw new Refused(`no ${api} ${name}`)
    return found
  }

  cpf(): string {
    return cpfAt(this.rng.between(0, 800_000_000))
  }

  /** @returns the response. @throws Refused without a 2xx. */
  async exchange(id: string, call: SequenceCall = {}): Promise<FuzzResponse> {
    const request = this.#requestOf(id, call)
    const response = await this.#exchange(request)
    if (response === null || response.status >= 300) throw new Refused(`${id}: ${response?.status} ${response?.text}`)
    return response
  }

  /** @returns the body of the response. @throws Refused without a 2xx. */
  async send(id: string, call: SequenceCall = {}): Promise<Json> {
    return (await this.exchange(id, call)).body
  }

  /** Repeats a read. @throws Refused when its result does not hold within a few seconds. */
  async until(id: string, call: SequenceCall, holds: (body: Json) => boolean): Promise<Json> {
    for (let tries = 0; tries < 100; tries += 1) {
      const body = await this.send(id, call)
      if (holds(body)) return body
      await pause(100)
    }
    throw new Refused(`${id} holds in no time`)
  }

  /** The parts of a request by the CPF, once it is done. */
  async finished({ 'request-id': id }: Json): Promise<Json> {
    const body = await this.until('readRequest', { path: [id] }, ({ status }) => status !== 'processing')
    return body['status-by-tax-id']
  }

  #requestOf(id: string, { path = [], query, body, headers = {}, actor }: SequenceCall): FuzzRequest {
    const operation = operations.find((one) => one.id === id)
    if (operation === undefined) throw new Error(`no operation ${id}`)
    const values = [...path]
    const filled = operation.path.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(values.shift() ?? ''))
    const target = query === undefined ? filled : `${filled}?${new URLSearchParams(query).toString()}`
    const sender = actor === undefined && operation.api !== null ? this.actor(operation.api) : (actor ?? null)
    const bytes = body === undefined || Buffer.isBuffer(body) ? (body ?? null) : Buffer.from(jsonText(body))
    const hasLength = bytes !== null || operation.method !== 'GET'
    const sent: Record<string, string> = {
      ...(sender === null ? {} : { authorization: `Bearer ${sender.token}` }),
      ...(body === undefined || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' }),
      ...headers,
      ...(hasLength ? { 'content-length': String(bytes?.length ?? 0) } : {}),
    }
    const { method } = operation
    return {
      index: this.#index,
      kind: 'valid',
      operation,
      actor: sender,
      method,
      target,
      headers: Object.entries(sent),
      body: bytes,
    }
  }
}

export type Sequence = (run: Run) => Promise<void>

export interface Family {
  readonly cpf: string
  readonly child: string
  readonly benefitId: string
}

/** A primary with a child, both in the health plan since the admission. */
export async function makeFamily(run: Run, companyTaxId = run.companyTaxId, actor?: Actor): Promise<Family> {
  const products = inProduct('health-insurance', health, 'on-admission-date')
  const person = { 'tax-id': run.cpf(), 'employee-id': String(run.rng.between(1, 1_000_000)) }
  const mother = primary({ ...person, 'admission-date': '2025-01-10', products })
  const child = dependent(mother['tax-id'], { 'tax-id': run.cpf(), products })
  const by = actor === undefined ? {} : { actor }
  const body = { 'company-tax-id': companyTaxId, members: [mother, child] }
  const included = await run.send('includeMembers', { ...by, query: { resolution: 'approve' }, body })
  const isDone = ({ status }: Json) => status !== 'processing'
  await run.until('readRequest', { ...by, path: [included['request-id']] }, isDone)
  const { result } = await run.send('listBenefits', { ...by, query: { 'member-tax-id': mother['tax-id'] } })
  if (result.length === 0) throw new Refused('not included')
  return { cpf: mother['tax-id'], child: child['tax-id'], benefitId: result[0]['benefit-id'] }
}
