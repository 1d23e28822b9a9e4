import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type S3Store, startS3 } from '../../platform/core/storage/s3-store.ts'
import {
  type Client,
  type Company,
  expectOk,
  type TestApp,
  monday,
  openTestApp,
  useTestApp,
  until,
  useCompany,
} from '../../world/test-app.ts'
import { download, downloadPath, putFile, putInvoice, sendFile, unzip } from '../../world/invoice.ts'
import { pdf, pdfOf } from '../../world/upload.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const get = (path: string, headers: Record<string, string> = {}) => download(testApp, partner, path, headers)

describe('one file', () => {
  test('its own bytes, type and name', async () => {
    const id = await putInvoice(testApp, company)
    const name = 'relatório/nov "final".csv'
    const bytes = randomBytes(300_000)
    const sent = { name, type: 'coparticipation-statement', contentType: 'text/csv; charset=utf-8', bytes }
    const fileId = await putFile(testApp, id, sent)
    const response = await get(downloadPath(id, fileId.toUpperCase()))
    expect(response.status).toBe(200)
    expect(response.bytes.equals(bytes)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': '300000',
      'content-disposition': `attachment; filename="relatorio_nov _final_.csv"; filename*=UTF-8''relat%C3%B3rio_nov%20%22final%22.csv`,
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
  })

  test.each([
    ['Saúde: 1*2? <nov>|.pdf', `filename*=UTF-8''Sa%C3%BAde%3A%201%2A2%3F%20%3Cnov%3E%7C.pdf`],
    [' e\u0301 fim. ', `filename*=UTF-8''%20e%CC%81%20fim.%20`],
    ['..\\a/b.pdf', `filename*=UTF-8''.._a_b.pdf`],
  ])('the name %j is stored and leaves as it came', async (name, expected) => {
    const id = await putInvoice(testApp, company)
    const path = downloadPath(id, await putFile(testApp, id, { name, type: 'other' }))
    for (const method of ['GET', 'HEAD'] as const) {
      const { headers } = await download(testApp, partner, path, {}, method)
      expect(headers.get('content-disposition')?.endsWith(expected)).toBe(true)
    }
    const rows = await testApp.sql<{ name: string }>('select f.name from invoice_file f where f.invoice_id = $1', [id])
    expect(rows).toEqual([{ name }])
  })

  test.each([
    ['a slip without a type', 'payment-slip', null, 'application/pdf'],
    ['a slip as curl sends it', 'payment-slip', 'application/x-www-form-urlencoded', 'application/pdf'],
    ['a slip with one', 'payment-slip', 'image/png', 'image/png'],
    ['another file without', 'other', null, 'application/octet-stream'],
  ])('the type of %s', async (_case, type, contentType, expected) => {
    const id = await putInvoice(testApp, company)
    const fileId = await putFile(testApp, id, { type, contentType })
    expect((await get(downloadPath(id, fileId))).headers.get('content-type')).toBe(expected)
  })

  test('HEAD returns the headers of GET without a body', async () => {
    const id = await putInvoice(testApp, company)
    const path = downloadPath(id, await putFile(testApp, id))
    const [head, whole] = [await download(testApp, partner, path, {}, 'HEAD'), await get(path)]
    expect(head.status).toBe(200)
    expect(head.bytes).toHaveLength(0)
    const dispatching = ['content-type', 'content-length', 'content-disposition', 'etag', 'accept-ranges']
    for (const name of dispatching) expect(head.headers.get(name)).toBe(whole.headers.get(name))
  })

  test('of another invoice of the same company: 404', async () => {
    const [id, other] = [await putInvoice(testApp, company), await putInvoice(testApp, company)]
    const response = await partner.get(downloadPath(id, await putFile(testApp, other)))
    expect([response.status, response.body.error]).toEqual([404, 'Invoice not found'])
  })
})

describe('a part of a file', () => {
  const bytes = randomBytes(200_000)
  let path: string
  let etag: string
  beforeAll(async () => {
    const id = await putInvoice(testApp, company)
    path = downloadPath(id, await putFile(testApp, id, { bytes }))
    etag = (await get(path)).headers.get('etag') ?? ''
  })

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=1000-99999', 1_000, 99_999],
    ['bytes=199990-', 199_990, 199_999],
    ['bytes=-5', 199_995, 199_999],
  ])('%s', async (range, first, last) => {
    const response = await get(path, { range })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/200000`)
    expect(response.headers.get('content-length')).toBe(String(last - first + 1))
    expect(response.bytes.equals(bytes.subarray(first, last + 1))).toBe(true)
  })

  test('416 past the end', async () => {
    const response = await partner.get(path, { range: 'bytes=200000-' })
    expect([response.status, response.body.error]).toEqual([416, 'Range not satisfiable'])
    expect(response.headers.get('content-range')).toBe('bytes */200000')
  })

  test('a Range of thousands of spaces is passed over', async () => {
    const spaces = ' '.repeat(7_000)
    const response = await get(path, { range: `bytes=${spaces}-${spaces}x` })
    expect(response.status).toBe(200)
  })

  test.each(['bytes=5-1', 'bytes=0-1,3-4', 'lines=1-2'])('%s is passed over', async (range) => {
    const response = await get(path, { range })
    expect([response.status, response.bytes.length]).toEqual([200, 200_000])
  })

  test('If-Range: the part while the file is the same, else the whole', async () => {
    expect((await get(path, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
    const other = await get(path, { range: 'bytes=0-9', 'if-range': '"another"' })
    expect([other.status, other.bytes.length]).toEqual([200, 200_000])
  })

  test('HEAD and the ZIP know no parts', async () => {
    const head = await download(testApp, partner, path, { range: 'bytes=0-9' }, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '200000'])
    const zip = await get(path.split('?')[0] ?? '', { range: 'bytes=0-9' })
    expect([zip.status, zip.headers.get('accept-ranges')]).toEqual([200, 'none'])
  })
})

describe('the ZIP', () => {
  const names = [
    'boleto.pdf',
    'boleto.pdf',
    'BOLETO.pdf',
    'demonstração/2026\\11.pdf',
    '../../etc/passwd',
    'ação 日本.txt',
  ]

  test('a ZIP of all files with safe names, which every reader can read', async () => {
    const id = await putInvoice(testApp, company)
    const contents = names.map((_name, index) => randomBytes(1 + index * 40_000))
    for (const [index, name] of names.entries()) {
      await putFile(testApp, id, { name, type: 'other', ...(contents[index] ? { bytes: contents[index] } : {}) })
    }
    const response = await get(downloadPath(id))
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="invoice-files.zip"',
      'content-length': String(response.bytes.length),
      'cache-control': 'no-store',
    })
    const entries = unzip(response.bytes)
    expect(entries.map((entry) => entry.name)).toEqual([
      'boleto.pdf',
      'boleto (1).pdf',
      'BOLETO (2).pdf',
      'demonstração_2026_11.pdf',
      '.._.._etc_passwd',
      'ação 日本.txt',
    ])
    expect(entries.every((entry) => entry.isUtf8)).toBe(true)
    for (const [index, entry] of entries.entries()) expect(entry.bytes.equals(contents[index] ?? pdf)).toBe(true)
    await testWithUnzip(response.bytes)
    const head = await download(testApp, partner, downloadPath(id), {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(response.bytes.length)])
    expect((await get(downloadPath(id))).bytes.equals(response.bytes)).toBe(true)
  })

  test('of an invoice without files is empty', async () => {
    const id = await putInvoice(testApp, company)
    const response = await get(downloadPath(id))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(unzip(response.bytes)).toEqual([])
  })
})

/** What unzip says of it, where there is an unzip: the reader of these tests is our own. */
async function testWithUnzip(zip: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vigencia-zip-'))
  try {
    await writeFile(join(folder, 'files.zip'), zip)
    execFileSync('unzip', ['-t', join(folder, 'files.zip')], { stdio: 'pipe' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the response for another tenant’s invoice is that for an unknown one, with and without a file, for GET and HEAD', async () => {
  const id = await putInvoice(testApp, company)
  const fileId = await putFile(testApp, id)
  const stranger = await testApp.partner((await testApp.company()).taxId)
  for (const path of [downloadPath(id), downloadPath(id, fileId), downloadPath('unknown'), downloadPath('x', fileId)]) {
    const response = await stranger.get(path)
    expect([response.status, response.body.error]).toEqual([404, 'Invoice not found'])
    expect((await download(testApp, stranger, path, {}, 'HEAD')).status).toBe(404)
  }
  expect((await partner.get(downloadPath(id, uuidv7()))).status).toBe(404)
})

test('400 for ids that nothing can have', async () => {
  const id = await putInvoice(testApp, company)
  for (const [path, error] of [
    [downloadPath(id, 'x'), 'Invalid parameter'],
    [`${downloadPath(id)}?file=1`, 'Invalid parameter'],
    [downloadPath('a\0b'), 'Invalid invoice-id'],
    [downloadPath('é'.repeat(101)), 'Invalid invoice-id'],
  ]) {
    const response = await partner.get(path ?? '')
    expect([response.status, response.body.error]).toEqual([400, error])
  }
  expect((await partner.get(downloadPath('😀'.repeat(100)))).status).toBe(404)
})

test('401 without a token and once revoked', async () => {
  const id = await putInvoice(testApp, company)
  const gone = await testApp.partner(company.taxId)
  expectOk(await testApp.operator.delete(`/operator/v1/client/${gone.clientId}`))
  expect((await testApp.call('GET', downloadPath(id))).status).toBe(401)
  expect((await testApp.operator.get(downloadPath(id))).status).toBe(401)
  expect((await gone.get(downloadPath(id))).status).toBe(401)
})

/** How a response ended, read from the socket: whole or broken. */
async function endOf(client: Client, path: string, atFirst: (response: IncomingMessage) => void = () => {}) {
  return new Promise<{ status: number; bytes: number; isWhole: boolean }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${client.token}` }
    const call = request(testApp.url + path, { headers }, (response) => {
      let bytes = 0
      response.on('error', () => {})
      response.on('close', () => resolve({ status: response.statusCode ?? 0, bytes, isWhole: response.complete }))
      response.once('readable', () => {
        atFirst(response)
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      })
    })
    call.on('error', reject).end()
  })
}

