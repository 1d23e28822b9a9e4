import { beforeAll, expect, test } from 'vitest'
import { INCLUSION_FIELDS } from '#kernel/inclusion-fields.ts'
import { labelOf } from '#privacy/subject-requests/in-portuguese.ts'
import { copiedTables } from '#privacy/personal-tables.ts'
import { PORTUGUESE } from '#kernel/texts/texts.ts'
import { act, enroll, openShipmentOf, openShipper, moved, type Shipper } from '../../world/shipment.ts'
import { copyOf, insertRareRows, subjectPath } from '../../world/subject-data.ts'
import { dependent, expectOk, type Json, nextCpf, primary, until, useTestApp } from '../../world/test-app.ts'
import { pdf, upload } from '../../world/upload.ts'

/* What the copy of a person's data has, and what it has not. */

const testApp = useTestApp()

/** A value of each registration field, as it is kept. */
const registration: Record<string, string | boolean | number> = {
  'preferred-name': 'Lena',
  'marital-status': 'married',
  'work-contract-type': 'brazil-labor-law',
  'job-title': 'Soldadora',
  'employee-id': '00172',
  'cost-center': 'CC-17',
  'cost-center-name': 'Caldeiraria',
  phone: '11987654321',
  'email-corporate': 'lena@serra.example',
  'email-private': 'lena@mail.example',
  salary: 523_117,
  'dependency-date': '2020-01-02',
  'address-postal-code': '01310100',
  'address-street': 'Avenida Paulista',
  'address-number': '1017',
  'address-neighborhood': 'Bela Vista',
  'address-complement': 'ap. 127',
  'address-city': 'São Paulo',
  'address-state': 'SP',
  'city-ibge-code': '3550308',
  'fathers-name': 'Otávio Brandão',
  cns: '705008734026156',
  pis: '12054789366',
  'birth-declaration-number': '30728419354',
  'identity-document-number': '34.192.708-5',
  'identity-document-issuer': 'SSP',
  'identity-document-state': 'SP',
  'identity-document-issued-at': '2008-03-14',
  cbo: '212405',
  'student-until': '2026-12-31',
  disabled: true,
  'employee-company-tax-id': '12ABC34501DE35',
  'bank-number': '341',
  'bank-branch-number': '0123',
  'bank-account-number': '45678-9',
  'bank-account-owners-name': 'Helena Brandão Souza',
  'bank-account-owners-tax-id': '52998224725',
}

/** Fields of an inclusion that are not registration data, or have another name once they are kept. */
const others = new Set(
  'beneficiary-type dependent-type primary-member-tax-id products documents reference sandbox email monthly-salary'.split(
    ' ',
  ),
)

let shipper: Shipper
let mother: Json
let child: Json
let ids: Json
let files: Map<string, Buffer>
let ofChild: Map<string, Buffer>
const textOf = (from: ReadonlyMap<string, Buffer>): string => Buffer.concat([...from.values()]).toString()
const jsonOf = (name: string): Json => JSON.parse(String(files.get(name)))

