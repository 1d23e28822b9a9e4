import { randomUUID } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { putFile, putInvoice } from '../../world/invoice.ts'
import { monday, primary, useTestApp, useCompany } from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
beforeAll(async () => {
  const members = Array.from({ length: 20 }, () => primary())
  await testApp.include(partner, company, members, '?resolution=approve')
})

interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A call whose response is not decompressed. */
async function call(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Raw> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const outgoing = httpRequest(testApp.url + path, {
    method,
    headers: { authorization: `Bearer ${partner.token}`, ...json, ...headers },
  })
  outgoing.end(body)
  const {
    statusCode,
    headers: received,
    ...rest
  } = await new Promise<{
    statusCode: number
    headers: IncomingHttpHeaders
    bytes: Promise<Buffer>
  }>((resolve, reject) => {
    outgoing.once('error', reject)
    outgoing.once('response', (response) =>
      resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, bytes: buffer(response) }),
    )
  })
  return { status: statusCode, headers: received, bytes: await rest.bytes }
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync }

describe.each(['gzip', 'br'])('with Accept-Encoding: %s', (coding) => {
  const headers = { 'accept-encoding': coding }

  test.each([
    ['a page', '/v1/member?page=1'],
    ['the whole list, which is streamed,', '/v1/member'],
    ['the OpenAPI document', '/openapi.json'],
    ['metrics', '/metrics'],
  ])('%s is compressed', async (_what, path) => {
    const response = await call(path, { headers })
    expect([response.status, response.headers['content-encoding'], response.headers['vary']]).toEqual([
      200,
      coding,
      'accept-encoding',
    ])
    const decoded = decoders[coding]?.(response.bytes).toString() ?? ''
    expect(response.bytes.length).toBeLessThan(decoded.length / 2)
    const plain = await call(path)
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'accept-encoding'])
    if (path !== '/metrics') expect(JSON.parse(decoded)).toEqual(JSON.parse(plain.bytes.toString()))
  })

  test('a body under 1 KiB is not', async () => {
    const response = await call('/v1/health', { headers })
    expect(response.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(response.bytes.toString())).toEqual({ status: 'ok', 'business-date': monday })
  })

  test('HEAD has the headers of GET, without a body', async () => {
    const path = '/v1/benefit?items-per-page=20'
    const [head, get] = [await call(path, { method: 'HEAD', headers }), await call(path, { headers })]
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary']) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
    }
  })

  test('a large refusal is compressed, and its replay too; both say the same', async () => {
    const members = Array.from({ length: 30 }, () => primary({ 'tax-id': '1' }))
    const body = JSON.stringify({ 'company-tax-id': company.taxId, members })
    const sent = { method: 'POST', body, headers: { ...headers, 'idempotency-key': randomUUID() } }
    const [first, replay] = [await call('/v1/enrollment/inclusion', sent), await call('/v1/enrollment/inclusion', sent)]
    const plain = await call('/v1/enrollment/inclusion', {
      ...sent,
      headers: { ...sent.headers, 'accept-encoding': '' },
    })
    expect([first, replay].map((one) => [one.status, one.headers['content-encoding']])).toEqual([
      [400, coding],
      [400, coding],
    ])
    expect([replay.headers['idempotency-replayed'], plain.headers['idempotency-replayed']]).toEqual(['true', 'true'])
    const texts = [first, replay].map((one) => decoders[coding]?.(one.bytes).toString())
    expect([texts[1], plain.bytes.toString()]).toEqual([texts[0], texts[0]])
  })

  test('a file of an invoice is sent as it is, with its length and ranges', async () => {
    const invoiceId = await putInvoice(testApp, company)
    const csv = Buffer.from('a;b\n'.repeat(1_000))
    const fileId = await putFile(testApp, invoiceId, {
      name: 'a.csv',
      type: 'invoice',
      bytes: csv,
      contentType: 'text/csv',
    })
    const path = `/v1/invoices/${encodeURIComponent(invoiceId)}/download?file-id=${fileId}`
    const whole = await call(path, { headers })
    expect([whole.headers['content-encoding'], whole.headers['content-length'], whole.bytes]).toEqual([
      undefined,
      String(csv.length),
      csv,
    ])
    const part = await call(path, { headers: { ...headers, range: 'bytes=4-7' } })
    expect([part.status, part.bytes.toString()]).toEqual([206, 'a;b\n'])
    const head = await call(path, { method: 'HEAD', headers })
    expect([head.headers['content-encoding'], head.headers['content-length']]).toEqual([undefined, String(csv.length)])
  })
})