describe('when the storage fails', () => {
  const pathOf = async (fileId: string) => {
    const [row] = await testApp.sql('select storage_key from invoice_file where file_id = $1', [fileId])
    return join(testApp.dataDir, 'files', row?.['storage_key'])
  }

  test.each<[string, (path: string) => Promise<void>]>([
    ['the file is gone', (path) => rename(path, `${path}.moved`)],
    ['the file is shorter than it was', (path) => truncate(path, 10)],
  ])('503 before the first byte: %s', async (_case, damage) => {
    const id = await putInvoice(testApp, company)
    const fileId = await putFile(testApp, id)
    await damage(await pathOf(fileId))
    for (const path of [downloadPath(id), downloadPath(id, fileId)]) {
      const response = await partner.get(path, path.includes('?') ? { range: 'bytes=12-' } : {})
      expect([response.status, response.body.error]).toEqual([503, 'Invoice file storage unavailable'])
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(response.headers.get('content-disposition')).toBeNull()
    }
  })

  test('in the middle of the ZIP the connection breaks', async () => {
    const id = await putInvoice(testApp, company)
    await putFile(testApp, id, { bytes: pdfOf(500_000) })
    const second = await putFile(testApp, id)
    expect(await endOf(partner, downloadPath(id))).toMatchObject({ status: 200, isWhole: true })
    const path = await pathOf(second)
    await rename(path, `${path}.moved`)
    const end = await endOf(partner, downloadPath(id))
    expect(end).toMatchObject({ status: 200, isWhole: false })
    expect(end.bytes).toBeLessThan(501_000)
  })

  test('in the middle of a file too', async () => {
    const id = await putInvoice(testApp, company)
    const bytes = 40 * 1024 * 1024
    const fileId = await putFile(testApp, id, { bytes: pdfOf(bytes) })
    const path = await pathOf(fileId)
    const end = await endOf(partner, downloadPath(id, fileId), (response) => {
      response.pause()
      void truncate(path, 1_000_000).then(() => response.resume())
    })
    expect(end.isWhole).toBe(false)
    expect(end.bytes).toBeLessThan(bytes)
  })
})

