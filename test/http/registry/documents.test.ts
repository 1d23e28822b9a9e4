import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  expectOk,
  type TestApp,
  openTestApp,
  useTestApp,
  until,
  useCompany,
} from '../../world/test-app.ts'
import {
  breakOff,
  files,
  formOf,
  largest,
  newSlot,
  pdf,
  pdfOf,
  putRaw,
  sendForm,
  upload,
  type UploadSlot,
} from '../../world/upload.ts'
import { scaled } from '../../scale.ts'

const testApp = useTestApp({}, { instances: 'all' })
const uploads = scaled(400, 1_000)
const { company, partner } = useCompany(testApp)

const row = async (id: string) => (await testApp.sql('select * from document where id = $1', [id]))[0]

/** Names of the files that the app stores. */
const storedNames = () => readdir(join(testApp.dataDir, 'files', 'document')).catch(() => [] as string[])

const looseFiles = async () => (await testApp.sql('select key from orphan_file')).length

/** What a refusal left behind, and whether the slot takes a file afterwards. */
async function afterRefusal(slot: UploadSlot, response: ApiResponse) {
  const { body, headers, status } = response
  const hasTraceId = typeof body.error === 'string' && body['request-trace-id'] === headers.get('x-request-id')
  const isFilled = (await row(slot.id))?.['uploaded_at'] !== null
  const loose = await looseFiles()
  return { status, hasTraceId, isFilled, loose, again: (await putRaw(slot, pdf)).status }
}

const unspent = (status: number) => ({ status, hasTraceId: true, isFilled: false, loose: 0, again: 200 })

