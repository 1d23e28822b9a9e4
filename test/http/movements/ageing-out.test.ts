import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '#platform/http/context.ts'
import { reportAgeingOut } from '#movements/ageing-out/report.ts'
import { readViolations } from '../../crash/invariants.ts'
import { type IdleTestApp, InjectedError, openIdleTestApp, withInjectedErrors } from '../../crash/steps.ts'
import { contractBody } from '../../world/contract.ts'
import { dependentOf, holder, ndjson, sendImport } from '../../world/import.ts'
import { type Client, type Company, companyBody, expectOk, health, type Json } from '../../world/test-app.ts'

/* Today is 2026-11-23; 60 days later it is 2027-01-22. */

let idle: IdleTestApp
let company: Company
let analyst: Client
let context: Context
const signal = new AbortController().signal

beforeAll(async () => {
  idle = await openIdleTestApp()
  analyst = await idle.testApp.operatorOf('analyst')
  context = await idle.context()
})
afterAll(() => idle.close())
beforeEach(async () => {
  company = await idle.testApp.company(bodyWith({}))
})

const bodyWith = (changes: Json) => {
  const limit = { 'dependent-type': 'child', 'max-age': 21, 'student-max-age': 24, unless: ['disabled'] }
  const limits = [{ ...limit, ends: 'birthday', ...changes }]
  const products = companyBody.products.map((one) =>
    one['product-name'] === health ? { ...one, 'age-limits': limits } : one,
  )
  return { ...companyBody, products }
}
/** Changes the limit of the company's product. */
const setLimit = async (changes: Json) =>
  expectOk(await idle.testApp.operator.put(`/operator/v1/company/${company.taxId}`, bodyWith(changes)))

/** Imports children of one primary, born on these days, while there was no limit. */
async function children(...people: readonly Json[]): Promise<void> {
  await idle.testApp.operator.put(`/operator/v1/company/${company.taxId}`, companyBody)
  const employee = holder(company)
  const lines = [employee, ...people.map((one) => dependentOf(company, employee['tax-id'], one))]
  const { accepted } = expectOk(await sendImport(idle.testApp.operator, ndjson(lines))).body
  expect(accepted).toBe(lines.length)
  await setLimit({})
}
const child = (name: string, dateOfBirth: string, more: Json = {}) => ({ name, 'date-of-birth': dateOfBirth, ...more })

const listed = async (query = ''): Promise<Json[]> =>
  expectOk(await analyst.get(`/operator/v1/ageing-out?company-tax-id=${company.taxId}&items-per-page=100${query}`)).body
    .result
const shown = async (query = '') =>
  (await listed(query)).map((one) => [one['member-name'], one['last-day'], one['days-left']])
const drafts = async (): Promise<Json[]> =>
  expectOk(await analyst.get(`/operator/v1/draft-exclusion?company-tax-id=${company.taxId}`)).body.result
const events = async (): Promise<Json[]> =>
  idle.testApp.sql(`select data from event where company_id = $1 and type = 'benefit.ending' order by id`, [company.id])
/** Runs the job on a day. @returns how many events and drafts the company has then. */
async function report(day = '2026-11-23'): Promise<[events: number, drafts: number]> {
  await reportAgeingOut({ ...context, today: () => day }, signal)
  return [(await events()).length, (await drafts()).length]
}

test('the list has those whose cover ends in 60, 30 and 0 days, the earliest first', async () => {
  await children(
    child('Ana', '2005-11-23'),
    child('Bia', '2005-11-24'),
    child('Caio', '2005-12-24'),
    child('Duda', '2006-01-23'),
    child('Enzo', '2006-01-24'),
    child('Fábio', '2003-11-24', { 'student-until': '2026-12-31' }),
    child('Gil', '2005-01-01', { 'student-until': '2026-11-22' }),
    child('Heitor', '2005-01-01', { disabled: true }),
    child('Ivo', '2000-05-05', { 'dependent-type': 'spouse' }),
    child('Joana', '2005-01-01', { 'end-date': '2026-12-31' }),
  )
  const [gil, ana, bia] = [
    ['Gil', '2026-11-22', -1],
    ['Ana', '2026-11-22', -1],
    ['Bia', '2026-11-23', 0],
  ]
  const near = [['Caio', '2026-12-23', 30]]
  expect((await shown('&within-days=0')).toSorted()).toEqual([ana, bia, gil])
  expect((await shown('&within-days=30')).slice(2)).toEqual([bia, ...near])
  expect((await shown()).slice(2)).toEqual([bia, ...near, ['Fábio', '2026-12-31', 38], ['Duda', '2027-01-22', 60]])
  expect((await listed())[3]).toMatchObject({
    'too-old-from': '2026-12-24',
    'student-until': null,
    'contract-id': null,
  })
})

