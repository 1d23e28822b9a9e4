import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { DOCUMENT_TYPES } from '#kernel/enums.ts'
import { readViolations } from '../../crash/invariants.ts'
import { dependent, expectOk, health, type Json, useTestApp, primary, useCompany } from '../../world/test-app.ts'
import { named, newSlot, upload } from '../../world/upload.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const include = (members: Json[], headers: Record<string, string> = {}) =>
  partner.post('/v1/enrollment/inclusion', { 'company-tax-id': company.taxId, members }, headers)

const useOf = async (id: string) => {
  const [row] = await testApp.sql('select used_at, company_id, request_id from document where id = $1', [id])
  return row
}

describe('a document of an inclusion', () => {
  test('is used by the request that names it, and is read with each enrollment', async () => {
    const id = await upload(partner)
    const mother = primary({ documents: named(id) })
    const child = dependent(mother['tax-id'], { documents: named(id) })
    const response = await include([mother, child])
    expect(response.status).toBe(200)
    expect(await useOf(id)).toMatchObject({ company_id: company.id, request_id: response.body['request-id'] })
    const request = await testApp.finished(partner, response.body['request-id'])
    for (const member of [mother, child]) {
      const enrollmentId = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
      const { body } = await testApp.operator.get(`/operator/v1/enrollment/${enrollmentId}/document`)
      expect(body.result).toMatchObject([{ 'document-id': id, 'document-type': 'marriage-certificate' }])
    }
  })

  test('may be of any type of the closed set', async () => {
    const id = await upload(partner)
    const documents = DOCUMENT_TYPES.map((type) => ({ 'document-id': id, 'document-type': type }))
    const member = primary({ documents })
    const request = await testApp.include(partner, company, [member])
    const enrollmentId = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
    const { body } = await testApp.operator.get(`/operator/v1/enrollment/${enrollmentId}/document`)
    expect(body.result.map((one: Json) => one['document-type'])).toEqual(DOCUMENT_TYPES)
    expect(DOCUMENT_TYPES).toContain('proof-of-leaving-request')
  })

  test('stays used when its movement is rejected', async () => {
    const id = await upload(partner)
    const member = primary({ documents: named(id) })
    await testApp.include(partner, company, [member], '?resolution=reject')
    expect((await include([primary({ documents: named(id) })])).status).toBe(400)
  })

  test('stays usable when the batch is refused', async () => {
    const id = await upload(partner)
    expect((await include([primary({ documents: named(id), gender: 'x' })])).status).toBe(400)
    expect(await useOf(id)).toMatchObject({ used_at: null })
    expect((await include([primary({ documents: named(id) })])).status).toBe(200)
  })

  test('of a member that lenient handling rejects stays usable', async () => {
    const [taken, left] = [await upload(partner), await upload(partner)]
    const members = [primary({ documents: named(taken) }), primary({ documents: named(left), gender: 'x' })]
    const response = await include(members, { prefer: 'handling=lenient' })
    expect(response.status).toBe(200)
    expect((await useOf(taken))?.['used_at']).not.toBeNull()
    expect((await useOf(left))?.['used_at']).toBeNull()
  })
})

describe('400 with the offense invalid-documents, and nothing is used', () => {
  const cases: [string, () => Promise<string>][] = [
    ['one that no slot has', async () => uuidv7()],
    ['no id at all', async () => 'certidão.pdf'],
    ['200 characters', async () => '%'.repeat(200)],
    ['an empty slot', async () => (await newSlot(partner)).id],
    ['one of another client', async () => upload(await testApp.partner(company.taxId))],
    ['the id in capitals', async () => (await upload(partner)).toUpperCase()],
    [
      'one that another movement used',
      async () => {
        const id = await upload(partner)
        expectOk(await include([primary({ documents: named(id) })]))
        return id
      },
    ],
  ]

  test.each(cases)('%s', async (_case, make) => {
    const good = await upload(partner)
    const members = [primary({ documents: named(good) }), primary({ documents: named(good, await make()) })]
    const response = await include(members)
    expect(response.status).toBe(400)
    expect(response.body.error).toBe('Invalid members')
    expect(response.body.result).toMatchObject([{ index: 1, offenses: ['invalid-documents'] }])
    expect((await useOf(good))?.['used_at']).toBeNull()
  })
})

describe('of many requests at once that name one document', () => {
  test('one is accepted, the others get the offense', async () => {
    const id = await upload(partner)
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => include([primary(), primary({ documents: named(id) })])),
    )
    const taken = responses.filter((response) => response.status === 200)
    const refused = responses.filter((response) => response.status === 400)
    expect([taken.length, refused.length]).toEqual([1, 29])
    expect(await useOf(id)).toMatchObject({ request_id: taken[0]?.body['request-id'] })
    for (const { body } of refused) expect(body.result).toMatchObject([{ index: 1, offenses: ['invalid-documents'] }])
  })

  test('in any order of several, none gets a part of them', async () => {
    const ids = [await upload(partner), await upload(partner), await upload(partner), await upload(partner)]
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const some = n % 2 === 0 ? ids : ids.toReversed()
        return include(some.map((id) => primary({ documents: named(id) })))
      }),
    )
    const taken = responses.filter((response) => response.status === 200)
    expect(taken).toHaveLength(1)
    const requests = await testApp.sql('select distinct request_id from document where id = any($1)', [ids])
    expect(requests).toEqual([{ request_id: taken[0]?.body['request-id'] }])
  })

  test('a batch too large for a second validation gets a 503 or the offense', async () => {
    const id = await upload(partner)
    const many = () => [...Array.from({ length: 800 }, () => primary()), primary({ documents: named(id) })]
    const responses = await Promise.all([include(many()), include(many()), include(many())])
    const statuses = responses.map((response) => response.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const refused = responses.filter((response) => response.status !== 200)
    const outcomes = refused.map(({ status, body }) => (status === 503 ? 'again' : body.result[0].offenses[0]))
    expect(outcomes.filter((word) => word !== 'again' && word !== 'invalid-documents')).toEqual([])
  })
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
