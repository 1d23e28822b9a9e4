import { Mentions } from '#privacy/erasures/mentions.ts'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { csv, upload } from '../../world/carrier-file.ts'
import { done, ended, erase, imported, planned } from '../../world/erasing.ts'
import { dependentOf, ndjson, sendImport } from '../../world/import.ts'
import {
  approve as approveInvitation,
  childOf,
  invitationBody,
  invited,
  openPage,
  submissionOf,
} from '../../world/onboarding.ts'
import { openShipper } from '../../world/shipment.ts'
import {
  type Client,
  type Company,
  expectOk,
  type Json,
  nextCpf,
  primary,
  until,
  useTestApp,
} from '../../world/test-app.ts'

/* What an erasure does to others: nothing but what its plan names. And what it must not leave. */

const testApp = useTestApp({ VIGENCIA_RETENTION: 'benefit=0' })
let second: Client
beforeAll(async () => {
  second = await testApp.operatorOf('admin')
})

const formatted = (cpf: string) => cpf.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4')

/** The rows of the company that are not of the person, as they are stored. */
async function rowsOf(company: Company, tables: readonly string[]): Promise<Json> {
  const rows: Json = {}
  for (const table of tables) {
    rows[table] = await testApp.sql(`select to_jsonb(${table}) as row from ${table} where company_id = $1 order by 1`, [
      company.id,
    ])
  }
  return rows
}

/** A movement of somebody else, open. @returns its id. */
async function openMovement(company: Company, partner: Client, member: Json): Promise<string> {
  const body = primary(member)
  const request = await testApp.include(partner, company, [body])
  const [state] = Object.values<Json>(request['status-by-tax-id'][body['tax-id']])
  return state['enrollment-id']
}

