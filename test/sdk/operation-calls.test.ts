import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionError, NotFoundError, type RetryInfo, Vigencia, VigenciaError } from '@vigencia/client'
import { VigenciaOperator } from '@vigencia/client/operator'
import { cut, cutAfter, failure, json, openStub, silence, type Stub } from './stub.ts'

let stub: Stub

beforeEach(async () => {
  // No jitter: a retry without Retry-After is immediate.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  stub = await openStub()
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await stub.close()
})

const lines = () => stub.calls.map(({ line }) => line)

test('an operation by its id: body, headers, items of all pages, bytes, token; another API has none', async () => {
  const { operations } = stub.client()
  stub.replies.push(json(200, { result: { id: 'one' } }))
  expect(await operations.request('readMember', { path: ['a/b'] })).toEqual({ result: { id: 'one' } })
  stub.replies.push(json(200, { 'request-id': 'x' }, { 'idempotency-replayed': 'true' }))
  const call = { json: { members: [] }, options: { idempotencyKey: 'mine' } }
  const { body, headers } = await operations.response('includeMembers', call)
  expect([body, headers.get('idempotency-replayed')]).toEqual([{ 'request-id': 'x' }, 'true'])
  expect(stub.calls.at(-1)).toMatchObject({ body: '{"members":[]}', headers: { 'idempotency-key': 'mine' } })

  const page = (id: string, next: number | null) => json(200, { result: [{ id }], pagination: { 'next-page': next } })
  stub.replies.push(page('one', 2), page('two', null))
  expect(await Array.fromAsync(operations.list('listMembers', { query: { filter: 'x' } }))).toMatchObject([
    { id: 'one' },
    { id: 'two' },
  ])
  stub.replies.push((response) => void response.writeHead(200, { 'content-type': 'application/zip' }).end('bytes'))
  expect(await text(await operations.download('downloadInvoice', { path: ['i'] }))).toBe('bytes')
  expect(lines()).toEqual([
    'GET /v1/member/a%2Fb',
    'POST /v1/enrollment/inclusion',
    'GET /v1/member?filter=x&items-per-page=500&page=1',
    'GET /v1/member?filter=x&items-per-page=500&page=2',
    'GET /v1/invoices/i/download',
  ])
  expect(await operations.token()).toBe('token-1')
  await expect(operations.request('listClients')).rejects.toThrow('listClients is no operation of this API')
})

test('a list without pages sends no parameters of a page', async () => {
  stub.replies.push(json(200, { result: [{ 'product-id': 'p' }] }))
  const products = stub.client().operations.list('listProducts', { query: { 'items-per-page': 1 } })
  expect(await Array.fromAsync(products)).toEqual([{ 'product-id': 'p' }])
  expect(lines()).toEqual(['GET /v1/product'])
})

test('bytes that are cut off are a ConnectionError', async () => {
  stub.replies.push(cutAfter('half'))
  const file = await stub.client().invoices.download('i')
  await expect(text(file)).rejects.toThrow(ConnectionError)
})

test('shouldRetry ends a call, and the signal of the client all of them', async () => {
  const retries: RetryInfo[] = []
  const shouldRetry = ({ status }: RetryInfo) => status !== null
  const vigencia = stub.client({ shouldRetry, onRetry: (info) => retries.push(info) })
  stub.replies.push(failure(503, 'unavailable'), cut)
  await expect(vigencia.requests.get('id')).rejects.toThrow(ConnectionError)
  expect(retries.map(({ status }) => status)).toEqual([503])

  const controller = new AbortController()
  const other = stub.client({ signal: controller.signal, onResponse: () => controller.abort() })
  stub.replies.push(silence)
  await expect(other.requests.get('id')).rejects.toMatchObject({ name: 'AbortError' })
  await expect(other.members.get('id')).rejects.toMatchObject({ name: 'AbortError' })
})

test('503 too-many-calls was not executed: a POST of the operator API is sent again', async () => {
  const operator = new VigenciaOperator({ url: stub.url, clientId: 'id', clientSecret: 'secret' })
  stub.replies.push(failure(503, 'too-many-calls'), json(200, { result: { id: 'note' } }))
  expect(await operator.enrollments.addNote('id', { text: 'x' })).toEqual({ id: 'note' })
})

test('a dry run has no idempotency key, and is sent again', async () => {
  stub.replies.push(cut, json(200, { 'dry-run': true }))
  await stub.client().inclusions.create({ 'company-tax-id': 'x', members: [] }, { 'dry-run': true })
  expect(stub.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined])
})

test('an error has the headers of its response, and a wrong value of the path is one too', async () => {
  stub.replies.push(failure(404, 'member-not-found', { 'x-request-id': 'trace' }))
  const error = await stub
    .client()
    .members.get('id')
    .then(null, (reason: unknown) => reason)
  expect(error).toBeInstanceOf(NotFoundError)
  expect((error as NotFoundError).headers.get('x-request-id')).toBe('trace')
  await expect(stub.client().members.get('..')).rejects.toThrow(VigenciaError)
})

test('a request is read soon and then less often, at least as often as the service says', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const readings: number[] = []
  const fetch = () => {
    const status = readings.length < 8 ? 'processing' : 'completed'
    return Promise.resolve(Response.json({ status }, { headers: { 'retry-after': '1' } }))
  }
  const vigencia = new Vigencia({ url: stub.url, token: 'token', fetch })
  const waited = vigencia.requests.wait('id', { onProgress: () => void readings.push(Date.now()) })
  await vi.runAllTimersAsync()
  expect(await waited).toMatchObject({ status: 'completed' })
  const waits = readings.slice(1).map((at, index) => at - (readings[index] ?? 0))
  expect(waits).toEqual([250, 325, 422, 549, 714, 928, 1_000, 1_000])
})
