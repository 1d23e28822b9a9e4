import { dependent, inProduct, type Json, primary, send, until } from '../world/test-app.ts'
import type { Rng } from './rng.ts'

/** An inclusion that a test sends, with its response. */
export interface Batch {
  readonly query: string
  readonly members: readonly Record<string, Json>[]
  /** `CPF product-name` of every enrollment that it must create. */
  readonly parts: readonly string[]
  /** Set by a 200. After another outcome the batch may be stored completely, or not at all. */
  requestId: string | null
}

/** Names of a company's products. */
export interface Products {
  readonly health: string
  readonly dental: string
  /** Starts on the admission date alone. */
  readonly life: string
}

export function batchOf(members: readonly Record<string, Json>[], query = ''): Batch {
  const parts = members.flatMap((member) =>
    Object.values(member['products'] as Record<string, { name: string }[]>).flatMap((some) =>
      some.map(({ name }) => `${member['tax-id']} ${name}`),
    ),
  )
  return { query, members, parts, requestId: null }
}

/** A small batch of any kind: one person or a family, one product or two, resolved at once or not, or scheduled. */
export function smallBatch(rng: Rng, products: Products, admission: string): Batch {
  const health = inProduct('health-insurance', products.health)
  const query = ['', '?resolution=approve', '?resolution=approve', '?resolution=reject'][rng.between(0, 3)] ?? ''
  const both = { ...health, ...inProduct('dental-insurance', products.dental) }
  if (rng.oneIn(6)) {
    const later = inProduct('life-insurance', products.life, 'on-admission-date')
    return batchOf([primary({ products: later, 'admission-date': admission })])
  }
  const mother = primary({ products: rng.oneIn(3) ? both : health })
  const children = Array.from({ length: rng.oneIn(3) ? rng.between(1, 3) : 0 }, () =>
    dependent(mother['tax-id'], { products: health }),
  )
  return batchOf(rng.shuffled([mother, ...children]), query)
}

/** A large batch, one primary in three with a dependent. */
export function largeBatch(size: number, products: Products, query = ''): Batch {
  const of = { products: inProduct('health-insurance', products.health) }
  const members: Record<string, Json>[] = []
  while (members.length < size) {
    const mother = primary(of)
    members.push(mother)
    if (members.length % 3 === 0 && members.length < size) members.push(dependent(mother['tax-id'], of))
  }
  return batchOf(members, query)
}

export interface Target {
  readonly url: string
  readonly token: string
  readonly companyTaxId: string
}

/** Sends the batch. @returns the status; null when the connection broke before a response. */
export async function sendBatch(target: Target, batch: Batch): Promise<number | null> {
  const body = { 'company-tax-id': target.companyTaxId, members: batch.members }
  const response = await send(`${target.url}/v1/enrollment/inclusion${batch.query}`, 'POST', {
    token: target.token,
    body,
  }).catch(() => null)
  if (response === null) return null
  if (response.status === 200) batch.requestId = response.body['request-id']
  else if (response.status !== 503)
    throw new Error(`unexpected response ${response.status}: ${response.text.slice(0, 500)}`)
  return response.status
}

/** Waits until the service is ready. @returns false when it does not run any more. */
export async function waitUntilReady(url: string): Promise<boolean> {
  const read = () => send(`${url}/readyz`, 'GET').catch(() => null)
  const last = await until(read, (response) => response === null || response.status === 200)
  return last !== null
}

/**
 * Sends the batches, several at once; waits after a 503 until the service is ready, and stops at the first connection that breaks.
 * @param onAccepted called before the next is sent, with the number of responses 200 so far.
 */
export async function sendAll(
  target: Target,
  batches: readonly Batch[],
  atOnce: number,
  onAccepted: (responses: number) => void,
): Promise<void> {
  const left = [...batches]
  let responses = 0
  let broken = false
  const sender = async (): Promise<void> => {
    for (let batch = left.shift(); batch !== undefined && !broken; batch = left.shift()) {
      const status = await sendBatch(target, batch)
      if (status === 200) onAccepted((responses += 1))
      else if (status === null || !(await waitUntilReady(target.url))) broken = true
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
}