test('colleagues whose names and addresses contain those of the erased stay as they are', async () => {
  const { company, partner } = await openShipper(testApp)
  const ana = await imported(testApp, company, { name: 'Ana', 'email-corporate': 'ana@acme.example.com', ...ended })
  await imported(testApp, company, { name: 'Mariana', 'email-corporate': 'mariana@acme.example.com' })
  await imported(testApp, company, { name: 'Joana', 'email-corporate': 'joana@acme.example.com.br' })
  const id = await openMovement(company, partner, { name: 'Luciana', 'email-private': 'luciana@acme.example.com' })
  for (const text of [
    'Retornar na semana da Joana',
    'Falar com ana@acme.example.com, que é Ana',
    'joana@acme.example.com',
  ])
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/note`, { text }))
  const tables = ['member', 'enrollment', 'enrollment_note']
  const others = async () => {
    const rows = await rowsOf(company, tables)
    rows.member = rows.member.filter(({ row }: Json) => !['Ana', 'erased'].includes(row.name))
    rows.enrollment = rows.enrollment.filter(({ row }: Json) => row.id === id)
    return rows
  }
  const before = await others()
  const { plan, done: after } = await erase(testApp, second, ana)
  expect(plan.mentions).toEqual([
    {
      record: 'enrollment-note',
      'record-id': expect.stringContaining(id),
      'company-tax-id': company.taxId,
      'company-name': expect.any(String),
      field: 'text',
      action: 'erase',
      ground: null,
      text: 'Falar com erased, que é ***',
    },
  ])
  expect(after).toMatchObject({ status: 'fulfilled', remaining: [], mentions: [{ text: null }] })
  const expected = JSON.parse(
    JSON.stringify(before).replace('Falar com ana@acme.example.com, que é Ana', 'Falar com erased, que é ***'),
  )
  expect(await others()).toEqual(expected)
})

test('a salary with the digits of the CPF stays, and the erasure is done', async () => {
  const { company, partner } = await openShipper(testApp)
  const taxId = await imported(testApp, company, ended)
  const id = await openMovement(company, partner, { 'monthly-salary': Number(taxId.replace(/^0+/, '')) % 10 ** 11 })
  const read = () => testApp.sql('select data from enrollment where id = $1', [id])
  const before = await read()
  const { plan, done: after } = await erase(testApp, second, taxId)
  expect(plan.mentions).toEqual([])
  expect(after.status).toBe('fulfilled')
  expect(await read()).toEqual(before)
})

/** Lets the last step of somebody's erasure fail. @returns what ends it. */
async function failing(taxId: string): Promise<() => Promise<unknown>> {
  await testApp.sql(
    `create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '22P02'; end $$`,
  )
  await testApp.sql(
    `create trigger fail before update on subject_request for each row
     when (new.status like '%fulfilled' and old.tax_id = '${taxId}') execute function fail()`,
  )
  return () => testApp.sql('drop trigger fail on subject_request')
}

test('an erasure that fails says why, holds up no other, and is tried again when an admin asks', async () => {
  const company = await testApp.company()
  const [taxId, other] = [await imported(testApp, company, ended), await imported(testApp, company, ended)]
  const { at } = await planned(testApp, taxId)
  const goOn = await failing(taxId)
  expectOk(await second.post(`${at}/approve`))
  const readPlan = async () => expectOk(await testApp.operator.get(`${at}/plan`)).body.result
  const failed = await until(readPlan, ({ failure }) => failure !== null)
  expect(failed).toMatchObject({
    status: 'approved',
    failure: { reason: 'database-error 22P02', 'next-attempt-at': expect.any(String) },
  })
  expect((await testApp.call('GET', '/metrics')).text).toMatch(/^vigencia_erasures_failed [1-9]/m)
  expect((await erase(testApp, second, other)).done.status).toBe('fulfilled')
  // The attempts are over: it is put aside.
  await testApp.sql('update erasure set attempts = 4, next_attempt_at = now() where failure is not null')
  const aside = await until(readPlan, ({ failure }) => failure['next-attempt-at'] === null)
  expect(aside.failure.attempts).toBe(5)
  await goOn()
  expectOk(await testApp.operator.post(`${at}/retry`))
  expect(await done(testApp, at)).toMatchObject({ status: 'fulfilled', failure: null })
  expect(await testApp.operator.post(`${at}/retry`)).toMatchObject({ status: 409 })
})

test('a movement that arrives after the approval is erased too, or the request says that something stayed', async () => {
  const { company, partner } = await openShipper(testApp)
  const taxId = await imported(testApp, company, ended)
  const { at } = await planned(testApp, taxId)
  const goOn = await failing(taxId)
  expectOk(await second.post(`${at}/approve`))
  await testApp.include(partner, company, [primary({ 'tax-id': taxId, name: 'Nova Inclusão' })])
  await until(
    async () => expectOk(await testApp.operator.get(`${at}/plan`)).body.result,
    ({ failure }) => failure !== null,
  )
  await goOn()
  expectOk(await testApp.operator.post(`${at}/retry`))
  expect(await done(testApp, at)).toMatchObject({
    status: 'partly-fulfilled',
    remaining: [{ class: 'benefit', 'company-tax-id': company.taxId, action: 'keep', ground: 'open-movement' }],
  })
  expect(expectOk(await testApp.operator.get(at)).body.result).toMatchObject({ status: 'partly-fulfilled' })
})

test('a note that arrives after the approval stays, and the request says so', async () => {
  const { company, partner } = await openShipper(testApp)
  const taxId = await imported(testApp, company, ended)
  const id = await openMovement(company, partner, {})
  const { at } = await planned(testApp, taxId)
  // The worker sees the approval and the note at once.
  const { clientId } = second
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/note`, { text: `CPF ${formatted(taxId)}` }))
  await testApp.sql(
    `with approved as (update erasure set approved_by = $2, approved_at = now() where subject_request_id = $1)
     update subject_request set status = 'approved' where id = $1`,
    [at.split('/').at(-1), clientId],
  )
  expect(await done(testApp, at)).toMatchObject({
    status: 'partly-fulfilled',
    remaining: [{ class: 'mention', 'company-tax-id': company.taxId, rows: 1, ground: 'not-in-plan' }],
  })
  expect((await erase(testApp, second, taxId)).done.status).toBe('fulfilled')
  expect(await testApp.sql('select text from enrollment_note where enrollment_id = $1', [id])).toEqual([
    { text: 'CPF erased' },
  ])
})