describe('a slot', () => {
  test('is an id and an absolute address, and leaves an audit row', async () => {
    const response = await partner.post('/v1/enrollment/document-upload-url')
    expect(response.status).toBe(200)
    expect(Object.keys(response.body)).toEqual(['document-id', 'upload-url'])
    const url = new URL(response.body['upload-url'])
    expect(url.protocol).toBe('http:')
    expect(url.hostname).toBe('127.0.0.1')
    expect(url.pathname).toContain(response.body['document-id'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { body } = await testApp.operator.get(`/operator/v1/audit?target=${response.body['document-id']}`)
    expect(body.result).toMatchObject([{ action: 'document.slot-created', actor: partner.clientId }])
  })

  test('lives for thirty minutes', async () => {
    const slot = await newSlot(partner)
    const found = await row(slot.id)
    expect(found?.['expires_at'] - found?.['created_at']).toBe(30 * 60_000)
    expect(Number(new URL(slot.url).searchParams.get('expires'))).toBe(
      Math.floor(found?.['expires_at'].getTime() / 1_000),
    )
  })

  test('bears the address under which the caller came, or the configured one', async () => {
    const { port } = new URL(testApp.url)
    const response = await testApp.call('POST', '/v1/enrollment/document-upload-url', { token: partner.token })
    expect(new URL(response.body['upload-url']).host).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(port).not.toBe('')
    const behindProxy = await openTestApp({ VIGENCIA_PUBLIC_URL: 'https://api.example.com.br/vigencia/' })
    try {
      const elsewhere = await behindProxy.partner((await behindProxy.company()).taxId)
      expect((await newSlot(elsewhere)).url).toMatch(
        /^https:\/\/api\.example\.com\.br\/vigencia\/upload\/[0-9a-f-]{36}\?/,
      )
    } finally {
      await behindProxy.close()
    }
  })

  test.each([
    ['nothing declared', undefined, {}],
    ['JSON declared and none sent', undefined, { 'content-type': 'application/json' }],
    ['an empty object', {}, {}],
    ['a form declared and none sent', '', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text declared and none sent', '', { 'content-type': 'text/plain' }],
  ])('asks for no body: %s', async (_case, body, headers) => {
    expect((await partner.post('/v1/enrollment/document-upload-url', body, headers)).status).toBe(200)
  })

  test('400 and 415 for what is no JSON', async () => {
    const send = (body: string, type: string) =>
      partner.post('/v1/enrollment/document-upload-url', body, { 'content-type': type })
    expect((await send('{', 'application/json')).status).toBe(400)
    expect((await send('a=b', 'text/plain')).status).toBe(415)
  })

  test('401 without a token, and for a revoked client, whose open addresses end', async () => {
    expect((await testApp.call('POST', '/v1/enrollment/document-upload-url')).status).toBe(401)
    const leaving = await testApp.partner(company.taxId)
    const slot = await newSlot(leaving)
    expectOk(await testApp.operator.delete(`/operator/v1/client/${leaving.clientId}`))
    expect((await leaving.post('/v1/enrollment/document-upload-url')).status).toBe(401)
    expect((await putRaw(slot, pdf)).status).toBe(410)
  })
})

describe('200', () => {
  test.each(Object.entries(files))('takes %s, told by its first bytes, by PUT and by POST', async (type, bytes) => {
    for (const method of ['PUT', 'POST']) {
      const slot = await newSlot(partner)
      const response = await putRaw(slot, bytes, {}, method)
      expect(response.status).toBe(200)
      expect(response.body).toEqual({ 'document-id': slot.id })
      expect(await row(slot.id)).toMatchObject({ content_type: type, size: bytes.length, used_at: null })
    }
  })

  test('leaves an audit row and no loose bytes', async () => {
    const id = await upload(partner)
    const { body } = await testApp.operator.get(`/operator/v1/audit?target=${id}&action=document.uploaded`)
    expect(body.result).toMatchObject([{ actor: partner.clientId, 'company-tax-id': null }])
    expect(await looseFiles()).toBe(0)
    expect(await storedNames()).toContain((await row(id))?.['storage_key'].replace('document/', ''))
  })

  test.each(['image/gif', 'text/html; charset=latin1', 'garbage', 'multipart/mixed; boundary=x', 'application/json'])(
    'whatever type a raw body declares: %s',
    async (type) => {
      const slot = await newSlot(partner)
      expect((await putRaw(slot, pdf, { 'content-type': type })).status).toBe(200)
      expect((await row(slot.id))?.['content_type']).toBe('application/pdf')
    },
  )

  test('a raw body without a declared type, in chunks of one byte', async () => {
    const slot = await newSlot(partner)
    const body = Readable.toWeb(Readable.from(Array.from(pdf, (byte) => Buffer.of(byte))))
    const response = await fetch(slot.url, { method: 'PUT', body: body as ReadableStream, duplex: 'half' })
    expect(response.status).toBe(200)
    expect((await row(slot.id))?.['size']).toBe(pdf.length)
  })

  test('the largest that is allowed, raw and as a form', async () => {
    const bytes = pdfOf(largest)
    const slots = [await newSlot(partner), await newSlot(partner)] as const
    expect((await putRaw(slots[0], bytes)).status).toBe(200)
    expect((await sendForm(slots[1], [{ field: 'file', fileName: 'a.pdf', bytes }])).status).toBe(200)
    for (const slot of slots) expect((await row(slot.id))?.['size']).toBe(largest)
  })

  test('a form with other fields around the file', async () => {
    const slot = await newSlot(partner)
    const response = await sendForm(slot, [
      { field: 'document-type', bytes: 'rescission' },
      { field: 'file', fileName: 'rescisão.pdf', type: 'text/html', bytes: pdf },
      { field: 'comment', bytes: 'assinada' },
    ])
    expect(response.body).toEqual({ 'document-id': slot.id })
    expect(await row(slot.id)).toMatchObject({
      content_type: 'application/pdf',
      size: pdf.length,
      name: 'rescisão.pdf',
    })
  })

  test('a form by PUT whose file has neither name nor type', async () => {
    const slot = await newSlot(partner)
    expect((await sendForm(slot, [{ field: 'file', bytes: files['image/png'] as Buffer }], 'PUT')).status).toBe(200)
    expect((await row(slot.id))?.['name']).toBe(`${slot.id}.png`)
  })

  test('a form as FormData of a browser writes it', async () => {
    const slot = await newSlot(partner)
    const form = new FormData()
    form.append('file', new Blob([pdf], { type: 'application/pdf' }), 'c:\\fotos\\"mãe" e filho.pdf')
    const response = await fetch(slot.url, { method: 'POST', body: form })
    expect(response.status).toBe(200)
    expect((await row(slot.id))?.['name']).toBe('_mãe_ e filho.pdf')
  })
})

describe('400, and the address can be used again', () => {
  test('an empty file, raw and in a form', async () => {
    const slot = await newSlot(partner)
    const response = await putRaw(slot, '')
    expect(response.body.details).toEqual([{ field: 'file', code: 'empty' }])
    expect(await afterRefusal(slot, response)).toEqual(unspent(400))
    const other = await newSlot(partner)
    expect(await afterRefusal(other, await sendForm(other, [{ field: 'file', fileName: 'a.pdf', bytes: '' }]))).toEqual(
      unspent(400),
    )
  })

  test.each([
    ['no file', formOf([{ field: 'name', bytes: 'x' }])],
    ['a file in another field', formOf([{ field: 'document', fileName: 'a.pdf', bytes: pdf }])],
    [
      'two files',
      formOf([
        { field: 'file', fileName: 'a.pdf', bytes: pdf },
        { field: 'file', fileName: 'b.pdf', bytes: pdf },
      ]),
    ],
    [
      'a second file in another field',
      formOf([
        { field: 'file', fileName: 'a.pdf', bytes: pdf },
        { field: 'more', fileName: 'b.pdf', bytes: pdf },
      ]),
    ],
    [
      'a form that ends in its file',
      formOf([{ field: 'file', fileName: 'a.pdf', bytes: pdfOf(300_000) }]).subarray(0, -20),
    ],
    ['a form that ends before its file', formOf([{ field: 'file', fileName: 'a.pdf', bytes: pdf }]).subarray(0, 30)],
    ['a form with a hundred fields', formOf(Array.from({ length: 100 }, () => ({ field: 'x', bytes: 'y' })))],
    ['no form at all', pdf],
    ['an empty form', formOf([])],
    ['a form that ends twice', Buffer.concat([formOf([]), formOf([])])],
  ])('a malformed form: %s', async (_case, bytes) => {
    const slot = await newSlot(partner)
    expect(await afterRefusal(slot, await sendForm(slot, bytes))).toEqual(unspent(400))
  })

  test('a form without a boundary', async () => {
    const slot = await newSlot(partner)
    expect(await afterRefusal(slot, await putRaw(slot, pdf, { 'content-type': 'multipart/form-data' }))).toEqual(
      unspent(400),
    )
  })

  test('a transfer that breaks off', async () => {
    const slot = await newSlot(partner)
    const before = await storedNames()
    await breakOff(slot, pdfOf(3_000_000), 5_000_000)
    await until(looseFiles, (count) => count === 0)
    await until(storedNames, (names) => names.length === before.length)
    expect((await row(slot.id))?.['uploaded_at']).toBeNull()
    const again = await until(
      () => putRaw(slot, pdf),
      ({ status }) => status !== 503,
    )
    expect(again.status).toBe(200)
  })
})

describe('404 for an address that was not given out', () => {
  const forge = (slot: UploadSlot, change: (url: URL) => void): UploadSlot => {
    const url = new URL(slot.url)
    change(url)
    return { ...slot, url: url.href }
  }

  test.each<[string, (url: URL) => void]>([
    ['another document', (url) => (url.pathname = url.pathname.replace(/[0-9a-f-]{36}/, uuidv7()))],
    ['the id in capitals', (url) => (url.pathname = url.pathname.toUpperCase().replace('/UPLOAD', '/upload'))],
    ['no id', (url) => (url.pathname = '/upload/x')],
    ['a later end', (url) => url.searchParams.set('expires', '9999999999')],
    ['the same end in other words', (url) => url.searchParams.set('expires', `${url.searchParams.get('expires')}.0`)],
    ['no signature', (url) => url.searchParams.delete('signature')],
    ['an empty signature', (url) => url.searchParams.set('signature', '')],
    ['two signatures', (url) => url.searchParams.append('signature', url.searchParams.get('signature') ?? '')],
    ['something added', (url) => url.searchParams.set('name', 'x.pdf')],
    [
      'the same signature in other words',
      (url) => url.searchParams.set('signature', `${url.searchParams.get('signature')}=`),
    ],
  ])('%s', async (_case, change) => {
    const slot = await newSlot(partner)
    const response = await putRaw(forge(slot, change), pdf)
    expect(response.status).toBe(404)
    expect(response.body.error).toBe('Upload address not found')
    expect((await row(slot.id))?.['uploaded_at']).toBeNull()
  })

  test('and it reads nothing of the body', async () => {
    const slot = await newSlot(partner)
    const forged = forge(slot, (url) => url.searchParams.set('expires', '9999999999'))
    expect((await putRaw(forged, pdf, { 'content-encoding': 'gzip' })).status).toBe(404)
    expect((await putRaw(forged, pdfOf(largest + 1))).status).toBe(404)
  })
})

test('405 with the methods for any other', async () => {
  const slot = await newSlot(partner)
  const response = await fetch(slot.url)
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('PUT, POST')
})

describe('410', () => {
  test('once used, whatever is sent', async () => {
    const slot = await newSlot(partner)
    expectOk(await putRaw(slot, pdf))
    for (const body of [pdf, '', Buffer.from('GIF89a'), pdfOf(largest + 1)]) {
      const response = await putRaw(slot, body)
      expect(response.status).toBe(410)
      expect(response.body.error).toBe('Upload address expired or used')
    }
    expect((await row(slot.id))?.['size']).toBe(pdf.length)
  })

  test('once expired', async () => {
    const slot = await newSlot(partner)
    await testApp.sql(
      `update document set created_at = now() - interval '31 minutes', expires_at = now() - interval '1 second' where id = $1`,
      [slot.id],
    )
    expect((await putRaw(slot, pdf)).status).toBe(410)
    expect((await row(slot.id))?.['uploaded_at']).toBeNull()
  })

  test(`of ${uploads} uploads to one address at once one is taken, the others wait for their 410 and keep nothing`, async () => {
    const before = await storedNames()
    const slot = await newSlot(partner)
    const bytes = pdfOf(2_000)
    const responses: ApiResponse[] = []
    let left = uploads
    // A hundred callers, each sending again as soon as it has its response.
    const caller = async () => {
      while (left > 0) {
        left -= 1
        responses.push(await putRaw(slot, bytes))
      }
    }
    await Promise.all(Array.from({ length: 100 }, caller))
    const taken = responses.filter((response) => response.status === 200)
    expect(responses).toHaveLength(uploads)
    expect(taken.map((response) => response.body)).toEqual([{ 'document-id': slot.id }])
    expect(responses.filter((response) => response.status === 410)).toHaveLength(uploads - 1)
    expect((await putRaw(slot, bytes)).status).toBe(410)
    expect(await looseFiles()).toBe(0)
    expect(await storedNames()).toHaveLength(before.length + 1)
  })
})

test('503 while another upload to the address does not end, and the address is as it was', async () => {
  const impatient = await openTestApp({}, { limits: { maxWaitMs: 100 } })
  try {
    const client = await impatient.partner((await impatient.company()).taxId)
    const slot = await newSlot(client)
    const { hostname, port, pathname, search } = new URL(slot.url)
    const socket = connect(Number(port), hostname)
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-length: 2000\r\n\r\n`
    await new Promise<void>((resolve) => socket.write(head + pdf.toString('latin1', 0, 100), 'latin1', () => resolve()))
    const second = await until(
      () => putRaw(slot, 'x'),
      ({ status }) => status !== 415,
    )
    expect([second.status, second.body.code]).toEqual([503, 'upload-in-progress'])
    socket.destroy()
    expectOk(await putRaw(slot, pdf))
  } finally {
    await impatient.close()
  }
})

describe('429 for what no movement has used, each client for itself', () => {
  const mend = 'Too many unused documents: use them in movements; what no movement uses is deleted after 7 days'
  let small: TestApp
  let taxId: string
  beforeAll(async () => {
    small = await openTestApp({}, { limits: { unusedDocuments: 10, unusedDocumentBytes: 10_000 } })
    taxId = (await small.company()).taxId
  })
  afterAll(() => small.close())

  test('too many addresses, also for many calls at once', async () => {
    const [one, other] = [await small.partner(taxId), await small.partner(taxId)]
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => one.post('/v1/enrollment/document-upload-url', {})),
    )
    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(30)
    for (const { status, body, headers } of refused) {
      expect([status, body.error, headers.get('retry-after')]).toEqual([429, mend, '3600'])
    }
    expect((await other.post('/v1/enrollment/document-upload-url')).status).toBe(200)
    await small.sql(
      `delete from document where id = (select id from document where client_id = $1 order by id limit 1)`,
      [one.clientId],
    )
    expect((await one.post('/v1/enrollment/document-upload-url')).status).toBe(200)
    expect((await one.post('/v1/enrollment/document-upload-url')).status).toBe(429)
  })

  test('too many bytes, also of uploads at once; what was refused is gone, and its address is as it was', async () => {
    const [one, other] = [await small.partner(taxId), await small.partner(taxId)]
    const slots = []
    for (let n = 0; n < 6; n += 1) slots.push(await newSlot(one))
    const responses = await Promise.all(
      slots.map(async (slot) => ({ slot, response: await putRaw(slot, pdfOf(3_000)) })),
    )
    const refused = responses.filter(({ response }) => response.status !== 200)
    expect(refused).toHaveLength(3)
    for (const { response } of refused) expect([response.status, response.body.error]).toEqual([429, mend])
    expect(await small.sql('select key from orphan_file')).toEqual([])
    expect((await putRaw(await newSlot(other), pdfOf(3_000))).status).toBe(200)
    const { slot } = refused[0] as (typeof refused)[0]
    expect((await putRaw(slot, pdfOf(1_000))).status).toBe(200)
    expect((await putRaw(refused[1]?.slot ?? slot, pdfOf(100))).status).toBe(429)
  })
})

describe('413, and the address can be used again', () => {
  test('one byte too many, declared', async () => {
    const slot = await newSlot(partner)
    expect(await afterRefusal(slot, await putRaw(slot, pdfOf(largest + 1)))).toEqual(unspent(413))
  })

  test('one byte too many, in chunks', async () => {
    const slot = await newSlot(partner)
    const body = Readable.toWeb(Readable.from([pdfOf(largest), Buffer.of(0)])) as ReadableStream
    const response = await fetch(slot.url, { method: 'PUT', body, duplex: 'half' })
    expect(response.status).toBe(413)
    expect(
      await afterRefusal(slot, { status: 413, headers: response.headers, text: '', body: await response.json() }),
    ).toEqual(unspent(413))
  })

  test('one byte too many, in a form', async () => {
    const slot = await newSlot(partner)
    expect(await afterRefusal(slot, await sendForm(slot, [{ field: 'file', bytes: pdfOf(largest + 1) }]))).toEqual(
      unspent(413),
    )
  })
})

describe('415, and the address can be used again', () => {
  test.each([
    ['text', Buffer.from('name;tax-id\n')],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00')],
    ['a program', Buffer.from('MZ\x90\x00')],
    ['HTML', Buffer.from('<!doctype html><script>')],
    ['an MP4', Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypisom0000')])],
    ['half a telling start', Buffer.from('%PD')],
    ['a PDF after more than 1,024 other bytes', Buffer.concat([Buffer.alloc(1_100, 0x20), pdf])],
    ['a ZIP', Buffer.from('PK\x03\x04')],
  ])('%s, whatever it declares', async (_case, bytes) => {
    const slot = await newSlot(partner)
    expect(await afterRefusal(slot, await putRaw(slot, bytes, { 'content-type': 'application/pdf' }))).toEqual(
      unspent(415),
    )
    const other = await newSlot(partner)
    const form = await sendForm(other, [{ field: 'file', fileName: 'a.pdf', type: 'application/pdf', bytes }])
    expect(await afterRefusal(other, form)).toEqual(unspent(415))
  })

  test('a compressed body', async () => {
    const slot = await newSlot(partner)
    expect(await afterRefusal(slot, await putRaw(slot, pdf, { 'content-encoding': 'gzip' }))).toEqual(unspent(415))
  })
})

describe('503', () => {
  test('when the store is away: nothing is kept, the address can be used again', async () => {
    const away = await openTestApp({ VIGENCIA_STORAGE_URL: 's3://key:secret@127.0.0.1:1/bucket?protocol=http' })
    try {
      const sender = await away.partner((await away.company()).taxId)
      const slot = await newSlot(sender)
      const response = await putRaw(slot, pdf)
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(response.body.error).toBe('Document storage unavailable')
      expect(await away.sql('select uploaded_at from document where id = $1', [slot.id])).toEqual([
        { uploaded_at: null },
      ])
    } finally {
      await away.close()
    }
  })
})

describe('never used', () => {
  const seven = `created_at = created_at - interval '7 days 1 minute', expires_at = expires_at - interval '7 days 1 minute'`

  test('a document and a slot are deleted after seven days, with the bytes; used ones and younger ones stay', async () => {
    const ids = { old: await upload(partner), young: await upload(partner), used: await upload(partner) }
    const slot = await newSlot(partner)
    const key = (await row(ids.old))?.['storage_key'].replace('document/', '')
    expect(await storedNames()).toContain(key)
    await testApp.sql(`update document set ${seven} where id = any($1)`, [[ids.old, ids.used, slot.id]])
    await testApp.sql('update document set used_at = now(), company_id = $2, request_id = $3 where id = $1', [
      ids.used,
      company.id,
      uuidv7(),
    ])
    const worker = await testApp.startWorker()
    await until(storedNames, (names) => !names.includes(key))
    expect(await row(ids.old)).toBeUndefined()
    expect(await row(slot.id)).toBeUndefined()
    expect(await row(ids.young)).toBeDefined()
    expect(await row(ids.used)).toBeDefined()
    expect((await storedNames()).length).toBeGreaterThan(1)
    await until(looseFiles, (count) => count === 0)
    await worker.close()
    const { pathname, search } = new URL(slot.url)
    expect((await putRaw({ url: testApp.url + pathname + search }, pdf)).status).toBe(404)
  })
})
