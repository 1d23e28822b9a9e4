import { beforeAll, expect, test } from 'vitest'
import { deleteFormerPresence } from '#movements/presence/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import { type Client, expectOk, type Json, primary, useCompany, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
let ana: Client
let bruno: Client
let movement: string
let other: string

const path = (id: string) => `/operator/v1/enrollment/${id}/presence`
const idsOf = ({ body }: { body: Json }): string[] => body.result.map((one: Json) => one['client-id'])
const opened = async (by: Client): Promise<[string, string][]> => {
  const { result } = expectOk(await by.get('/operator/v1/enrollment/presence')).body
  return result.map((one: Json) => [one['enrollment-id'], one['client-id']])
}

beforeAll(async () => {
  ana = await testApp.operatorOf('analyst')
  bruno = await testApp.operatorOf('analyst')
  await testApp.include(partner, company, [primary(), primary()])
  const { result } = expectOk(await ana.get(`/operator/v1/enrollment?company-tax-id=${company.taxId}`)).body
  ;[movement, other] = result.map(({ id }: Json) => id)
})

test('who opens a movement gets the others who have it open, until they leave', async () => {
  expect(idsOf(expectOk(await ana.put(path(movement))))).toEqual([])
  const { body } = expectOk(await bruno.put(path(movement)))
  expect(body.result).toEqual([{ 'client-id': ana.clientId, name: expect.stringMatching(/./) }])
  expect(idsOf(expectOk(await ana.put(path(movement))))).toEqual([bruno.clientId])
  expect(idsOf(expectOk(await ana.put(path(other))))).toEqual([])
  expect(await opened(bruno)).toEqual(
    expect.arrayContaining([
      [movement, ana.clientId],
      [other, ana.clientId],
    ]),
  )
  expect(await opened(ana)).toEqual([[movement, bruno.clientId]])
  expect((await bruno.delete(path(movement))).status).toBe(204)
  expect((await bruno.delete(path(movement))).status).toBe(204)
  expect(idsOf(expectOk(await ana.put(path(movement))))).toEqual([])
  expect(await opened(ana)).toEqual([])
})

test('who says nothing for a minute has left, and the row is deleted', async () => {
  expectOk(await bruno.put(path(movement)))
  await testApp.sql(`update enrollment_presence set seen_at = now() - interval '61 seconds' where operator_id = $1`, [
    bruno.clientId,
  ])
  expect(idsOf(expectOk(await ana.put(path(movement))))).toEqual([])
  expect(await opened(ana)).toEqual([])
  const stored = async () =>
    (await testApp.sql('select operator_id from enrollment_presence')).map((row) => row['operator_id'])
  expect(await stored()).toContain(bruno.clientId)
  await deleteFormerPresence({ execute: testApp.sql } as unknown as Sql)
  expect(await stored()).not.toContain(bruno.clientId)
  expect(await stored()).toContain(ana.clientId)
})

test('an operator who was removed is not there', async () => {
  const removed = await testApp.operatorOf('analyst')
  expectOk(await removed.put(path(movement)))
  expect(idsOf(expectOk(await ana.put(path(movement))))).toEqual([removed.clientId])
  expectOk(await testApp.operator.delete(`/operator/v1/operator/${removed.clientId}`))
  expect(idsOf(expectOk(await ana.put(path(movement))))).toEqual([])
})

test('it leaves no audit and no event, and only who decides may say it', async () => {
  const count = async () =>
    testApp.sql('select (select count(*) from audit)::int as audit, (select count(*) from event)::int as event')
  const before = await count()
  expectOk(await ana.put(path(movement)))
  expectOk(await ana.delete(path(movement)))
  expect(await count()).toEqual(before)
  for (const role of ['finance', 'auditor'] as const) {
    const client = await testApp.operatorOf(role)
    const responses = [
      await client.put(path(movement)),
      await client.delete(path(movement)),
      await client.get('/operator/v1/enrollment/presence'),
    ]
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403])
  }
})

test('a movement that does not exist has nobody', async () => {
  const { status, body } = await ana.put(path('01995e0c-7011-7a0e-8c44-0e9b1d2f3a45'))
  expect([status, body.code]).toEqual([404, 'enrollment-not-found'])
})
