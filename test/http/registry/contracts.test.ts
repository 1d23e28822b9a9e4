import { describe, expect, inject, test } from 'vitest'
import { calendar, carrierName, contractBody, makeContract } from '../../world/contract.ts'
import {
  type Company,
  companyBody,
  dental,
  expectOk,
  health,
  type Json,
  nextCnpj,
  premium,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

const path = '/operator/v1/contract'
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const planOf = (company: Company, name: string, more: Record<string, unknown> = {}) => ({
  'product-id': company.products[name],
  ...more,
})
const documentItem = {
  kind: 'document',
  'document-type': 'birth-certificate-or-national-id',
  message: 'Certidão de nascimento ou RG',
}
const meaning = (code: string): Json => ({ code, status: 'pending-documents', 'pending-items': [documentItem] })
const idOf = (contract: Json): string => contract['contract-id']
const read = async (id: string): Promise<Json> => expectOk(await testApp.operator.get(`${path}/${id}`)).body.result
const detailsOf = ({ body }: { readonly body: Json }) =>
  body.details.map(({ field, code }: Json) => [field, code] as const)

describe('a contract', () => {
  test('has what was sent, and defaults', async () => {
    const company = await testApp.company()
    const full = {
      'contract-number': '900001',
      'sub-contract': '0002',
      'carrier-company-code': 'EMP-0042',
      plans: [
        planOf(company, premium, {
          'carrier-plan-code': 'AE1231',
          'ans-plan-number': '471234568',
          'plan-version': '2',
        }),
        planOf(company, health, { 'carrier-plan-code': 'AE1230', 'ans-plan-number': '471234567' }),
      ],
      'ans-registration': '326305',
      'carrier-tax-id': '60.840.055/0001-31',
      lives: '30-or-more',
      'contract-start': '2024-03-01',
      'anniversary-month': 3,
      contributory: true,
      'post-paid': false,
      'retirement-remainder': 'whole-years',
      'age-on': 'month-after-birthday',
      proration: 'full-if-started-until-day',
      'proration-day': 15,
      tolerance: 10,
      'retroactive-exclusion': { unit: 'days', count: 30 },
      'retroactive-inclusion': { unit: 'months', count: 2 },
      'contract-fees': [{ 'entry-type': 'fee', 'entry-code': '51', amount: 4500, name: 'Taxa de administração' }],
      coparticipation: false,
      'coparticipation-delay-months': null,
      channel: 'portal',
      calendar: calendar(20, { exceptions: [{ month: '2026-12', 'cut-off-date': '2026-12-10' }] }),
      contacts: [{ name: 'Mesa', email: 'mesa@aurora.example', phone: '(11) 98765-4321' }, { name: 'Plantão' }],
      'answer-within-business-days': 5,
      'code-map': [
        { code: '17', status: 'pending-documents', 'pending-items': [documentItem] },
        { code: '99', status: 'rejected', reason: 'Fora da área' },
      ],
      'acknowledgement-mapping': { columns: { CPF: 'tax-id', STATUS: 'outcome' }, outcomes: { EFETIVADA: 'accepted' } },
      'show-discrepancies': true,
    }
    const made = await makeContract(testApp, company, { ...full, 'carrier-name': 'OPERADORA AURORA' })
    expect(made).toEqual({
      ...full,
      'contract-id': expect.stringMatching(/^[\da-f-]{36}$/),
      'company-tax-id': company.taxId,
      'carrier-name': carrierName,
      plans: [full.plans[0], { ...full.plans[1], 'plan-version': null }],
      'carrier-tax-id': '60840055000131',
      layouts: { movement: null, acknowledgement: null, roster: null, invoice: null, coparticipation: null },
      calendar: {
        ...full.calendar,
        'cut-off-business-days-before-billing': null,
        'when-not-business-day': 'previous',
        holidays: 'national',
        'own-holidays': [],
      },
      contacts: [
        { name: 'Mesa', email: 'mesa@aurora.example', phone: '11987654321' },
        { name: 'Plantão', email: null, phone: null },
      ],
      status: 'active',
      'next-cut-off': { month: '2026-12', 'cut-off-date': '2026-12-10', 'coverage-start': '2027-01-01' },
    })
    expect(await read(idOf(made).toUpperCase())).toEqual(made)
    const bare = await makeContract(testApp, company, { 'contract-number': '900002' })
    expect(bare).toMatchObject({ 'sub-contract': '', plans: [], calendar: null, channel: null, contributory: null })
    expect(bare).toMatchObject({ contacts: [], 'answer-within-business-days': 10, 'next-cut-off': null })
    expect(bare).toMatchObject({ 'code-map': [], 'acknowledgement-mapping': null, 'show-discrepancies': false })
    expect(bare).toMatchObject({ 'age-on': null, proration: null, 'proration-day': null, tolerance: 0 })
    expect(bare).toMatchObject({ 'retroactive-exclusion': null, 'retroactive-inclusion': null })
  })

  test('is replaced as a whole, also by what was read', async () => {
    const company = await testApp.company()
    const made = await makeContract(testApp, company, { plans: [planOf(company, health)], calendar: calendar(20) })
    const { 'contract-id': id, 'next-cut-off': _, ...body } = made
    expect(expectOk(await testApp.operator.put(`${path}/${id}`, body)).body.result).toEqual(made)
    const other = contractBody(company, { 'contract-number': '900009', plans: [planOf(company, premium)] })
    const replaced = expectOk(await testApp.operator.put(`${path}/${id}`, other)).body.result
    expect(replaced).toMatchObject({ 'contract-id': id, 'contract-number': '900009', calendar: null })
    expect(replaced.plans.map((plan: Json) => plan['product-id'])).toEqual([company.products[premium]])
    expect(await read(id)).toEqual(replaced)
  })

  test('that has ended frees its products, and cannot start again with a product that another has', async () => {
    const company = await testApp.company()
    const plans = [planOf(company, health)]
    const { 'contract-id': id } = await makeContract(testApp, company, { plans })
    const next = contractBody(company, { 'contract-number': '900002', plans })
    const refused = await testApp.operator.post(path, next)
    expect([refused.status, detailsOf(refused)]).toEqual([400, [['plans[0].product-id', 'in-another-contract']]])
    expect(refused.body.details[0].message).toBe('The product is in the active contract 900001.')
    const ended = contractBody(company, { plans, status: 'ended', calendar: calendar(20) })
    const { result } = expectOk(await testApp.operator.put(`${path}/${id}`, ended)).body
    expect(result).toMatchObject({ status: 'ended', 'next-cut-off': null })
    expectOk(await testApp.operator.post(path, next))
    const again = await testApp.operator.put(`${path}/${id}`, contractBody(company, { plans }))
    expect(detailsOf(again)).toEqual([['plans[0].product-id', 'in-another-contract']])
    expect((await read(id)).status).toBe('ended')
  })

  test('takes a retired product', async () => {
    const company = await testApp.company()
    expectOk(await testApp.operator.put(`/operator/v1/company/${company.taxId}`, { name: 'X', products: [] }))
    const made = await makeContract(testApp, company, { plans: [planOf(company, health)] })
    expect(made.plans).toHaveLength(1)
  })

  test('has a number once, but each of its sub-contracts', async () => {
    const company = await testApp.company()
    await makeContract(testApp, company)
    const made = await makeContract(testApp, company, { 'sub-contract': '0001' })
    await makeContract(testApp, company, { 'carrier-name': 'Odonto Brisa' })
    const again = await testApp.operator.post(path, contractBody(company, { 'sub-contract': '0001' }))
    expect([again.status, detailsOf(again)]).toEqual([400, [['contract-number', 'duplicate-contract']]])
    const moved = await testApp.operator.put(`${path}/${idOf(made)}`, contractBody(company))
    expect(detailsOf(moved)).toEqual([['contract-number', 'duplicate-contract']])
  })
})

test('of ten that are created at once with one product, one is', async () => {
  const company = await testApp.company()
  const plans = [planOf(company, health)]
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      testApp.operator.post(path, contractBody(company, { 'contract-number': `${index}`, plans })),
    ),
  )
  const statuses = responses.map(({ status }) => status).toSorted()
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  // On Citus some end as deadlocks.
  if (inject('nodeUrls').length > 1) expect([200, 400, 503]).toEqual(expect.arrayContaining(statuses))
  else expect(statuses).toEqual([200, ...Array(9).fill(400)])
})

