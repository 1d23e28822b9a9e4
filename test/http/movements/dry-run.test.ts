import { describe, expect, test } from 'vitest'
import {
  dependent,
  expectOk,
  health,
  type Json,
  monday,
  premium,
  primary,
  useCompany,
  useTestApp,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

/* A dry run of one exclusion or alteration: the response of the real one, and nothing stored. That of batches is in include-dry-run.test.ts. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const tables = ['request', 'enrollment', 'open_movement', 'benefit', 'member', 'document', 'event', 'audit', 'work']
const rows = () =>
  testApp.sql(
    `select ${tables.map((table) => `(select md5(string_agg(t::text, ',' order by t::text)) from ${table} t) as ${table}`).join(', ')}`,
  )

/** A mother and her child with a benefit each. */
async function family(): Promise<{ readonly mother: string; readonly child: string; readonly benefitId: string }> {
  const mother = primary()
  const child = dependent(mother['tax-id'])
  await testApp.include(partner, company, [mother, child], '?resolution=approve')
  const { result } = expectOk(await partner.get(`/v1/benefit?member-tax-id=${mother['tax-id']}`)).body
  return { mother: mother['tax-id'], child: child['tax-id'], benefitId: result[0]['benefit-id'] }
}

const exclusion = { 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal' } }

describe.each<[string, (of: Awaited<ReturnType<typeof family>>) => readonly [path: string, body: Json]]>([
  ['by product', ({ mother }) => [`exclusion/${mother}/product/${company.products[health]}`, exclusion]],
  ['by benefit', ({ mother, benefitId }) => [`exclusion/${mother}/benefit/${benefitId}`, exclusion]],
  ['from a company', ({ mother }) => [`exclusion/${mother}/company/${company.taxId}`, exclusion]],
  ['of a dependent', ({ mother, child }) => [`exclusion/${child}/dependent-of/${mother}`, exclusion]],
  [
    'alteration',
    ({ mother }) => [
      `alteration/${mother}`,
      { 'alteration-data': { 'new-product-id': company.products[premium], phone: '(11) 98765-4321' } },
    ],
  ],
])('%s', (_name, callOf) => {
  test('is judged and not stored, also with a resolution; then it can be sent', async () => {
    const [path, body] = callOf(await family())
    const before = await rows()
    for (const query of ['?dry-run=true', '?dry-run=true&resolution=approve']) {
      const headers = { 'idempotency-key': `${path}${query}` }
      for (let time = 1; time <= 2; time += 1) {
        const response = await partner.post(`/v1/enrollment/${path}${query}`, body, headers)
        expect([response.status, response.body]).toEqual([200, { 'dry-run': true }])
      }
    }
    expect(await rows()).toEqual(before)
    const { body: sent } = expectOk(await partner.post(`/v1/enrollment/${path}?dry-run=false`, body))
    expect(Object.keys(sent)).toEqual(['request-id'])
    expect(await rows()).not.toEqual(before)
    const refused = await partner.post(`/v1/enrollment/${path}?dry-run=true`, body)
    const real = await partner.post(`/v1/enrollment/${path}`, body)
    const shown = ({ 'request-trace-id': _id, ...error }: Json) => error
    expect([refused.status, shown(refused.body)]).toEqual([409, shown(real.body)])
  })
})

test('tells the warnings and the missing documents of the real one; a document is not used', async () => {
  const { mother } = await family()
  const documentId = await upload(partner)
  const documents = [{ 'document-id': documentId, 'document-type': 'company-letter' }]
  const body = { 'alteration-data': { 'mothers-name': 'FÃ¡tima BrandÃ£o', documents } }
  const send = (query: string) => partner.post(`/v1/enrollment/alteration/${mother}${query}`, body)
  const judged = expectOk(await send('?dry-run=true')).body
  expect(judged.warnings).toMatchObject([{ warning: 'suspicious-text', field: 'alteration-data.mothers-name' }])
  expect(expectOk(await send('?dry-run=true')).body).toEqual(judged)
  const { 'request-id': _id, ...told } = expectOk(await send('')).body
  expect({ 'dry-run': true, ...told }).toEqual(judged)
})

test('is refused as the real one: a day before the start, and a benefit that is not there', async () => {
  const { mother } = await family()
  const early = { 'exclusion-details': { ...exclusion['exclusion-details'], 'end-date': '2020-01-31' } }
  for (const [product, body] of [
    [health, early],
    [premium, exclusion],
  ] as const) {
    const path = `/v1/enrollment/exclusion/${mother}/product/${company.products[product]}`
    const [judged, real] = [await partner.post(`${path}?dry-run=true`, body), await partner.post(path, body)]
    expect([judged.status, judged.body.code, judged.body.details]).toEqual([
      real.status,
      real.body.code,
      real.body.details,
    ])
    expect(judged.status).toBeGreaterThanOrEqual(400)
  }
  const { status, body } = await partner.post(
    `/v1/enrollment/exclusion/${mother}/company/${company.taxId}?dry-run=1`,
    exclusion,
  )
  expect([status, body.details[0].field]).toEqual([400, 'dry-run'])
})
