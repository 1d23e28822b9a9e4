import { beforeAll, describe, expect, test } from 'vitest'
import { makeContract } from '../../world/contract.ts'
import {
  type ApiResponse,
  dependent,
  expectOk,
  health,
  type Json,
  monday,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const detailsOf = (more: Json): Json => ({ 'end-date': monday, 'exclusion-reason': 'dismissal', ...more })

const exclude = (cpf: string, more: Json): Promise<ApiResponse> =>
  partner.post(`/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}`, {
    'exclusion-details': detailsOf(more),
  })

/** The movements of a CPF as operators see them. */
const queueOf = async (cpf: string): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`/operator/v1/enrollment?member-tax-id=${cpf}&enrollment-type=exclusion`)).body
    .result

const errors = ({ status, body }: ApiResponse) => [
  status,
  Object.fromEntries((body.details ?? []).map(({ field, code }: Json) => [field.split('.').at(-1), code])),
]

async function employee(): Promise<string> {
  const member = primary({ 'admission-date': '2025-01-10' })
  await testApp.include(partner, company, [member], '?resolution=approve')
  return member['tax-id']
}

describe('the day on which the person asked', () => {
  const asked = { 'exclusion-reason': 'requested-by-beneficiary', 'requested-at': '2026-10-10' }

  test('starts the 30 days of RN 561, of dependents who leave too, and an answer moves them', async () => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    await testApp.include(partner, company, [mother, child], '?resolution=approve')
    expectOk(await exclude(mother['tax-id'], asked))
    const [own] = await queueOf(mother['tax-id'])
    expect(own).toMatchObject({ 'due-date': '2026-11-09', 'exclusion-details': detailsOf(asked) })
    expect(await queueOf(child['tax-id'])).toMatchObject([{ 'due-date': '2026-11-09' }])

    const pending = { status: 'pending-correction', reason: 'Conferir o dia do pedido' }
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${own.id}/transition`, pending))
    const answer = (data: Json) => partner.post(`/v1/enrollment/${own.id}/answer`, { data })
    expect(errors(await answer({ 'requested-at': '2026-11-24' }))).toEqual([400, { 'requested-at': 'invalid' }])
    expect(errors(await answer({ 'exclusion-reason': 'death' }))).toEqual([400, { 'requested-at': 'not-applicable' }])
    expectOk(await answer({ 'requested-at': '2026-10-12' }))
    expect(await queueOf(child['tax-id'])).toMatchObject([{ 'due-date': '2026-11-11' }])
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${own.id}/transition`, pending))
    expectOk(await answer({ 'requested-at': null }))
    // Without that day the end of the benefit is the earliest.
    expect(await queueOf(mother['tax-id'])).toMatchObject([{ 'due-date': monday }])
  })

  test('is of a batch too, and an offense out of the last year', async () => {
    const [cpf, other] = [await employee(), await employee()]
    const members = [asked, { ...asked, 'requested-at': '2025-10-01' }].map((details, index) => ({
      'tax-id': [cpf, other][index],
      'exclusion-details': detailsOf(details),
    }))
    const path = '/v1/enrollment/exclusion'
    const body = { 'company-tax-id': company.taxId, members }
    const accepted = expectOk(await partner.post(path, body, { prefer: 'handling=lenient' })).body
    expect(accepted.result).toMatchObject([
      { index: 1, 'offense-details': [{ field: 'exclusion-details.requested-at' }] },
    ])
    await testApp.finished(partner, accepted['request-id'])
    expect(await queueOf(cpf)).toMatchObject([{ 'due-date': '2026-11-09' }])
  })

  test.each([
    ['tomorrow', { 'requested-at': '2026-11-24' }, { 'requested-at': 'invalid' }],
    ['more than a year ago', { 'requested-at': '2025-11-21' }, { 'requested-at': 'invalid' }],
    ['of another reason', { 'exclusion-reason': 'dismissal' }, { 'requested-at': 'not-applicable' }],
    ['no day', { 'requested-at': '10/11/2026' }, { 'requested-at': 'invalid' }],
  ])('400 for %s', async (_, more, expected) => {
    expect(errors(await exclude(await employee(), { ...asked, ...more }))).toEqual([400, expected])
  })
})

