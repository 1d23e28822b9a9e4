import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, inject, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { expectOk, type Json, useTestApp, until, useCompany } from '../../world/test-app.ts'
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
} from '../../world/invoice.ts'
import { pdf, pdfOf } from '../../world/upload.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const put = (id: string, overrides: Json = {}) => testApp.operator.put(invoicePath(id), invoiceBody(company, overrides))

const storedNames = () => readdir(join(testApp.dataDir, 'files', 'invoice')).catch(() => [] as string[])

const keyOf = async (fileId: string): Promise<string> =>
  (await testApp.sql('select storage_key from invoice_file where file_id = $1', [fileId]))[0]?.['storage_key']

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
    const fileId = await putFile(testApp, 'A/1 é')
    const replaced = expectOk(await put('A/1 é', { amount: 0, 'due-date': '2026-11-01' }))
    expect(replaced.body.result).toMatchObject({ amount: 0, 'due-date': '2026-11-01' })
    expect(replaced.body.result.files.map((file: Json) => file['file-id'])).toEqual([fileId])
    const { body } = await testApp.operator.get(`/operator/v1/audit?target=${encodeURIComponent('A/1 é')}`)
    expect(body.result).toMatchObject([
      { action: 'invoice.replaced', 'company-tax-id': company.taxId, actor: testApp.operator.clientId },
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
    const other = await testApp.company()
    expectOk(await put('shared'))
    const response = await testApp.operator.put(invoicePath('shared'), invoiceBody(other))
    expect([response.status, response.body.error]).toEqual([409, 'Invoice belongs to another company'])
    expect(expectOk(await put('shared')).body.result['company-id']).toBe(company.id)
  })

  test('many at once of one id, by two companies: one company has it', async () => {
    const other = await testApp.company()
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        testApp.operator.put(invoicePath('raced'), invoiceBody(index % 2 === 0 ? company : other)),
      ),
    )
    const statuses = responses.map((response) => response.status).toSorted()
    // On Citus some end as deadlocks, of whichever company.
    if (inject('nodeUrls').length > 1) expect([200, 409, 503]).toEqual(expect.arrayContaining(statuses))
    else expect(statuses).toEqual([...Array(8).fill(200), ...Array(8).fill(409)])
    expect(
      await testApp.sql("select 1 from event where type = 'invoice.issued' and data ->> 'invoice-id' = 'raced'"),
    ).toHaveLength(1)
  })

  test('404 for an unknown company', async () => {
    const response = await put('unknown company', { 'company-tax-id': '11222333000181' })
    expect([response.status, response.body.error]).toEqual([404, 'Company not found'])
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
    ['an unknown field', { attachments: [] }, 'attachments'],
  ])('400 for %s', async (_case, overrides, field) => {
    const response = await put('refused', overrides)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
    expect(response.body.details).toMatchObject([{ field }])
    expect(await testApp.sql("select 1 from invoice_owner where id = 'refused'")).toEqual([])
  })

  test.each([['a\0b'], ['x'.repeat(101)], ['line\nbreak']])('400 for an id that is none', async (id) => {
    const response = await put(id)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid invoice-id'])
  })
})

describe('roles', () => {
  test('finance does all of it, analyst and auditor none', async () => {
    const id = await putInvoice(testApp, company)
    const fileId = await putFile(testApp, id)
    for (const [role, status] of [
      ['finance', 200],
      ['analyst', 403],
      ['auditor', 403],
    ] as const) {
      const operator = await testApp.operatorOf(role)
      expect((await operator.put(invoicePath(id), invoiceBody(company))).status).toBe(status)
      expect((await sendFile(testApp, id, { fileId }, operator.token)).status).toBe(status)
      const path = `${invoicePath(id)}/file/${fileId}`
      const marked = await testApp.call('PATCH', path, { token: operator.token, body: { status: 'pending' } })
      expect(marked.status).toBe(status)
    }
    for (const token of [partner.token, '']) {
      expect((await sendFile(testApp, id, { fileId }, token)).status).toBe(401)
    }
  })
})

