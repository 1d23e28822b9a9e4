import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Client, type Company, expectOk, type Json, primary, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
let companies: Company[]
let partner: Client
beforeAll(async () => {
  companies = [await testApp.company(), await testApp.company()]
  partner = await testApp.partner(...companies.map(({ taxId }) => taxId))
})

/** Each key that an alteration takes and an inclusion did not, as sent and as it is kept. */
const registration: Record<string, [string | boolean, string | boolean]> = {
  'preferred-name': [' Lena ', 'Lena'],
  'address-postal-code': ['01310-100', '01310100'],
  'address-street': ['Avenida Paulista', 'Avenida Paulista'],
  'address-number': ['1000', '1000'],
  'address-neighborhood': ['Bela Vista', 'Bela Vista'],
  'address-complement': ['ap. 12', 'ap. 12'],
  'address-city': ['São Paulo', 'São Paulo'],
  'address-state': ['sp', 'SP'],
  'city-ibge-code': ['3550308', '3550308'],
  'fathers-name': ['Otávio Brandão', 'Otávio Brandão'],
  cns: ['705 0087 3402 6156', '705008734026156'],
  pis: ['120.54789.36-6', '12054789366'],
  'birth-declaration-number': ['30-72841935-4', '30728419354'],
  'identity-document-number': ['34.192.708-5', '34.192.708-5'],
  'identity-document-issuer': ['SSP', 'SSP'],
  'identity-document-state': ['sp', 'SP'],
  'identity-document-issued-at': ['2008-03-14', '2008-03-14'],
  cbo: ['2124-05', '212405'],
  'student-until': ['2026-12-31', '2026-12-31'],
  disabled: [true, true],
  'employee-company-tax-id': ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  'bank-number': ['341', '341'],
  'bank-branch-number': ['0123', '0123'],
  'bank-account-number': ['45678-9', '45678-9'],
  'bank-account-owners-name': ['Helena Brandão Souza', 'Helena Brandão Souza'],
  'bank-account-owners-tax-id': ['529.982.247-25', '52998224725'],
}
const sent = Object.fromEntries(Object.entries(registration).map(([key, [value]]) => [key, value]))
const held = Object.fromEntries(Object.entries(registration).map(([key, [, value]]) => [key, value]))

const idOf = async (taxId: string) =>
  expectOk(await partner.get(`/v1/member?include-inactive=true&filter=tax-id%3D${taxId}`)).body.result[0].id