test('readers who hang up leave nothing behind: many do, and the next one is served at once', async () => {
  const id = await putInvoice(testApp, company)
  const fileId = await putFile(testApp, id, { bytes: pdfOf(20 * 1024 * 1024) })
  const paths = Array.from({ length: 120 }, (_, index) => downloadPath(id, index % 2 === 0 ? fileId : undefined))
  await Promise.all(
    paths.map(
      async (path, index) =>
        new Promise<void>((resolve) => {
          const headers = { authorization: `Bearer ${partner.token}` }
          const call = request(testApp.url + path, { headers, agent: false })
          call.on('close', () => resolve())
          call.on('error', () => {})
          // Some in the queue, some at the first bytes.
          if (index % 3 === 0) setTimeout(() => call.destroy(), 30)
          else call.on('response', (response) => response.once('readable', () => call.destroy()))
          call.end()
        }),
    ),
  )
  const next = await until(
    () => get(downloadPath(id, fileId)),
    ({ status }) => status !== 503,
  )
  expect(next.bytes).toHaveLength(20 * 1024 * 1024)
})

test('a replaced file has a new tag, and downloads in progress get the old file', async () => {
  const id = await putInvoice(testApp, company)
  const bytes = pdfOf(8 * 1024 * 1024)
  const fileId = await putFile(testApp, id, { bytes })
  const before = await get(downloadPath(id, fileId))
  let replaced: Promise<unknown> = Promise.resolve()
  const end = await endOf(partner, downloadPath(id, fileId), (response) => {
    response.pause()
    replaced = sendFile(testApp, id, { fileId, bytes: 'new' }).then(() => response.resume())
  })
  await replaced
  expect(end).toMatchObject({ isWhole: true, bytes: bytes.length })
  const after = await get(downloadPath(id, fileId))
  expect(after.bytes.toString()).toBe('new')
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
})

