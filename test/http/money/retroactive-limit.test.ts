import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { openValeClaro, valeClaroDay, type ValeClaro } from '../../world/vale-claro.ts'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

/* How far back a contract says that its carrier recognizes a movement: a deadline. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: valeClaroDay })

const days = (count: number) => ({ unit: 'days', count }) as const
const months = (count: number) => ({ unit: 'months', count }) as const

/** The limit of a movement as its detail and the operators' list have it. */
async function limitOf(one: ValeClaro, id: string): Promise<(string | null)[]> {
  const { result } = expectOk(await one.partner.get(`/v1/enrollment/detail/${id}`)).body
  const found = result['deadlines'].find(({ kind }: Json) => kind === 'retroactive-limit')
  const query = `company-tax-id=${one.company.taxId}&kind=retroactive-limit`
  const listed = expectOk(await testApp.operator.get(`/operator/v1/deadline?${query}`)).body.result
  const item = listed.find((deadline: Json) => deadline['enrollment-id'] === id)
  expect(found?.norm ?? 'contract').toBe('contract')
  expect(item?.norm ?? 'contract').toBe('contract')
  return [found?.until ?? null, item?.until ?? null]
}

async function putContract(one: ValeClaro, more: Json): Promise<void> {
  const path = `/operator/v1/contract/${one.contractId}`
  const { 'contract-id': _id, 'next-cut-off': _next, ...body } = expectOk(await testApp.operator.get(path)).body.result
  expectOk(await testApp.operator.put(path, { ...body, ...more }))
}

test('an exclusion and an inclusion have it from the setting of the contract, and by its change', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': days(30), 'retroactive-inclusion': months(1) })
  const { marcio, davi, celia } = one.movements
  expect(await limitOf(one, marcio)).toEqual(['2027-01-08', '2027-01-08'])
  // The last cut-off whose invoice is one month after December.
  expect(await limitOf(one, davi)).toEqual(['2026-12-18', '2026-12-18'])
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${davi}`)).body
  expect(result).toMatchObject({ 'due-date': '2026-12-18', 'due-kind': 'retroactive-limit' })
  // The carrier has it.
  expect(await limitOf(one, celia)).toEqual(['2026-12-30', null])

  expect(await readViolations(testApp.sql)).not.toHaveProperty('retroactive-limit')

  await putContract(one, { 'retroactive-exclusion': months(2), 'retroactive-inclusion': null })
  expect(await limitOf(one, marcio)).toEqual(['2027-01-18', '2027-01-18'])
  expect(await limitOf(one, davi)).toEqual([null, null])
  await putContract(one, { 'retroactive-exclusion': days(5), 'retroactive-inclusion': days(24) })
  expect(await limitOf(one, marcio)).toEqual([valeClaroDay, valeClaroDay])
  expect(await limitOf(one, davi)).toEqual(['2026-12-25', '2026-12-25'])
  expect(await readViolations(testApp.sql)).not.toHaveProperty('retroactive-limit')
  // It had passed when it was requested: nobody can meet it.
  await putContract(one, { 'retroactive-exclusion': days(4) })
  expect(await limitOf(one, marcio)).toEqual([null, null])
})

test('it is reported before it comes', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': days(12) })
  const { marcio } = one.movements
  expectOk(await testApp.operator.post('/operator/v1/clock', { 'business-date': valeClaroDay }))
  const events = await testApp.sql(
    `select data->>'kind' as kind, data->>'until' as until from event where type = 'deadline.approaching' and data->>'enrollment-id' = $1`,
    [marcio],
  )
  expect(events).toEqual([{ kind: 'retroactive-limit', until: '2026-12-21' }])
})

test('months of a contract without a calendar give none', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': months(2) })
  await putContract(one, { calendar: null })
  expect(await limitOf(one, one.movements.marcio)).toEqual([null, null])
})
