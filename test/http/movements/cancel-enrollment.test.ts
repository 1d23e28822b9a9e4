import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { dependent, expectOk, health, type Json, primary, useTestApp, useCompany } from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const cancel = (id: string, body?: Json, headers: Record<string, string> = {}) =>
  partner.post(`/v1/enrollment/${id}/cancel`, body, headers)
const move = (id: string, body: Json) => testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body)
const detail = async (id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result

/** Ids of the members' health enrollments, in the order given. */
async function enroll(members: Json[], query = ''): Promise<string[]> {
  const request = await testApp.include(partner, company, members, query)
  return members.map((member) => request['status-by-tax-id'][member['tax-id']][health]['enrollment-id'])
}

/** A family with active benefits, and the exclusion of its primary: the enrollments of both. */
async function excludedFamily(): Promise<[mother: string, child: string]> {
  const mother = primary()
  const child = dependent(mother['tax-id'])
  await enroll([mother, child], '?resolution=approve')
  const { body } = expectOk(
    await partner.post(`/v1/enrollment/exclusion/${mother['tax-id']}/product/${company.products[health]}`, {
      'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' },
    }),
  )
  const parts = (await testApp.finished(partner, body['request-id']))['status-by-tax-id']
  return [parts[mother['tax-id']][health]['enrollment-id'], parts[child['tax-id']][health]['enrollment-id']]
}

describe('200', () => {
  test('the movement is cancelled by the partner with the reason, its benefit is gone, and the event is sent', async () => {
    const person = primary()
    const [id = ''] = await enroll([person])
    const response = expectOk(await cancel(id, { reason: ' Desistiu da vaga ' }))
    expect(response.body.result).toMatchObject({ id, status: 'cancelled', reason: 'Desistiu da vaga' })
    expect(response.body.result.history.at(-1)).toMatchObject({ actor: 'partner', reason: 'Desistiu da vaga' })
    expect(response.body.result.history.at(-1)).not.toHaveProperty('actor-id')
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body
    expect(result.history.at(-1)).toMatchObject({ 'actor-id': partner.clientId })
    const members = expectOk(await partner.get('/v1/member?include-inactive=true')).body.result
    expect(members.filter((one: Json) => one.profile['tax-id'] === person['tax-id'])).toEqual([])
    const events = expectOk(await partner.get('/v1/webhook-event')).body.result
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'enrollment.cancelled',
        data: expect.objectContaining({ 'enrollment-id': id, status: 'cancelled' }),
      }),
    )
  })

  test('without a body, from a pending status, and replayed under its key', async () => {
    const [id = ''] = await enroll([primary()])
    expectOk(await move(id, { status: 'pending-documents', reason: 'RG' }))
    const key = { 'idempotency-key': randomUUID() }
    const first = expectOk(await cancel(id, undefined, key))
    expect(first.body.result).toMatchObject({ status: 'cancelled', reason: null, 'pending-items': [] })
    const again = expectOk(await cancel(id, undefined, key))
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
  })

  test('a primary’s inclusion takes those of the dependents with it', async () => {
    const mother = primary()
    const [own = '', child = ''] = await enroll([mother, dependent(mother['tax-id'])])
    expectOk(await cancel(own))
    expect(await detail(child)).toMatchObject({
      status: 'rejected',
      reason: "Primary member's inclusion was rejected",
    })
    expect((await detail(child)).history.at(-1).actor).toBe('partner')
  })

  test('a primary’s exclusion is cancelled with its dependents’ parts', async () => {
    const [mother, child] = await excludedFamily()
    expectOk(await cancel(mother, { reason: 'Engano' }))
    for (const id of [mother, child]) expect(await detail(id)).toMatchObject({ status: 'cancelled', reason: 'Engano' })
    expect(await readViolations(testApp.sql)).toEqual({})
  })
})

describe('409', () => {
  const expectRefused = async (id: string, error: string) => {
    const response = await cancel(id)
    expect([response.status, response.body.error]).toEqual([409, error])
  }

  test('Enrollment has reached the carrier: now, or once before it was pending', async () => {
    const [id = ''] = await enroll([primary()])
    expectOk(await move(id, { status: 'broker-processing' }))
    expectOk(await move(id, { status: 'carrier-processing' }))
    await expectRefused(id, 'Enrollment has reached the carrier')
    expectOk(await move(id, { status: 'pending-correction', reason: 'Nome' }))
    await expectRefused(id, 'Enrollment has reached the carrier')
  })

  test('Enrollment has reached the carrier: one part of the whole is enough, also one that has ended', async () => {
    const [mother, child] = await excludedFamily()
    // A scheduled movement is taken up by the operator first.
    for (const status of ['created', 'broker-processing', 'carrier-processing']) expectOk(await move(child, { status }))
    await expectRefused(mother, 'Enrollment has reached the carrier')
    expectOk(await move(child, { status: 'completed' }))
    await expectRefused(mother, 'Enrollment has reached the carrier')
    expect((await detail(mother)).status).toBe('scheduled')
  })

  test('Illegal transition: it has ended, or it goes with a primary’s exclusion', async () => {
    const [id = ''] = await enroll([primary()], '?resolution=approve')
    await expectRefused(id, 'Illegal transition')
    const [, child] = await excludedFamily()
    await expectRefused(child, 'Illegal transition')
  })
})

test('400 for a body that is no reason, 404 and 403 for what is not the client’s', async () => {
  const [id = ''] = await enroll([primary()])
  for (const body of [{ reason: 7 }, { reason: 'x'.repeat(501) }, { motivo: 'x' }, []]) {
    expect([body, (await cancel(id, body)).body.error]).toEqual([body, 'Invalid body'])
  }
  expect((await cancel('x')).body.error).toBe('Invalid enrollment-id')
  expect((await cancel(randomUUID())).body.error).toBe('Enrollment not found')
  const stranger = await testApp.partner((await testApp.company()).taxId)
  const response = await stranger.post(`/v1/enrollment/${id}/cancel`, {})
  expect([response.status, response.body.error]).toEqual([403, 'Not entitled to access this enrollment'])
  expect((await detail(id)).status).toBe('created')
})
