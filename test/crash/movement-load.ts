import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiResponse, dental, health, inProduct, type Json, monday, primary, send } from '../world/test-app.ts'
import type { Query } from './invariants.ts'
import type { Tenant } from './tenant.ts'

/* Clients that include, alter and exclude members one after the other, each movement with an Idempotency-Key that is repeated until it has a 200. */

const kinds = ['inclusion', 'alteration', 'exclusion'] as const
type Kind = (typeof kinds)[number]

export interface MovementLoad {
  readonly companyTaxId: string
  /** The number of responses by status, repetitions included; `broken`: the connection ended without a response. */
  readonly responses: ReadonlyMap<number | 'broken', number>
  /** What the client got for responses that are neither 2xx nor 503. */
  readonly unexpected: readonly string[]
  /** The request ids of the responses 200, by kind of movement. */
  readonly acknowledged: Readonly<Record<Kind, ReadonlySet<string>>>
  /** The number of them. */
  readonly writes: number
  /** When the last of them arrived, as `performance.now`. */
  readonly lastWriteAt: number
  /** The longest time between two of them, in milliseconds. */
  readonly longestGapMs: number
  /** Lets each client finish its member. */
  end(): Promise<void>
}

/**
 * Starts the clients.
 * @param urls the processes to call, one after the other.
 * @param productId the product of the inclusions.
 * @param call sends each call; the default one also checks that openapi.json describes the response.
 */
export function startMovements(
  { token, companyTaxId }: Pick<Tenant, 'token' | 'companyTaxId'>,
  urls: () => readonly string[],
  productId: string,
  clients: number,
  call: (...args: Parameters<typeof send>) => Promise<ApiResponse> = send,
): MovementLoad {
  const responses = new Map<number | 'broken', number>()
  const unexpected: string[] = []
  const acknowledged = { inclusion: new Set<string>(), alteration: new Set<string>(), exclusion: new Set<string>() }
  const ending = new AbortController()
  let lastWriteAt = performance.now()
  let longestGapMs = 0
  let next = 0

  /** Sends until the response is a 2xx. */
  async function insist(method: string, path: string, body?: object, headers = {}): Promise<ApiResponse> {
    for (;;) {
      const list = urls()
      const url = list[(next += 1) % list.length] ?? ''
      const response = await call(url + path, method, {
        token,
        ...(body === undefined ? {} : { body }),
        headers,
      }).catch((error: unknown) => String((error as Error).cause ?? error))
      const kind = typeof response === 'string' ? 'broken' : response.status
      responses.set(kind, (responses.get(kind) ?? 0) + 1)
      if (typeof response !== 'string' && response.status < 300) return response
      if (kind !== 503) unexpected.push(typeof response === 'string' ? response : `${kind} ${response.text}`)
      // A response that does not change would be repeated forever.
      if (unexpected.length > 20) throw new Error(`unexpected responses: ${unexpected.join('\n')}`)
      await pause(50)
    }
  }

  async function move(kind: Kind, path: string, body: object): Promise<string> {
    const headers = { 'idempotency-key': randomUUID() }
    const id: string = (await insist('POST', `/v1/enrollment/${path}?resolution=approve`, body, headers)).body[
      'request-id'
    ]
    acknowledged[kind].add(id)
    longestGapMs = Math.max(longestGapMs, performance.now() - lastWriteAt)
    lastWriteAt = performance.now()
    return id
  }

  async function untilProcessed(id: string): Promise<void> {
    while ((await insist('GET', `/v1/request/${id}`)).body.status === 'processing') await pause(20)
  }

  async function member(): Promise<void> {
    const person: Json = primary({
      products: { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) },
    })
    const cpf: string = person['tax-id']
    await untilProcessed(await move('inclusion', 'inclusion', { 'company-tax-id': companyTaxId, members: [person] }))
    await move('alteration', `alteration/${cpf}`, { 'alteration-data': { 'marital-status': 'other' } })
    const details = { 'end-date': monday, 'exclusion-reason': 'resignation' }
    await move('exclusion', `exclusion/${cpf}/product/${productId}`, { 'exclusion-details': details })
    await insist('GET', `/v1/company/${companyTaxId}`)
  }

  const running = Array.from({ length: clients }, async () => {
    while (!ending.signal.aborted) await member()
  })
  return {
    companyTaxId,
    responses,
    unexpected,
    acknowledged,
    get writes() {
      return kinds.reduce((sum, kind) => sum + acknowledged[kind].size, 0)
    },
    get lastWriteAt() {
      return lastWriteAt
    },
    get longestGapMs() {
      return longestGapMs
    },
    async end() {
      ending.abort()
      await Promise.all(running)
    },
  }
}

/**
 * What differs between the load, which has ended, and the requests of its company in the database: each acknowledged movement is one request, and every
 * request is acknowledged; 0 and 0 without a difference.
 */
export async function lostAndDoubled(ask: Query, load: MovementLoad): Promise<{ lost: number; doubled: number }> {
  let lost = 0
  let doubled = 0
  for (const kind of kinds) {
    const rows = await ask<{ id: string }>(
      'select r.id from request r join company c on c.id = r.company_id where r.request_type = $1 and c.tax_id = $2',
      [kind, load.companyTaxId],
    )
    const stored = new Set(rows.map(({ id }) => id))
    lost += [...load.acknowledged[kind]].filter((id) => !stored.has(id)).length
    doubled += [...stored].filter((id) => !load.acknowledged[kind].has(id)).length
  }
  return { lost, doubled }
}
