import { randomUUID } from 'node:crypto'
import { premium, expectOk, health, type Json, nextCpf, until, dental, primary } from '../world/test-app.ts'
import { invoiceBody, invoicePath, filePath } from '../world/invoice.ts'
import { holder, ndjson, path as importPath } from '../world/import.ts'
import { named, pdfOf } from '../world/upload.ts'
import { type Batch, batchOf, largeBatch, smallBatch } from './load.ts'
import type { StoredMonth } from './money-load.ts'
import type { StoredPeople } from './people-load.ts'
import type { RetryingClient } from './retrying-client.ts'
import type { Rng } from './rng.ts'
import type { StoredShipment } from './shipment-load.ts'
import { products, type Tenant } from './tenant.ts'

/** What a round has stored, by the ids that clients know. */
export interface Stored {
  readonly batches: Batch[]
  /** CPFs with one exclusion, and with one alteration. */
  readonly excluded: string[]
  readonly altered: string[]
  /** Enrollments that were pending and got one answer. */
  readonly answered: string[]
  readonly imported: string[]
  readonly documents: { readonly requestId: string; readonly id: string; readonly bytes: Buffer }[]
  readonly invoices: { readonly id: string; readonly bytes: Buffer }[]
  readonly shipments: StoredShipment[]
  readonly months: StoredMonth[]
  readonly people: StoredPeople[]
}

/** The people that the movements of a round are about. */
export interface Cast {
  readonly members: readonly string[]
  readonly pending: readonly string[]
}

export interface LoadTarget {
  readonly client: RetryingClient
  readonly tenant: Tenant
  readonly businessDate: string
  readonly rng: Rng
  /** The round, for names. */
  readonly round: number
}

const each = 6

/** Sends the batch until it has a response. @returns the request id. */
export async function include({ client, tenant }: LoadTarget, batch: Batch): Promise<string> {
  const body = { 'company-tax-id': tenant.companyTaxId, members: batch.members }
  const response = await client.post(`/v1/enrollment/inclusion${batch.query}`, body)
  batch.requestId = response.body['request-id'] as string
  return batch.requestId
}

/** The request once it is processed. */
export const finished = (target: LoadTarget, requestId: string): Promise<Json> =>
  until(
    async () => expectOk(await target.client.send('partner', 'GET', `/v1/request/${requestId}`)).body,
    (body) => body.status !== 'processing',
  )

/** Includes active members, and others whose enrollments wait for documents. */
export async function makeCast(target: LoadTarget, stored: Stored): Promise<Cast> {
  const active = batchOf(
    Array.from({ length: 2 * each }, () => primary()),
    '?resolution=approve',
  )
  const waiting = batchOf(Array.from({ length: each }, () => primary()))
  stored.batches.push(active, waiting)
  const [, ids] = await Promise.all([
    include(target, active).then((id) => finished(target, id)),
    include(target, waiting)
      .then((id) => finished(target, id))
      .then((body) => Object.values<Json>(body['status-by-tax-id']).map((parts) => parts[health]['enrollment-id'])),
  ])
  const body = { 'enrollment-ids': ids, status: 'pending-documents', reason: 'Falta o comprovante' }
  expectOk(await target.client.send('operator', 'POST', '/operator/v1/enrollment/transition', { body }))
  return { members: active.members.map((one) => one['tax-id'] as string), pending: ids }
}

/** The lanes of a round's load, each a list of steps that run one after the other. @param later the day of scheduled movements. */
export function lanesOf(target: LoadTarget, cast: Cast, stored: Stored, later: string): (() => Promise<unknown>)[][] {
  const { client, rng, businessDate, round } = target
  const { productIds } = target.tenant
  const batchSteps = (batches: readonly Batch[]) =>
    batches.map((batch) => async () => {
      stored.batches.push(batch)
      await include(target, batch)
    })
  const small = (count: number) => Array.from({ length: count }, () => smallBatch(rng, products, later))
  const large = largeBatch(rng.between(100, 700), products, rng.oneIn(2) ? '?resolution=approve' : '')
  const movements = cast.members.map((cpf, n) => () => (n % 2 === 0 ? exclude(cpf) : alter(cpf)))
  const exclude = async (cpf: string) => {
    const details = { 'end-date': businessDate, 'exclusion-reason': 'dismissal' }
    const query = ['', '?resolution=approve', '?resolution=reject'][rng.between(0, 2)] ?? ''
    const path = `/v1/enrollment/exclusion/${cpf}/product/${productIds[health]}${query}`
    await client.post(path, { 'exclusion-details': details })
    stored.excluded.push(cpf)
  }
  const alter = async (cpf: string) => {
    const data = rng.oneIn(2) ? { name: 'Jussara Quintanilha' } : { 'new-product-id': productIds[premium] }
    await client.post(`/v1/enrollment/alteration/${cpf}${rng.oneIn(2) ? '?resolution=approve' : ''}`, {
      'alteration-data': data,
    })
    stored.altered.push(cpf)
  }
  const answers = cast.pending.map((id) => async () => {
    await client.post(`/v1/enrollment/${id}/answer`, { comment: 'Segue em anexo' })
    stored.answered.push(id)
  })
  const uploads = Array.from(
    { length: each / 2 },
    () => () => uploadDocument(target, stored, rng.between(1_000, 400_000)),
  )
  const imports = Array.from({ length: 2 }, () => () => importFile(target, stored, rng.between(50, 900)))
  const invoices = Array.from(
    { length: each / 2 },
    (_, n) => () => putInvoice(target, stored, `${round}/${n}`, rng.between(1_000, 400_000)),
  )
  return [
    batchSteps([...small(each), large]),
    batchSteps(small(each)),
    rng.shuffled(movements),
    [...answers, ...uploads],
    imports,
    invoices,
  ]
}

