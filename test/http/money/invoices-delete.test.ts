import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { downloadPath, invoiceBody, invoicePath, mark, pending, putFile, putInvoice } from '../../world/invoice.ts'
import { runConcurrently } from '../../world/locked-table.ts'
import { type Client, type Company, expectOk, type Json, until, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
let company: Company
let other: Company
let partner: Client
let finance: Client

beforeAll(async () => {
  company = await testApp.company()
  other = await testApp.company()
  partner = await testApp.partner(company.taxId, other.taxId)
  finance = await testApp.operatorOf('finance')
})

const fileUrl = (id: string, fileId: string) => `${invoicePath(id)}/file/${fileId}`
const storedNames = () => readdir(join(testApp.dataDir, 'files', 'invoice')).catch((): string[] => [])
const keysOf = async (id: string): Promise<string[]> =>
  (await testApp.sql('select storage_key as key from invoice_file where invoice_id = $1', [id])).map(
    (row) => row['key'],
  )
const orphansOf = async (keys: string[]): Promise<number> =>
  (await testApp.sql('select key from orphan_file where key = any($1::text[])', [keys])).length
const actionsOf = async (target: string): Promise<string[]> =>
  expectOk(await testApp.operator.get(`/operator/v1/audit?target=${encodeURIComponent(target)}`)).body.result.map(
    (row: Json) => row.action,
  )

describe('DELETE of an invoice', () => {
  test('removes it from every list, frees its id, and has its files deleted later, once', async () => {
    const id = await putInvoice(testApp, company)
    const fileIds = [await putFile(testApp, id), await putFile(testApp, id, { type: 'invoice' })]
    const keys = await keysOf(id)
    const events = async () => expectOk(await partner.get('/v1/webhook-event?items-per-page=500')).body.result
    await until(events, (all) => all.some((event: Json) => event.data['invoice-id'] === id))
    const response = await finance.delete(invoicePath(id))
    expect([response.status, response.text]).toEqual([204, ''])
    for (const path of [invoicePath(id), fileUrl(id, fileIds[0] ?? '')]) {
      expect((await finance.delete(path)).status).toBe(404)
    }
    expect((await pending(partner)).map((invoice) => invoice.id)).not.toContain(id)
    expect((await partner.get(downloadPath(id))).status).toBe(404)
    expect((await finance.get(invoicePath(id))).status).toBe(404)
    expect((await actionsOf(id))[0]).toBe('invoice.deleted')
    const types = (await events()).filter((event: Json) => event.data['invoice-id'] === id)
    expect(types.map((event: Json) => event.type)).toEqual(['invoice.issued'])
    // A download may be reading: the files stay for an hour, as orphans, also after a restart.
    expect(await orphansOf(keys)).toBe(2)
    const names = keys.map((key) => key.replace('invoice/', ''))
    expect(await storedNames()).toEqual(expect.arrayContaining(names))
    await testApp.sql(
      `update orphan_file set delete_after = now() - interval '2 minutes' where key = any($1::text[])`,
      [keys],
    )
    await testApp.restart()
    await until(storedNames, (all) => !all.some((name) => names.includes(name)))
    // The usual mistake: the invoice belonged to another company.
    expectOk(await finance.put(invoicePath(id), invoiceBody(other)))
    expect(expectOk(await finance.get(invoicePath(id))).body.result).toMatchObject({
      'company-id': other.id,
      files: [],
    })
  })

  test('409 while a payment slip is paid, for the invoice and each of its files', async () => {
    const id = await putInvoice(testApp, company)
    const paid = await putFile(testApp, id)
    const statement = await putFile(testApp, id, { type: 'detailed-statement' })
    expectOk(await mark(testApp, id, paid, 'paid'))
    for (const path of [invoicePath(id), fileUrl(id, paid), fileUrl(id, statement)]) {
      const response = await finance.delete(path)
      expect([response.status, response.body.error]).toEqual([409, 'Invoice has a paid payment slip'])
    }
    expect(await keysOf(id)).toHaveLength(2)
    expectOk(await mark(testApp, id, paid, 'pending'))
    expect((await finance.delete(invoicePath(id))).status).toBe(204)
  })

  test('a PUT that runs at the same time makes a whole invoice or none', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await putInvoice(testApp, company)
      const [deleted, put] = await runConcurrently(testApp, 'invoice_owner', [
        () => finance.delete(invoicePath(id)),
        () => finance.put(invoicePath(id), invoiceBody(company)),
      ])
      expect([deleted?.status, put?.status]).toEqual([204, 200])
      const after = await finance.get(invoicePath(id))
      const [rows] = await testApp.sql(
        `select (select count(*)::int from invoice where id = $1) as invoices, (select count(*)::int from invoice_owner where id = $1) as owners`,
        [id],
      )
      const exists = after.status === 200 ? 1 : 0
      expect(rows).toEqual({ invoices: exists, owners: exists })
    }
  })

  test('403 for other roles', async () => {
    const id = await putInvoice(testApp, company)
    for (const role of ['analyst', 'auditor']) {
      const operator = await testApp.operatorOf(role)
      expect((await operator.delete(invoicePath(id))).status).toBe(403)
      expect((await operator.delete(fileUrl(id, company.id))).status).toBe(403)
    }
  })
})

describe('DELETE of a file', () => {
  test('removes the file, and the status of the invoice follows', async () => {
    const id = await putInvoice(testApp, company, { 'due-date': '2026-12-10' })
    const slip = await putFile(testApp, id, { due: '2026-11-01' })
    const statement = await putFile(testApp, id, { type: 'detailed-statement' })
    const keys = await keysOf(id)
    const read = async () => expectOk(await finance.get(invoicePath(id))).body.result
    expect((await read())['invoice-status']).toBe('all-overdue')
    expect((await finance.delete(fileUrl(id, slip.toUpperCase()))).status).toBe(204)
    const { files, 'invoice-status': status } = await read()
    expect([status, files.map((file: Json) => file['file-id'])]).toEqual(['all-pending', [statement]])
    expect((await pending(partner)).find((invoice) => invoice.id === id)['invoice-status']).toBe('all-pending')
    expect(await orphansOf(keys)).toBe(1)
    expect(await actionsOf(slip)).toEqual(['invoice-file.deleted', 'invoice-file.created'])
    expect((await partner.get(downloadPath(id, slip))).status).toBe(404)
    const again = await finance.delete(fileUrl(id, slip))
    expect([again.status, again.body.error]).toEqual([404, 'Invoice file not found'])
  })
})
