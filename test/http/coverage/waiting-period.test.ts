import { beforeAll, expect, test } from 'vitest'
import { contractBody } from '../../world/contract.ts'
import {
  type Client,
  type Company,
  companyBody,
  dependent,
  expectOk,
  inProduct,
  type Json,
  life,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-01' })
interface Own {
  readonly company: Company
  readonly partner: Client
}
let own: Own
let small: Own

/** A company with a contract of this size for its health products. */
async function contracted(lives: string | null): Promise<Own> {
  const company = await testApp.company()
  const names = companyBody.products.filter((one) => one['carrier-name'] === 'Operadora Aurora')
  const plans = names.map((one) => ({ 'product-id': company.products[one['product-name']] }))
  const body = { ...contractBody(company), plans, lives, 'contract-start': '2024-03-01' }
  expectOk(await testApp.operator.post('/operator/v1/contract', body))
  return { company, partner: await testApp.partner(company.taxId) }
}

beforeAll(async () => {
  own = await contracted('30-or-more')
  small = await contracted('up-to-29')
})

/** The waiting periods of the movements, as partner and operator see them. */
async function waitingPeriods(by: Own, members: Json[]): Promise<Json[]> {
  const periods = []
  const request = await testApp.include(by.partner, by.company, members)
  const parts = Object.values<Json>(request['status-by-tax-id']).flatMap((products) => Object.values<Json>(products))
  for (const { 'enrollment-id': id } of parts) {
    const { result } = expectOk(await by.partner.get(`/v1/enrollment/detail/${id}`)).body
    const review = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
    expect(review['waiting-period']).toEqual(result['waiting-period'])
    periods.push(result['waiting-period'])
  }
  return periods
}
const admitted = () => primary({ 'admission-date': '2026-11-01' })
const period = (status: string, reason: string, last: string | null) => ({
  status,
  reason,
  'last-day-for-exemption': last,
})

test('on the 30th day of the admission a contract of 30 lives exempts, a smaller one does not', async () => {
  expect(await waitingPeriods(own, [admitted()])).toEqual([period('exempt', 'requested-in-time', '2026-12-01')])
  expect(await waitingPeriods(small, [admitted()])).toEqual([period('may-apply', 'fewer-than-30-lives', null)])
})

test('a newborn is exempt within 30 days of the birth, whatever the size; other movements have none', async () => {
  const employee = primary({
    'admission-date': '2020-01-02',
    products: { ...admitted()['products'], ...inProduct('life-insurance', life, 'on-admission-date') },
  })
  const baby = dependent(employee['tax-id'], { 'date-of-birth': '2026-11-01' })
  const periods = await waitingPeriods(small, [employee, baby])
  expect(periods).toContainEqual(period('exempt', 'newborn-in-time', '2026-12-01'))
  expect(periods).toContainEqual(null)
})

test('without the size of the contract it is not known', async () => {
  expect(await waitingPeriods(await contracted(null), [admitted()])).toEqual([
    period('unknown', 'lives-unknown', '2026-12-01'),
  ])
})

test('on the 31st day it may apply, and the warning names the last day', async () => {
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2026-12-02' })
  expect(await waitingPeriods(own, [admitted()])).toEqual([period('may-apply', 'requested-late', '2026-12-01')])
  const body = { 'company-tax-id': own.company.taxId, members: [admitted()] }
  const { warnings } = expectOk(await own.partner.post('/v1/enrollment/inclusion?dry-run=true', body)).body
  expect(warnings).toMatchObject([{ warning: 'late-inclusion', field: 'admission-date', 'last-day': '2026-12-01' }])
})