test('a product of an active contract keeps its carrier; of an ended one it may have another', async () => {
  const company = await testApp.company()
  const { 'contract-id': id } = await makeContract(testApp, company, { plans: [planOf(company, premium)] })
  const products = companyBody.products.map((product) =>
    product['product-name'] === premium ? { ...product, 'carrier-name': 'Operadora Nova' } : product,
  )
  const put = () => testApp.operator.put(`/operator/v1/company/${company.taxId}`, { name: 'X', products })
  const refused = await put()
  expect([refused.status, detailsOf(refused)]).toEqual([400, [['products[1].carrier-name', 'invalid']]])
  expect(refused.body.details[0].message).toBe('The product is in the active contract 900001.')
  const ended = contractBody(company, { plans: [planOf(company, premium)], status: 'ended' })
  expectOk(await testApp.operator.put(`${path}/${id}`, ended))
  expectOk(await put())
})

describe('400', () => {
  const plan = { 'carrier-plan-code': 'A' }
  test.each<[string, (company: Company) => Json, [string, string][]]>([
    ['an unknown product', () => ({ plans: [{ 'product-id': unknown }] }), [['plans[0].product-id', 'unknown']]],
    [
      'a product of another carrier',
      (company) => ({ plans: [planOf(company, health), planOf(company, dental, plan)] }),
      [['plans[1].product-id', 'carrier-mismatch']],
    ],
    [
      'a product twice',
      (company) => ({ plans: [planOf(company, health), planOf(company, health, plan)] }),
      [['plans[1].product-id', 'repeated']],
    ],
    ['an unknown carrier', () => ({ 'carrier-name': 'Ninguém' }), [['carrier-name', 'unknown']]],
    ['a registration of 5 digits', () => ({ 'ans-registration': '32630' }), [['ans-registration', 'invalid']]],
    [
      'a plan number of 8 digits',
      (company) => ({ plans: [planOf(company, health, { 'ans-plan-number': '47123456' })] }),
      [['plans[0].ans-plan-number', 'invalid']],
    ],
    ['wrong check digits', () => ({ 'carrier-tax-id': '60840055000132' }), [['carrier-tax-id', 'invalid']]],
    [
      'wrong check digits of the company',
      () => ({ 'company-tax-id': '11222333000182' }),
      [['company-tax-id', 'invalid']],
    ],
    ['a number of 31 characters', () => ({ 'contract-number': '9'.repeat(31) }), [['contract-number', 'invalid']]],
    ['a blank at the end of the number', () => ({ 'contract-number': '9 ' }), [['contract-number', 'invalid']]],
    ['a channel that is none', () => ({ channel: 'fax' }), [['channel', 'invalid']]],
    ['month 13', () => ({ 'anniversary-month': 13 }), [['anniversary-month', 'invalid']]],
    [
      'a code of refusals twice',
      () => ({ 'code-map': [meaning('17'), meaning('17')] }),
      [['code-map[1].code', 'repeated']],
    ],
    [
      'pending items of a rejection',
      () => ({ 'code-map': [{ ...meaning('17'), status: 'rejected' }] }),
      [['code-map[0].pending-items', 'not-applicable']],
    ],
    [
      'a document with a field',
      () => ({ 'code-map': [{ ...meaning('17'), 'pending-items': [{ ...documentItem, field: 'name' }] }] }),
      [['code-map[0].pending-items[0].field', 'not-applicable']],
    ],
    [
      'an unknown status',
      () => ({ 'code-map': [{ code: '17', status: 'completed' }] }),
      [['code-map[0].status', 'invalid']],
    ],
    [
      'more than 500 codes',
      () => ({ 'code-map': Array.from({ length: 501 }, (_, code) => meaning(String(code))) }),
      [['code-map', 'invalid']],
    ],
    [
      'a mapping without the outcome',
      () => ({ 'acknowledgement-mapping': { columns: { CPF: 'tax-id' }, outcomes: {} } }),
      [['acknowledgement-mapping.columns', 'missing']],
    ],
    [
      'a mapping that names nobody',
      () => ({ 'acknowledgement-mapping': { columns: { STATUS: 'outcome', PRODUTO: 'product-name' }, outcomes: {} } }),
      [['acknowledgement-mapping.columns', 'missing']],
    ],
    [
      'a heading twice, without case and accents',
      () => ({
        'acknowledgement-mapping': {
          columns: { CPF: 'tax-id', Situação: 'outcome', SITUACAO: 'code' },
          outcomes: {},
        },
      }),
      [['acknowledgement-mapping.columns', 'repeated']],
    ],
    [
      'a column of a mapping that is none',
      () => ({ 'acknowledgement-mapping': { columns: { CID: 'cid' }, outcomes: {} } }),
      [['acknowledgement-mapping.columns.CID', 'invalid']],
    ],
    [
      'a heading of 201 characters',
      () => ({ 'acknowledgement-mapping': { columns: { CPF: 'tax-id', ['S'.repeat(201)]: 'outcome' }, outcomes: {} } }),
      [['acknowledgement-mapping.columns', 'invalid']],
    ],
    ['an unknown key', () => ({ kinds: {} }), [['kinds', 'unknown']]],
    [
      'no rule of the cut-off',
      () => ({ calendar: calendar(20, { 'cut-off-day': null }) }),
      [['calendar.cut-off-day', 'invalid']],
    ],
    [
      'two rules of the cut-off',
      () => ({ calendar: calendar(20, { 'cut-off-business-days-before-billing': 5 }) }),
      [['calendar.cut-off-day', 'invalid']],
    ],
    [
      'a coverage day 29',
      () => ({ calendar: calendar(20, { 'coverage-day': 29 }) }),
      [['calendar.coverage-day', 'invalid']],
    ],
    [
      'holidays that do not exist',
      () => ({ calendar: calendar(20, { 'own-holidays': ['02-29', '02-30', '2026-02-29'] }) }),
      [
        ['calendar.own-holidays[1]', 'invalid'],
        ['calendar.own-holidays[2]', 'invalid'],
      ],
    ],
    [
      'exceptions twice for a month, and far from it',
      () => ({
        calendar: calendar(20, {
          exceptions: [
            { month: '2026-12', 'cut-off-date': '2026-12-10' },
            { month: '2026-12', 'cut-off-date': '2025-12-11' },
          ],
        }),
      }),
      [
        ['calendar.exceptions[1].month', 'repeated'],
        ['calendar.exceptions[1].cut-off-date', 'invalid'],
      ],
    ],
  ])('for %s', async (_what, more, details) => {
    const company = await testApp.company()
    const response = await testApp.operator.post(path, contractBody(company, more(company)))
    expect([response.status, detailsOf(response)]).toEqual([400, details])
    expect(expectOk(await testApp.operator.get(`${path}?company-tax-id=${company.taxId}`)).body.result).toEqual([])
  })

  test('for a product of another company', async () => {
    const [company, other] = [await testApp.company(), await testApp.company()]
    const response = await testApp.operator.post(path, contractBody(company, { plans: [planOf(other, health)] }))
    expect([response.status, detailsOf(response)]).toEqual([400, [['plans[0].product-id', 'unknown']]])
  })

  test('for another company or carrier of a contract', async () => {
    const [company, other] = [await testApp.company(), await testApp.company()]
    const made = await makeContract(testApp, company)
    const body = contractBody(other, { 'carrier-name': 'Odonto Brisa' })
    const response = await testApp.operator.put(`${path}/${idOf(made)}`, body)
    expect(detailsOf(response)).toEqual([
      ['company-tax-id', 'invalid'],
      ['carrier-name', 'invalid'],
    ])
    expect(await read(idOf(made))).toEqual(made)
  })

  test('in Portuguese', async () => {
    const company = await testApp.company()
    const body = contractBody(company, {
      plans: [planOf(company, dental)],
      calendar: calendar(20, { 'cut-off-day': null }),
    })
    const { body: error } = await testApp.operator.post(path, body, { 'accept-language': 'pt-BR' })
    expect(error.details.map((one: Json) => one.message)).toEqual([
      'O campo “Dia de corte” não é válido. Informe este campo ou cut-off-business-days-before-billing, e só um deles.',
      expect.stringMatching(/é de outra operadora/),
    ])
  })
})