beforeAll(async () => {
  shipper = await openShipper(testApp)
  const { company, contractId, partner } = shipper
  const documents = [{ 'document-id': await upload(partner), 'document-type': 'marriage-certificate' }]
  mother = primary({ ...registration, documents })
  child = dependent(mother['tax-id'], {
    name: 'Tainá Brandão',
    'mothers-name': 'Fátima Prado',
    'date-of-birth': '2018-04-09',
  })
  const [enrollmentId = ''] = await enroll(testApp, shipper, [mother, child])
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${enrollmentId}/note`, { text: 'Ligar de tarde' }))
  const shipmentId = await openShipmentOf(testApp, contractId)
  expectOk(await act(testApp, shipmentId, 'close'))
  expectOk(await act(testApp, shipmentId, 'send', { 'carrier-protocol': 'REM-7781' }))
  await moved(testApp, shipmentId)
  const [row] = await testApp.sql('select member_id, benefit_id from enrollment where id = $1', [enrollmentId])
  ids = { memberId: row?.['member_id'], benefitId: row?.['benefit_id'], enrollmentId, taxId: mother['tax-id'] }
  await insertRareRows(testApp, company, contractId, ids)
  expectOk(await testApp.operator.post(`/operator/v1/member/${ids.memberId}/disclosure`))
  files = await copyOf(testApp, mother['tax-id'])
  ofChild = await copyOf(testApp, child['tax-id'])
})

test('it has each registration field, in Portuguese', () => {
  const known = new Set([
    ...Object.keys(registration),
    'name',
    'tax-id',
    'mothers-name',
    'date-of-birth',
    'gender',
    'admission-date',
  ])
  expect(Object.keys(INCLUSION_FIELDS).filter((field) => !known.has(field) && !others.has(field))).toEqual([])
  const [company] = jsonOf('dados.json')['Empresas']
  expect(company['CNPJ da empresa']).toBe(shipper.company.taxId)
  const sent = { ...mother, gender: 'Feminino', 'marital-status': 'Casado(a)', 'work-contract-type': 'CLT' }
  const wanted = Object.fromEntries([...known].map((field) => [labelOf(field), sent[field]]))
  expect(company['Cadastro'][0]).toMatchObject(wanted)
})

test('it has a row of each table, and a Portuguese name of each of their fields', () => {
  const companies = ['dados.json', 'movimentacoes.json', 'compartilhamentos.json'].flatMap(
    (name) => jsonOf(name)['Empresas'],
  )
  const { sections } = PORTUGUESE['personal-data']
  const empty = copiedTables.filter(([table]) => {
    const name = sections[table]
    return !companies.some((company: Json) => company[name]?.length > 0)
  })
  expect(empty).toEqual([])
  const keys = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) for (const key of Object.keys(value)) keys.add(key)
    Object.values(value).forEach(collect)
  }
  collect(companies)
  expect([...keys].filter((key) => /^[a-z]/.test(key) && key !== 'CNS')).toEqual([])
})

/** Every field with a value in a response, but for lists of other people. */
function leavesOf(value: Json, key = ''): [string, string][] {
  if (value === null || ['family', 'history'].includes(key)) return []
  if (typeof value !== 'object') return [[key, String(value)]]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, Array.isArray(value) ? key : name))
}

/** Ids of other things, what is computed as it is read, and what has another name in the copy: a movement's data, the time of a change. */
const notOfThePerson = new Set(
  (
    'product-id member-id shipment-id client-id document-id actor-id ' +
    'notes-count norm after-cut-off last-day-for-exemption last-updated-at member-name old new requested-by'
  ).split(' '),
)

test('it has every field that the API shows of the person', async () => {
  const { operator } = testApp
  const member = expectOk(await operator.get(`/operator/v1/member/${ids.memberId}?disclose=true`)).body.result
  const movement = expectOk(await operator.get(`/operator/v1/enrollment/${ids.enrollmentId}`)).body.result
  const benefits = expectOk(
    await operator.get(`/operator/v1/benefit?include-inactive=true&member-tax-id=${mother['tax-id']}`),
  ).body.result
  const text = textOf(files)
  const missing = leavesOf([member, movement, benefits]).filter(
    ([field, value]) => !notOfThePerson.has(field) && !text.includes(`"${labelOf(field)}"`) && value !== '',
  )
  expect([...new Set(missing.map(([field]) => field))]).toEqual([])
})

test('it has the documents, where the data went, and who saw them', () => {
  const document = [...files].find(([name]) => name.startsWith('documentos/'))
  expect(document?.[1].equals(pdf)).toBe(true)
  const [shared] = jsonOf('compartilhamentos.json')['Empresas'][0]['Remessas a operadoras']
  expect(shared).toMatchObject({ 'Número do contrato': '900001', 'Enviada em': expect.any(String) })
  const accesses = jsonOf('acessos.json')['Acessos']
  expect(accesses).toContainEqual(
    expect.objectContaining({ 'O que aconteceu': 'Dados vistos sem máscara', Quem: 'Administrador', Certeza: 'Certo' }),
  )
  expect(accesses).toContainEqual(expect.objectContaining({ 'O que aconteceu': 'Enviado à operadora' }))
  expect(jsonOf('dados.json')['Empresas'][0]['Coparticipação por competência']).toEqual({ '2026-10': 7700 })
})

test('it has nothing of other people', () => {
  const text = textOf(ofChild)
  expect(text).toContain('Tainá Brandão')
  for (const value of [
    mother['tax-id'],
    mother['name'],
    String(registration['salary']),
    'lena@mail.example',
    'CC-17',
    'Ligar de tarde',
  ]) {
    expect(text).not.toContain(value)
  }
  expect([...ofChild.keys()].filter((name) => name.startsWith('documentos/'))).toEqual([])
  expect(textOf(files)).not.toContain(child['tax-id'])
  expect(textOf(files)).not.toContain('Tainá')
})

test('somebody who is unknown gets a copy that says so', async () => {
  const empty = await copyOf(testApp, nextCpf())
  expect(JSON.parse(String(empty.get('dados.json')))['Empresas']).toEqual([])
})

test('a movement that was rejected, of somebody who is no member, is in it', async () => {
  const { company, partner } = shipper
  const person = primary({ name: 'Rosa Recusada' })
  await testApp.include(partner, company, [person], '?resolution=reject')
  const text = textOf(await copyOf(testApp, person['tax-id']))
  expect(text).toContain('Rosa Recusada')
})

test('a copy is made again, deleted with a cancelled request, and refused of an erasure', async () => {
  const { operator } = testApp
  const create = async (kind: string) => {
    const { result } = expectOk(await operator.post(subjectPath, { 'tax-id': nextCpf(), kind })).body
    return `${subjectPath}/${result['subject-request-id']}`
  }
  const path = await create('access')
  const ready = () =>
    until(
      async () => expectOk(await operator.get(path)).body.result.file,
      ({ status }: Json) => status === 'ready',
    )
  expect((await operator.get(`${path}/file`)).body.code).toBe('subject-request-file-not-found')
  expectOk(await operator.post(`${path}/file`))
  const first = await ready()
  expectOk(await operator.post(`${path}/file`))
  const second = await ready()
  expect(Date.parse(second['made-at'])).toBeGreaterThan(Date.parse(first['made-at']))
  expect(Date.parse(second['expires-at']) - Date.parse(second['made-at'])).toBe(7 * 86_400_000)
  expectOk(await operator.post(`${path}/status`, { status: 'cancelled', 'cancel-reason': 'Desistiu' }))
  expect((await operator.get(path)).body.result.file).toBe(null)
  expect((await operator.post(`${path}/file`)).body.code).toBe('subject-request-status')
  const [orphans] = await testApp.sql(`select count(*)::int as count from orphan_file where key like 'document/%'`)
  expect(orphans?.['count']).toBeGreaterThanOrEqual(2)
  expect((await operator.post(`${await create('erasure')}/file`)).body.code).toBe('subject-request-status')
})

test('each download is audited, without the CPF', async () => {
  const { operator } = testApp
  const [request] = await testApp.sql(`select id::text from subject_request where tax_id = $1`, [mother['tax-id']])
  const { result } = expectOk(await operator.get(`/operator/v1/audit?target=${request?.['id']}`)).body
  expect(result.map(({ action }: Json) => action)).toEqual([
    'subject-request.file-downloaded',
    'subject-request.file-requested',
    'subject-request.created',
  ])
  const [held] = await testApp.sql(`select count(*)::int as count from audit where audit::text like '%' || $1 || '%'`, [
    mother['tax-id'],
  ])
  expect(held?.['count']).toBe(0)
})
