import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { readBreaches } from '../crash/invariants.ts'
import { type Client, type Company, expectOk, type Json, useHouse, until } from './test-app.ts'
import {
  download,
  downloadPath,
  filePath,
  invoiceBody,
  invoicePath,
  mark,
  pending,
  putFile,
  putInvoice,
  sendFile,
} from './invoice.ts'
import { pdf, pdfOf } from './upload.ts'

const house = useHouse()
let company: Company
let partner: Client

beforeAll(async () => {
  company = await house.company()
  partner = await house.partner(company.taxId)
})

const put = (id: string, overrides: Json = {}) => house.operator.put(invoicePath(id), invoiceBody(company, overrides))

const kept = () => readdir(join(house.dataDir, 'files', 'invoice')).catch(() => [] as string[])

const keyOf = async (fileId: string): Promise<string> =>
  (await house.sql('select storage_key from invoice_file where file_id = $1', [fileId]))[0]?.['storage_key']

describe('PUT of an invoice', () => {
  test('makes it, then replaces it; its files stay', async () => {
    const made = expectOk(await put('A/1 é'))
    expect(made.body.result).toMatchObject({
      id: 'A/1 é',
      'company-id': company.id,
      amount: 1_845_090,
      'invoice-status': 'all-pending',
      files: [],
    })
    const fileId = await putFile(house, 'A/1 é')
    const replaced = expectOk(await put('A/1 é', { amount: 0, 'due-date': '2026-11-01' }))
    expect(replaced.body.result).toMatchObject({ amount: 0, 'due-date': '2026-11-01' })
    expect(replaced.body.result.files.map((file: Json) => file['file-id'])).toEqual([fileId])
    const { body } = await house.operator.get(`/operator/v1/audit?target=${encodeURIComponent('A/1 é')}`)
    expect(body.result).toMatchObject([
      { action: 'invoice.replaced', 'company-tax-id': company.taxId, actor: house.operator.clientId },
      { action: 'invoice.created' },
    ])
  })

  test('a config is kept for the company and carrier; a given one is taken', async () => {
    const configOf = async (id: string, overrides: Json = {}) =>
      expectOk(await put(id, overrides)).body.result['invoice-config-id']
    const first = await configOf('C1', { 'carrier-name': 'Operadora Úna' })
    expect(await configOf('C2', { 'carrier-name': ' operadora una' })).toBe(first)
    expect(await configOf('C3', { 'carrier-name': 'Outra' })).not.toBe(first)
    const own = uuidv7()
    expect(await configOf('C4', { 'carrier-name': 'Operadora Úna', 'invoice-config-id': own.toUpperCase() })).toBe(own)
    expect(await configOf('C5', { 'carrier-name': 'Operadora Úna' })).toBe(first)
  })

  test('409 for an id of another company, which stays as it was', async () => {
    const other = await house.company()
    expectOk(await put('shared'))
    const answer = await house.operator.put(invoicePath('shared'), invoiceBody(other))
    expect([answer.status, answer.body.error]).toEqual([409, 'Invoice belongs to another company'])
    expect(expectOk(await put('shared')).body.result['company-id']).toBe(company.id)
  })

  test('many at once of one id, by two companies: one company has it', async () => {
    const other = await house.company()
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        house.operator.put(invoicePath('raced'), invoiceBody(index % 2 === 0 ? company : other)),
      ),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([...Array(8).fill(200), ...Array(8).fill(409)])
    expect(
      await house.sql("select 1 from event where type = 'invoice.issued' and data ->> 'invoice-id' = 'raced'"),
    ).toHaveLength(1)
  })

  test('404 for an unknown company', async () => {
    const answer = await put('unknown company', { 'company-tax-id': '11222333000181' })
    expect([answer.status, answer.body.error]).toEqual([404, 'Company not found'])
  })

  test.each<[string, Json, string]>([
    ['no due date', { 'due-date': undefined }, 'due-date'],
    ['no such day', { 'due-date': '2026-02-30' }, 'due-date'],
    ['half a cent', { amount: 1.5 }, 'amount'],
    ['less than nothing', { amount: -1 }, 'amount'],
    ['more than JSON can tell', { amount: 9_007_199_254_740_992 }, 'amount'],
    ['a blank carrier', { 'carrier-name': ' ' }, 'carrier-name'],
    ['a CNPJ with a wrong digit', { 'company-tax-id': '11222333000180' }, 'company-tax-id'],
    ['a config that is no UUID', { 'invoice-config-id': '1' }, 'invoice-config-id'],
    ['a period that ends before it begins', { 'reference-period-end': '2026-10-31' }, 'reference-period-end'],
    ['an unknown field', { files: [] }, 'files'],
  ])('400 for %s', async (_case, overrides, field) => {
    const answer = await put('refused', overrides)
    expect([answer.status, answer.body.error]).toEqual([400, 'Invalid body'])
    expect(answer.body.details).toMatchObject([{ field }])
    expect(await house.sql("select 1 from invoice_owner where id = 'refused'")).toEqual([])
  })

  test.each([['a\0b'], ['x'.repeat(101)], ['line\nbreak']])('400 for an id that is none', async (id) => {
    const answer = await put(id)
    expect([answer.status, answer.body.error]).toEqual([400, 'Invalid invoice-id'])
  })
})