test('a CPF that stands only in lines of a carrier goes with its file; a dependent’s line keeps the dependent', async () => {
  const shipper = await openShipper(testApp)
  const { company } = shipper
  const [stranger, spouse] = [nextCpf(), nextCpf()]
  const lines = [
    { 'tax-id': stranger, name: 'Zilda Moraes', 'date-of-birth': '1961-04-18' },
    { 'tax-id': spouse, name: 'Otavio Lima', 'primary-tax-id': stranger },
  ]
  const file = await upload(testApp, shipper, csv(lines))
  const { plan } = await erase(testApp, second, stranger)
  expect(plan.items[0]).toMatchObject({ class: 'benefit', 'company-tax-id': company.taxId, action: 'erase' })
  const left = await testApp.sql(
    'select tax_id, name, details from carrier_line where company_id = $1 order by line_number',
    [company.id],
  )
  expect(left.map((line) => line['name'])).toEqual(['erased', 'Otavio Lima'])
  expect(JSON.stringify(left)).not.toContain(stranger)
  expect(await testApp.operator.get(`/operator/v1/carrier-file/${file['file-id']}/content`)).toMatchObject({
    status: 404,
  })
})

test('a dependent leaves a submission with the document, and its approval includes the others only', async () => {
  const { company, partner } = await openShipper(testApp)
  const link = await invited(partner, invitationBody(company))
  const page = await openPage(testApp, link)
  const documentId = await page.upload()
  const child = childOf(company, {
    documents: [{ 'document-id': documentId, 'document-type': 'birth-certificate-or-national-id' }],
  })
  expectOk(await page.submit(submissionOf(link, { dependents: [child] })))
  expect((await erase(testApp, second, child['tax-id'])).done.status).toBe('fulfilled')
  expect(await testApp.sql('select from onboarding_document where id = $1', [documentId])).toEqual([])
  const { body } = expectOk(await approveInvitation(partner, link))
  const request = await testApp.finished(partner, body['request-id'])
  expect(Object.keys(request['status-by-tax-id'])).toEqual([link.body['tax-id']])
})

test('the former CPF of an erased person is in no table', async () => {
  const { company, partner } = await openShipper(testApp)
  const [former, corrected] = [await imported(testApp, company), nextCpf()]
  await correct(company, partner, former, corrected)
  await testApp.sql(`update benefit set status = 'inactive', end_date = '2026-10-31' where company_id = $1`, [
    company.id,
  ])
  expect((await erase(testApp, second, corrected)).done.status).toBe('fulfilled')
  for (const cpf of [former, corrected]) {
    expect(await testApp.sql('select from member_removal where tax_id = $1', [cpf])).toEqual([])
    expect(await testApp.sql('select from enrollment where data::text like $1', [`%${cpf}%`])).toEqual([])
  }
})

/** Corrects a CPF, and waits until it is. */
async function correct(company: Company, partner: Client, former: string, corrected: string): Promise<void> {
  const body = { 'company-tax-id': company.taxId, 'alteration-data': { 'tax-id': corrected } }
  expectOk(await partner.post(`/v1/enrollment/alteration/${former}?resolution=approve`, body))
  await until(
    () => testApp.sql('select from member where company_id = $1 and tax_id = $2', [company.id, corrected]),
    (rows) => rows.length === 1,
  )
}

const hold = async (taxId: string) =>
  expectOk(await testApp.operator.post('/operator/v1/legal-hold', { 'tax-id': taxId, reason: 'Processo' }))

test('a legal hold stays on a person whose CPF is corrected, before or after', async () => {
  const { company, partner } = await openShipper(testApp)
  const [first, later] = [await imported(testApp, company), nextCpf()]
  await hold(first)
  await correct(company, partner, first, later)
  await testApp.sql(
    `update benefit set status = 'inactive', end_date = '2020-10-31', start_date = '2020-01-01' where company_id = $1`,
    [company.id],
  )
  const { plan, done: after } = await erase(testApp, second, later)
  expect(plan.items[0]).toMatchObject({ class: 'benefit', action: 'keep', ground: 'legal-hold' })
  expect(after.status).toBe('partly-fulfilled')
  expectOk(await testApp.operator.post('/operator/v1/retention'))
  expect(await testApp.sql('select tax_id from member where company_id = $1', [company.id])).toEqual([
    { tax_id: later },
  ])
})

