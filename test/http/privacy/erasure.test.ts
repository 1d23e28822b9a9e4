import { readdir, readFile as readBytes } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { csv, discrepanciesOf, reconcile, upload as uploadFile } from '../../world/carrier-file.ts'
import { holder, ndjson, sendImport } from '../../world/import.ts'
import { putInvoice, sendFile } from '../../world/invoice.ts'
import { makeEndpoint, openReceiver, type Receiver } from '../../world/receiver.ts'
import { act, moved, openShipmentOf, openShipper, type Shipper } from '../../world/shipment.ts'
import {
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  nextCpf,
  premium,
  primary,
  until,
  useTestApp,
} from '../../world/test-app.ts'
import { copyOf } from '../../world/subject-data.ts'
import { formOf, newSlot, pdf, putRaw } from '../../world/upload.ts'

const testApp = useTestApp({ VIGENCIA_RETENTION: 'benefit=0', VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
const path = '/operator/v1/subject-request'
let second: Client
beforeAll(async () => {
  second = await testApp.operatorOf('admin')
})

/** Everything that the service knows of somebody who is erased. */
const person = (taxId: string) => ({
  name: 'Zuleica Tavares Quintanilha',
  'tax-id': taxId,
  'mothers-name': 'Eudóxia Quintanilha',
  'date-of-birth': '1961-04-17',
  'email-private': 'zuleica.tavares@exemplo.com.br',
  'email-corporate': 'ztavares@empresa.com.br',
  phone: '+5511987654321',
  'employee-id': 'MATR-77123',
  'bank-number': '341',
  'bank-branch-number': '8812',
  'bank-account-number': '99887766-5',
})

/** The texts by which the person could be found. */
const needles = (taxId: string): string[] => [
  taxId,
  `${taxId.slice(0, 3)}.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-${taxId.slice(9)}`,
  'zuleica',
  'quintanilha',
  'ztavares',
  '987654321',
  '99887766',
  'matr-77123',
]

/** Where a text is found: tables with their columns, and stored files. Bytes are read as text. */
async function places(taxId: string): Promise<string[]> {
  const columns = await testApp.sql<{ table: string; column: string; value: string }>(
    `select relname as table, attname as column, case when atttypid = 'bytea'::regtype then format('encode(%I, ''escape'')', attname)
       else format('%I::text', attname) end as value
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped order by 1, attnum`,
  )
  const wanted = needles(taxId)
  const found: string[] = []
  for (const { table, column, value } of columns) {
    const condition = wanted.map((_, index) => `lower(${value}) like '%' || $${index + 1}::text || '%'`).join(' or ')
    const [row] = await testApp.sql<{ count: number }>(
      `select count(*)::int as count from ${table} where ${condition}`,
      wanted,
    )
    if ((row?.count ?? 0) > 0) found.push(`${table}.${column}`)
  }
  const entries = await readdir(join(testApp.dataDir, 'files'), { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    const text = (await readBytes(join(entry.parentPath, entry.name), 'utf8')).toLowerCase()
    if (wanted.some((needle) => text.includes(needle))) found.push('a stored file')
  }
  return found
}

async function document(partner: Client, text: string): Promise<string> {
  const slot = await newSlot(partner)
  const bytes = Buffer.concat([pdf, Buffer.from(text)])
  expectOk(
    await putRaw(slot, formOf([{ field: 'file', fileName: 'zuleica-rg.pdf', type: 'application/pdf', bytes }]), {
      'content-type': 'multipart/form-data; boundary=vigencia-5f2c',
    }),
  )
  return slot.id
}

/** What the company has and shows of somebody. */
async function shownOf(taxId: string): Promise<Json> {
  const { result } = expectOk(
    await testApp.operator.get(`/operator/v1/member?include-inactive=true&disclose=true&tax-id=${taxId}`),
  ).body
  return result
}

/** A person with everything, whose benefits and those of the spouse have ended. */
async function makePerson(taxId: string, shipper: Shipper, receiver: Receiver): Promise<Json> {
  const { company, partner, contractId } = shipper
  await makeEndpoint(partner, receiver.url)
  const spouse = nextCpf()
  const members = [
    primary({
      ...person(taxId),
      'bank-account-owners-name': 'Zuleica Tavares Quintanilha',
      'bank-account-owners-tax-id': taxId,
      documents: [{ 'document-id': await document(partner, `CPF ${taxId}`), 'document-type': 'marriage-certificate' }],
      reference: 'MATR-77123',
    }),
    dependent(taxId, {
      'tax-id': spouse,
      'dependent-type': 'spouse',
      name: 'Otávio Lima',
      'mothers-name': 'Iara Lima',
      'date-of-birth': '1960-01-01',
    }),
  ]
  const body = { 'company-tax-id': company.taxId, members, reference: 'Zuleica Tavares Quintanilha' }
  const includedKey = { 'idempotency-key': 'included-person' }
  const sent = expectOk(await partner.post('/v1/enrollment/inclusion', body, includedKey))
  const key = { 'idempotency-key': 'refused-person' }
  const unknown = { 'company-tax-id': company.taxId, members: [primary({ ...person(taxId), products: {} })] }
  expect(await partner.post('/v1/enrollment/inclusion', unknown, key)).toMatchObject({ status: 400 })
  const replay = await partner.post('/v1/enrollment/inclusion', unknown, key)
  expect(replay.headers.get('idempotency-replayed')).toBe('true')
  expect(replay.text).toContain(taxId)
  const request = await testApp.finished(partner, sent.body['request-id'])
  const [id, spouseId] = [taxId, spouse].map((one) => request['status-by-tax-id'][one][health]['enrollment-id'])
  expectOk(
    await testApp.operator.post(`/operator/v1/enrollment/${id}/note`, {
      text: 'Falar com Zuleica Tavares Quintanilha',
    }),
  )
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${spouseId}/note`, { text: `Dependente de ${taxId}` }))
  const shipment = await openShipmentOf(testApp, contractId)
  expectOk(await act(testApp, shipment, 'close'))
  expectOk(await act(testApp, shipment, 'send', {}))
  await moved(testApp, shipment)
  for (const one of [id, spouseId]) {
    const done = { status: 'completed', 'card-number': `889${one.slice(-6)}` }
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${one}/transition`, done))
  }
  const refused = await testApp.include(partner, company, [
    primary({ ...person(taxId), products: inProduct('health-insurance', premium) }),
  ])
  const refusedId = refused['status-by-tax-id'][taxId][premium]['enrollment-id']
  const reason = `O CPF ${taxId} é de Zuleica Tavares Quintanilha`
  expectOk(
    await testApp.operator.post(`/operator/v1/enrollment/${refusedId}/transition`, { status: 'rejected', reason }),
  )
  const file = await uploadFile(
    testApp,
    shipper,
    csv([
      { 'tax-id': taxId, name: 'ZULEICA TAVARES QUINTANILHA', 'date-of-birth': '1961-04-18' },
      { 'tax-id': spouse, name: 'OTAVIO LIMA', 'date-of-birth': '1960-01-01' },
      { name: 'ZULEICA TAVARES QUINTANILHA', 'card-number': '123' },
    ]),
  )
  const compared = await reconcile(testApp, file['file-id'])
  const [found] = await discrepanciesOf(testApp, compared['reconciliation-id'], '&class=date-of-birth-differs')
  expect(found).toMatchObject({ found: '1961-04-18' })
  const invoice = await putInvoice(testApp, company)
  const statement = { type: 'detailed-statement', name: 'lista.pdf', bytes: Buffer.concat([pdf, Buffer.from(taxId)]) }
  expect(await sendFile(testApp, invoice, statement)).toMatchObject({ status: 200 })
  await sendImport(testApp.operator, ndjson([holder(company, { ...person(taxId), 'product-name': 'Não existe' })]))
  await receiver.until(1)
  const end = `update benefit set status = 'inactive', end_date = '2026-11-22', start_date = '2026-11-01' where company_id = $1`
  await testApp.sql(end, [company.id])
  return { spouse, id, shipment, file: file['file-id'], refused: unknown, key, included: body, includedKey }
}

