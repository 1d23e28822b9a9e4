import { createHmac } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionError, NotFoundError, WebhookVerificationError, webhooks } from '@vigencia/client'
import { VigenciaOperator } from '@vigencia/client/operator'
import { cut, cutAfter, failure, json, openStub, type Reply, type Stub } from './stub.ts'

let stub: Stub
let folder: string

beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  stub = await openStub()
  folder = await mkdtemp(join(tmpdir(), 'vigencia-sdk-'))
})

afterEach(async () => {
  vi.restoreAllMocks()
  await stub.close()
  await rm(folder, { recursive: true })
})

const zip: Reply = (response) => {
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="invoice-files.zip"',
  }
  response.writeHead(200, headers).end('the bytes')
}

test('a download to a path is begun again when it breaks; the file is complete, readable to its user only', async () => {
  stub.replies.push(failure(503, 'invoice-storage-unavailable'), cutAfter('the by'), zip)
  const to = join(folder, 'invoice.zip')
  const saved = await stub.client().invoices.download('id', { to, 'file-id': 'file' })
  expect(saved).toEqual({ name: 'invoice-files.zip', type: 'application/zip', bytes: 9 })
  expect(await readFile(to, 'utf8')).toBe('the bytes')
  expect((await stat(to)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['invoice.zip'])
  expect(stub.calls.map(({ line }) => line)).toEqual(Array(3).fill('GET /v1/invoices/id/download?file-id=file'))
})

test('a download that fails leaves the file of that name as it was', async () => {
  const to = join(folder, 'invoice.zip')
  await writeFile(to, 'of yesterday')
  const vigencia = stub.client({ maxRetries: 1 })
  stub.replies.push(cutAfter('the by'), cutAfter('the by'))
  await expect(vigencia.invoices.download('id', { to })).rejects.toThrow(ConnectionError)
  stub.replies.push(failure(404, 'invoice-not-found'))
  await expect(vigencia.invoices.download('id', { to })).rejects.toThrow(NotFoundError)
  expect(await readFile(to, 'utf8')).toBe('of yesterday')
  expect(await readdir(folder)).toEqual(['invoice.zip'])
  stub.replies.push(zip)
  const nowhere = join(folder, 'absent', 'invoice.zip')
  await expect(vigencia.invoices.download('id', { to: nowhere })).rejects.toMatchObject({ code: 'ENOENT' })
  expect(stub.replies).toEqual([])
})

test('a download goes to a stream, or is read as bytes or text', async () => {
  const vigencia = stub.client()
  stub.replies.push(zip, zip, zip, cutAfter('the by'))
  const chunks: Uint8Array[] = []
  const to = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk) })
  expect(await vigencia.invoices.download('id', { to })).toMatchObject({ bytes: 9 })
  expect(Buffer.concat(chunks).toString()).toBe('the bytes')
  const download = await vigencia.invoices.download('id')
  expect(download).toMatchObject({ name: 'invoice-files.zip', type: 'application/zip' })
  expect(Buffer.from(await download.bytes()).toString()).toBe('the bytes')
  expect(await (await vigencia.invoices.download('id')).text()).toBe('the bytes')
  let abortedWith: unknown
  const failing = new WritableStream<Uint8Array>({ abort: (reason) => void (abortedWith = reason) })
  await expect(vigencia.invoices.download('id', { to: failing })).rejects.toThrow(ConnectionError)
  expect(abortedWith).toBeInstanceOf(ConnectionError)
})

test('an upload whose response was lost has succeeded when the address is used', async () => {
  const slot = json(200, { 'document-id': 'the-id', 'upload-url': `${stub.url}/upload/the-id?signature=x` })
  stub.replies.push(slot, cut, failure(410, 'upload-address-expired'))
  expect(await stub.client().documents.upload(new Blob(['%PDF-']))).toEqual({ 'document-id': 'the-id' })
  expect(stub.calls.map(({ line }) => line)).toEqual([
    'POST /v1/enrollment/document-upload-url',
    'PUT /upload/the-id?signature=x',
    'PUT /upload/the-id?signature=x',
  ])
  // The address is the authorization.
  expect(stub.calls[1]?.headers.authorization).toBe(undefined)
})

