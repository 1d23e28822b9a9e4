import { rename, truncate } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { expectOk, health, type Json, useTestApp, primary, useCompany } from '../../world/test-app.ts'
import { files, formOf, largest, named, newSlot, pdf, pdfOf, putRaw, sendForm, upload } from '../../world/upload.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const pathOf = (enrollmentId: string, documentId?: string) =>
  `/operator/v1/enrollment/${enrollmentId}/document${documentId === undefined ? '' : `/${documentId}`}`

/** The enrollment of a member who is included with these documents. */
async function enroll(documents: Json): Promise<string> {
  const member = primary({ documents })
  const request = await testApp.include(partner, company, [member])
  return request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
}

async function uploadNamed(fileName: string, bytes: Buffer = pdf): Promise<string> {
  const slot = await newSlot(partner)
  expectOk(await sendForm(slot, [{ field: 'file', fileName, bytes }]))
  return slot.id
}

/** The bytes as they come, and whether all came. */
async function download(path: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetch(testApp.url + path, { headers: { authorization: `Bearer ${testApp.operator.token}` } })
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('200', () => {
  test('a name that a form has in Latin-1, and a PDF after other bytes', async () => {
    const slot = await newSlot(partner)
    const form = formOf([{ field: 'file', fileName: 'Certidão de São João.pdf', bytes: `\r\n\r\n${pdf.toString()}` }])
    expectOk(await sendForm(slot, Buffer.from(form.toString(), 'latin1')))
    const id = await enroll([{ 'document-id': slot.id, 'document-type': 'rescission' }])
    const { result } = expectOk(await testApp.operator.get(pathOf(id))).body
    expect(result).toMatchObject([{ name: 'Certidão de São João.pdf', 'content-type': 'application/pdf' }])
  })

  test('the list, in the order in which they were sent', async () => {
    const photo = await uploadNamed('certidão.JPG', files['image/jpeg'])
    const page = await upload(partner)
    const id = await enroll([
      { 'document-id': page, 'document-type': 'rescission' },
      { 'document-id': photo, 'document-type': 'marriage-certificate' },
      { 'document-id': photo, 'document-type': 'document-proving-relationship' },
    ])
    const response = await testApp.operator.get(pathOf(id))
    expect(response.status).toBe(200)
    const certificate = { 'document-id': photo, name: 'certidão.JPG', 'content-type': 'image/jpeg', size: 22 }
    expect(response.body).toEqual({
      result: [
        {
          'document-id': page,
          'document-type': 'rescission',
          name: `${page}.pdf`,
          'content-type': 'application/pdf',
          size: pdf.length,
        },
        { ...certificate, 'document-type': 'marriage-certificate' },
        { ...certificate, 'document-type': 'document-proving-relationship' },
      ],
    })
  })

  test('an empty list', async () => {
    expect((await testApp.operator.get(pathOf(await enroll([])))).body).toEqual({ result: [] })
  })

  test('the bytes, safe to open in a browser', async () => {
    const bytes = pdfOf(300_000)
    const document = await uploadNamed('certidão de "união" estável.pdf'.replaceAll('"', '\\"'), bytes)
    const read = await download(pathOf(await enroll(named(document)), document))
    expect(read.bytes.equals(bytes)).toBe(true)
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '300000',
      'content-disposition':
        `attachment; filename="certidao de _uniao_ estavel.pdf"; ` +
        `filename*=UTF-8''certid%C3%A3o%20de%20_uni%C3%A3o_%20est%C3%A1vel.pdf`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  test('the largest', async () => {
    const bytes = pdfOf(largest)
    const document = await upload(partner, bytes)
    const read = await download(pathOf(await enroll(named(document)), document))
    expect(read.bytes.equals(bytes)).toBe(true)
  })

  test('HEAD returns size and type without a body', async () => {
    const document = await upload(partner)
    const path = pathOf(await enroll(named(document)), document)
    const response = await testApp.call('HEAD', path, { token: testApp.operator.token })
    expect(response.status).toBe(200)
    expect(response.text).toBe('')
    expect(response.headers.get('content-length')).toBe(String(pdf.length))
    expect(response.headers.get('content-disposition')).toContain('attachment')
  })

  test('for admin, analyst and auditor', async () => {
    const document = await upload(partner)
    const id = await enroll(named(document))
    for (const role of ['admin', 'analyst', 'auditor']) {
      const reader = await testApp.operatorOf(role)
      expect((await reader.get(pathOf(id))).status).toBe(200)
      expect((await reader.get(pathOf(id, document))).status).toBe(200)
    }
  })
})

test.each([
  ['line breaks', 'a\u2028b\u0085c\u0007.pdf', 'a bc.pdf'],
  ['a path', '../../etc/cron.d/job.pdf', 'job.pdf'],
  ['a path of Windows', 'C:\\Windows\\System32\\x.pdf', 'x.pdf'],
  ['right-to-left marks', 'invoice\u202Efdp.exe', 'invoicefdp.exe.pdf'],
  ['another ending', 'page.html', 'page.html.pdf'],
  ['a header', 'x%22; filename=%22evil.exe%0d%0aSet-Cookie: a=b.pdf', 'x__ filename=_evil.exe__Set-Cookie_ a=b.pdf'],
  ['nothing but dots', '...', null],
  ['length', `${'ção'.repeat(100)}.pdf`, `${'ção'.repeat(100).slice(0, 196)}.pdf`],
])('a hostile name is made safe in the list and in the header: %s', async (_case, sent, shown) => {
  const document = await uploadNamed(sent)
  const id = await enroll(named(document))
  const expected = shown ?? `${document}.pdf`
  expect((await testApp.operator.get(pathOf(id))).body.result[0].name).toBe(expected.replace('x__ ', 'x_; '))
  const disposition = (await download(pathOf(id, document))).headers.get('content-disposition') ?? ''
  expect(disposition).toMatch(/^attachment; filename="[\x20-\x21\x23-\x7e]+"; filename\*=UTF-8''[\w%.!#$&+^`|~-]+$/)
  expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(expected.replace('x__ ', 'x_; '))
})

describe('403', () => {
  test('for finance', async () => {
    const document = await upload(partner)
    const id = await enroll(named(document))
    const finance = await testApp.operatorOf('finance')
    expect((await finance.get(pathOf(id))).status).toBe(403)
    expect((await finance.get(pathOf(id, document))).status).toBe(403)
    const head = await testApp.call('HEAD', pathOf(id, document), { token: finance.token })
    expect(head.status).toBe(403)
  })
})

test('401 for a partner and without a token', async () => {
  for (const token of [partner.token, null]) {
    expect((await testApp.call('GET', pathOf(uuidv7()), { token })).status).toBe(401)
    expect((await testApp.call('GET', pathOf(uuidv7(), uuidv7()), { token })).status).toBe(401)
  }
})

describe('404', () => {
  test('for an unknown enrollment', async () => {
    const document = await upload(partner)
    for (const path of [pathOf(uuidv7()), pathOf(uuidv7(), document)]) {
      const response = await testApp.operator.get(path)
      expect(response.status).toBe(404)
      expect(response.body.error).toBe('Enrollment not found')
    }
  })

  test('for a document of another enrollment, or of none', async () => {
    const [own, foreign, unused] = [await upload(partner), await upload(partner), await upload(partner)]
    const id = await enroll(named(own))
    await enroll(named(foreign))
    for (const document of [foreign, unused, uuidv7()]) {
      const response = await testApp.operator.get(pathOf(id, document))
      expect(response.status).toBe(404)
      expect(response.body.error).toBe('Document not found')
    }
  })
})

test('400 for malformed ids', async () => {
  expect((await testApp.operator.get(pathOf('x'))).body.error).toBe('Invalid enrollment-id')
  expect((await testApp.operator.get(pathOf(uuidv7(), 'x'))).body.error).toBe('Invalid document-id')
})

describe('when the store fails', () => {
  const fileOf = async (document: string) => {
    const [row] = await testApp.sql('select storage_key from document where id = $1', [document])
    return join(testApp.dataDir, 'files', row?.['storage_key'])
  }

  test.each<[string, (path: string) => Promise<void>]>([
    ['the file is gone', (path) => rename(path, `${path}.moved`)],
    ['the file is shorter than it was', (path) => truncate(path, 10)],
  ])('503 before the first byte: %s', async (_case, damage) => {
    const document = await upload(partner)
    const id = await enroll(named(document))
    await damage(await fileOf(document))
    const response = await testApp.operator.get(pathOf(id, document))
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(response.body.error).toBe('Document storage unavailable')
    expect(response.headers.get('content-type')).toContain('application/json')
  })

  test('the connection breaks when it fails in the middle', async () => {
    const document = await upload(partner, pdfOf(largest))
    const url = new URL(testApp.url + pathOf(await enroll(named(document)), document))
    const path = await fileOf(document)
    const received = await new Promise<{ bytes: number; broke: boolean }>((resolve, reject) => {
      const call = request(url, { headers: { authorization: `Bearer ${testApp.operator.token}` } }, (response) => {
        let bytes = 0
        response.on('error', () => {})
        response.on('close', () => resolve({ bytes, broke: !response.complete }))
        // The reader waits, so that most of the file is still unread when it is cut.
        response.once('readable', () => {
          void truncate(path, 1_000_000).then(() => response.on('data', (chunk: Buffer) => (bytes += chunk.length)))
        })
      })
      call.on('error', reject).end()
    })
    expect(received.broke).toBe(true)
    expect(received.bytes).toBeLessThan(largest)
  })
})

test('a document put raw is called by its id', async () => {
  const slot = await newSlot(partner)
  expectOk(await putRaw(slot, files['image/heic'] as Buffer))
  const { body } = await testApp.operator.get(pathOf(await enroll(named(slot.id))))
  expect(body.result[0]).toMatchObject({ name: `${slot.id}.heic`, 'content-type': 'image/heic' })
})
