import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { SOURCES } from '#registry/rules/layout-fields.ts'
import { readContractValues, readMovementRecords } from '#exchange/shipments/movement-records.ts'
import { makeContract } from '../../world/contract.ts'
import {
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  premium,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp()
let database: Database
let company: Company
let partner: Client

beforeAll(async () => {
  const options = { url: testApp.databaseUrl, connections: 2, namedStatements: true, applicationName: 'layouts' }
  database = openDatabase(options, openLog('error'))
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})

afterAll(() => database.close())

const idOf = (request: Json, taxId: string, product = health): string =>
  request['status-by-tax-id'][taxId][product]['enrollment-id']
const readRecords = (...ids: readonly string[]) => readMovementRecords(database, company.id, ids)
const valuesOf = async (id: string) => (await readRecords(id))[0]?.values ?? {}

test('an inclusion has what was sent, and the plan and the numbers of the contract', async () => {
  const contract = await makeContract(testApp, company, {
    'sub-contract': '0002',
    'ans-registration': '326305',
    plans: [{ 'product-id': company.products[health], 'carrier-plan-code': 'AE1230' }],
  })
  const mother = primary({
    'employee-id': 'M-17',
    salary: 450_000,
    'email-private': 'helena@example.com',
    'address-street': 'Rua das Flores',
    'bank-number': '237',
  })
  const child = dependent(mother['tax-id'])
  const request = await testApp.include(partner, company, [mother, child])
  const [first, second] = await readRecords(idOf(request, child['tax-id']), idOf(request, mother['tax-id']))
  expect(first?.enrollmentId).toBe(idOf(request, mother['tax-id']))
  expect(second?.familyId).toBe(first?.familyId)
  const shared = {
    'contract.contract-number': '900001',
    'contract.sub-contract': '0002',
    'contract.carrier-name': 'Operadora Aurora',
    'contract.ans-registration': '326305',
    'contract.company-tax-id': company.taxId,
    'contract.company-name': 'Metalúrgica Serra Azul S.A.',
  }
  expect(first?.values).toEqual({
    ...shared,
    'movement.enrollment-id': first?.enrollmentId,
    'movement.kind': 'inclusion',
    'movement.beneficiary-type': 'primary',
    'movement.created-at': expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    'movement.start-date': monday,
    'person.name': mother['name'],
    'person.tax-id': mother['tax-id'],
    'person.date-of-birth': mother['date-of-birth'],
    'person.gender': 'female',
    'person.mothers-name': mother['mothers-name'],
    'person.email-private': 'helena@example.com',
    'person.relationship': 'primary',
    'registration.employee-id': 'M-17',
    'registration.salary': '450000',
    'registration.admission-date': mother['admission-date'],
    'address.street': 'Rua das Flores',
    'bank.number': '237',
    'primary.name': mother['name'],
    'primary.tax-id': mother['tax-id'],
    'primary.date-of-birth': mother['date-of-birth'],
    'primary.employee-id': 'M-17',
    'plan.product-name': health,
    'plan.product-type': 'health-insurance',
    'plan.carrier-plan-code': 'AE1230',
    'benefit.start-date': monday,
  })
  expect(second?.values).toMatchObject({
    'movement.beneficiary-type': 'dependent',
    'person.relationship': 'child',
    'person.name': child['name'],
    'primary.tax-id': mother['tax-id'],
    'primary.status': 'pending',
  })
  expect(await readContractValues(database, company.id, contract['contract-id'])).toEqual(shared)
  expect(await readContractValues(database, company.id, company.id)).toBe(null)
})

test('a dependent says where the carrier has its primary', async () => {
  const mother = primary()
  const child = dependent(mother['tax-id'])
  const request = await testApp.include(partner, company, [mother, child])
  const ids = [idOf(request, mother['tax-id']), idOf(request, child['tax-id'])] as const
  await testApp.sql(`update open_movement set status = 'carrier-processing' where id = $1`, [ids[0]])
  expect((await valuesOf(ids[1]))['primary.status']).toBe('sent')
  await testApp.sql(`update open_movement set status = 'created' where id = $1`, [ids[0]])
  expectOk(
    await testApp.operator.post(`/operator/v1/enrollment/${ids[0]}/transition`, {
      status: 'completed',
      'card-number': '0045',
    }),
  )
  expect(await valuesOf(ids[1])).toMatchObject({ 'primary.status': 'active', 'primary.card-number': '0045' })
})

test('an exclusion has its day and its reason', async () => {
  const person = primary()
  await testApp.include(partner, company, [person], '?resolution=approve')
  const details = { 'end-date': '2026-12-31', 'exclusion-reason': 'other', 'exclusion-reason-details': 'Acordo' }
  const response = await partner.post('/v1/enrollment/exclusion', {
    'company-tax-id': company.taxId,
    members: [{ 'tax-id': person['tax-id'], 'exclusion-details': details }],
  })
  const request = await testApp.finished(partner, expectOk(response).body['request-id'])
  expect(await valuesOf(idOf(request, person['tax-id']))).toMatchObject({
    'movement.kind': 'exclusion',
    'movement.end-date': '2026-12-31',
    'movement.exclusion-reason': 'other',
    'movement.reason': 'Acordo',
    'person.name': person['name'],
    'benefit.start-date': monday,
  })
})

test('an exclusion has what the carrier must know of a person who may keep the plan', async () => {
  const person = primary()
  await testApp.include(partner, company, [person], '?resolution=approve')
  const items = {
    contributed: true,
    'contribution-months': 40,
    'keeps-working-after-retirement': false,
    'notice-date': '2026-11-05',
    option: 'accepted',
    'option-date': '2026-11-06',
  }
  const details = { 'end-date': '2026-12-31', 'exclusion-reason': 'retirement', ...items }
  const response = await partner.post('/v1/enrollment/exclusion', {
    'company-tax-id': company.taxId,
    members: [{ 'tax-id': person['tax-id'], 'exclusion-details': details }],
  })
  const request = await testApp.finished(partner, expectOk(response).body['request-id'])
  const values = await valuesOf(idOf(request, person['tax-id']))
  for (const [item, value] of Object.entries(items)) expect(values[`movement.${item}`]).toBe(String(value))
  expect(values['movement.continuation-ground']).toBe('retirement')
})

test('an alteration has what is registered, and what changes', async () => {
  const person = primary()
  await testApp.include(partner, company, [person], '?resolution=approve')
  const alter = async (data: Json) => {
    const response = await partner.post(`/v1/enrollment/alteration/${person['tax-id']}`, {
      'company-tax-id': company.taxId,
      'alteration-data': data,
    })
    const request = await testApp.finished(partner, expectOk(response).body['request-id'])
    const [status] = Object.values<Json>(request['status-by-tax-id'][person['tax-id']])
    return valuesOf(status['enrollment-id'])
  }
  const renamed = await alter({ name: 'Helena Lima', 'address-city': 'Recife', reason: 'Casamento' })
  expect(renamed).toMatchObject({
    'movement.kind': 'alteration',
    'movement.alteration-type': 'registration',
    'movement.reason': 'Casamento',
    'former.name': person['name'],
    'changed.name': 'Helena Lima',
    'changed-address.city': 'Recife',
    'person.name': 'Helena Lima',
    'address.city': 'Recife',
  })
  expect(renamed).not.toHaveProperty('changed.gender')
  const moved = await alter({ 'new-product-id': company.products[premium] })
  expect(moved).toMatchObject({
    'movement.alteration-type': 'plan',
    'former-plan.product-name': health,
    'former-plan.carrier-plan-code': 'AE1230',
    'plan.product-name': premium,
    'changed-plan.product-name': premium,
  })
  const unknown = [...Object.keys(renamed), ...Object.keys(moved)].filter((name) => !(name in SOURCES))
  expect(unknown).toEqual([])
})

test('a second card and a transfer have their kind, and what is new', async () => {
  const person = primary({ 'employee-id': 'M-17', 'cost-center': '4100' })
  await testApp.include(partner, company, [person], '?resolution=approve')
  const [member] = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${person['tax-id']}`)).body.result
  const request = async (act: string, body: Json) => {
    const response = expectOk(await testApp.operator.post(`/operator/v1/member/${member.id}/${act}`, body)).body
    return valuesOf(idOf(await testApp.finished(partner, response['request-id']), person['tax-id']))
  }
  expect(await request('second-card', { 'product-id': company.products[health], reason: 'stolen' })).toMatchObject({
    'movement.kind': 'second-card',
    'movement.reason': 'stolen',
    'movement.second-card-reason': 'stolen',
  })
  const transfer = { 'start-date': monday, 'sub-contract': '0009', 'employee-id': 'M-18', 'cost-center-name': 'Solda' }
  expect(await request('contract-transfer', transfer)).toMatchObject({
    'movement.kind': 'contract-transfer',
    'movement.start-date': monday,
    'movement.sub-contract': '0009',
    'destination.company-tax-id': company.taxId,
    'destination.contract-number': '900001',
    'destination.sub-contract': '0009',
    'former.employee-id': 'M-17',
    'changed.employee-id': 'M-18',
    'changed.cost-center-name': 'Solda',
    'registration.cost-center': '4100',
  })
})

test('a change of company says to which company and contract, for the carrier that is left', async () => {
  const other = await testApp.company()
  await makeContract(testApp, other, {
    'contract-number': '900777',
    'sub-contract': '0031',
    plans: [{ 'product-id': other.products[health], 'carrier-plan-code': 'ZZ' }],
  })
  const broker = await testApp.partner(company.taxId, other.taxId)
  const change = async (product: string) => {
    const person = primary({
      products: inProduct(product === dental ? 'dental-insurance' : 'health-insurance', product),
    })
    await testApp.include(partner, company, [person], '?resolution=approve')
    const response = await broker.post(`/v1/enrollment/alteration/${person['tax-id']}`, {
      'company-tax-id': company.taxId,
      'alteration-data': { 'new-company-tax-id': other.taxId },
    })
    const request = await testApp.finished(broker, expectOk(response).body['request-id'])
    const [status] = Object.values<Json>(request['status-by-tax-id'][person['tax-id']])
    return valuesOf(status['enrollment-id'])
  }
  const moved = await change(health)
  expect(moved).toMatchObject({
    'movement.alteration-type': 'company',
    'contract.company-tax-id': company.taxId,
    'destination.company-tax-id': other.taxId,
    'destination.contract-number': '900777',
    'destination.sub-contract': '0031',
  })
  expect(Object.keys(moved).filter((name) => !(name in SOURCES))).toEqual([])
  const withoutContract = await change(dental)
  expect(withoutContract).toMatchObject({ 'destination.company-tax-id': other.taxId })
  expect(withoutContract).not.toHaveProperty('destination.contract-number')
})

test('families are together in the order of their first movement, and a movement of another company is none', async () => {
  const families = [primary(), primary(), primary()].map((head) => [head, dependent(head['tax-id'])] as const)
  const people = families.flat()
  const request = await testApp.include(partner, company, [
    ...people,
    { ...families[0]?.[0], products: inProduct('dental-insurance', dental) },
  ])
  const ids = people.map((person) => idOf(request, person['tax-id']))
  const records = await readRecords(...ids.toReversed())
  expect(records.map(({ values }) => values['movement.beneficiary-type'])).toEqual(
    families.flatMap(() => ['primary', 'dependent']),
  )
  for (const [index, record] of records.entries()) {
    if (index % 2 === 1) expect(record.familyId).toBe(records[index - 1]?.familyId)
  }
  expect(await readMovementRecords(database, (await testApp.company()).id, ids)).toEqual([])
})
