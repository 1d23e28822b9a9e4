import { beforeAll, expect, test } from 'vitest'
import { putInvoice } from '../../world/invoice.ts'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  inProduct,
  type Json,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp()
let company: Company
let clients: Record<'admin' | 'analyst' | 'finance' | 'auditor', Client>
let person: Json
let cardOwner: Json
let movementId: string
let requestId: string
let invoiceId: string

beforeAll(async () => {
  company = await testApp.company({ name: 'Óptica Ipê Roxo Ltda.' })
  const other = await testApp.company({ name: 'Transportes Jatobá S.A.' })
  const partner = await testApp.partner(company.taxId, other.taxId)
  const [admin, analyst, finance, auditor] = await Promise.all(
    (['admin', 'analyst', 'finance', 'auditor'] as const).map((role) => testApp.operatorOf(role)),
  )
  clients = { admin, analyst, finance, auditor } as typeof clients
  person = primary({ name: 'Zoraide Araçá Pequi', 'employee-id': 'MAT-90417' })
  cardOwner = primary({ name: 'Ubirajara Caqui' })
  const included = await testApp.include(partner, company, [person, cardOwner])
  await testApp.include(
    partner,
    other,
    [{ ...person, products: inProduct('dental-insurance', dental) }],
    '?resolution=approve',
  )
  const enrollmentOf = (member: Json): Json => Object.values(included['status-by-tax-id'][member['tax-id']])[0] as Json
  movementId = enrollmentOf(person)['enrollment-id']
  requestId = included['request-id']
  const transition = (member: Json, body: Json) =>
    analyst?.post(`/operator/v1/enrollment/${enrollmentOf(member)['enrollment-id']}/transition`, body)
  expectOk((await transition(person, { status: 'broker-processing' })) as never)
  expectOk((await transition(person, { status: 'carrier-processing', 'carrier-protocol': 'PROT/2026-77123' })) as never)
  expectOk((await transition(cardOwner, { status: 'completed', 'card-number': '0077.4521-0098' })) as never)
  invoiceId = await putInvoice(testApp, company, { id: 'FAT-2026/0981' })
})

const found = async (q: string, by: Client = clients.admin): Promise<[string, string][]> => {
  const body = expectOk(await by.get(`/operator/v1/search?${new URLSearchParams({ q }).toString()}`)).body
  return body.result.map(({ type, id }: Json) => [type, id])
}

const memberIdOf = async (member: Json): Promise<string> =>
  expectOk(await clients.admin.get(`/operator/v1/member?include-inactive=true&tax-id=${member['tax-id']}`)).body
    .result[0].id

test('a person is found by a part of the CPF, parts of the name and of the employee id, and the card number, once for all companies', async () => {
  const id = await memberIdOf(person)
  const taxId: string = person['tax-id']
  const formatted = `${taxId.slice(0, 3)}.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-${taxId.slice(9)}`
  for (const q of [taxId, formatted, taxId.slice(0, 9), taxId.slice(2), 'ARACA PEQUI', 'zoraide', ' mat-904 ']) {
    expect([q, await found(q)]).toEqual([q, [['member', id]]])
  }
  for (const q of ['0077.4521-0098', '007745210098']) {
    expect([q, await found(q)]).toEqual([q, [['member', await memberIdOf(cardOwner)]]])
  }
})

test('companies, movements, requests and invoices are found by what names them', async () => {
  const { taxId } = company
  const all: [string, [string, string]][] = [
    ['ipe roxo', ['company', taxId]],
    [taxId, ['company', taxId]],
    ['prot/2026-77', ['movement', movementId]],
    [movementId, ['movement', movementId]],
    [requestId, ['request', requestId]],
    ['fat-2026/09', ['invoice', invoiceId]],
  ]
  for (const [q, expected] of all) expect([q, await found(q)]).toEqual([q, [expected]])
})

test('a found person has a masked CPF and a company', async () => {
  const body = expectOk(await clients.analyst.get('/operator/v1/search?q=zoraide')).body
  const taxId: string = person['tax-id']
  expect(body.result).toEqual([
    {
      type: 'member',
      id: await memberIdOf(person),
      name: person['name'],
      'tax-id': `***.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-**`,
      'company-name': 'Óptica Ipê Roxo Ltda.',
      reference: null,
      'carrier-protocol': null,
      'due-date': null,
    },
  ])
})

test('each role finds what it reads', async () => {
  const all = ['zoraide', 'ipe roxo', 'prot/2026-77123', requestId, 'fat-2026/0981']
  const typesOf = async (by: Client) => (await Promise.all(all.map((q) => found(q, by)))).flat().map(([type]) => type)
  expect(await typesOf(clients.admin)).toEqual(['member', 'company', 'movement', 'request', 'invoice'])
  expect(await typesOf(clients.analyst)).toEqual(['member', 'company', 'movement', 'request'])
  expect(await typesOf(clients.finance)).toEqual(['company', 'invoice'])
  expect(await typesOf(clients.auditor)).toEqual(['member', 'company', 'movement', 'request', 'invoice'])
  expect(await found(person['tax-id'], clients.auditor)).toEqual([])
})

test('at most five of a type are found', async () => {
  // One after the other: at once, some may get 503 on Citus.
  for (let n = 0; n < 7; n += 1) await testApp.company({ name: `Mercado Sumaúma ${n}` })
  expect(await found('sumauma')).toHaveLength(5)
})

test('a search of less than three characters, without the spaces around them, is refused, and wildcards have no meaning', async () => {
  for (const q of ['ze', ' ze ', '']) {
    const { status } = await clients.admin.get(`/operator/v1/search?${new URLSearchParams({ q }).toString()}`)
    expect([q, status]).toEqual([q, 400])
  }
  expect(await found('zor%de')).toEqual([])
  expect(await found('%%%')).toEqual([])
})

test.each([
  ['D’Ávila Łukasz', ["d'avila", 'D AVILA', 'davila', 'd’ávila', 'lukasz', 'ŁUKASZ', 'd`avila lukasz']],
  ['Sant\u2019Anna Ana\u2011Maria', ['santanna', "sant'anna", 'SANT ANNA', 'ana-maria', 'ana maria', 'anamaria']],
])('%s is found however apostrophes, hyphens and letters are written, in every search', async (name, searches) => {
  const [here, shown] = [await testApp.company(), primary({ name })]
  const partner = await testApp.partner(here.taxId)
  await testApp.include(partner, here, [shown], '?resolution=approve')
  for (const q of searches) {
    const query = `q=${encodeURIComponent(q)}`
    const paths = [
      `/operator/v1/search?${query}`,
      `/operator/v1/member?${query}`,
      `/operator/v1/enrollment?status=completed&${query}`,
    ]
    const found = await Promise.all(paths.map(async (path) => expectOk(await testApp.operator.get(path)).text))
    const ofPartner = expectOk(await partner.get(`/v1/member?${query}`)).text
    expect([q, ...[...found, ofPartner].map((text) => text.includes(name.slice(0, 4)))]).toEqual([
      q,
      true,
      true,
      true,
      true,
    ])
  }
})