async function uploadDocument(target: LoadTarget, stored: Stored, size: number): Promise<void> {
  const { client } = target
  const { body } = await client.post('/v1/enrollment/document-upload-url')
  const { pathname, search } = new URL(body['upload-url'])
  const bytes = pdfOf(size)
  const headers = { 'content-type': 'application/octet-stream' }
  const uploaded = await client.send(null, 'PUT', pathname + search, { body: bytes, headers })
  // 410: stored by an upload whose response was lost.
  if (uploaded.status !== 410) expectOk(uploaded)
  const batch = batchOf([primary({ documents: named(body['document-id']) })])
  stored.batches.push(batch)
  const requestId = await include(target, batch)
  stored.documents.push({ requestId, id: body['document-id'], bytes })
}

/** Creates a contract, unless a call whose response was lost has done it. @returns its id. */
export async function createContract({ client, tenant }: LoadTarget, contract: Json): Promise<string> {
  const body = { 'company-tax-id': tenant.companyTaxId, ...contract }
  const response = await client.send('operator', 'POST', '/operator/v1/contract', { body })
  const isMade = response.status === 400 && response.text.includes('duplicate-contract')
  if (!isMade) return expectOk(response).body.result['contract-id']
  const list = `/operator/v1/contract?company-tax-id=${tenant.companyTaxId}`
  const contracts: Json[] = expectOk(await client.send('operator', 'GET', list)).body.result
  const number = contract['contract-number']
  return contracts.find((one) => one['contract-number'] === number)['contract-id']
}

/** Sends the same file under a new import-id until an import of it is done. @returns the CPFs. */
export async function importFile({ client, tenant }: LoadTarget, stored: Stored, lines: number): Promise<string[]> {
  const cpfs = Array.from({ length: lines }, () => nextCpf())
  const company = { id: '', taxId: tenant.companyTaxId, products: {} }
  const file = ndjson(
    cpfs.map((cpf) => holder(company, { 'tax-id': cpf, 'product-name': dental, 'employee-id': `M-${cpf}` })),
  )
  const headers = { 'content-type': 'application/x-ndjson' }
  for (;;) {
    const id = randomUUID()
    const response = await client.send('operator', 'POST', `${importPath}?import-id=${id}`, { body: file, headers })
    // 409: the first response was lost, the id is used; whether all was imported is read from the import.
    const isUsed = response.status === 409
    const known = isUsed ? await ended(client, id) : expectOk(response).body
    if (known.status === 'done') {
      if (known.accepted !== lines) throw new Error(`import ${id}: ${known.accepted} of ${lines} lines accepted`)
      stored.imported.push(...cpfs)
      return cpfs
    }
  }
}

const ended = (client: RetryingClient, id: string): Promise<Json> =>
  until(
    async () => (await client.send('operator', 'GET', `${importPath}/${id}`)).body,
    (body) => body.status !== 'running',
    60_000,
  )

async function putInvoice({ client, tenant }: LoadTarget, stored: Stored, name: string, size: number): Promise<void> {
  const id = `crash ${name}`
  const company = { id: '', taxId: tenant.companyTaxId, products: {} }
  expectOk(await client.send('operator', 'PUT', invoicePath(id), { body: invoiceBody(company) }))
  const bytes = pdfOf(size)
  const headers = { 'content-type': 'application/pdf' }
  expectOk(await client.send('operator', 'PUT', filePath(id, randomUUID()), { body: bytes, headers }))
  stored.invoices.push({ id, bytes })
}
