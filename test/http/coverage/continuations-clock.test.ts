import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { benefitsOf, createContinuation, excludePrimary, makeFamily } from '../../world/continuation.ts'
import { expectOk, type Json, openTestApp, useTestApp, useCompany } from '../../world/test-app.ts'

/* To the day, on a clock that is moved: the tests go on from one another. */

const testApp = useTestApp()
const url = '/operator/v1/continuation'
const { company, partner } = useCompany(testApp)

const read = async (id: string): Promise<Json> => expectOk(await testApp.operator.get(`${url}/${id}`)).body.result
/** The days on which continuations were due. */
async function moveTo(date: string, app = testApp): Promise<string[]> {
  const { result } = expectOk(await app.operator.post('/operator/v1/clock', { 'business-date': date })).body
  return result['applied-days'].filter((day: Json) => day.continuations > 0).map((day: Json) => day.date)
}
const draftsOf = async (benefitId: string): Promise<Json[]> =>
  expectOk(await testApp.operator.get('/operator/v1/draft-exclusion?items-per-page=100')).body.result.filter(
    (one: Json) => one['benefit-id'] === benefitId,
  )
const endingsOf = async (): Promise<number> => {
  const rows = await testApp.sql(`select id from event where company_id = $1 and type = 'benefit.ending'`, [company.id])
  return rows.length
}

test('without an answer the offer expires after the 30th day, or the next business day, and an exclusion is proposed', async () => {
  const family = await makeFamily(testApp, company, partner)
  const { 'continuation-id': id } = await createContinuation(testApp, family, { 'notice-date': '2026-11-25' })
  expect(await read(id)).toMatchObject({ status: 'offered', 'option-until': '2026-12-28' })
  // The 30th day is Christmas, a Friday.
  expect(await moveTo('2026-12-28')).toEqual([])
  expect([(await read(id)).status, await draftsOf(family.benefitId)]).toEqual(['offered', []])
  expect(await moveTo('2026-12-29')).toEqual(['2026-12-29'])
  expect(await read(id)).toMatchObject({ status: 'expired', 'due-date': null })
  const [draft] = await draftsOf(family.benefitId)
  expect(draft).toMatchObject({
    cause: 'continuation',
    'exclusion-reason': 'dismissal',
    'end-date': '2026-12-28',
    status: 'open',
  })
  // The cover goes on until a person confirms it.
  expect((await benefitsOf(partner, family.cpf))[0]?.status).toBe('active')
})

test('the end of a term is reported 60 days before, proposed on its day, and has come on the day after', async () => {
  const family = await makeFamily(testApp, company, partner)
  await excludePrimary(partner, company, family.cpf, {
    'end-date': '2026-12-31',
    'extension-plan': true,
    contributed: true,
    'contribution-months': 12,
    option: 'accepted',
  })
  const { result } = expectOk(await testApp.operator.get(`${url}?status=accepted`)).body
  const id = result.find((one: Json) => one['benefit-ids'][0] === family.benefitId)['continuation-id']
  const reported = await endingsOf()
  expect(await moveTo('2027-05-01')).toEqual(['2027-01-01', '2027-05-01'])
  // One for the primary and one for the child, once.
  expect((await endingsOf()) - reported).toBe(2)
  expect(await read(id)).toMatchObject({ status: 'active', 'term-end': '2027-06-30', 'due-date': '2027-06-30' })
  const due = expectOk(await testApp.operator.get(`${url}?due-until=2027-06-30`)).body.result
  expect(due.map((one: Json) => one['continuation-id'])).toEqual([id])
  expect(await moveTo('2027-06-30')).toEqual(['2027-06-30'])
  expect((await endingsOf()) - reported).toBe(2)
  const [draft] = await draftsOf(family.benefitId)
  expect(draft).toMatchObject({ 'end-date': '2027-06-30', cause: 'continuation', status: 'open' })
  expect((await read(id)).status).toBe('active')
  expect(await moveTo('2027-07-01')).toEqual(['2027-07-01'])
  expect(await read(id)).toMatchObject({ status: 'ended', 'end-reason': 'term', 'end-date': '2027-06-30' })
  expect(await moveTo('2027-07-05')).toEqual([])
  expect(await draftsOf(family.benefitId)).toHaveLength(1)
  expectOk(await testApp.operator.post(`/operator/v1/draft-exclusion/${draft?.['draft-id']}/confirm`, {}))
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('after the death of the primary the term goes on for the family, and its end is proposed for each', async () => {
  const family = await makeFamily(testApp, company, partner)
  await excludePrimary(partner, company, family.cpf, {
    'end-date': '2027-07-05',
    'extension-plan': true,
    contributed: true,
    'contribution-months': 12,
    option: 'accepted',
  })
  const { result } = expectOk(await testApp.operator.get(`${url}?status=accepted`)).body
  const id = result.find((one: Json) => one['benefit-ids'][0] === family.benefitId)['continuation-id']
  const death = { 'end-date': '2027-07-07', 'exclusion-reason': 'death' }
  await excludePrimary(partner, company, family.cpf, death)
  expect(await moveTo('2027-07-08')).toEqual(['2027-07-06'])
  const [mother] = await benefitsOf(partner, family.cpf)
  const [child] = await benefitsOf(partner, family.child)
  expect([mother, child]).toMatchObject([
    { status: 'inactive', 'end-date': '2027-07-07' },
    { status: 'active', 'end-date': null },
  ])
  const reported = await endingsOf()
  expect(await moveTo('2028-01-05')).toEqual(['2027-11-06', '2028-01-05'])
  expect((await endingsOf()) - reported).toBe(1)
  expect(await draftsOf(family.benefitId)).toEqual([])
  const drafts = await draftsOf(child?.['benefit-id'])
  expect(drafts).toMatchObject([{ 'end-date': '2028-01-05', cause: 'continuation', status: 'open' }])
  expect(await moveTo('2028-01-06')).toEqual(['2028-01-06'])
  expect(await read(id)).toMatchObject({ status: 'ended', 'end-reason': 'term', 'end-date': '2028-01-05' })
  const confirmed = `/operator/v1/draft-exclusion/${drafts[0]?.['draft-id']}/confirm`
  expectOk(await testApp.operator.post(confirmed, {}))
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('what a stopped service missed is done at once, in the same order', async () => {
  const app = await openTestApp()
  try {
    const ownCompany = await app.company()
    const own = await app.partner(ownCompany.taxId)
    const family = await makeFamily(app, ownCompany, own)
    const { 'continuation-id': id } = await createContinuation(app, family, { 'notice-date': '2026-11-23' })
    const accepted = { option: 'accepted', 'option-date': '2026-11-23' }
    expectOk(await app.operator.post(`${url}/${id}/option`, accepted))
    await app.restart({ VIGENCIA_BUSINESS_DATE: '2028-03-01' })
    await app.operator.post('/operator/v1/clock', { 'advance-days': 1 })
    const { result } = expectOk(await app.operator.get(`${url}/${id}`)).body
    expect(result).toMatchObject({ status: 'ended', 'end-reason': 'term', 'end-date': '2028-01-31' })
    expect(await readViolations(app.sql)).toEqual({})
  } finally {
    await app.close()
  }
})
