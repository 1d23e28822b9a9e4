import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  dental,
  dependent,
  expectOk,
  inProduct,
  type Json,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const correct = (id: string, body: Json): Promise<ApiResponse> =>
  testApp.operator.post(`/operator/v1/benefit/${id}/correction`, { reason: 'Digitado errado', ...body })

const refusalOf = async (id: string, body: Json) => {
  const { status, body: refused } = await correct(id, body)
  return [status, refused.code]
}

interface Included {
  readonly enrollmentId: string
  readonly benefitId: string
  readonly startDate: string
}

/** Completed inclusions, in the order of the members. */
async function included(...members: Json[]): Promise<Included[]> {
  const { 'status-by-tax-id': parts } = await testApp.include(partner, company, members, '?resolution=approve')
  return Promise.all(
    members.map(async (member) => {
      const [part] = Object.values<Json>(parts[member['tax-id']])
      const enrollmentId: string = part?.['enrollment-id']
      const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${enrollmentId}`)).body
      return { enrollmentId, benefitId: result['benefit-id'], startDate: result['start-date'] }
    }),
  )
}

const day = (date: string, days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

test('a card number is corrected; the movement says what it was, what it is, who and why; the partner reads the new one', async () => {
  const member = primary()
  const [one] = (await included(member)) as [Included]
  expectOk(await correct(one.benefitId, { 'card-number': '0045 1120' }))
  const { result } = expectOk(await correct(one.benefitId, { 'card-number': ' 0045 1121 ' })).body
  expect(result['card-number']).toBe('0045 1121')
  // The same again changes nothing.
  expectOk(await correct(one.benefitId, { 'card-number': '0045 1121' }))
  const movement = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${one.enrollmentId}`)).body.result
  expect(movement.corrections).toEqual([
    expect.objectContaining({ field: 'card-number', old: null, new: '0045 1120' }),
    {
      at: expect.any(String),
      'actor-id': testApp.operator.clientId,
      field: 'card-number',
      old: '0045 1120',
      new: '0045 1121',
      reason: 'Digitado errado',
    },
  ])
  const { body } = expectOk(await partner.get(`/v1/benefit?member-tax-id=${member['tax-id']}`))
  expect(body.result[0]['card-number']).toBe('0045 1121')
})

test('the card of another person with the carrier is refused, however it is written, and that of oneself is not', async () => {
  const mother = primary()
  const [one, other] = (await included(mother, primary())) as [Included, Included]
  const [own] = (await included({ ...mother, products: inProduct('dental-insurance', dental) })) as [Included]
  expectOk(await correct(one.benefitId, { 'card-number': 'AB 77-88' }))
  expect(await refusalOf(other.benefitId, { 'card-number': 'ab7788' })).toEqual([409, 'duplicate-card'])
  expectOk(await correct(own.benefitId, { 'card-number': 'AB7788' }))
})

test('of corrections that give one card to several people at once one wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const people = await included(primary(), primary(), primary())
    const written = [`CD ${round}`, `cd-${round}`, `C.D.${round}`]
    const responses = await Promise.all(
      people.map(({ benefitId }, index) => correct(benefitId, { 'card-number': written[index] })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const refused = responses.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.code)).toEqual(['duplicate-card', 'duplicate-card'])
  }
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('a start is corrected within the periods of the family', async () => {
  const mother = primary()
  const [own, child] = (await included(mother, dependent(mother['tax-id']))) as [Included, Included]
  const later = day(own.startDate, 5)
  // The child would start before the mother.
  expect(await refusalOf(own.benefitId, { 'start-date': later })).toEqual([409, 'benefit-not-correctable'])
  expectOk(await correct(child.benefitId, { 'start-date': later }))
  expectOk(await correct(own.benefitId, { 'start-date': later }))
  expect(await refusalOf(child.benefitId, { 'start-date': own.startDate })).toEqual([409, 'benefit-not-correctable'])
  expect(await refusalOf(own.benefitId, { 'start-date': '1998-01-01' })).toEqual([400, 'date-out-of-range'])
})

test('an end is corrected where there is one; it neither ends a benefit nor brings it back', async () => {
  const member = primary()
  const [one] = (await included(member)) as [Included]
  expect(await refusalOf(one.benefitId, { 'end-date': '2026-12-31' })).toEqual([409, 'benefit-not-correctable'])
  const end = day(one.startDate, 20)
  const path = `/v1/enrollment/exclusion/${member['tax-id']}/benefit/${one.benefitId}`
  const details = { 'exclusion-details': { 'end-date': end, 'exclusion-reason': 'dismissal' } }
  expectOk(await partner.post(path, details))
  // The exclusion is open: its decision sets the end.
  expect(await refusalOf(one.benefitId, { 'start-date': day(one.startDate, 1) })).toEqual([
    409,
    'benefit-not-correctable',
  ])
  const [open] = expectOk(
    await testApp.operator.get(`/operator/v1/enrollment?status=open&member-tax-id=${member['tax-id']}`),
  ).body.result
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${open.id}/transition`, { status: 'completed' }))
  const before = day(one.startDate, -3)
  expect(await refusalOf(one.benefitId, { 'end-date': before })).toEqual([409, 'benefit-not-correctable'])
  const { result } = expectOk(await correct(one.benefitId, { 'end-date': day(end, 2) })).body
  expect(result).toMatchObject({ 'end-date': day(end, 2), status: 'active' })
  expect(await refusalOf(one.benefitId, { 'start-date': day(end, 3) })).toEqual([400, 'before-start-date'])
})

test('a benefit that is pending or unknown is not corrected', async () => {
  const member = primary()
  const { 'status-by-tax-id': parts } = await testApp.include(partner, company, [member])
  const [part] = Object.values<Json>(parts[member['tax-id']])
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${part?.['enrollment-id']}`)).body
  expect(await refusalOf(result['benefit-id'], { 'card-number': '1' })).toEqual([409, 'benefit-not-correctable'])
  const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
  expect(await refusalOf(unknown, { 'card-number': '1' })).toEqual([404, 'benefit-not-found'])
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