describe('roles', () => {
  test('finance does all of it, analyst and auditor none', async () => {
    const id = await putInvoice(house, company)
    const fileId = await putFile(house, id)
    for (const [role, status] of [
      ['finance', 200],
      ['analyst', 403],
      ['auditor', 403],
    ] as const) {
      const operator = await house.operatorOf(role)
      expect((await operator.put(invoicePath(id), invoiceBody(company))).status).toBe(status)
      expect((await sendFile(house, id, { fileId }, operator.token)).status).toBe(status)
      const path = `${invoicePath(id)}/file/${fileId}`
      const marked = await house.call('PATCH', path, { token: operator.token, body: { status: 'pending' } })
      expect(marked.status).toBe(status)
    }
    for (const token of [partner.token, '']) {
      expect((await sendFile(house, id, { fileId }, token)).status).toBe(401)
    }
  })
})

describe('PUT of a file', () => {
  test('a slip is pending; new bytes keep its status, and the old bytes are swept', async () => {
    const id = await putInvoice(house, company)
    const fileId = await putFile(house, id, { due: '2026-11-20' })
    const first = await keyOf(fileId)
    expectOk(await mark(house, id, fileId, 'paid'))
    const answer = await sendFile(house, id, { fileId, bytes: 'new', due: '2026-11-22', name: 'segunda via.pdf' })
    expect(expectOk(answer).body.result['invoice-status']).toBe('all-paid')
    expect(answer.body.result.files).toEqual([
      {
        'file-id': fileId,
        name: 'segunda via.pdf',
        type: 'payment-slip',
        'payment-slip-due-date': '2026-11-22',
        status: 'paid',
      },
    ])
    expect(await keyOf(fileId)).not.toBe(first)
    const old = first.replace('invoice/', '')
    expect(await kept()).toContain(old)
    await house.sql("update loose_file set kept_until = now() - interval '2 hours' where key = $1", [first])
    await house.restart()
    await until(kept, (names) => !names.includes(old))
    expect((await download(house, partner, downloadPath(id, fileId))).bytes.toString()).toBe('new')
    const { body } = await house.operator.get(`/operator/v1/audit?target=${fileId}`)
    expect(body.result.map((row: Json) => row.action)).toEqual([
      'invoice-file.replaced',
      'invoice-file.paid',
      'invoice-file.created',
    ])
  })

  test('a slip that becomes another file is a slip no more', async () => {
    const id = await putInvoice(house, company)
    const fileId = await putFile(house, id)
    const { body } = expectOk(await sendFile(house, id, { fileId, type: 'invoice' }))
    expect(body.result.files).toMatchObject([{ status: 'available', 'payment-slip-due-date': null }])
  })

  test('one file-id in two invoices is two files', async () => {
    const [one, two] = [await putInvoice(house, company), await putInvoice(house, company)]
    const fileId = await putFile(house, one, { bytes: 'one' })
    await putFile(house, two, { fileId, bytes: 'two' })
    expect((await download(house, partner, downloadPath(one, fileId))).bytes.toString()).toBe('one')
    expect((await download(house, partner, downloadPath(two, fileId))).bytes.toString()).toBe('two')
  })

  test.each<[string, Record<string, string>, string]>([
    ['a slip without its due date', { name: 'a.pdf', type: 'payment-slip' }, 'payment-slip-due-date'],
    [
      'a due date of another file',
      { name: 'a.pdf', type: 'other', 'payment-slip-due-date': '2026-12-10' },
      'payment-slip-due-date',
    ],
    ['no name', { type: 'other' }, 'name'],
    ['a blank name', { name: ' ', type: 'other' }, 'name'],
    ['a name with a line break', { name: 'a\nb', type: 'other' }, 'name'],
    ['a name that turns itself around', { name: 'a\u202efdp.exe', type: 'other' }, 'name'],
    ['a name too long', { name: 'x'.repeat(201), type: 'other' }, 'name'],
    ['an unknown type', { name: 'a.pdf', type: 'boleto' }, 'type'],
    ['an unknown parameter', { name: 'a.pdf', type: 'other', status: 'paid' }, 'status'],
  ])('400 for %s', async (_case, query, field) => {
    const id = await putInvoice(house, company)
    const path = `${invoicePath(id)}/file/${uuidv7()}?${new URLSearchParams(query).toString()}`
    const answer = await house.call('PUT', path, { token: house.operator.token, body: pdf })
    expect([answer.status, answer.body.error]).toEqual([400, 'Invalid parameter'])
    expect(answer.body.details).toMatchObject([{ field }])
  })

  test('400 for an empty file and for ids that are none', async () => {
    const id = await putInvoice(house, company)
    const empty = await sendFile(house, id, { bytes: '' })
    expect([empty.status, empty.body.details]).toEqual([400, [{ field: 'file', code: 'empty' }]])
    expect((await sendFile(house, id, { fileId: 'x' })).body.error).toBe('Invalid file-id')
    expect((await sendFile(house, 'a\0')).body.error).toBe('Invalid invoice-id')
    expect(
      await house.sql(
        "select 1 from loose_file where kept_until > now() and kept_until < now() + interval '59 minutes'",
      ),
    ).toEqual([])
  })

  test('404 for an unknown invoice', async () => {
    const answer = await sendFile(house, 'unknown')
    expect([answer.status, answer.body.error]).toEqual([404, 'Invoice not found'])
  })

  test.each(['multipart/form-data; boundary=x', 'pdf', 'application/pdf\u00e9'])('415 for %s', async (contentType) => {
    const id = await putInvoice(house, company)
    expect((await sendFile(house, id, { contentType })).status).toBe(415)
  })
})