test('a page, and those of a contract; without an anniversary of the contract the last day is not known', async () => {
  await children(child('Ana', '2005-12-01'), child('Bia', '2005-12-02'))
  await setLimit({ ends: 'contract-anniversary' })
  expect(await shown()).toEqual([
    ['Ana', null, null],
    ['Bia', null, null],
  ])
  expect(await report()).toEqual([0, 0])
  const plans = [{ 'product-id': company.products[health] }]
  const contract = { ...contractBody(company), plans, 'contract-start': '2024-12-15', 'anniversary-month': 12 }
  const { result } = expectOk(await idle.testApp.operator.post('/operator/v1/contract', contract)).body
  const query = `&contract-id=${result['contract-id']}`
  expect(await shown(query)).toEqual([
    ['Ana', '2026-12-14', 21],
    ['Bia', '2026-12-14', 21],
  ])
  const page = await analyst.get(`/operator/v1/ageing-out?items-per-page=1&page=2${query}`)
  expect(page.body).toMatchObject({ result: [{ 'member-name': 'Bia' }], pagination: { 'total-items': 2 } })
  expect(await listed('&contract-id=01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')).toEqual([])
})

test('an event comes 60 days before, once for each end, also that of longer studies', async () => {
  await children(child('Ana', '2006-01-24'))
  const counts = []
  for (const day of ['2026-11-23', '2026-11-24', '2026-11-25']) counts.push(await report(day))
  expect(counts).toEqual([
    [0, 0],
    [1, 0],
    [1, 0],
  ])
  const [item] = await listed('&within-days=90')
  const { data } = (await events())[0]
  expect(data).toEqual({
    'company-id': company.id,
    'company-tax-id': company.taxId,
    'benefit-id': item['benefit-id'],
    'member-id': item['member-id'],
    'product-id': company.products[health],
    status: 'active',
  })
  const studies = `update member set details = details || '{"student-until": "2027-12-20"}' where company_id = $1`
  await idle.testApp.sql(studies, [company.id])
  expect(await report('2027-01-24')).toEqual([1, 0])
  expect(await report('2027-10-20')).toEqual([1, 0])
  expect(await report('2027-10-21')).toEqual([2, 0])
})

test('a draft of the exclusion comes with it where the limit says so, and goes when it no longer holds', async () => {
  await children(child('Ana', '2005-12-24'), child('Bia', '2005-12-24'))
  await setLimit({ 'draft-exclusion': true, ends: 'end-of-month' })
  expect(await report()).toEqual([2, 2])
  const proposed = { 'end-date': '2026-12-31', 'exclusion-reason': 'loss-of-dependent-status', status: 'open' }
  expect(await drafts()).toMatchObject([proposed, proposed])
  const [audited] = await idle.testApp.sql(
    `select actor from audit where company_id = $1 and action = 'draft-exclusion.created' limit 1`,
    [company.id],
  )
  expect(audited).toEqual({ actor: 'clock' })
  await idle.testApp.sql(
    `update member set details = '{"student-until": "2028-06-30"}' where company_id = $1 and name = 'Ana'`,
    [company.id],
  )
  expect(await report()).toEqual([2, 2])
  const open = (await drafts()).filter(({ status }) => status === 'open')
  expect(open.map((one) => one['member-name'])).toEqual(['Bia'])
  const confirmed = expectOk(await analyst.post(`/operator/v1/draft-exclusion/${open[0]['draft-id']}/confirm`)).body
  expect(confirmed).toEqual({ 'request-id': expect.any(String) as unknown })
  expect(await shown('&within-days=366')).toEqual([])
  expect(await report()).toEqual([2, 2])
  expect(await readViolations(idle.testApp.sql)).toEqual({})
})

test('a job that fails after any statement, or runs twice at once, reports and proposes each end once', async () => {
  const injection = withInjectedErrors(context)
  let failed = 0
  for (let after = 1; injection.fired > 0 || failed === 0; after += 1) {
    company = await idle.testApp.company(bodyWith({}))
    await children(child('Ana', '2005-12-24'), child('Bia', '2005-12-25'))
    await setLimit({ 'draft-exclusion': true })
    injection.arm(after)
    const error = await reportAgeingOut(injection.context, signal).catch((cause: unknown) => cause)
    if (injection.fired > 0) {
      failed += 1
      expect(error).toBeInstanceOf(InjectedError)
      expect([await events(), await drafts()]).toEqual([[], []])
    }
    injection.disarm()
    await Promise.all([reportAgeingOut(injection.context, signal), reportAgeingOut(await idle.context(), signal)])
    expect(await events()).toHaveLength(2)
    expect(await drafts()).toMatchObject([{ 'end-date': '2026-12-23' }, { 'end-date': '2026-12-24' }])
  }
  expect(await readViolations(idle.testApp.sql)).toEqual({})
})