test('a file that is not there is named, and no address is asked for it', async () => {
  const path = join(folder, 'nothing-here.pdf')
  await expect(stub.client().documents.upload(path)).rejects.toThrow(path)
  expect(stub.calls).toEqual([])
})

test('a stream is sent once, bytes as often as necessary', async () => {
  const slot = json(200, { 'document-id': 'the-id', 'upload-url': `${stub.url}/upload/the-id` })
  const vigencia = stub.client()
  stub.replies.push(slot, failure(503, 'document-storage-unavailable'))
  await expect(vigencia.documents.upload(Readable.from([Buffer.from('%PDF-')]))).rejects.toThrow('503')
  stub.replies.push(slot, failure(503, 'document-storage-unavailable'))
  await vigencia.documents.upload(Buffer.from('%PDF-'))
  stub.replies.push(slot)
  await vigencia.documents.upload(new Blob(['%PDF-']).stream())
  const bodies = stub.calls.filter(({ line }) => line.startsWith('PUT')).map(({ body }) => body)
  expect(bodies).toEqual(Array(4).fill('%PDF-'))
})

test('members are streamed as they arrive, and a list that is cut off is an error', async () => {
  const vigencia = stub.client()
  let finish = () => {}
  stub.replies.push((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"result":[{"id":"one","profile":{"name":"Davi {[\\"')
    response.write('\\u00e3"}},{"id":"two"}')
    finish = () => void response.end(',{"id":"three"}]}')
  })
  const seen: string[] = []
  for await (const { id } of vigencia.members.stream({ 'include-inactive': true })) {
    seen.push(id)
    // Only now the rest is sent.
    if (id === 'two') finish()
  }
  expect(seen).toEqual(['one', 'two', 'three'])
  expect(stub.calls[0]?.line).toBe('GET /v1/member?include-inactive=true')

  const ends: Reply[] = [
    cutAfter('{"result":[{"id":"one"},{"id"'),
    (response) => void response.end('{"result":[{"id":"one"}'),
  ]
  for (const reply of ends) {
    stub.replies.push(reply)
    const partial: string[] = []
    const read = async () => {
      for await (const { id } of vigencia.members.stream()) partial.push(id)
    }
    await expect(read()).rejects.toThrow(ConnectionError)
    expect(partial).toEqual(['one'])
  }
  stub.replies.push((response) => void response.end('{"result":[{Helena}'))
  const malformed = vigencia.members.stream().next()
  await expect(malformed).rejects.toThrow('The list is not JSON')
})

test('a stream that the caller leaves ends the transfer', async () => {
  let isClosed: (value: unknown) => void = () => {}
  const closed = new Promise((resolve) => (isClosed = resolve))
  stub.replies.push((response) => {
    response.writeHead(200).write('{"result":[{"id":"one"},')
    response.on('close', isClosed)
  })
  for await (const { id } of stub.client().members.stream()) {
    expect(id).toBe('one')
    break
  }
  await closed
})

test('a list is read page after page, and awaited it is one page; some lists have no pages', async () => {
  const page = (ids: string[], next: number | null) =>
    json(200, { result: ids.map((id) => ({ id })), pagination: { 'next-page': next } })
  const vigencia = stub.client()
  stub.replies.push(page(['a', 'b'], 2), page(['c'], 3), page(['d'], null))
  const seen: string[] = []
  for await (const { id } of vigencia.companies.list()) seen.push(id)
  expect(seen).toEqual(['a', 'b', 'c', 'd'])
  stub.replies.push(page(['a'], 2), page(['b'], null))
  const list = vigencia.members.list({ filter: 'employee-id=1' })
  expect((await list).result).toEqual([{ id: 'a' }])
  expect((await list).pagination?.['next-page']).toBe(2)
  await vigencia.members.list({ page: 2, 'items-per-page': 1 })
  stub.replies.push(json(200, { result: [{ 'product-id': 'p' }] }), json(200, { result: [{ 'product-id': 'p' }] }))
  for await (const product of vigencia.products.list({ 'company-tax-id': 'x' })) seen.push(product['product-id'])
  expect((await vigencia.products.list()).result).toEqual([{ 'product-id': 'p' }])
  expect(seen.at(-1)).toBe('p')
  expect(stub.calls.map(({ line }) => line)).toEqual([
    'GET /v1/company?items-per-page=500&page=1',
    'GET /v1/company?items-per-page=500&page=2',
    'GET /v1/company?items-per-page=500&page=3',
    'GET /v1/member?filter=employee-id%3D1&page=1',
    'GET /v1/member?page=2&items-per-page=1',
    'GET /v1/product?company-tax-id=x',
    'GET /v1/product',
  ])
})

const secret = `whsec_${Buffer.from('a key of 32 bytes, as they are..').toString('base64')}`
const event = { type: 'benefit.activated', timestamp: '2026-11-21T13:05:09.120Z', data: { status: 'active' } }

function delivery(body: string, at = Date.now() / 1_000, key = secret): Record<string, string> {
  const timestamp = String(Math.floor(at))
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', bytes).update(`msg_1.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

test('a delivery is verified: text or bytes, headers of any kind, one of two secrets', async () => {
  const body = JSON.stringify({ ...event, data: { status: 'á' } })
  const headers = delivery(body)
  const expected = { id: 'msg_1', ...event, data: { status: 'á' } }
  expect(await webhooks.verify(headers, body, secret)).toEqual(expected)
  expect(await webhooks.verify(new Headers(headers), Buffer.from(body), secret)).toEqual(expected)
  const other = `whsec_${Buffer.from('another key').toString('base64')}`
  expect(await stub.client().webhooks.verify(headers, body, [other, secret])).toEqual(expected)
  const rotated = `${delivery(body, undefined, other)['webhook-signature']} v2,x ${headers['webhook-signature']}`
  expect(await webhooks.verify({ ...headers, 'webhook-signature': rotated }, body, secret)).toEqual(expected)
})

test('another body, id, time, secret or signature is refused', async () => {
  const body = JSON.stringify(event)
  const headers = delivery(body)
  const now = Date.now() / 1_000
  const refused: [Record<string, string>, string, string][] = [
    [headers, `${body} `, secret],
    [{ ...headers, 'webhook-id': 'msg_2' }, body, secret],
    [{ ...headers, 'webhook-timestamp': String(Math.floor(now) - 1) }, body, secret],
    [delivery(body, now - 301), body, secret],
    [delivery(body, now + 302), body, secret],
    [{ ...headers, 'webhook-timestamp': 'now' }, body, secret],
    [{ ...headers, 'webhook-signature': 'v1,' }, body, secret],
    [{ ...headers, 'webhook-signature': 'v1,%%' }, body, secret],
    [{ ...headers, 'webhook-signature': (headers['webhook-signature'] ?? '').replace('v1', 'v2') }, body, secret],
    [headers, body, `whsec_${Buffer.from('another key').toString('base64')}`],
    [{}, body, secret],
  ]
  for (const [sent, text, key] of refused) {
    await expect(webhooks.verify(sent, text, key)).rejects.toThrow(WebhookVerificationError)
  }
  await expect(webhooks.verify(headers, body, '')).rejects.toThrow(TypeError)
})

test('an upload sends every parameter that its operation takes', async () => {
  const operator = new VigenciaOperator({ url: stub.url, clientId: 'id', clientSecret: 'secret' })
  stub.replies.push(json(202, { result: {} }), json(200, {}))
  const bytes = Buffer.from('a;b\n')
  const file = {
    'contract-id': 'id',
    kind: 'invoice',
    'reference-month': '2026-11',
    'layout-id': 'x',
    name: 'f',
  } as const
  await operator.carrierFiles.upload(bytes, { ...file, 'invoice-kind': 'supplementary' })
  const people = { 'dry-run': true, 'import-id': 'id', sheet: 'A', 'company-tax-id': 'c', 'file-name': 'f.csv' }
  await operator.imports.create(bytes, people)
  const queries = stub.calls.map(({ line }) =>
    Object.fromEntries(new URL(line.split(' ')[1] ?? '', stub.url).searchParams),
  )
  expect(queries).toEqual([
    { ...file, 'invoice-kind': 'supplementary' },
    { ...people, 'dry-run': 'true' },
  ])
})