const largest = 100 * 1024 * 1024

/** Sends in chunks, without telling how many. */
async function sendStream(id: string, fileId: string, chunks: AsyncIterable<Buffer>) {
  const answer = await fetch(house.url + filePath(id, fileId), {
    method: 'PUT',
    headers: { authorization: `Bearer ${house.operator.token}` },
    body: Readable.toWeb(Readable.from(chunks)) as ReadableStream,
    duplex: 'half',
  })
  return { status: answer.status, body: (await answer.json()) as Json }
}

async function* zeros(bytes: number): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(1024 * 1024)
  for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
}

describe('large and broken transfers', () => {
  test('100 MiB fit; one byte more is a 413, declared or not, and keeps nothing', async () => {
    const id = await putInvoice(house, company)
    const fileId = uuidv7()
    expect((await sendStream(id, fileId, zeros(largest))).status).toBe(200)
    const before = [await keyOf(fileId), (await kept()).length]
    expect((await sendStream(id, fileId, zeros(largest + 1))).status).toBe(413)
    expect((await sendFile(house, id, { fileId, bytes: Buffer.alloc(largest + 1) })).status).toBe(413)
    expect([await keyOf(fileId), (await kept()).length]).toEqual(before)
    const head = await download(house, partner, downloadPath(id, fileId), {}, 'HEAD')
    expect(head.headers.get('content-length')).toBe(String(largest))
  })

  test('a transfer that breaks off leaves the file as it was', async () => {
    const id = await putInvoice(house, company)
    const fileId = await putFile(house, id, { bytes: 'whole' })
    const before = (await kept()).length
    const headers = { authorization: `Bearer ${house.operator.token}`, 'content-length': 1_000_000 }
    const outgoing = request(house.url + filePath(id, fileId), { method: 'PUT', headers })
    outgoing.on('error', () => {})
    await new Promise<void>((resolve) => outgoing.write(pdfOf(500_000), () => resolve()))
    await until(kept, (names) => names.length > before)
    outgoing.destroy()
    await until(kept, (names) => names.length === before)
    expect((await download(house, partner, downloadPath(id, fileId))).bytes.toString()).toBe('whole')
  })

  test('as many at once as a client may send, of one file: each is taken whole, the last one stays', async () => {
    const id = await putInvoice(house, company)
    const fileId = uuidv7()
    const contents = Array.from({ length: 4 }, (_, index) => `content ${index}`.repeat(1_000))
    const answers = await Promise.all(contents.map((bytes) => sendFile(house, id, { fileId, bytes })))
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect(contents).toContain((await download(house, partner, downloadPath(id, fileId))).bytes.toString())
    expect(expectOk(await put(id)).body.result.files).toHaveLength(1)
  })
})

