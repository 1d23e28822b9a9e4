import { beforeAll, expect, test } from 'vitest'
import { putInvoice } from '../../world/invoice.ts'
import { discrepanciesOf } from '../../world/carrier-file.ts'
import { act, enroll, openShipper, openShipmentOf } from '../../world/shipment.ts'
import { compareInvoice, known, workedEntries, workedPeople } from '../../world/worked-invoice.ts'
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
let contractId: string
let shipmentId: string
let claimId: string

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
  const shipper = await openShipper(testApp, { 'contract-number': 'AP-77.3310', 'sub-contract': '02' })
  contractId = shipper.contractId
  await enroll(testApp, shipper, [primary()])
  shipmentId = await openShipmentOf(testApp, contractId)
  expectOk(await act(testApp, shipmentId, 'close', { 'skip-not-ready': true }))
  expectOk(await act(testApp, shipmentId, 'send', { 'carrier-protocol': 'REM/88-4107' }))
  const invoiced = await known(testApp, workedPeople)
  const compared = await compareInvoice(testApp, invoiced, '2026-11', workedEntries)
  const [first] = await discrepanciesOf(testApp, compared['reconciliation-id'], '&class=charged-after-end')
  const claim = { 'reconciliation-id': compared['reconciliation-id'], 'discrepancy-ids': [first['discrepancy-id']] }
  claimId = expectOk((await admin?.post('/operator/v1/claim', claim)) as never).body.result['claim-id']
  const sent = { status: 'sent', 'carrier-protocol': 'CONT-2026/4711' }
  expectOk((await admin?.post(`/operator/v1/claim/${claimId}/status`, sent)) as never)
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

test('everything else is found by what names it', async () => {
  const { taxId } = company
  const all: [string, [string, string]][] = [
    ['ipe roxo', ['company', taxId]],
    [taxId, ['company', taxId]],
    ['prot/2026-77', ['movement', movementId]],
    [movementId, ['movement', movementId]],
    [requestId, ['request', requestId]],
    ['fat-2026/09', ['invoice', invoiceId]],
    ['ap-77.33', ['contract', contractId]],
    ['cont-2026/47', ['claim', claimId]],
    ['11/2026', ['claim', claimId]],
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
      'carrier-name': null,
      'contract-number': null,
      number: null,
      'reference-month': null,
      reference: null,
      'carrier-protocol': null,
      'due-date': null,
    },
  ])
})

test('each role finds what it reads', async () => {
  const all = ['zoraide', 'ipe roxo', 'ap-77.33', 'prot/2026-77123', requestId, 'rem/88', 'cont-2026', 'fat-2026/0981']
  const typesOf = async (by: Client) => [
    ...new Set((await Promise.all(all.map((q) => found(q, by)))).flat().map(([type]) => type)),
  ]
  const everything = ['member', 'company', 'contract', 'movement', 'request', 'shipment', 'claim', 'invoice']
  expect(await typesOf(clients.admin)).toEqual(everything)
  expect(await typesOf(clients.analyst)).toEqual(everything.slice(0, -1))
  expect(await typesOf(clients.finance)).toEqual(['company', 'contract', 'shipment', 'claim', 'invoice'])
  expect(await typesOf(clients.auditor)).toEqual(everything)
  expect(await found(person['tax-id'], clients.auditor)).toEqual([])
})

test('what was found of a contract says which one it is of', async () => {
  const bodyOf = async (q: string) => expectOk(await clients.finance.get(`/operator/v1/search?q=${q}`)).body.result[0]
  const contract = { 'carrier-name': 'Operadora Aurora', 'contract-number': 'AP-77.3310 / 02' }
  expect(await bodyOf('ap-77.3310')).toMatchObject({ ...contract, number: null })
  expect(await bodyOf('rem/88')).toMatchObject({ ...contract, number: 1, 'carrier-protocol': 'REM/88-4107' })
  expect(await bodyOf('cont-2026')).toMatchObject({
    'contract-number': '900001',
    'reference-month': '2026-11',
    'carrier-protocol': 'CONT-2026/4711',
  })
})

test('a carrier is found by a part of its name, with its contracts and claims; a shipment by its number', async () => {
  const typesOf = async (q: string) => new Set((await found(q, clients.finance)).map(([type]) => type))
  expect(await typesOf('dora auro')).toEqual(new Set(['carrier', 'contract', 'claim']))
  // With the movements that went with it.
  expect((await found('rem/88')).map(([type]) => type)).toEqual(['movement', 'shipment'])
  expect(await found('remessa 1')).toContainEqual(['shipment', shipmentId])
  expect(await found('remessa 2')).not.toContainEqual(['shipment', shipmentId])
  expect(await found('001')).toContainEqual(['shipment', shipmentId])
})

test('the lists search by the same text', async () => {
  const lists = [
    ['contract', 'ap-77.33', contractId],
    ['shipment', 'rem/88', shipmentId],
    ['claim', 'cont-2026', claimId],
    ['invoice', 'fat-2026', invoiceId],
  ] as const
  for (const [noun, q, id] of lists) {
    const { result, pagination } = expectOk(await clients.finance.get(`/operator/v1/${noun}?q=${q}`)).body
    expect([result[0][`${noun}-id`] ?? result[0].id, pagination['total-items']]).toEqual([id, 1])
  }
  const { result } = expectOk(await clients.finance.get('/operator/v1/carrier?q=AURÓRA')).body
  expect(result.map((one: Json) => one.name)).toEqual(['Operadora Aurora'])
})

test('at most five of a type are found, and the number of all is told up to a hundred', async () => {
  // One after the other: at once, some may get 503 on Citus.
  for (let n = 0; n < 7; n += 1) await testApp.company({ name: `Mercado Sumaúma ${n}` })
  expect(await found('sumauma')).toHaveLength(5)
  const { counts } = expectOk(await clients.admin.get('/operator/v1/search?q=sumauma')).body
  expect(counts).toEqual([{ type: 'company', count: 7 }])
  const partner = await testApp.partner(company.taxId)
  const people = Array.from({ length: 104 }, (_, n) => primary({ name: `Jurema Sapucaia ${n}` }))
  await testApp.include(partner, company, people)
  const all = expectOk(await clients.analyst.get('/operator/v1/search?q=sapucaia')).body
  expect(all.result).toHaveLength(5)
  expect(all.counts).toEqual([{ type: 'member', count: 100 }])
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
