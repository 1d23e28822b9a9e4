import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { clearPrograms, startProgram } from '../crash/program.ts'
import { holder, ndjson, path as importPath } from '../world/import.ts'
import { filePath, putInvoice } from '../world/invoice.ts'
import { openTestApp, sendUnchecked, send, type TestApp } from '../world/test-app.ts'
import { newSlot, pdf, pdfOf } from '../world/upload.ts'
import { startS3 } from '../platform/core/storage/s3-store.ts'

/* The storage of files is away, or full: 503, nothing is stored, and the same calls work when it is back. */

afterAll(clearPrograms)

const bytes = pdfOf(2_000_000)

/** The uploads of a document and of a file of an invoice; each can be repeated. */
async function uploadsOf(testApp: TestApp) {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const slot = await newSlot(partner)
  const path = filePath(await putInvoice(testApp, company), '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')
  const headers = { 'content-type': 'application/pdf' }
  const { pathname, search } = new URL(slot.url)
  const { token } = testApp.operator
  return {
    company,
    document: (url: string, body = bytes) => send(url + pathname + search, 'PUT', { body, headers }),
    invoiceFile: (url: string, body = bytes) => send(url + path, 'PUT', { token, body, headers }),
    stored: async () => {
      const [row] = await testApp.sql<Record<string, number>>(
        `select (select count(*)::int from document where uploaded_at is not null) as documents,
           (select count(*)::int from invoice_file) as files, (select count(*)::int from audit
             where action in ('document.uploaded', 'invoice-file.created')) as audited`,
      )
      return row
    },
  }
}

const nothing = { documents: 0, files: 0, audited: 0 }
const both = { documents: 1, files: 1, audited: 2 }

test('a folder that is away: 503 and nothing stored; back: the same uploads work', async () => {
  const testApp = await openTestApp({ VIGENCIA_LOG_LEVEL: 'fatal' })
  try {
    const uploads = await uploadsOf(testApp)
    const folder = join(testApp.dataDir, 'files')
    // Not a folder: root may write to any folder.
    await writeFile(folder, '')
    for (const upload of [uploads.document, uploads.invoiceFile]) {
      const response = await upload(testApp.url)
      expect([response.status, response.body.code]).toEqual([503, expect.stringMatching(/-storage-unavailable$/)])
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    expect(await uploads.stored()).toEqual(nothing)
    await rm(folder)
    for (const upload of [uploads.document, uploads.invoiceFile]) expect((await upload(testApp.url)).status).toBe(200)
    expect(await uploads.stored()).toEqual(both)

    await rename(folder, `${folder}-away`)
    const { token } = testApp.operator
    const invoice = (await testApp.sql<{ id: string }>('select invoice_id as id from invoice_file'))[0]?.id ?? ''
    const download = `/operator/v1/invoice/${encodeURIComponent(invoice)}/download`
    expect((await sendUnchecked(testApp.url + download, 'GET', { token })).status).toBe(503)
    await rename(`${folder}-away`, folder)
    expect((await sendUnchecked(testApp.url + download, 'GET', { token })).status).toBe(200)
  } finally {
    await testApp.close()
  }
})

test('an S3 server that is stopped: 503 and nothing stored; started: the same uploads work', async () => {
  const store = await startS3()
  const testApp = await openTestApp({ VIGENCIA_STORAGE_URL: store.url, VIGENCIA_LOG_LEVEL: 'fatal' })
  try {
    const uploads = await uploadsOf(testApp)
    await store.stop()
    for (const upload of [uploads.document, uploads.invoiceFile]) {
      const response = await upload(testApp.url)
      expect([response.status, response.body.code]).toEqual([503, expect.stringMatching(/-storage-unavailable$/)])
    }
    expect(await uploads.stored()).toEqual(nothing)
    await store.start()
    for (const upload of [uploads.document, uploads.invoiceFile]) expect((await upload(testApp.url)).status).toBe(200)
    expect(await uploads.stored()).toEqual(both)
  } finally {
    await testApp.close()
    await store.close()
  }
})

test('a storage without room for the file: 503, no partial file; smaller files work, and the same ones once there is room', async () => {
  const testApp = await openTestApp({ VIGENCIA_ROLE: 'api' })
  try {
    const uploads = await uploadsOf(testApp)
    const variables = {
      VIGENCIA_DATABASE_URL: testApp.databaseUrl,
      VIGENCIA_MASTER_KEY: testApp.masterKey,
      VIGENCIA_ENVIRONMENT: 'staging',
      VIGENCIA_DATA_DIR: testApp.dataDir,
      VIGENCIA_ROLE: 'api',
      VIGENCIA_LOG_LEVEL: 'fatal',
    }
    // The write fails in the middle, as on a full disk: files end at 1 MB at most.
    const full = await startProgram(variables, { maxFileBlocks: 1_000 })
    for (const upload of [uploads.document, uploads.invoiceFile]) {
      const response = await upload(full.url)
      expect([response.status, response.body.code]).toEqual([503, expect.stringMatching(/-storage-unavailable$/)])
    }
    const lines = Array.from({ length: 5_000 }, () => holder(uploads.company))
    const sent = { token: testApp.operator.token, headers: { 'content-type': 'application/x-ndjson' } }
    const response = await send(full.url + importPath, 'POST', { ...sent, body: ndjson(lines) })
    expect([response.status, response.body.code]).toEqual([503, 'import-storage-unavailable'])
    expect(await uploads.stored()).toEqual(nothing)
    expect(await testApp.sql('select from orphan_file')).toEqual([])
    expect(await testApp.sql('select from member_import')).toEqual([])
    const files = await readdir(join(testApp.dataDir, 'files'), { recursive: true })
    expect(files.filter((name) => name.includes('/'))).toEqual([])
    expect((await uploads.document(full.url, pdf)).status).toBe(200)
    expect((await uploads.invoiceFile(testApp.url)).status).toBe(200)
    expect((await send(testApp.url + importPath, 'POST', { ...sent, body: ndjson(lines.slice(0, 50)) })).status).toBe(
      200,
    )
    expect(await uploads.stored()).toEqual(both)
    expect(await full.stop()).toBe(0)
  } finally {
    await testApp.close()
  }
})