test('the erasure of one leaves the carrier’s file that has somebody under a legal hold', async () => {
  const shipper = await openShipper(testApp)
  const { company } = shipper
  const [held, erased] = [await imported(testApp, company, ended), await imported(testApp, company, ended)]
  await hold(held)
  const file = await upload(testApp, shipper, csv([held, erased].map((cpf) => ({ 'tax-id': cpf, name: 'Alguém' }))))
  const { plan, done: after } = await erase(testApp, second, erased)
  expect(plan.items).toContainEqual(
    expect.objectContaining({ class: 'file', rows: 1, action: 'keep', ground: 'legal-hold' }),
  )
  expect(after).toMatchObject({
    status: 'partly-fulfilled',
    remaining: [{ class: 'file', 'company-tax-id': company.taxId, rows: 1, ground: 'legal-hold' }],
  })
  expectOk(await testApp.operator.get(`/operator/v1/carrier-file/${file['file-id']}/content`))
  const lines = await testApp.sql('select tax_id from carrier_line where company_id = $1 order by line_number', [
    company.id,
  ])
  expect(lines).toEqual([{ tax_id: held }, { tax_id: null }])
})

test('names go from closings, accounts of relatives, and notes of companies that never had the person', async () => {
  const { company } = await openShipper(testApp)
  const elsewhere = await openShipper(testApp)
  const name = 'Zenaide Couto Barreto'
  const taxId = await imported(testApp, company, { name, ...ended })
  const child = dependentOf(company, taxId, {
    name: 'Davi Couto',
    'mothers-name': 'Outra Mãe',
    'bank-number': '341',
    'bank-branch-number': '1',
    'bank-account-number': '2',
    'bank-account-owners-name': name,
    'bank-account-owners-tax-id': taxId,
    ...ended,
  })
  expectOk(await sendImport(testApp.operator, ndjson([child])))
  await testApp.sql(
    `insert into closing (company_id, id, reference_month, status, acts, created_at, updated_at) values ($1, $2, '2026-09', 'open', $3, now(), now())`,
    [company.id, randomUUID(), JSON.stringify([{ act: 'reopened', reason: `Pedido de ${name}` }])],
  )
  const id = await openMovement(elsewhere.company, elsewhere.partner, {})
  const text = `${name}, CPF ${formatted(taxId)}, mudou de empresa`
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/note`, { text }))
  const { plan, done: after } = await erase(testApp, second, taxId)
  expect(plan.mentions.map((mention: Json) => [mention.record, mention.field, mention.text]).toSorted()).toEqual([
    ['closing', 'acts[0].reason', 'Pedido de erased'],
    ['enrollment-note', 'text', 'erased, CPF erased, mudou de empresa'],
    ['member', 'details.bank-account-owners-name', 'erased'],
    ['member', 'details.bank-account-owners-tax-id', 'erased'],
  ])
  expect(after.status).toBe('fulfilled')
  for (const table of ['closing', 'member', 'enrollment_note']) {
    expect(await testApp.sql(`select from ${table} where ${table}::text like $1`, [`%${name}%`])).toEqual([])
  }
})

test('a text in any spelling that folding finds is found before it is folded', async () => {
  const names = ["Thaïs Cæsar d'Ávila Großmann", 'Jesssica Ferreira-Łukaszewska', 'Zoë Oefner', 'Wu - Li']
  const { prefilter, unfoldedPrefilter } = new Mentions({
    taxId: '52998224725',
    names,
    emails: ["zoë.d'ávila@exemplo.com.br", 'mu-ller@serra.example'],
  })
  const written = [
    'Großmann',
    'GROSSMANN',
    'grossmann',
    'Łukaszewska',
    'lukaszewska',
    'LUKASZ\u00ADEWSKA',
    'Oefner',
    'Œfner',
    'œfner',
    'Wu Li',
    'Jesßica Łukaszewska',
    'ZOË.D’ÁVILA@EXEMPLO.COM.BR',
    'zoe.d`a\u0301vila@exemplo.com.br',
    'mu\u2011ller@serra.example',
    '529.982.247-25',
    '529.982.247\u201225',
    '52998224725',
    '529\u200B98224725',
  ].map((text) => `visto em ${text}, ontem`)
  const found = await testApp.sql(
    `select text, fold(text) ~ $2 as folded, text ~* $3 as unfolded from json_array_elements_text($1::json) text`,
    [JSON.stringify([...written, 'Ana Souza', '529.982.247-26']), prefilter, unfoldedPrefilter],
  )
  expect(found).toEqual([
    ...written.map((text) => ({ text, folded: true, unfolded: true })),
    ...['Ana Souza', '529.982.247-26'].map((text) => ({ text, folded: false, unfolded: false })),
  ])
})