describe('the right to keep the plan', () => {
  const continuation = {
    contributed: true,
    'contribution-months': 130,
    'keeps-working-after-retirement': false,
    'notice-date': '2026-11-01',
    option: 'accepted',
    'option-date': '2026-11-20',
  }

  test('is shown with the movement, and in the export', async () => {
    const cpf = await employee()
    const retired = { 'exclusion-reason': 'retirement', 'extension-plan': true, ...continuation }
    const requestId = expectOk(await exclude(cpf, retired)).body['request-id']
    const request = expectOk(await partner.get(`/v1/request/${requestId}`)).body
    const id = request['status-by-tax-id'][cpf][health]['enrollment-id']
    const shown = expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
    expect(shown['exclusion-details']).toEqual({ ...detailsOf(retired), 'exclusion-reason-details': null })
    const csv = expectOk(await testApp.operator.get(`/operator/v1/enrollment/export?member-tax-id=${cpf}`)).text
    const [header = '', ...lines] = csv.split('\r\n').map((line) => line.split(';'))
    const line = lines.find((cells) => cells[0] === id) ?? []
    const cells = Object.keys(continuation).map((name) => line[(header as string[]).indexOf(name)])
    expect(cells).toEqual(Object.values(continuation).map(String))
  })

  test.each<[string, Json, Json]>([
    ['another reason', { 'exclusion-reason': 'resignation', contributed: true }, { contributed: 'not-applicable' }],
    [
      'retirement in a death',
      { 'exclusion-reason': 'death', 'keeps-working-after-retirement': true },
      { 'keeps-working-after-retirement': 'not-applicable' },
    ],
    [
      'the items of a resignation of who had not retired',
      { 'exclusion-reason': 'resignation', 'keeps-working-after-retirement': false, 'notice-date': '2026-11-01' },
      { 'notice-date': 'not-applicable' },
    ],
    ['a day without an option', { 'option-date': '2026-11-20' }, { 'option-date': 'not-applicable' }],
    [
      'values that are none',
      { contributed: 'yes', 'contribution-months': 721, option: 'maybe', 'notice-date': 'x' },
      { contributed: 'invalid', 'contribution-months': 'invalid', option: 'invalid', 'notice-date': 'invalid' },
    ],
  ])('400 for %s', async (_, more, expected) => {
    expect(errors(await exclude(await employee(), more))).toEqual([400, expected])
  })

  describe('of a contributory contract', () => {
    const missing = (...fields: string[]) => [
      400,
      Object.fromEntries(fields.map((one) => [one, 'required-by-contract'])),
    ]

    beforeAll(async () => {
      const plans = [{ 'product-id': company.products[health] }]
      await makeContract(testApp, company, { plans, contributory: true })
    })

    test.each<[string, Json, string[]]>([
      ['a dismissal', {}, ['contributed', 'contribution-months', 'notice-date', 'option']],
      [
        'a retirement',
        { 'exclusion-reason': 'retirement', contributed: true },
        ['contribution-months', 'notice-date', 'option', 'keeps-working-after-retirement'],
      ],
      [
        'an answer without its day',
        { ...continuation, 'option-date': undefined, 'exclusion-reason': 'retirement' },
        ['option-date'],
      ],
      [
        'a resignation of who had retired',
        { 'exclusion-reason': 'resignation', 'keeps-working-after-retirement': true },
        ['contributed', 'contribution-months', 'notice-date', 'option'],
      ],
    ])('is what %s needs, with a code in words for each field', async (_, more, fields) => {
      const cpf = await employee()
      expect(errors(await exclude(cpf, more))).toEqual(missing(...fields))
      const batch = await partner.post('/v1/enrollment/exclusion', {
        'company-tax-id': company.taxId,
        members: [{ 'tax-id': cpf, 'product-id': company.products[health], 'exclusion-details': detailsOf(more) }],
      })
      expect(batch.body.result[0]['offense-details']).toEqual(
        fields.map((field) => ({
          code: 'invalid-exclusion-details',
          field: `exclusion-details.${field}`,
          reason: 'required-by-contract',
          message: expect.stringContaining('`contributed: false` is enough'),
        })),
      )
    })

    test('is not taken away by an answer', async () => {
      const cpf = await employee()
      const { 'keeps-working-after-retirement': _, ...items } = continuation
      expectOk(await exclude(cpf, items))
      const [own] = await queueOf(cpf)
      const pending = { status: 'pending-correction', reason: 'Conferir' }
      expectOk(await testApp.operator.post(`/operator/v1/enrollment/${own.id}/transition`, pending))
      const answer = (data: Json) => partner.post(`/v1/enrollment/${own.id}/answer`, { data })
      expect(errors(await answer({ 'contribution-months': null }))).toEqual(missing('contribution-months'))
      expectOk(await answer({ 'contribution-months': 12 }))
    })

    test('is not needed of other reasons, of who did not contribute, and of dependents', async () => {
      const statuses = []
      statuses.push((await exclude(await employee(), { contributed: false })).status)
      statuses.push((await exclude(await employee(), { 'exclusion-reason': 'resignation' })).status)
      const mother = primary({ 'admission-date': '2025-01-10' })
      const child = dependent(mother['tax-id'])
      await testApp.include(partner, company, [mother, child], '?resolution=approve')
      statuses.push((await exclude(child['tax-id'], {})).status)
      const { 'keeps-working-after-retirement': _, ...items } = continuation
      statuses.push((await exclude(mother['tax-id'], items)).status)
      expect(statuses).toEqual([200, 200, 200, 200])
    })
  })
})

test('a misspelt field is refused with the field that was meant, and fields without their object with the object', async () => {
  const cpf = await employee()
  const path = `/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}`
  const refused = ({ status, body }: ApiResponse) => [status, body.error, body.details]
  expect(refused(await exclude(cpf, { end_date: monday }))).toEqual([
    400,
    'Invalid exclusion-details',
    [{ field: 'exclusion-details.end_date', code: 'unknown', message: 'Did you mean end-date?' }],
  ])
  expect(refused(await partner.post(path, detailsOf({})))).toEqual([
    400,
    'Invalid exclusion-details',
    [{ field: 'exclusion-details', code: 'missing' }],
  ])
  expect(refused(await partner.post(path, { 'exclusion-detail': detailsOf({}) }))).toEqual([
    400,
    'Invalid body',
    [{ field: 'exclusion-detail', code: 'unknown', message: 'Did you mean exclusion-details?' }],
  ])
  const salary = await partner.post(`/v1/enrollment/alteration/${cpf}`, { 'alteration-data': { salary: 500_000 } })
  expect(salary.body.details).toEqual([
    { field: 'alteration-data.salary', code: 'unknown', message: 'Did you mean monthly-salary?' },
  ])
})
