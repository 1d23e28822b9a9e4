import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { dependent, health, inProduct, type Json, primary, useTestApp, useCompany } from '../../world/test-app.ts'

/* What a batch says of an item: as much as the call for one, and the values of the wire in Portuguese. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const portuguese = { 'accept-language': 'pt-BR' }
const include = (...members: Json[]) =>
  partner.post('/v1/enrollment/inclusion', { 'company-tax-id': company.taxId, members }, portuguese)
const detailsOf = ({ status, body }: { status: number; body: Json }) => [
  status,
  body.result?.map((one: Json) => one['offense-details']),
]

test('an exclusion before the start has the reason and the sentence of the call for one', async () => {
  const member = primary()
  await testApp.include(partner, company, [member], '?resolution=approve')
  const details = { 'exclusion-reason': 'dismissal', 'end-date': '2020-01-01' }
  const path = `/v1/enrollment/exclusion/${member['tax-id']}/product/${company.products[health]}`
  const one = await partner.post(path, { 'exclusion-details': details }, portuguese)
  const [detail] = one.body.details
  expect([one.status, detail]).toMatchObject([
    400,
    { field: 'exclusion-details.end-date', code: 'before-start-date', message: expect.stringContaining('anterior') },
  ])
  const members = [{ 'tax-id': member['tax-id'], 'exclusion-details': details }]
  const batch = await partner.post('/v1/enrollment/exclusion', { 'company-tax-id': company.taxId, members }, portuguese)
  const { field, code, message } = detail
  expect(detailsOf(batch)).toEqual([400, [[{ code: 'invalid-exclusion-details', field, reason: code, message }]]])
})

test('a document that is not there has its index and its reason', async () => {
  const documents = [{ 'document-id': randomUUID(), 'document-type': 'birth-certificate-or-national-id' }]
  expect(detailsOf(await include(primary({ documents })))).toMatchObject([
    400,
    [[{ code: 'invalid-documents', field: 'documents', 'document-index': 0, reason: 'unknown' }]],
  ])
})

describe('a value of a closed set that is refused in Portuguese', () => {
  const mother = primary()
  test.each<[string, () => Json[], readonly string[]]>([
    ['gender', () => [primary({ gender: 'M' })], ['male', 'female']],
    ['dependent-type', () => [mother, dependent(mother['tax-id'], { 'dependent-type': 'filho' })], ['spouse', 'child']],
    [
      'start-option',
      () => [primary({ products: inProduct('health-insurance', health, 'agora') })],
      ['on-inclusion-date', 'on-admission-date', 'on-next-billing-period'],
    ],
  ])('names those that are taken: %s', async (_, members, values) => {
    const { status, body } = await include(...members())
    expect(status).toBe(400)
    const { message } = body.result[0]['offense-details'][0]
    for (const value of values) expect(message).toMatch(new RegExp(`Em JSON:.*\\b${value}\\b`))
  })
})
