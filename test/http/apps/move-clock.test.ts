import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { putInvoice } from '../../world/invoice.ts'
import {
  expectOk,
  health,
  inProduct,
  type Json,
  life,
  openTestApp,
  primary,
  until,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-23' })
const path = '/operator/v1/clock'
const { company, partner } = useCompany(testApp)

const clock = async (): Promise<Json> => expectOk(await testApp.operator.get(path)).body.result
const advance = async (body: Json): Promise<Json> => expectOk(await testApp.operator.post(path, body)).body.result
/** Until every process has it. */
const reached = (date: string) => until(clock, (shown) => shown['business-date'] === date)
const nothing = {
  'scheduled-movements': 0,
  'sandbox-outcomes': 0,
  'replaced-benefits': 0,
  'ended-benefits': 0,
  continuations: 0,
  'approaching-deadlines': 0,
  'overdue-invoices': 0,
  'ageing-dependents': 0,
}
const statusOf = async (id: string): Promise<string> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result.status

async function admittedOn(...days: string[]): Promise<string[]> {
  const members = days.map((day) =>
    primary({ 'admission-date': day, products: inProduct('life-insurance', life, 'on-admission-date') }),
  )
  const request = await testApp.include(partner, company, members)
  return members.map((member) => request['status-by-tax-id'][member['tax-id']][life]['enrollment-id'])
}

async function excluded(endDate: string, reason: string): Promise<Json> {
  const member = primary()
  await testApp.include(partner, company, [member], '?resolution=approve')
  const details = { 'end-date': endDate, 'exclusion-reason': reason }
  const url = `/v1/enrollment/exclusion/${member['tax-id']}/company/${company.taxId}`
  const accepted = expectOk(await partner.post(url, { 'exclusion-details': details }))
  const { 'status-by-tax-id': parts } = await testApp.finished(partner, accepted.body['request-id'])
  return parts[member['tax-id']][health]['enrollment-id']
}

test('the day is the configured one until it is moved', async () => {
  expect(await clock()).toEqual({ 'business-date': '2026-11-23', 'moved-days': 0 })
})

test('what is due happens day by day, the response counts it, and the day stays after a restart', async () => {
  const [tomorrow = '', friday = '', later = ''] = await admittedOn('2026-11-24', '2026-11-27', '2026-12-31')
  const invoice = await putInvoice(testApp, company, { 'due-date': '2026-11-26' })
  const exclusion = await excluded('2026-11-23', 'dismissal')
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${exclusion}/transition`, { status: 'completed' }))
  const ending = await excluded('2026-11-25', 'dismissal')
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${ending}/transition`, { status: 'completed' }))

  expect(await advance({ 'advance-days': 4 })).toEqual({
    'former-business-date': '2026-11-23',
    'business-date': '2026-11-27',
    'moved-days': 4,
    'applied-days': [
      { ...nothing, date: '2026-11-24', 'scheduled-movements': 1 },
      { ...nothing, date: '2026-11-25', 'ended-benefits': 1 },
      { ...nothing, date: '2026-11-27', 'scheduled-movements': 1, 'overdue-invoices': 1 },
    ],
  })
  expect(await Promise.all([tomorrow, friday, later].map(statusOf))).toEqual(['created', 'created', 'scheduled'])
  const invoices = expectOk(await partner.get('/v1/invoices/pending-payment')).body.result
  expect(invoices.find(({ id }: Json) => id === invoice)['invoice-status']).toBe('all-overdue')

  await testApp.restart()
  expect(await clock()).toEqual({ 'business-date': '2026-11-27', 'moved-days': 4 })
  const audited = await testApp.sql("select target from audit where action = 'clock.advanced' order by at, id")
  expect(audited.map(({ target }) => target)).toEqual(['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'])
})

test('a day is named or counted, is no earlier one, and the same one changes nothing', async () => {
  const { 'business-date': today } = await clock()
  for (const body of [{}, { 'advance-days': 1, 'business-date': '2027-01-01' }, { 'advance-days': 0 }, { days: 1 }])
    expect((await testApp.operator.post(path, body)).status).toBe(400)
  for (const [field, value] of [
    ['business-date', '2026-11-26'],
    ['business-date', '2027-11-30'],
  ] as const) {
    const { status, body } = await testApp.operator.post(path, { [field]: value })
    expect([status, body.details]).toEqual([
      400,
      [{ field, code: 'invalid', message: 'The clock moves forward only, by at most 366 days.' }],
    ])
  }
  expect(await advance({ 'business-date': today })).toMatchObject({ 'business-date': today, 'applied-days': [] })
  expect((await clock())['business-date']).toBe(today)
})

test('new movements are of the moved day: the 30 days of an exclusion count from it', async () => {
  await advance({ 'business-date': '2026-12-01' })
  await reached('2026-12-01')
  const id = await excluded('2026-12-01', 'requested-by-beneficiary')
  const shown = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
  expect(shown.deadlines).toMatchObject([{ kind: 'carrier-notice', until: '2026-12-31' }])
  expect(shown['due-date']).toBe('2026-12-01')
})

test('of calls at once each starts where another has ended', async () => {
  const { 'business-date': before, 'moved-days': moved } = await clock()
  const ids = await admittedOn('2026-12-02', '2026-12-03', '2026-12-04')
  const results = await Promise.all([1, 1, 1].map((days) => advance({ 'advance-days': days })))
  const starts = results.map((result) => result['former-business-date']).toSorted()
  expect(starts).toEqual([before, '2026-12-02', '2026-12-03'])
  expect(results.flatMap(({ 'applied-days': days }) => days.map((day: Json) => day['scheduled-movements']))).toEqual([
    1, 1, 1,
  ])
  await until(clock, (shown) => shown['moved-days'] === moved + 3)
  expect(await Promise.all(ids.map(statusOf))).toEqual(['created', 'created', 'created'])
  expect(await readViolations(testApp.sql, '2026-12-04')).toEqual({})
})

test('other operators read the day, only an admin moves it, and no partner outside the demo', async () => {
  const analyst = await testApp.operatorOf('analyst')
  expectOk(await analyst.get(path))
  expect((await analyst.post(path, { 'advance-days': 1 })).status).toBe(403)
  const refused = await partner.post('/v1/sandbox/clock', { 'advance-days': 1 })
  expect([refused.status, refused.body.code]).toEqual([404, 'clock-staging-only'])
})

test('in production there is no clock, and a database whose day was moved is refused', async () => {
  const own = await openTestApp({ VIGENCIA_ENVIRONMENT: 'production' })
  try {
    const answers = [await own.operator.get(path), await own.operator.post(path, '{', { 'content-type': 'text/plain' })]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'clock-staging-only'],
      [404, 'clock-staging-only'],
    ])
    await own.sql("insert into service_metadata (name, value) values ('clock-days', '3')")
    await expect(own.restart()).rejects.toThrow('Production refuses a moved clock')
    await own.sql("delete from service_metadata where name = 'clock-days'")
    await own.restart()
  } finally {
    await own.close()
  }
})

test('a partner reads the business day, also after it was moved', async () => {
  const before = await clock()
  const moved = (await advance({ 'advance-days': 2 }))['business-date']
  await reached(moved)
  expect(moved).not.toBe(before['business-date'])
  const read = expectOk(await partner.get('/v1/sandbox/clock')).body.result
  expect(read).toEqual({ 'business-date': moved, 'moved-days': before['moved-days'] + 2 })
  expect(expectOk(await partner.get('/v1/health')).body).toEqual({ status: 'ok', 'business-date': moved })
})
