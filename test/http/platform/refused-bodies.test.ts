import { connect } from 'node:net'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { filePath, putInvoice } from '../../world/invoice.ts'
import { path as importPath } from '../../world/import.ts'
import { type Client, useTestApp } from '../../world/test-app.ts'
import { formOf, newSlot, pdf, putRaw } from '../../world/upload.ts'

/*
 * A body that is refused before its end, in several splits, with another request after it: each gets its response. A body that is not read
 * to its end would hold its connection, and a client that keeps it would get no further response.
 */

const testApp = useTestApp()
let partner: Client
let invoiceId: string
beforeAll(async () => {
  const company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  invoiceId = await putInvoice(testApp, company)
})

/** Larger than what Node reads ahead of a handler. */
const length = 300_000
const junk = Buffer.alloc(length, 'x')
const form = (...fields: readonly string[]) =>
  formOf(fields.map((field) => ({ field, fileName: 'a.pdf', bytes: Buffer.concat([pdf, junk]) })))

interface Upload {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const binary = 'application/octet-stream'
const multipart = 'multipart/form-data; boundary=vigencia-5f2c'
const pathOf = ({ url }: { readonly url: string }) => url.slice(new URL(url).origin.length)
const upload = async (type: string, body: Buffer): Promise<Upload> => {
  const target = pathOf(await newSlot(partner))
  return { method: 'PUT', target, headers: { 'content-type': type }, body }
}
const asOperator = async (method: string, target: string, type: string, body: Buffer): Promise<Upload> => {
  const authorization = `Bearer ${testApp.operator.token}`
  return { method, target, headers: { authorization, 'content-type': type }, body }
}
const asPartner = async (type: string, body: Buffer): Promise<Upload> => {
  const headers = { authorization: `Bearer ${partner.token}`, 'content-type': type, 'idempotency-key': randomUUID() }
  return { method: 'POST', target: '/v1/enrollment/inclusion', headers, body }
}
const usedSlot = async (): Promise<Upload> => {
  const slot = await newSlot(partner)
  await putRaw(slot, pdf)
  return { method: 'PUT', target: pathOf(slot), headers: { 'content-type': binary }, body: junk }
}
const invoiceFile = (name: string) => filePath(invoiceId, randomUUID(), { name })
const program = Buffer.concat([Buffer.from('MZ'), junk])

const uploads: [string, number, () => Promise<Upload>][] = [
  ['a file of an unknown type', 415, () => upload(binary, junk)],
  ['a form whose file is of an unknown type', 415, () => upload(multipart, formOf([{ field: 'file', bytes: junk }]))],
  ['a form whose file is in another field', 400, () => upload(multipart, form('document'))],
  ['a form of two files', 400, () => upload(multipart, form('file', 'file'))],
  ['a form without a boundary', 400, () => upload('multipart/form-data', junk)],
  ['a file for a used address', 410, usedSlot],
  ['a program as a file of an invoice', 415, () => asOperator('PUT', invoiceFile('a.exe'), binary, program)],
  ['a form as a file of an invoice', 415, () => asOperator('PUT', invoiceFile('a.pdf'), multipart, form('file'))],
  ['a file of an unknown invoice', 404, () => asOperator('PUT', filePath('none', randomUUID()), binary, junk)],
  ['an import that is no table', 415, () => asOperator('POST', importPath, 'text/html', junk)],
  ['an inclusion that is no JSON, with a key', 415, () => asPartner('text/html', junk)],
  [
    'JSON that is too large',
    413,
    () => asOperator('POST', '/v1/authenticate', 'application/json', Buffer.alloc(2 * 1024 * 1024, ' ')),
  ],
  ['a path without a route', 404, () => asOperator('POST', '/operator/v1/none', binary, junk)],
]

const next = Buffer.from('GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** Sends the first bytes, after a call on another connection the rest and the next request; what was received until the end. */
async function exchange(first: Buffer, rest: Buffer): Promise<string> {
  const { hostname, port } = new URL(testApp.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk))
  // A connection that is closed with bytes unread is reset.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(first)
  if (rest.length > next.length) await partner.get('/v1/company')
  socket.write(rest)
  await closed
  return received
}

function headOf({ method, target, headers, body }: Upload, isChunked: boolean): Buffer {
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${lines.join('')}${length}\r\n\r\n`)
}

const chunked = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])

describe.each(uploads)('%s', (_case, status, make) => {
  test.each([
    ['no byte', 0],
    ['some bytes', 40],
    ['the head of a form and some bytes', 200],
    ['a few packets', 70_000],
    ['all but one byte', -1],
    ['everything', Infinity],
  ])('%s, then the rest with the next request', async (_split, at) => {
    for (const isChunked of [false, true]) {
      const sent = await make()
      const head = headOf(sent, isChunked)
      const body = isChunked ? chunked(sent.body) : sent.body
      const cut = at < 0 ? body.length + at : Math.min(at, body.length)
      const text = await exchange(
        Buffer.concat([head, body.subarray(0, cut)]),
        Buffer.concat([body.subarray(cut), next]),
      )
      expect([isChunked, statusesOf(text)]).toEqual([isChunked, [status, 200]])
    }
  })
})