test('404 for an unknown contract, and an unknown company', async () => {
  const company = await testApp.company()
  for (const response of [
    await testApp.operator.get(`${path}/${unknown}`),
    await testApp.operator.put(`${path}/${unknown}`, contractBody(company)),
    await testApp.operator.get(`${path}/${unknown}/calendar`),
  ])
    expect([response.status, response.body.code]).toEqual([404, 'contract-not-found'])
  const response = await testApp.operator.post(path, contractBody({ ...company, taxId: nextCnpj() }))
  expect([response.status, response.body.code]).toEqual([404, 'company-not-found'])
})

test('the list is filtered by company and carrier, in pages, by carrier and number', async () => {
  const company = await testApp.company()
  for (const more of [
    { 'contract-number': '2', 'sub-contract': '0002' },
    { 'contract-number': '2', 'sub-contract': '0001' },
    { 'contract-number': '10', status: 'ended' },
    { 'contract-number': '7', 'carrier-name': 'Odonto Brisa' },
  ])
    await makeContract(testApp, company, more)
  const list = async (query: string) => {
    const { result, pagination } = expectOk(
      await testApp.operator.get(`${path}?company-tax-id=${company.taxId}${query}`),
    ).body
    const numbers = result.map((one: Json) => `${one['contract-number']}/${one['sub-contract']}`)
    return [numbers, pagination['total-items']]
  }
  expect(await list('')).toEqual([['7/', '10/', '2/0001', '2/0002'], 4])
  expect(await list('&carrier-name=operadora%20AURORA')).toEqual([['10/', '2/0001', '2/0002'], 3])
  expect(await list('&carrier-name=aurora')).toEqual([[], 0])
  expect(await list('&page=2&items-per-page=3')).toEqual([['2/0002'], 4])
})