async function request(taxId: string, more: Json = {}): Promise<string> {
  const { result } = expectOk(await testApp.operator.post(path, { 'tax-id': taxId, kind: 'erasure', ...more })).body
  return `${path}/${result['subject-request-id']}`
}

const done = (at: string) =>
  until(
    async () => expectOk(await testApp.operator.get(at)).body.result,
    ({ status }) => status.endsWith('fulfilled'),
  )

test('after an erasure no table, no stored file and no export has the person; the family stays, and the audit is intact', async () => {
  const receiver = await openReceiver()
  const shipper = await openShipper(testApp)
  const taxId = nextCpf()
  const made = await makePerson(taxId, shipper, receiver)
  const before = await shownOf(made.spouse)
  // A copy of the data, which an erasure takes away.
  await copyOf(testApp, taxId)
  const [access] = await testApp.sql('select id::text from subject_request where tax_id = $1', [taxId])
  expectOk(await testApp.operator.post(`${path}/${access?.['id']}/status`, { status: 'fulfilled' }))
  expect(await places(taxId)).toEqual(
    expect.arrayContaining([
      'member.tax_id',
      'carrier_line.name',
      'shipment_file.content',
      'member_import_error.content',
      'a stored file',
    ]),
  )
  const at = await request(taxId, { note: 'Zuleica pediu por e-mail' })
  const plan = expectOk(await testApp.operator.post(`${at}/plan`)).body.result
  expect(plan.items).toMatchObject([
    { class: 'benefit', 'company-tax-id': shipper.company.taxId, action: 'erase', ground: null },
    { class: 'import', action: 'erase', rows: 1 },
  ])
  expectOk(await second.post(`${at}/approve`))
  await done(at)
  expect(await places(taxId)).toEqual([])

  const enrollment = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${made.id}`)).body.result
  expect(JSON.stringify(enrollment)).toMatch(/"erased[0-9a-z]{5}"/)
  // Only whose dependent they are is replaced.
  const after = JSON.stringify(await shownOf(made.spouse)).replace(/erased[0-9a-z]{5}/, taxId)
  expect(JSON.parse(after)).toEqual(before)
  expect(await testApp.operator.get(`/operator/v1/shipment/${made.shipment}/file`)).toMatchObject({ status: 404 })
  expect(await testApp.operator.get(`/operator/v1/carrier-file/${made.file}/content`)).toMatchObject({ status: 404 })
  for (const list of ['enrollment/export', `company/${shipper.company.taxId}/roster`]) {
    const text = expectOk(await testApp.operator.get(`/operator/v1/${list}`)).text.toLowerCase()
    expect(needles(taxId).filter((needle) => text.includes(needle))).toEqual([])
  }
  const verify = async () => expectOk(await testApp.operator.get('/operator/v1/audit/verification')).body.result
  expect(await until(verify, ({ pending }) => pending === 0)).toMatchObject({ intact: true })
  await receiver.close()

  // A program that repeats a call with its key does not bring the person back.
  for (const [body, key] of [
    [made.refused, made.key],
    [made.included, made.includedKey],
  ]) {
    expect(await shipper.partner.post('/v1/enrollment/inclusion', body, key)).toMatchObject({
      status: 409,
      body: { code: 'erased' },
    })
  }

  // A new inclusion is of a new person.
  const again = await testApp.include(shipper.partner, shipper.company, [primary({ ...person(taxId) })])
  expect(again['status-by-tax-id'][taxId][health]).toMatchObject({ status: 'enrollment-created' })
  const [back] = await testApp.sql('select id from member where tax_id = $1', [taxId])
  const [gone] = await testApp.sql(`select id from member where company_id = $1 and name = 'erased'`, [
    shipper.company.id,
  ])
  expect(back?.['id']).not.toBe(gone?.['id'])
})

/** Imports a primary whose benefit has ended, or not. @returns the CPF. */
async function imported(company: Company, more: Json = {}): Promise<string> {
  const line = holder(company, { name: 'Berenice Prado Lins', ...more })
  expectOk(await sendImport(testApp.operator, ndjson([line])))
  return line['tax-id']
}

const ended = { 'start-date': '2024-03-01', 'end-date': '2026-10-31' }
const planOf = async (at: string) => expectOk(await testApp.operator.post(`${at}/plan`)).body.result

test('what stays is in the plan with its ground; documents of refused movements go all the same', async () => {
  const shipper = await openShipper(testApp)
  const { company, partner } = shipper
  const active = await imported(company)
  const [documentId, taken] = [
    await document(partner, 'recusado'),
    { 'health-insurance': [{ name: premium, 'start-option': 'on-inclusion-date' }] },
  ]
  const documents = [{ 'document-id': documentId, 'document-type': 'marriage-certificate' }]
  const sent = await testApp.include(partner, company, [primary({ 'tax-id': active, products: taken, documents })])
  const id = sent['status-by-tax-id'][active][premium]['enrollment-id']
  const at = await request(active)
  expect((await planOf(at)).items).toMatchObject([{ class: 'benefit', action: 'keep', ground: 'open-movement' }, {}])
  expectOk(
    await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'rejected', reason: 'Não' }),
  )
  expect((await planOf(at)).items).toMatchObject([
    { class: 'benefit', action: 'keep', ground: 'active-benefit', until: null },
    { class: 'refused-document', action: 'erase', rows: 1 },
    { class: 'import', action: 'erase', rows: 0 },
  ])
  expectOk(await second.post(`${at}/approve`))
  expect(await done(at)).toMatchObject({ 'tax-id': active })
  expect(await testApp.sql('select from document where id = $1', [documentId])).toEqual([])
  expect(await shownOf(active)).toMatchObject([{ profile: { name: 'Berenice Prado Lins' } }])
})

test('a plan is approved by another admin, and only while it still follows from the data', async () => {
  const company = await testApp.company()
  const taxId = await imported(company, ended)
  const at = await request(taxId)
  expect(await second.post(`${at}/approve`)).toMatchObject({ status: 409, body: { code: 'subject-request-status' } })
  await planOf(at)
  expect(await testApp.operator.post(`${at}/approve`)).toMatchObject({
    status: 409,
    body: { code: 'second-admin-required' },
  })
  await expect(testApp.sql('update erasure set approved_by = planned_by, approved_at = now()')).rejects.toThrow(
    'erasure_check',
  )
  const held = expectOk(await testApp.operator.post('/operator/v1/legal-hold', { 'tax-id': taxId, reason: 'Processo' }))
  expect(await second.post(`${at}/approve`)).toMatchObject({ status: 409, body: { code: 'erasure-plan-changed' } })
  expect((await planOf(at)).items).toMatchObject([
    { action: 'keep', ground: 'legal-hold', until: null },
    { class: 'import', action: 'keep', ground: 'legal-hold' },
  ])
  expectOk(await second.post(`${at}/approve`))
  await done(at)
  expect(await shownOf(taxId)).toMatchObject([{ profile: { 'tax-id': taxId } }])
  const release = `/operator/v1/legal-hold/${held.body.result['legal-hold-id']}/release`
  expectOk(await testApp.operator.post(release, { reason: 'Berenice Prado Lins desistiu' }))
  const again = await request(taxId)
  await planOf(again)
  expectOk(await second.post(`${again}/approve`))
  expect(await done(again)).toMatchObject({ 'tax-id': null })
  expect(expectOk(await testApp.operator.get('/operator/v1/legal-hold')).text).not.toContain('Berenice')
  expect(await second.post(`${again}/approve`)).toMatchObject({ status: 409, body: { code: 'subject-request-status' } })
})

test('an import with the CPF of an erased person makes a new person', async () => {
  const company = await testApp.company()
  const taxId = await imported(company, ended)
  const [former] = await shownOf(taxId)
  const at = await request(taxId)
  await planOf(at)
  expectOk(await second.post(`${at}/approve`))
  await done(at)
  expect(await shownOf(taxId)).toEqual([])
  await imported(company, { 'tax-id': taxId, name: 'Berenice Nova' })
  const [back] = await shownOf(taxId)
  expect(back).toMatchObject({ profile: { name: 'Berenice Nova' } })
  expect(back.benefits).toHaveLength(1)
  expect(back.id).not.toBe(former.id)
})