describe('PATCH of a slip', () => {
  test('each status, and what becomes of the invoice', async () => {
    const id = await putInvoice(house, company)
    const [one, two] = [await putFile(house, id), await putFile(house, id)]
    const statusAfter = async (fileId: string, status: string) =>
      expectOk(await mark(house, id, fileId, status)).body.result['invoice-status']
    expect(await statusAfter(one, 'paid')).toBe('partially-paid')
    expect(await statusAfter(two, 'paid')).toBe('all-paid')
    expect((await pending(partner, '?items-per-page=500')).some((invoice) => invoice.id === id)).toBe(false)
    expect(await statusAfter(two, 'cancelled')).toBe('all-paid')
    expect(await statusAfter(one, 'cancelled')).toBe('cancelled')
    expect(await statusAfter(one, 'pending')).toBe('all-pending')
    expect((await pending(partner, '?items-per-page=500')).some((invoice) => invoice.id === id)).toBe(true)
  })

  test('409 for another file, 404 for an unknown one, 400 for another status', async () => {
    const id = await putInvoice(house, company)
    const other = await putFile(house, id, { type: 'invoice' })
    const refused = await mark(house, id, other, 'paid')
    expect([refused.status, refused.body.error]).toEqual([409, 'Invoice file is not a payment slip'])
    const unknown = await mark(house, id, uuidv7(), 'paid')
    expect([unknown.status, unknown.body.error]).toEqual([404, 'Invoice file not found'])
    const nowhere = await mark(house, 'unknown', other, 'paid')
    expect([nowhere.status, nowhere.body.error]).toEqual([404, 'Invoice not found'])
    for (const status of ['overdue', 'available', '']) {
      expect((await mark(house, id, await putFile(house, id), status)).status).toBe(400)
    }
  })
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readBreaches(house.sql)).toEqual({})
})