test('a member is shown as in the list, with the registration data of each company', async () => {
  const [here, there] = companies as [Company, Company]
  const aliases = { email: 'helena@mail.example', 'monthly-salary': 523_000 }
  const person = primary({ ...sent, ...aliases, 'employee-id': '00172', reference: 'vaga 7' })
  await testApp.include(partner, here, [person], '?resolution=approve')
  const elsewhere = { ...primary({ 'tax-id': person['tax-id'], name: 'Helena Souza', phone: '(11) 98765-4321' }) }
  await testApp.include(partner, there, [elsewhere], '?resolution=approve')
  const { result } = expectOk(await partner.get(`/v1/member/${await idOf(person['tax-id'])}`)).body
  const { registrations, family, ...member } = result
  expect(family).toEqual([])
  const list = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${person['tax-id']}`)).body
  expect(member).toEqual(list.result[0])
  const common = {
    'tax-id': person['tax-id'],
    'mothers-name': 'Fátima Brandão',
    'date-of-birth': '1990-05-17',
    gender: 'female',
    'admission-date': '2026-11-02',
  }
  expect(registrations).toEqual([
    {
      'company-tax-id': here.taxId,
      ...common,
      ...held,
      name: 'Helena Brandão Souza',
      'employee-id': '00172',
      'email-private': 'helena@mail.example',
      salary: 523_000,
    },
    { 'company-tax-id': there.taxId, ...common, name: 'Helena Souza', phone: '11987654321' },
  ])
})

test('the list has the registration data too, if wanted: streamed, in pages and filtered', async () => {
  const [here, there] = companies as [Company, Company]
  const dental = { 'dental-insurance': [{ name: 'Dental Sorriso', 'start-option': 'on-inclusion-date' }] }
  const person = primary({ ...sent, 'monthly-salary': 612_300, 'cost-center': '4100', 'employee-id': '00173' })
  const products = { ...person.products, ...dental }
  await testApp.include(partner, here, [{ ...person, products }], '?resolution=approve')
  await testApp.include(partner, there, [primary({ 'tax-id': person['tax-id'] })], '?resolution=approve')
  const byCompany = (a: Json, b: Json) => (a['company-tax-id'] < b['company-tax-id'] ? -1 : 1)
  const detail = expectOk(await partner.get(`/v1/member/${await idOf(person['tax-id'])}`)).body.result
  expect(detail.registrations).toContainEqual(
    expect.objectContaining({ ...held, salary: 612_300, 'cost-center': '4100', 'employee-id': '00173' }),
  )
  const registrations = detail.registrations.toSorted(byCompany)
  for (const query of ['', '&page=1&items-per-page=500', `&filter=tax-id%3D${person['tax-id']}`]) {
    const list = async (more: string) => expectOk(await partner.get(`/v1/member?${more}${query}`)).body.result
    const found = (items: Json[]) => items.find(({ profile }) => profile['tax-id'] === person['tax-id'])
    const { registrations: _registrations, family: _family, ...item } = detail
    expect(found(await list('include=registration'))).toEqual({ ...item, registrations })
    expect(found(await list('include-inactive=false'))).toEqual(item)
  }
  const other = await testApp.partner(there.taxId)
  const { result } = expectOk(await other.get('/v1/member?include=registration')).body
  const own = result.find(({ profile }: Json) => profile['tax-id'] === person['tax-id'])
  expect(own.registrations.map((one: Json) => one['company-tax-id'])).toEqual([there.taxId])
  expect((await partner.get('/v1/member?include=salary')).body.details).toMatchObject([{ allowed: ['registration'] }])
})

test('inactive and pending benefits are shown', async () => {
  const [company] = companies as [Company]
  const person = primary()
  await testApp.include(partner, company, [person])
  const { result } = expectOk(await partner.get(`/v1/member/${await idOf(person['tax-id'])}`)).body
  expect(result.benefits.map((benefit: Json) => benefit.status)).toEqual(['pending'])
})

test('an unknown member and one of another client get the same response', async () => {
  const foreign = await testApp.company()
  const other = await testApp.partner(foreign.taxId)
  const person = primary()
  await testApp.include(other, foreign, [person], '?resolution=approve')
  const { result } = expectOk(await other.get(`/v1/member?filter=tax-id%3D${person['tax-id']}`)).body
  for (const id of [result[0].id, randomUUID()]) {
    const { status, body } = await partner.get(`/v1/member/${id}`)
    expect([status, body.error]).toEqual([404, 'Member not found'])
  }
  const { status, body } = await partner.get('/v1/member/7')
  expect([status, body.error]).toEqual([400, 'Invalid member-id'])
})

test('registration data of an inclusion reach a person who is a member already when it completes', async () => {
  const [company] = companies as [Company]
  const person = primary()
  await testApp.include(partner, company, [person], '?resolution=approve')
  const dental = { 'dental-insurance': [{ name: 'Dental Sorriso', 'start-option': 'on-inclusion-date' }] }
  const request = await testApp.include(partner, company, [{ ...person, ...sent, products: dental }])
  const read = async () => {
    const { result } = expectOk(await partner.get(`/v1/member/${await idOf(person['tax-id'])}`)).body
    return result.registrations[0]
  }
  expect(await read()).not.toHaveProperty('bank-number')
  const { 'enrollment-id': id } = request['status-by-tax-id'][person['tax-id']]['Dental Sorriso']
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' }))
  expect(await read()).toMatchObject(held)
})

test('two names of one value must agree; blank and null are not sent', async () => {
  const [company] = companies as [Company]
  const members = [
    primary({ email: 'a@mail.example', 'email-private': 'a@mail.example', salary: 1, 'monthly-salary': 1 }),
    primary({ email: null, 'monthly-salary': null, 'bank-number': ' ', 'address-state': '' }),
    primary({ email: 'a@mail.example', 'email-private': 'b@mail.example', salary: 1, 'monthly-salary': 2 }),
  ]
  const body = { 'company-tax-id': company.taxId, members }
  const { body: judged } = await partner.post('/v1/enrollment/inclusion?dry-run=true', body, {
    prefer: 'handling=lenient',
  })
  const rejected = judged.result.map(({ index, offenses }: Json) => [index, offenses])
  expect(rejected).toEqual([[2, ['invalid-email', 'invalid-monthly-salary']]])
})
