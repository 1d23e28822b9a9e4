import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConflictError, type InclusionMember, InvalidMembersError, NotFoundError, Vigencia } from '@vigencia/client'
import { VigenciaOperator } from '@vigencia/client/operator'
import { type Company, dependent, health, nextCpf, primary, useTestApp } from '../world/test-app.ts'
import { unzip } from '../world/invoice.ts'
import { pdf } from '../world/upload.ts'

const testApp = useTestApp()
let folder: string
let company: Company
let vigencia: Vigencia
let operator: VigenciaOperator

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-sdk-'))
  company = await testApp.company()
  const { clientId, clientSecret } = await testApp.partner(company.taxId)
  vigencia = new Vigencia({ url: testApp.url, clientId, clientSecret })
  operator = new VigenciaOperator({
    url: testApp.url,
    clientId: testApp.operator.clientId,
    clientSecret: testApp.operator.clientSecret,
  })
})

afterAll(() => rm(folder, { recursive: true }))

const inclusionOf = (...members: object[]) => ({
  'company-tax-id': company.taxId,
  members: members as InclusionMember[],
})

/** @returns the finished request. */
async function include(...members: object[]) {
  return vigencia.requests.wait(await vigencia.inclusions.create(inclusionOf(...members), { resolution: 'approve' }))
}

test('a family is included, watched, read in pages and as a stream, and excluded', async () => {
  const mother = primary()
  const child = dependent(mother['tax-id'])
  const statuses: string[] = []
  const { 'request-id': id } = await vigencia.inclusions.create(inclusionOf(mother, child), {
    resolution: 'approve',
  })
  const request = await vigencia.requests.wait(id, { onProgress: ({ status }) => statuses.push(status) })
  expect(request).toMatchObject({ 'request-id': id, status: 'completed', 'enrollment-summary': { completed: 2 } })
  expect(statuses.at(-1)).toBe('completed')

  const taxIds = [mother['tax-id'], child['tax-id']].sort()
  const streamed: string[] = []
  for await (const { profile } of vigencia.members.stream()) streamed.push(profile['tax-id'])
  const listed: string[] = []
  for await (const { profile } of vigencia.members.list({ 'items-per-page': 1 })) listed.push(profile['tax-id'])
  expect([streamed.sort(), listed.sort()]).toEqual([taxIds, taxIds])
  const page = await vigencia.members.list({ 'items-per-page': 1, page: 2 })
  expect(page.pagination).toMatchObject({ 'current-page': 2, 'total-items': 2, 'next-page': null })
  const { id: memberId = '' } = page.result[0] ?? {}
  expect(await vigencia.members.get(memberId)).toMatchObject({ id: memberId })

  const details = { 'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal' } } as const
  const excluded = await vigencia.exclusions.fromCompany(mother['tax-id'], company.taxId, details, {
    resolution: 'approve',
  })
  expect(await vigencia.requests.wait(excluded['request-id'])).toMatchObject({ status: 'completed' })
})

test('a batch with offenses is an error that iterates over them; lenient accepts the others', async () => {
  const wrong = primary({ 'tax-id': '123.456.789-00' })
  const batch = inclusionOf(primary(), wrong)
  const error: unknown = await vigencia.inclusions.create(batch).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InvalidMembersError)
  const seen = [...(error as InvalidMembersError)].map(({ index, offenses }) => ({ index, offenses }))
  expect(seen).toEqual([{ index: 1, offenses: ['invalid-tax-id'] }])
  expect(await vigencia.inclusions.create(batch, { 'dry-run': true, handling: 'lenient' })).toMatchObject({
    'dry-run': true,
    result: [{ index: 1 }],
  })
  const response = await vigencia.inclusions.create(batch, { handling: 'lenient' })
  expect(response['request-id']).toEqual(expect.any(String))
})

test('a document is uploaded from a path, a Blob and a stream, and operators read it', async () => {
  const path = join(folder, 'certidão.pdf')
  await writeFile(path, pdf)
  const ids = [
    await vigencia.documents.upload(path),
    await vigencia.documents.upload(new Blob([pdf]), { name: 'blob.pdf' }),
    await vigencia.documents.upload(Readable.from([pdf])),
  ].map((document) => document['document-id'])
  const documents = ids.map((id) => ({ 'document-id': id, 'document-type': 'other' as const }))
  const request = await include(primary({ documents }))
  const [parts = {}] = Object.values(request['status-by-tax-id'])
  const enrollmentId = parts[health]?.['enrollment-id'] ?? ''
  const { result } = await operator.enrollments.documents(enrollmentId)
  expect(result.map(({ name }) => name).sort()).toEqual(['blob.pdf', 'certidão.pdf', `${ids[2]}.pdf`].sort())
  for (const id of ids) {
    const document = await operator.enrollments.document(enrollmentId, id)
    expect(Buffer.from(await document.bytes()).equals(pdf)).toBe(true)
  }
})

