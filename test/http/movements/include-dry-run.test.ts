import { expect, test } from 'vitest'
import { useTestApp, primary, useCompany } from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const countRows = () =>
  testApp.sql(
    `select (select count(*)::int from request) as requests, (select count(*)::int from audit) as audited,
       (select count(*)::int from document where used_at is not null) as used`,
  )
const judge = (members: unknown[], query = '?dry-run=true', headers = {}) =>
  partner.post(`/v1/enrollment/inclusion${query}`, { 'company-tax-id': company.taxId, members }, headers)

test('a valid batch gets its warnings; nothing is stored, no document is used, and the batch can be sent afterwards', async () => {
  const documents = [{ 'document-id': await upload(partner), 'document-type': 'company-letter' }]
  const member = primary({ 'admission-date': '2020-01-02', documents })
  const before = await countRows()
  for (const query of ['?dry-run=true', '?dry-run=true&resolution=approve']) {
    const response = await judge([member], query)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      'dry-run': true,
      warnings: [
        {
          index: 0,
          'tax-id': member['tax-id'],
          warning: 'late-inclusion',
          field: 'admission-date',
          'last-day': '2020-02-01',
        },
      ],
    })
  }
  expect(await countRows()).toEqual(before)
  const taken = await judge([member], '')
  expect(taken.body).toMatchObject({ 'request-id': expect.any(String) as string })
  expect(taken.body['dry-run']).toBeUndefined()
})

test('offenses are those of the real thing, strict and lenient', async () => {
  const members = [primary(), primary({ name: '', 'tax-id': '123' })]
  const before = await countRows()
  const strict = await judge(members)
  const lenient = await judge(members, '?dry-run=true', { prefer: 'handling=lenient' })
  expect(await countRows()).toEqual(before)
  expect(strict.status).toBe(400)
  expect(lenient.status).toBe(200)
  expect(lenient.headers.get('preference-applied')).toBe('handling=lenient')
  expect(lenient.body).toEqual({ 'dry-run': true, result: strict.body.result })
  const real = await judge(members, '')
  expect(real.body.result).toEqual(strict.body.result)
})

test('a large batch, validated in a thread, is not stored either', async () => {
  const members = Array.from({ length: 2_500 }, () => primary({ 'job-title': 'x'.repeat(150) }))
  const before = await countRows()
  expect((await judge(members)).body).toMatchObject({ 'dry-run': true })
  expect(await countRows()).toEqual(before)
})

test('dry-run=false is as without it; another value is a 400; another company a 403', async () => {
  expect((await judge([primary()], '?dry-run=false')).body).toMatchObject({
    'request-id': expect.any(String) as string,
  })
  const wrong = await judge([primary()], '?dry-run=yes')
  expect(wrong.status).toBe(400)
  expect(wrong.body).toMatchObject({ error: 'Invalid parameter', details: [{ field: 'dry-run', code: 'invalid' }] })
  const other = await testApp.company()
  const body = { 'company-tax-id': other.taxId, members: [primary()] }
  expect((await partner.post('/v1/enrollment/inclusion?dry-run=true', body)).status).toBe(403)
})
