import { beforeAll, describe, expect, test } from 'vitest'
import { dependentOf, holder, memberOf, ndjson, sendImport } from '../../world/import.ts'
import {
  type Client,
  type Company,
  companyBody,
  dependent,
  expectOk,
  health,
  type Json,
  nextCnpj,
  primary,
  useTestApp,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

/* Today is 2026-11-23. */

const testApp = useTestApp()
const limit = {
  'dependent-type': 'child',
  'max-age': 21,
  'student-max-age': 24,
  unless: ['disabled'],
  ends: 'end-of-month',
}
let company: Company
let partner: Client
let employee: Json

/** A company whose health product has these limits. */
const withLimits = (limits: readonly object[]) => ({
  ...companyBody,
  products: companyBody.products.map((one) =>
    one['product-name'] === health ? { ...one, 'age-limits': limits } : one,
  ),
})

beforeAll(async () => {
  company = await testApp.company(withLimits([limit]))
  partner = await testApp.partner(company.taxId)
  employee = primary()
  await testApp.include(partner, company, [employee], '?resolution=approve')
})

const enrolled = async () => ({ 'document-id': await upload(partner), 'document-type': 'proof-of-enrollment' })
const of21 = (more: object = {}) => dependent(employee['tax-id'], { 'date-of-birth': '2005-11-23', ...more })
const sent = (members: unknown[], query = '') =>
  partner.post(`/v1/enrollment/inclusion${query}`, { 'company-tax-id': company.taxId, members })

describe('a child of 21 years and 0 days, under 21 and 24 for students', () => {
  const refused = {
    code: 'dependent-too-old',
    field: 'date-of-birth',
    'product-name': health,
    allowed: { 'max-age': 21, 'student-max-age': 24 },
    message: expect.stringMatching(/^The dependent is older than the product’s limit in `allowed`\./),
  }

  test('is refused without a proof of enrollment, in a dry run too, with the limits', async () => {
    for (const more of [{}, { 'student-until': '2027-12-15' }]) {
      for (const query of ['', '?dry-run=true']) {
        const { status, body } = await sent([of21(more)], query)
        expect([status, body.code, body.result[0].offenses]).toEqual([400, 'invalid-members', ['dependent-too-old']])
        expect(body.result[0]['offense-details']).toEqual([refused])
      }
    }
  })

  test('is accepted with it, and the member has the last day of the studies', async () => {
    const child = of21({ 'student-until': '2027-12-15', documents: [await enrolled()] })
    expect((await sent([child], '?dry-run=true')).status).toBe(200)
    await testApp.include(partner, company, [child], '?resolution=approve')
    const { id } = await memberOf(partner, child['tax-id'])
    const { result } = expectOk(await partner.get(`/v1/member/${id}`)).body
    expect(result.registrations).toMatchObject([{ 'student-until': '2027-12-15' }])
  })

  test('is accepted a day younger', async () => {
    expect((await sent([of21({ 'date-of-birth': '2005-11-24' })], '?dry-run=true')).status).toBe(200)
  })

  test('is refused in Portuguese with what to do', async () => {
    const body = { 'company-tax-id': company.taxId, members: [of21()] }
    const response = await partner.post('/v1/enrollment/inclusion', body, { 'accept-language': 'pt-BR' })
    expect(response.body.result[0]['offense-details'][0].message).toContain('comprovante de matrícula')
  })

  test('is left out of a lenient batch', async () => {
    const body = { 'company-tax-id': company.taxId, members: [of21(), of21({ disabled: true })] }
    const prefer = { prefer: 'handling=lenient' }
    const response = expectOk(await partner.post('/v1/enrollment/inclusion?dry-run=true', body, prefer)).body
    expect(response.result.map((one: Json) => one.index)).toEqual([0])
  })
})

test.each([
  // The next period starts on 1 January: the cut-off day has passed.
  ['on-next-billing-period', '2006-01-01', 400],
  ['on-next-billing-period', '2006-01-02', 200],
  ['on-inclusion-date', '2006-01-01', 200],
])('a child is judged on the start of the benefit: %s, born on %s, is a %d', async (option, born, status) => {
  const child = of21({ 'date-of-birth': born })
  const products = { 'health-insurance': [{ name: health, 'start-option': option }] }
  const answer = await sent([{ ...child, products }], '?dry-run=true')
  expect([answer.status, answer.body.result?.[0].offenses]).toEqual([
    status,
    status === 400 ? ['dependent-too-old'] : undefined,
  ])
})

describe('a plan change that takes a child of 20 along', () => {
  const warning = {
    warning: 'dependent-too-old',
    field: 'alteration-data.new-product-id',
    allowed: { 'max-age': 21, 'student-max-age': null },
  }
  const plan = 'Saúde Plena'
  let family: Company
  let by: Client
  const people: Json[] = []

  beforeAll(async () => {
    const [first] = companyBody.products
    const limited = { 'dependent-type': 'child', 'max-age': 21, ends: 'birthday' }
    const another = { ...first, 'product-name': plan, 'age-limits': [limited] }
    family = await testApp.company({ ...companyBody, products: [...companyBody.products, another] })
    by = await testApp.partner(family.taxId)
    const parent = primary()
    people.push(parent, dependent(parent['tax-id'], { 'date-of-birth': '2005-12-10' }))
    await testApp.include(by, family, people, '?resolution=approve')
  })

  const data = (start: string) => ({ 'new-product-id': family.products[plan], 'requested-start-date': start })
  const batch = (start: string) => ({
    'company-tax-id': family.taxId,
    members: [{ 'tax-id': people[0]?.['tax-id'], 'alteration-data': data(start) }],
  })

  test('does not warn where the change is a day earlier', async () => {
    const answer = expectOk(await by.post('/v1/enrollment/alteration?dry-run=true', batch('2026-12-09'))).body
    expect(answer.warnings).toBeUndefined()
  })

  test('warns where the child is 21 on the day of the change, in a batch too, and in Portuguese', async () => {
    const told = { ...warning, 'tax-id': people[1]?.['tax-id'], 'product-name': plan }
    const path = '/v1/enrollment/alteration'
    const answer = expectOk(await by.post(`${path}?dry-run=true`, batch('2026-12-10'))).body
    expect(answer.warnings).toEqual([{ index: 0, ...told }])
    const single = { 'company-tax-id': family.taxId, 'alteration-data': data('2026-12-10') }
    const language = { 'accept-language': 'pt-BR' }
    const { body } = expectOk(await by.post(`${path}/${people[0]?.['tax-id']}`, single, language))
    expect(body.warnings).toEqual([{ ...told, message: expect.stringContaining('idade limite') }])
  })
})

test('a disability exempts where the limit says so, and is masked until it is disclosed', async () => {
  const child = of21({ disabled: true })
  await testApp.include(partner, company, [child], '?resolution=approve')
  const { id } = await memberOf(partner, child['tax-id'])
  const registrationOf = async (query: string) =>
    expectOk(await testApp.operator.get(`/operator/v1/member/${id}${query}`)).body.result.registrations[0]
  expect(await registrationOf('')).not.toHaveProperty('disabled')
  expect(await registrationOf('?disclose=true')).toMatchObject({ disabled: true })
  const disclosed = expectOk(await testApp.operator.post(`/operator/v1/member/${id}/disclosure`)).body.result
  expect(disclosed.registrations).toMatchObject([{ disabled: true }])
  const strict = await testApp.company(withLimits([{ ...limit, unless: [] }]))
  const other = primary()
  const members = [other, { ...child, 'primary-member-tax-id': other['tax-id'] }]
  const body = { 'company-tax-id': strict.taxId, members }
  const response = await (await testApp.partner(strict.taxId)).post('/v1/enrollment/inclusion', body)
  expect(response.body.result[0].offenses).toEqual(['dependent-too-old'])
})

test('an alteration of a dependent sets both, and an auditor does not see the disability', async () => {
  const child = of21({ 'date-of-birth': '2005-11-24' })
  await testApp.include(partner, company, [child], '?resolution=approve')
  const data = { 'student-until': '2026-12-18', disabled: true }
  const altered = await partner.post(`/v1/enrollment/alteration/${child['tax-id']}`, {
    'company-tax-id': company.taxId,
    'alteration-data': data,
  })
  const request = expectOk(await partner.get(`/v1/request/${expectOk(altered).body['request-id']}`)).body
  const [part] = Object.values<Json>(request['status-by-tax-id'][child['tax-id']])
  const path = `/operator/v1/enrollment/${part['enrollment-id']}`
  const auditor = await testApp.operatorOf('auditor')
  const disabled = async (by: Client) =>
    expectOk(await by.get(path)).body.result.difference.find((one: Json) => one.field === 'disabled')
  expect(await disabled(testApp.operator)).toMatchObject({ new: true })
  expect(await disabled(auditor)).toMatchObject({ new: '***' })
  expect((await auditor.get(path)).text).not.toContain('"disabled":true')
  expectOk(await testApp.operator.post(`${path}/transition`, { status: 'completed' }))
  const { id } = await memberOf(partner, child['tax-id'])
  expect(expectOk(await partner.get(`/v1/member/${id}`)).body.result.registrations).toMatchObject([data])
})

test('an alteration of other data of a dependent is still not found', async () => {
  const child = of21({ 'date-of-birth': '2005-11-24' })
  await testApp.include(partner, company, [child], '?resolution=approve')
  const response = await partner.post(`/v1/enrollment/alteration/${child['tax-id']}`, {
    'company-tax-id': company.taxId,
    'alteration-data': { 'student-until': '2026-12-18', phone: '11987654321' },
  })
  expect([response.status, response.body.code]).toEqual([404, 'no-active-primary-benefit'])
})

test('an import refuses those who are too old and not covered yet, not those whom it has covered', async () => {
  const line = holder(company)
  const child = dependentOf(company, line['tax-id'], { 'date-of-birth': '2005-11-23' })
  const imported = async (...lines: unknown[]) =>
    expectOk(await sendImport(testApp.operator, ndjson(lines))).body.errors.map((one: Json) => one.offenses)
  expect(await imported(line, child)).toEqual([['dependent-too-old']])
  expect(await imported({ ...child, 'end-date': '2026-10-31' })).toEqual([])
  expect(await imported({ ...child, 'student-until': '2026-12-15', 'start-date': '2026-11-01' })).toEqual([])
  expect(await imported({ ...child, 'start-date': '2026-11-01' })).toEqual([])
  const other = dependentOf(company, line['tax-id'], { 'date-of-birth': '2005-11-23' })
  expect(await imported({ ...other, disabled: true })).toEqual([])
})

test('the limits of a product are shown with all their keys, to partners too', async () => {
  const whole = { ...limit, 'draft-exclusion': false }
  const { result } = expectOk(await partner.get(`/v1/company/${company.taxId}`)).body
  expect(result.products[0]['age-limits']).toEqual([whole])
  expect(result.products[1]['age-limits']).toEqual([])
  const least = { 'dependent-type': 'child', 'max-age': 21, ends: 'birthday' }
  const stored = expectOk(await testApp.operator.put(`/operator/v1/company/${nextCnpj()}`, withLimits([least]))).body
  expect(stored.result.products[0]['age-limits']).toEqual([
    { ...least, 'student-max-age': null, unless: [], 'draft-exclusion': false },
  ])
})

test.for([
  ['a kind twice', [limit, limit], { field: 'products[0].age-limits[1].dependent-type', code: 'repeated' }],
  [
    'students no older than others',
    [{ ...limit, 'student-max-age': 21 }],
    { field: 'products[0].age-limits[0].student-max-age', code: 'invalid' },
  ],
  ['no end', [{ ...limit, ends: undefined }], { field: 'products[0].age-limits[0].ends', code: 'missing' }],
  ['an age of nobody', [{ ...limit, 'max-age': 0 }], { field: 'products[0].age-limits[0].max-age', code: 'invalid' }],
] as const)('%s is refused', async ([, limits, detail]) => {
  const { status, body } = await testApp.operator.put(`/operator/v1/company/${nextCnpj()}`, withLimits(limits))
  expect([status, body.details]).toMatchObject([400, [detail]])
})