describe('PUT of a file', () => {
  test('a slip is pending; new bytes keep its status, and the old bytes are swept', async () => {
    const id = await putInvoice(testApp, company)
    const fileId = await putFile(testApp, id, { due: '2026-11-20' })
    const first = await keyOf(fileId)
    expectOk(await mark(testApp, id, fileId, 'paid'))
    const response = await sendFile(testApp, id, { fileId, bytes: 'new', due: '2026-11-22', name: 'segunda via.pdf' })
    expect(expectOk(response).body.result['invoice-status']).toBe('all-paid')
    expect(response.body.result.files).toEqual([
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
    expect(await storedNames()).toContain(old)
    await testApp.sql("update orphan_file set delete_after = now() - interval '2 hours' where key = $1", [first])
    await testApp.restart()
    await until(storedNames, (names) => !names.includes(old))
    expect((await download(testApp, partner, downloadPath(id, fileId))).bytes.toString()).toBe('new')
    const { body } = await testApp.operator.get(`/operator/v1/audit?target=${fileId}`)
    expect(body.result.map((row: Json) => row.action)).toEqual([
      'invoice-file.replaced',
      'invoice-file.paid',
      'invoice-file.created',
    ])
  })

  test('a slip that becomes another file is a slip no more', async () => {
    const id = await putInvoice(testApp, company)
    const fileId = await putFile(testApp, id)
    const { body } = expectOk(await sendFile(testApp, id, { fileId, type: 'invoice' }))
    expect(body.result.files).toMatchObject([{ status: 'available', 'payment-slip-due-date': null }])
  })

  test('one file-id in two invoices is two files', async () => {
    const [one, two] = [await putInvoice(testApp, company), await putInvoice(testApp, company)]
    const fileId = await putFile(testApp, one, { bytes: 'one' })
    await putFile(testApp, two, { fileId, bytes: 'two' })
    expect((await download(testApp, partner, downloadPath(one, fileId))).bytes.toString()).toBe('one')
    expect((await download(testApp, partner, downloadPath(two, fileId))).bytes.toString()).toBe('two')
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
    const id = await putInvoice(testApp, company)
    const path = `${invoicePath(id)}/file/${uuidv7()}?${new URLSearchParams(query).toString()}`
    const response = await testApp.call('PUT', path, { token: testApp.operator.token, body: pdf })
    expect([response.status, response.body.error]).toEqual([400, 'Invalid parameter'])
    expect(response.body.details).toMatchObject([{ field }])
  })

  test('400 for an empty file and for ids that are none', async () => {
    const id = await putInvoice(testApp, company)
    const empty = await sendFile(testApp, id, { bytes: '' })
    expect([empty.status, empty.body.details]).toEqual([400, [{ field: 'file', code: 'empty' }]])
    expect((await sendFile(testApp, id, { fileId: 'x' })).body.error).toBe('Invalid file-id')
    expect((await sendFile(testApp, 'a\0')).body.error).toBe('Invalid invoice-id')
    expect(
      await testApp.sql(
        "select 1 from orphan_file where delete_after > now() and delete_after < now() + interval '59 minutes'",
      ),
    ).toEqual([])
  })

  test('404 for an unknown invoice', async () => {
    const response = await sendFile(testApp, 'unknown')
    expect([response.status, response.body.error]).toEqual([404, 'Invoice not found'])
  })

  test.each(['multipart/form-data; boundary=x', 'pdf', 'application/pdf\u00e9'])('415 for %s', async (contentType) => {
    const id = await putInvoice(testApp, company)
    expect((await sendFile(testApp, id, { contentType })).status).toBe(415)
  })
})

describe('a program as a file', () => {
  const windows = Buffer.concat([Buffer.from('MZ'), Buffer.from([0x90, 0, 3, 0, 0, 0]), Buffer.alloc(100)])
  test.each([
    ['of Windows', { bytes: windows, name: 'boleto.pdf' }],
    ['of Linux', { bytes: Buffer.from('7f454c4602010100', 'hex'), name: 'boleto.pdf' }],
    ['of macOS', { bytes: Buffer.from('cffaedfe07000001', 'hex'), name: 'boleto.pdf' }],
    ['that is a script', { bytes: Buffer.from('#!/bin/sh\n'), name: 'boleto.pdf' }],
    ['by its name', { bytes: Buffer.from('texto'), name: 'boleto.pdf.EXE.' }],
  ])('%s is refused with 415, and nothing is stored', async (_, file) => {
    const id = await putInvoice(testApp, company)
    const response = await sendFile(testApp, id, { ...file, type: 'other' })
    expect([response.status, response.body.details]).toEqual([
      415,
      [{ field: 'file', code: 'invalid', message: 'A program is not accepted: send the document itself.' }],
    ])
    const invoice = expectOk(await testApp.operator.get(invoicePath(id)))
    expect(invoice.body.result.files).toEqual([])
  })

  test('a text that begins with the letters of one is none', async () => {
    const id = await putInvoice(testApp, company)
    const response = await sendFile(testApp, id, {
      bytes: Buffer.from('MZ;valor\n1;2\n'),
      name: 'a.csv',
      type: 'other',
    })
    expect(response.status).toBe(200)
  })
})

const largest = 100 * 1024 * 1024

/** Sends in chunks, without telling how many. */
async function sendStream(id: string, fileId: string, chunks: AsyncIterable<Buffer>) {
  const response = await fetch(testApp.url + filePath(id, fileId), {
    method: 'PUT',
    headers: { authorization: `Bearer ${testApp.operator.token}` },
    body: Readable.toWeb(Readable.from(chunks)) as ReadableStream,
    duplex: 'half',
  })
  return { status: response.status, body: (await response.json()) as Json }
}

async function* zeros(bytes: number): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(1024 * 1024)
  for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
}

describe('large and broken transfers', () => {
  test('100 MiB fit; one byte more is a 413, declared or not, and keeps nothing', async () => {
    const id = await putInvoice(testApp, company)
    const fileId = uuidv7()
    expect((await sendStream(id, fileId, zeros(largest))).status).toBe(200)
    const before = [await keyOf(fileId), (await storedNames()).length]
    expect((await sendStream(id, fileId, zeros(largest + 1))).status).toBe(413)
    expect((await sendFile(testApp, id, { fileId, bytes: Buffer.alloc(largest + 1) })).status).toBe(413)
    expect([await keyOf(fileId), (await storedNames()).length]).toEqual(before)
    const head = await download(testApp, partner, downloadPath(id, fileId), {}, 'HEAD')
    expect(head.headers.get('content-length')).toBe(String(largest))
  })

  test('a transfer that breaks off leaves the file as it was', async () => {
    const id = await putInvoice(testApp, company)
    const fileId = await putFile(testApp, id, { bytes: 'whole' })
    const before = (await storedNames()).length
    const headers = { authorization: `Bearer ${testApp.operator.token}`, 'content-length': 1_000_000 }
    const outgoing = request(testApp.url + filePath(id, fileId), { method: 'PUT', headers })
    outgoing.on('error', () => {})
    await new Promise<void>((resolve) => outgoing.write(pdfOf(500_000), () => resolve()))
    await until(storedNames, (names) => names.length > before)
    outgoing.destroy()
    await until(storedNames, (names) => names.length === before)
    expect((await download(testApp, partner, downloadPath(id, fileId))).bytes.toString()).toBe('whole')
  })

  test('as many at once as a client may send, of one file: each is taken whole, the last one stays', async () => {
    const id = await putInvoice(testApp, company)
    const fileId = uuidv7()
    const contents = Array.from({ length: 4 }, (_, index) => `content ${index}`.repeat(1_000))
    const responses = await Promise.all(contents.map((bytes) => sendFile(testApp, id, { fileId, bytes })))
    expect(responses.every((response) => response.status === 200)).toBe(true)
    expect(contents).toContain((await download(testApp, partner, downloadPath(id, fileId))).bytes.toString())
    expect(expectOk(await put(id)).body.result.files).toHaveLength(1)
  })
})

describe('PATCH of a slip', () => {
  test('each status, and what becomes of the invoice', async () => {
    const id = await putInvoice(testApp, company)
    const [one, two] = [await putFile(testApp, id), await putFile(testApp, id)]
    const statusAfter = async (fileId: string, status: string) =>
      expectOk(await mark(testApp, id, fileId, status)).body.result['invoice-status']
    expect(await statusAfter(one, 'paid')).toBe('partially-paid')
    expect(await statusAfter(two, 'paid')).toBe('all-paid')
    expect((await pending(partner, '?items-per-page=500')).some((invoice) => invoice.id === id)).toBe(false)
    expect(await statusAfter(two, 'cancelled')).toBe('all-paid')
    expect(await statusAfter(one, 'cancelled')).toBe('cancelled')
    expect(await statusAfter(one, 'pending')).toBe('all-pending')
    expect((await pending(partner, '?items-per-page=500')).some((invoice) => invoice.id === id)).toBe(true)
  })

  test('409 for another file, 404 for an unknown one, 400 for another status', async () => {
    const id = await putInvoice(testApp, company)
    const other = await putFile(testApp, id, { type: 'invoice' })
    const refused = await mark(testApp, id, other, 'paid')
    expect([refused.status, refused.body.error]).toEqual([409, 'Invoice file is not a payment slip'])
    const unknown = await mark(testApp, id, uuidv7(), 'paid')
    expect([unknown.status, unknown.body.error]).toEqual([404, 'Invoice file not found'])
    const nowhere = await mark(testApp, 'unknown', other, 'paid')
    expect([nowhere.status, nowhere.body.error]).toEqual([404, 'Invoice not found'])
    for (const status of ['overdue', 'available', '']) {
      expect((await mark(testApp, id, await putFile(testApp, id), status)).status).toBe(400)
    }
  })
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
