import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { expectOk, inProduct, type Json, life, useTestApp, primary, until, useCompany } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-23' })
const { company, partner } = useCompany(testApp)

const detail = async (id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result

async function admittedOn(...days: string[]): Promise<string[]> {
  const members = days.map((day) =>
    primary({ 'admission-date': day, products: inProduct('life-insurance', life, 'on-admission-date') }),
  )
  const request = await testApp.include(partner, company, members)
  return members.map((member) => request['status-by-tax-id'][member['tax-id']][life]['enrollment-id'])
}

test('what is scheduled goes to the queue when its day comes, days missed are caught up, each once', async () => {
  const [tomorrow = '', weekend = '', later = ''] = await admittedOn('2026-11-24', '2026-11-28', '2026-12-31')
  const [many] = [await admittedOn(...Array.from({ length: 60 }, () => '2026-11-27'))]
  expect((await detail(tomorrow)).status).toBe('scheduled')

  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2026-11-24' })
  await until(
    () => detail(tomorrow),
    (shown) => shown.status === 'created',
  )
  expect((await detail(weekend)).status).toBe('scheduled')

  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2026-11-30' })
  const ids = [weekend, ...many]
  const shown = await until(
    () => Promise.all(ids.map(detail)),
    (all) => all.every((one) => one.status === 'created'),
  )
  for (const one of shown) {
    expect(one.history.map((item: Json) => [item.status, item.actor])).toEqual([
      ['scheduled', 'partner'],
      ['created', 'clock'],
    ])
  }
  await testApp.restart()
  expect((await detail(tomorrow)).history).toHaveLength(2)
  expect((await detail(later)).status).toBe('scheduled')
  const audited = await testApp.sql("select target from audit where actor = 'clock' and action = 'enrollment.created'")
  expect(audited.map((row) => row['target']).toSorted()).toEqual([tomorrow, ...ids].toSorted())
})

test('an operator may take it up earlier, and the clock leaves it alone then', async () => {
  const [id = ''] = await admittedOn('2027-02-01')
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'created' }))
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2027-02-02' })
  const [other = ''] = await admittedOn('2027-02-01')
  expect((await detail(other)).status).toBe('created')
  expect((await detail(id)).history.map((item: Json) => item.actor)).toEqual(['partner', 'operator'])
})

test('a benefit whose last day has come is inactive, and shows only with include-inactive', async () => {
  const member = primary()
  await testApp.include(partner, company, [member], '?resolution=approve')
  await testApp.sql(
    `update benefit b set end_date = '2027-03-31' from member m
     where m.company_id = b.company_id and m.id = b.member_id and m.tax_id = $1`,
    [member['tax-id']],
  )
  const read = async (query = '') =>
    expectOk(await partner.get(`/v1/member${query}`)).body.result.find(
      (one: Json) => one.profile['tax-id'] === member['tax-id'],
    )
  expect((await read()).benefits).toMatchObject([{ status: 'active' }])
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2027-03-31' })
  await until(read, (shown) => shown === undefined)
  expect((await read('?include-inactive=true')).benefits).toMatchObject([
    { status: 'inactive', 'end-date': '2027-03-31' },
  ])
  expect(await testApp.sql("select 1 from event where type = 'benefit.deactivated'")).toHaveLength(1)
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