test('an operator puts an invoice with its file, and the partner downloads both', async () => {
  const id = 'fatura 1/2026'
  const fileId = uuidv7()
  await operator.invoices.put(id, {
    'company-tax-id': company.taxId,
    'carrier-name': 'Operadora Aurora',
    amount: 1_845_090,
    'due-date': '2026-12-10',
    'reference-period-start': '2026-11-01',
    'reference-period-end': '2026-11-30',
  })
  const file = { name: 'boleto.pdf', type: 'payment-slip', 'payment-slip-due-date': '2026-12-10' } as const
  const invoice = await operator.invoices.putFile(id, fileId, new Blob([pdf]), file)
  expect(invoice.files).toMatchObject([{ 'file-id': fileId, status: 'pending' }])
  expect((await vigencia.invoices.listPending()).result.map((one) => one.id)).toEqual([id])
  const to = join(folder, 'boleto.pdf')
  const saved = await vigencia.invoices.download(id, { to, 'file-id': fileId })
  expect(saved).toEqual({ name: 'boleto.pdf', type: 'application/pdf', bytes: pdf.length })
  expect((await readFile(to)).equals(pdf)).toBe(true)
  const zip = Buffer.from(await (await vigencia.invoices.download(id)).bytes())
  expect(unzip(zip).map(({ name }) => name)).toEqual(['boleto.pdf'])
  expect(await operator.invoices.markFile(id, fileId, { status: 'paid' })).toMatchObject({
    'invoice-status': 'all-paid',
  })
  await expect(operator.invoices.delete(id)).rejects.toThrow(ConflictError)
  await expect(vigencia.invoices.get('another')).rejects.toThrow(NotFoundError)
})

test('an operator decides movements one by one, together, and from a file, and imports a book', async () => {
  const members = [primary(), primary(), primary()]
  const { 'request-id': id } = await vigencia.inclusions.create(inclusionOf(...members))
  const request = await vigencia.requests.wait(id)
  const [first = '', second = '', third = ''] = Object.values(request['status-by-tax-id']).map(
    (parts) => parts[health]?.['enrollment-id'] ?? '',
  )
  expect(await operator.enrollments.transition(first, { status: 'completed', 'card-number': '1' })).toMatchObject({
    id: first,
    status: 'completed',
  })
  const moved = await operator.enrollments.transitionAll({ 'enrollment-ids': [second, first], status: 'completed' })
  expect(moved.map(({ code }) => code)).toEqual([undefined, 'illegal-transition'])
  const lines = `enrollment-id;status;reason\n${third};rejected;Recusado\n`
  expect(await operator.enrollments.decide(new Blob([lines]))).toMatchObject({ accepted: 1, rejected: 0 })
  const missing = Array.from({ length: 201 }, (_, n) => `01995e0c-6f3a-7c52-9d0e-${String(n).padStart(12, '0')}`)
  const ids = [...missing, second]
  const progress: number[] = []
  const onProgress = ({ done }: { done: number }) => void progress.push(done)
  const all = await operator.enrollments.transitionAll({ 'enrollment-ids': ids, status: 'completed' }, { onProgress })
  expect(all.map((one) => one['enrollment-id'])).toEqual(ids)
  expect(all.at(-1)).toMatchObject({ code: 'illegal-transition' })
  expect(progress.every((done) => done <= 202)).toBe(true)
  const [job] = (await operator.decisionJobs.list()).result
  expect(await operator.decisionJobs.wait(job?.['job-id'] ?? '')).toMatchObject({ status: 'done', rejected: 202 })
  expect((await operator.decisionJobs.result(job?.['job-id'] ?? '')).result).toHaveLength(202)
  const error = await operator.enrollments.transition(third, { status: 'completed' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConflictError)
  expect((error as ConflictError).body).toMatchObject({ from: 'rejected', to: 'completed', allowed: [] })

  const member = {
    ...primary({ products: undefined }),
    'tax-id': nextCpf(),
    'company-tax-id': company.taxId,
    'product-name': health,
    'start-date': '2025-01-01',
  }
  const path = join(folder, 'book.ndjson')
  await writeFile(path, `${JSON.stringify(member)}\n{}\n`)
  const imported = await operator.imports.create(path, { type: 'application/x-ndjson', 'import-id': uuidv7() })
  expect(imported).toMatchObject({ lines: 2 })
  const errors = await (await operator.imports.errors(imported['import-id'])).text()
  expect(JSON.parse(errors)).toMatchObject({ line: 2 })
  const found = await operator.members.list({ 'tax-id': member['tax-id'] })
  expect(found.result).toHaveLength(1)
  expect(await (await operator.imports.template({ language: 'en' })).text()).toContain('company-tax-id')
})