describe('on S3', () => {
  let store: S3Store
  let elsewhere: TestApp
  let owner: Client
  let there: Company

  beforeAll(async () => {
    store = await startS3()
    elsewhere = await openTestApp({ VIGENCIA_STORAGE_URL: store.url })
    there = await elsewhere.company()
    owner = await elsewhere.partner(there.taxId)
  })

  afterAll(async () => {
    await elsewhere.close()
    await store.close()
  })

  test('files, parts and the ZIP', async () => {
    const id = await putInvoice(elsewhere, there)
    const bytes = pdfOf(7 * 1024 * 1024)
    const fileId = await putFile(elsewhere, id, { bytes, name: 'grande.pdf' })
    await putFile(elsewhere, id, { name: 'ção.pdf' })
    expect((await download(elsewhere, owner, downloadPath(id, fileId))).bytes.equals(bytes)).toBe(true)
    const part = await download(elsewhere, owner, downloadPath(id, fileId), { range: 'bytes=6000000-6000099' })
    expect([part.status, part.bytes.equals(bytes.subarray(6_000_000, 6_000_100))]).toEqual([206, true])
    const entries = unzip((await download(elsewhere, owner, downloadPath(id))).bytes)
    expect(entries.map((entry) => [entry.name, entry.bytes.length])).toEqual([
      ['grande.pdf', bytes.length],
      ['ção.pdf', pdf.length],
    ])
  })

  test('503 for a download and an upload when the store is away; the invoice is as it was', async () => {
    const id = await putInvoice(elsewhere, there, { 'due-date': monday })
    const fileId = await putFile(elsewhere, id)
    await elsewhere.restart({ VIGENCIA_STORAGE_URL: 's3://key:secret@127.0.0.1:1/bucket?protocol=http' })
    for (const path of [downloadPath(id), downloadPath(id, fileId)]) {
      const response = await owner.get(path)
      expect([response.status, response.body.error]).toEqual([503, 'Invoice file storage unavailable'])
    }
    const response = await sendFile(elsewhere, id, { name: 'another.pdf' })
    expect([response.status, response.body.error]).toEqual([503, 'Invoice file storage unavailable'])
    const [invoice] = (await owner.get('/v1/invoices/pending-payment?until-dt=2026-11-30')).body.result
    expect(invoice.files).toHaveLength(1)
    await elsewhere.restart({ VIGENCIA_STORAGE_URL: store.url })
    expect((await download(elsewhere, owner, downloadPath(id, fileId))).bytes.equals(pdf)).toBe(true)
  })
})
