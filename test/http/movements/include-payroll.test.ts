import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { nextBillingDate } from '#kernel/calendar.ts'
import { type Company, expectOk, type Json, monday, useTestApp, type Client } from '../../world/test-app.ts'

const read = (name: string): Json => JSON.parse(readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8'))
const payroll = read('payroll-1000.json')
// The file has formatted and unformatted CPFs; responses have digits only.
for (const member of payroll.members) member['tax-id'] = digits(member['tax-id'])
const offenses = read('payroll-offenses.json')
const { 'company-tax-id': taxId, ...companyBody } = read('company.json')

function digits(cpf: string): string {
  return cpf.replaceAll(/\D/g, '')
}

const testApp = useTestApp()
let partner: Client
let company: Company

beforeAll(async () => {
  const put = expectOk(await testApp.operator.put(`/operator/v1/company/${taxId}`, companyBody))
  company = { id: put.body.result.id, taxId, products: {} }
  partner = await testApp.partner(taxId)
})

const itemsOf = (member: Json): { name: string; option: string }[] =>
  Object.values<Json>(member.products)
    .flat()
    .map((item) => ({ name: item.name, option: item['start-option'] }))

test('a payroll batch with offenses gets 400 with exactly the offenses of each member; nothing is stored', async () => {
  const members = offenses.members.map(({ expect: _expect, ...member }: Json) => member)
  const response = await partner.post('/v1/enrollment/inclusion', { 'company-tax-id': taxId, members })
  expect(response.status).toBe(400)
  expect(response.body.error).toBe('Invalid members')
  const offensesByIndex = new Map(response.body.result.map((entry: Json) => [entry.index, entry.offenses]))
  expect(offenses.members.map((_member: Json, index: number) => offensesByIndex.get(index) ?? [])).toEqual(
    offenses.members.map((member: Json) => member.expect),
  )
  expect(response.body.result.map((entry: Json) => entry.index)).toEqual(
    [...offensesByIndex.keys()].toSorted((a: Json, b: Json) => a - b),
  )
  expect(await testApp.sql('select 1 from request')).toEqual([])
})

test('the same batch with Prefer: handling=lenient gets 200; the valid members are accepted', async () => {
  const members = offenses.members.map(({ expect: _expect, ...member }: Json) => member)
  const body = { 'company-tax-id': taxId, members }
  const response = await partner.post('/v1/enrollment/inclusion', body, { prefer: 'respond-async, handling=lenient' })
  expect(response.status).toBe(200)
  expect(response.headers.get('preference-applied')).toBe('handling=lenient')
  const offensesByIndex = new Map(response.body.result.map((entry: Json) => [entry.index, entry.offenses]))
  expect(offenses.members.map((_member: Json, index: number) => offensesByIndex.get(index) ?? [])).toEqual(
    offenses.members.map((member: Json) => member.expect),
  )
  const request = await testApp.finished(partner, response.body['request-id'])
  expect(request.status).toBe('completed')
  const taken = offenses.members.filter((member: Json) => member.expect.length === 0)
  expect(Object.keys(request['status-by-tax-id']).toSorted()).toEqual(
    taken.map((one: Json) => one['tax-id']).toSorted(),
  )
})

test('a payroll of 1,858 members is accepted, approved in bulk and read with the right start dates', async () => {
  const response = await partner.post('/v1/enrollment/inclusion', read('payroll-1000.json'))
  expect(response.status).toBe(200)
  expect(response.body.result).toBeUndefined()
  const request = await testApp.finished(partner, response.body['request-id'])
  expect(request.status).toBe('completed')
  const parts = request['status-by-tax-id']
  expect(Object.keys(parts)).toHaveLength(payroll.members.length)
  for (const member of payroll.members) {
    const mine = parts[member['tax-id']]
    expect(Object.keys(mine).toSorted()).toEqual(
      itemsOf(member)
        .map((item) => item.name)
        .toSorted(),
    )
    expect(
      Object.values<Json>(mine).every((part) => part.status === 'enrollment-created' && part['enrollment-id']),
    ).toBe(true)
  }

  const ids = Object.values<Json>(parts).flatMap((mine) =>
    Object.values<Json>(mine).map((part) => part['enrollment-id']),
  )
  const primaries = new Set(
    payroll.members.filter((m: Json) => m['beneficiary-type'] === 'primary').map((m: Json) => m['tax-id']),
  )
  const primaryIds = Object.entries<Json>(parts).flatMap(([cpf, mine]) =>
    primaries.has(cpf) ? Object.values<Json>(mine).map((part) => part['enrollment-id']) : [],
  )
  const order = [...primaryIds, ...ids.filter((id) => !primaryIds.includes(id))]
  for (let from = 0; from < order.length; from += 1_000) {
    const some = order.slice(from, from + 1_000)
    const moved = await testApp.operator.post(
      '/operator/v1/enrollment/transition',
      { 'enrollment-ids': some, status: 'completed' },
      { prefer: 'wait=60' },
    )
    expect(moved.status).toBe(200)
    expect(moved.body.result).toEqual(some.map((id) => ({ 'enrollment-id': id, status: 'completed' })))
  }

  const listed = expectOk(await partner.get('/v1/member'))
  const byTaxId = new Map<string, Json>(listed.body.result.map((member: Json) => [member.profile['tax-id'], member]))
  expect(byTaxId.size).toBe(payroll.members.length)
  const admissions = new Map(payroll.members.map((member: Json) => [member['tax-id'], member['admission-date']]))
  const products = new Map<string, Json>(
    companyBody.products.map((product: Json) => [product['product-name'], product]),
  )
  const dates = payroll.members.map((member: Json) => ({
    cpf: member['tax-id'],
    starts: Object.fromEntries(
      itemsOf(member).map(({ name, option }) => {
        const product = products.get(name)
        if (option === 'on-inclusion-date') return [name, monday]
        if (option === 'on-admission-date')
          return [name, admissions.get(digits(member['primary-member-tax-id'] ?? member['tax-id']))]
        return [name, nextBillingDate(monday, product['billing-day'] ?? 1, product['cut-off-day'] ?? null)]
      }),
    ),
  }))
  const shown = payroll.members.map((member: Json) => {
    const benefits: Json[] = byTaxId.get(member['tax-id'])?.benefits ?? []
    return {
      cpf: member['tax-id'],
      starts: Object.fromEntries(benefits.map((benefit) => [benefit['product-name'], benefit['start-date']])),
    }
  })
  expect(shown).toEqual(dates)
  expect(listed.body.result.every((member: Json) => member.benefits.every((b: Json) => b.status === 'active'))).toBe(
    true,
  )
  expect(company.id).toBeTruthy()
})
