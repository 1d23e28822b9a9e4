import { expect, test } from 'vitest'
import {
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  useTestApp,
  primary,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const read = async (id: string): Promise<Json> =>
  expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result

test('an inclusion shows the person, the family, what was asked and every field that would be new', async () => {
  const mother = primary({ salary: 450_000, 'job-title': 'Soldadora' })
  const child = dependent(mother['tax-id'])
  const request = await testApp.include(partner, company, [mother, child])
  const id = request['status-by-tax-id'][mother['tax-id']][health]['enrollment-id']
  const shown = await read(id)
  expect(shown).toMatchObject({
    id,
    status: 'created',
    'request-id': request['request-id'],
    'client-id': partner.clientId,
    person: { name: mother['name'], 'tax-id': mother['tax-id'], salary: 450_000, 'job-title': 'Soldadora' },
    asked: { name: mother['name'], salary: 450_000 },
    documents: [],
  })
  expect(shown.difference).toContainEqual({ field: 'salary', old: null, new: 450_000 })
  expect(shown.difference).toContainEqual({ field: 'start-date', old: null, new: monday })
  expect(shown.family.map((one: Json) => [one['member-tax-id'], one.benefit.type, one.benefit.status])).toEqual([
    [mother['tax-id'], 'primary', 'pending'],
    [child['tax-id'], 'dependent', 'pending'],
  ])
  const theirs = await read(request['status-by-tax-id'][child['tax-id']][health]['enrollment-id'])
  expect(theirs.family).toHaveLength(2)
})

test('an inclusion of an existing member shows only the differences', async () => {
  const mother = primary()
  await testApp.include(partner, company, [mother], '?resolution=approve')
  const again = { ...mother, name: 'Helena Brandão Lima', products: inProduct('dental-insurance', dental) }
  const request = await testApp.include(partner, company, [again])
  const shown = await read(request['status-by-tax-id'][mother['tax-id']][dental]['enrollment-id'])
  expect(shown.difference).toEqual([
    { field: 'name', old: mother['name'], new: 'Helena Brandão Lima' },
    { field: 'start-date', old: null, new: monday },
  ])
})

test('an exclusion shows the last day, before and after; once it has ended there is no difference left', async () => {
  const mother = primary()
  await testApp.include(partner, company, [mother], '?resolution=approve')
  const body = { 'exclusion-details': { 'end-date': '2026-12-31', 'exclusion-reason': 'resignation' } }
  const path = `/v1/enrollment/exclusion/${mother['tax-id']}/product/${company.products[health]}`
  const requestId = expectOk(await partner.post(path, body)).body['request-id']
  const request = expectOk(await partner.get(`/v1/request/${requestId}`)).body
  const id = request['status-by-tax-id'][mother['tax-id']][health]['enrollment-id']
  const shown = await read(id)
  expect(shown.asked['exclusion-details']).toMatchObject({ 'exclusion-reason': 'resignation' })
  expect(shown.difference).toEqual([{ field: 'end-date', old: null, new: '2026-12-31' }])
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' }))
  expect((await read(id)).difference).toEqual([])
})

test('an exclusion of a dependent that follows the primary’s shows no difference where it ends earlier by its own', async () => {
  const mother = primary()
  const [son, daughter] = [dependent(mother['tax-id']), dependent(mother['tax-id'])]
  await testApp.include(partner, company, [mother, son, daughter], '?resolution=approve')
  const exclude = async (path: string, endDate: string, more: Json = {}) =>
    expectOk(
      await partner.post(`/v1/enrollment/exclusion/${path}`, {
        'exclusion-details': { 'end-date': endDate, 'exclusion-reason': 'dismissal', ...more },
      }),
    ).body['request-id']
  await exclude(`${son['tax-id']}/dependent-of/${mother['tax-id']}?resolution=approve`, '2026-11-25')
  for (const [more, difference] of [
    [{}, { field: 'end-date', old: null, new: '2026-11-30' }],
    [{ 'extension-plan': true }, { field: 'extension-plan', old: false, new: true }],
  ] as const) {
    const id = await exclude(`${mother['tax-id']}/product/${company.products[health]}`, '2026-11-30', more)
    const parts = expectOk(await partner.get(`/v1/request/${id}`)).body['status-by-tax-id']
    const differenceOf = async (one: Json) => (await read(parts[one['tax-id']][health]['enrollment-id'])).difference
    expect([await differenceOf(son), await differenceOf(daughter)]).toEqual([[], [difference]])
    const cancelled = `/v1/enrollment/${parts[mother['tax-id']][health]['enrollment-id']}/cancel`
    expectOk(await partner.post(cancelled))
  }
})

test('a rejected inclusion can be read when the person was deleted', async () => {
  const mother = primary()
  const request = await testApp.include(partner, company, [mother], '?resolution=reject')
  const shown = await read(request['status-by-tax-id'][mother['tax-id']][health]['enrollment-id'])
  expect(shown).toMatchObject({
    status: 'rejected',
    person: null,
    family: [],
    difference: [],
    asked: { name: mother['name'] },
  })
})

test('400, 403 and 404', async () => {
  expect((await testApp.operator.get('/operator/v1/enrollment/x')).body.error).toBe('Invalid enrollment-id')
  const unknown = await testApp.operator.get('/operator/v1/enrollment/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')
  expect([unknown.status, unknown.body.error]).toEqual([404, 'Enrollment not found'])
  const finance = await testApp.operatorOf('finance')
  const refused = await finance.get('/operator/v1/enrollment/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')
  expect([refused.status, refused.body.error]).toEqual([403, 'Not allowed for this role'])
})
