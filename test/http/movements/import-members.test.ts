import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  type Json,
  life,
  monday,
  nextCnpj,
  nextCpf,
  useTestApp,
  premium,
  primary,
  useCompany,
} from '../../world/test-app.ts'
import { rosterOf, csv, dependentOf, holder, memberOf, ndjson, sendImport } from '../../world/import.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

async function imported(lines: readonly unknown[], query = ''): Promise<Json> {
  return expectOk(await sendImport(testApp.operator, ndjson(lines), { query })).body
}

/** The offenses of a file whose last line is this one. */
async function offensesOf(line: Record<string, Json>, ...before: Record<string, Json>[]): Promise<Json> {
  const response = await imported([...before, line])
  return response.errors.find((error: Json) => error.line === before.length + 1)?.offenses ?? []
}

describe('a line', () => {
  test('becomes a member with an active benefit, as the partner reads it', async () => {
    const line = holder(company, {
      'tax-id': '529.982.247-25',
      'marital-status': 'other',
      'card-number': ' 0045 1120 7788 ',
      'employee-id': 'E-1',
      'cost-center': 'CC-1',
      salary: 123_456,
      'admission-date': '2024-02-01',
      'company-tax-id': company.taxId.toLowerCase(),
      'product-name': health.toUpperCase(),
      nickname: 'an unknown key is ignored',
    })
    expect(await imported([line])).toMatchObject({ lines: 1, accepted: 1, rejected: 0, errors: [], 'dry-run': false })
    expect(await memberOf(partner, '52998224725')).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
      profile: {
        name: 'Conceição Müller',
        'mothers-name': 'Ana Müller',
        'date-of-birth': '1980-02-29',
        gender: 'female',
        'marital-status': 'others',
        'tax-id': '52998224725',
      },
      benefits: [
        {
          'benefit-id': expect.any(String),
          status: 'active',
          'company-tax-id': company.taxId,
          'product-id': company.products[health],
          'product-name': health,
          'product-type': 'health-insurance',
          'carrier-name': 'Operadora Aurora',
          type: 'primary',
          'start-date': '2024-03-01',
          'end-date': null,
          'extension-plan': false,
          'card-number': '0045 1120 7788',
          'dependent-type': null,
          'primary-member-tax-id': null,
        },
      ],
    })
    const found = await partner.get('/v1/member?filter=employee-id%3DE-1')
    expect(found.body.result).toHaveLength(1)
    const stored = await testApp.sql(
      `select salary, admission_date::text as day from member where tax_id = '52998224725'`,
    )
    expect(stored).toEqual([{ salary: '123456', day: '2024-02-01' }])
  })

  const periods = [
    ['no end', {}, 'active'],
    ['a start ahead', { 'start-date': '2027-01-01' }, 'active'],
    ['an end ahead', { 'end-date': '2026-11-24' }, 'active'],
    ['an end today', { 'end-date': monday }, 'inactive'],
    ['an end in the past', { 'end-date': '2025-01-31' }, 'inactive'],
  ] as const

  test(`with ${periods.map(([dates, , status]) => `${dates} is ${status}`).join(', with ')}`, async () => {
    const lines = periods.map(([, dates]) => holder(company, dates))
    await imported(lines)
    for (const [n, line] of lines.entries()) {
      const [benefit] = (await memberOf(partner, line['tax-id'])).benefits
      const expected = { 'start-date': line['start-date'], 'end-date': line['end-date'] ?? null }
      expect(benefit).toMatchObject({ status: periods[n]?.[2], ...expected })
    }
  })

  test('tells all of its offenses, sorted, and nothing of it is kept', async () => {
    const taxId = nextCpf()
    const line = holder(company, {
      'tax-id': taxId,
      name: ' ',
      gender: 'x',
      'product-name': 'Fantasma',
      'start-date': '2024-02-30',
      'end-date': '2023-01-01x',
      'card-number': 'x'.repeat(201),
      salary: -1,
      phone: '1',
    })
    expect(await offensesOf(line)).toEqual([
      'invalid-card-number',
      'invalid-end-date',
      'invalid-gender',
      'invalid-phone',
      'invalid-salary',
      'invalid-start-date',
      'missing-name',
      'unknown-product',
    ])
    expect(await memberOf(partner, taxId)).toBeUndefined()
  })

  const refused = [
    [{ 'company-tax-id': '' }, ['missing-company-tax-id']],
    [{ 'company-tax-id': '123' }, ['invalid-company-tax-id']],
    [{ 'company-tax-id': nextCnpj() }, ['unknown-company']],
    [{ 'tax-id': '12345678900' }, ['invalid-tax-id']],
    [{ 'tax-id': 52_998_224_725 }, ['invalid-tax-id']],
    [{ 'beneficiary-type': null }, ['missing-beneficiary-type']],
    [{ 'product-name': null }, ['missing-product-name']],
    [{ 'product-name': 7 }, ['unknown-product']],
    [{ 'start-date': null }, ['missing-start-date']],
    [{ 'start-date': '1899-12-31' }, ['invalid-start-date']],
    [{ 'end-date': '2024-02-29' }, ['invalid-end-date']],
    [{ 'end-date': '01/02/2025' }, ['invalid-end-date']],
    [{ 'card-number': 5 }, ['invalid-card-number']],
    [{ 'date-of-birth': '2026-11-24' }, ['invalid-date-of-birth']],
    [{ 'email-private': 'x@y' }, ['invalid-email-private']],
    [{ 'work-contract-type': 'boss' }, ['invalid-work-contract-type']],
    [{ 'beneficiary-type': 'dependent' }, ['missing-dependent-type', 'missing-primary-member-tax-id']],
  ] as const

  test(`is refused with ${refused.map((pair) => pair.map((part) => JSON.stringify(part)).join(': ')).join(', ')}`, async () => {
    const { errors } = await imported(refused.map(([overrides]) => holder(company, overrides)))
    expect(errors).toEqual(refused.map(([, offenses], n) => ({ line: n + 1, offenses })))
  })

  test('of a retired product is refused', async () => {
    const shrinking = await testApp.company()
    const { 'product-name': _, ...product } = { 'product-name': '', ...(await productOf(shrinking)) }
    expectOk(
      await testApp.operator.put(`/operator/v1/company/${shrinking.taxId}`, {
        name: 'Menor',
        products: [{ ...product, 'product-name': 'Outro' }],
      }),
    )
    expect(await offensesOf(holder(shrinking))).toEqual(['unknown-product'])
    expect(await offensesOf(holder(shrinking, { 'product-name': 'outro' }))).toEqual([])
  })

  async function productOf(one: Company): Promise<Json> {
    const read = expectOk(await testApp.operator.get(`/operator/v1/company/${one.taxId}`)).body.result.products[0]
    const { 'product-id': _, ...product } = read
    return product
  }
})

describe('the same company, CPF, product, role and start', () => {
  test('updates: profile, period and card number; what a line leaves out of the profile stays', async () => {
    const line = holder(company, { 'job-title': 'Torneira', 'card-number': 'A', 'cost-center': 'CC-8' })
    await imported([line])
    const before = await memberOf(partner, line['tax-id'])
    const { 'job-title': _, 'card-number': __, 'cost-center': ___, ...shorter } = line
    await imported([{ ...shorter, name: 'Conceição Nova', 'end-date': '2026-10-31' }])
    const after = await memberOf(partner, line['tax-id'])
    expect(after.id).toBe(before.id)
    expect(after.profile).toEqual({ ...before.profile, name: 'Conceição Nova' })
    expect(after.benefits).toEqual([{ ...before.benefits[0], status: 'inactive', 'end-date': '2026-10-31' }])
    const [stored] = await testApp.sql('select cost_center, details from member where tax_id = $1', [line['tax-id']])
    expect(stored).toEqual({ cost_center: 'CC-8', details: { 'job-title': 'Torneira' } })
    await imported([shorter])
    expect((await memberOf(partner, line['tax-id'])).benefits).toEqual(before.benefits)
  })

  test('a whole file twice changes nothing the second time', async () => {
    const one = holder(company, { salary: 100, 'email-private': 'a@b.example' })
    const past = holder(company, { 'end-date': '2024-12-31' })
    const lines = [
      one,
      dependentOf(company, one['tax-id']),
      past,
      { ...past, 'start-date': '2025-02-01', 'end-date': null },
    ]
    expect(await imported(lines)).toMatchObject({ accepted: 4, rejected: 0 })
    const before = await rosterOf(testApp)
    expect(await imported(lines)).toMatchObject({ accepted: 4, rejected: 0 })
    expect(await rosterOf(testApp)).toEqual(before)
  })

  test('in one file: the last line counts', async () => {
    const line = holder(company)
    await imported([line, { ...line, name: 'Segunda', 'card-number': '2' }])
    const member = await memberOf(partner, line['tax-id'])
    expect(member.profile.name).toBe('Segunda')
    expect(member.benefits).toMatchObject([{ 'card-number': '2' }])
  })

  test('of an included person whose benefit is active updates it; no second one', async () => {
    const person = primary()
    await testApp.include(partner, company, [person], '?resolution=approve')
    const [benefit] = (await memberOf(partner, person['tax-id'])).benefits
    const line = holder(company, {
      'tax-id': person['tax-id'],
      'start-date': benefit['start-date'],
      'card-number': '9',
    })
    expect(await offensesOf(line)).toEqual([])
    expect((await memberOf(partner, person['tax-id'])).benefits).toEqual([{ ...benefit, 'card-number': '9' }])
  })
})

describe('another start', () => {
  test('of an active benefit is already-enrolled, until that has ended', async () => {
    const line = holder(company)
    await imported([line])
    const later = { ...line, 'start-date': '2026-05-01' }
    expect(await offensesOf(later)).toEqual(['already-enrolled'])
    expect(await offensesOf({ ...later, 'product-name': dental })).toEqual([])
    expect(await offensesOf(later, { ...line, 'end-date': '2026-04-30' })).toEqual([])
    const { benefits } = await memberOf(partner, line['tax-id'])
    expect(benefits.map((one: Json) => `${one['start-date']} ${one.status}`).sort()).toEqual([
      '2024-03-01 inactive',
      '2026-05-01 active',
      '2026-05-01 active',
    ])
  })

  test('of what ended before the active one began is history, and stands beside it', async () => {
    const line = holder(company)
    await imported([line])
    expect(await offensesOf({ ...line, 'start-date': '2020-01-01', 'end-date': '2023-12-31' })).toEqual([])
    expect(await offensesOf({ ...line, 'start-date': '2021-01-01', 'end-date': '2024-03-01' })).toEqual([
      'already-enrolled',
    ])
  })

  test('an ended one cannot come back while another is active', async () => {
    const line = holder(company, { 'end-date': '2024-12-31' })
    await imported([line, { ...line, 'start-date': '2025-01-01', 'end-date': null }])
    expect(await offensesOf({ ...line, 'end-date': null })).toEqual(['already-enrolled'])
  })
})

describe('a dependent', () => {
  test('of a primary in an earlier line, and of one in the company', async () => {
    const one = holder(company)
    const [child, spouse] = [
      dependentOf(company, one['tax-id']),
      dependentOf(company, one['tax-id'], { 'dependent-type': 'spouse', 'admission-date': 'never read' }),
    ]
    expect(await imported([one, child])).toMatchObject({ accepted: 2 })
    expect(await offensesOf(spouse)).toEqual([])
    expect((await memberOf(partner, spouse['tax-id'])).benefits).toMatchObject([
      { type: 'dependent', 'dependent-type': 'spouse', 'primary-member-tax-id': one['tax-id'], status: 'active' },
    ])
  })

  test('before its primary, of nobody, of a primary without the product, of a type that the product does not take', async () => {
    const one = holder(company)
    const child = dependentOf(company, one['tax-id'])
    expect((await imported([child, one])).errors).toEqual([{ line: 1, offenses: ['primary-member-not-found'] }])
    expect(await offensesOf({ ...child, 'product-name': dental })).toEqual(['primary-member-not-enrolled-in-product'])
    expect(await offensesOf({ ...child, 'dependent-type': 'parent' })).toEqual(['dependent-type-not-allowed'])
    expect(await offensesOf({ ...child, 'primary-member-tax-id': child['tax-id'] })).toEqual([
      'invalid-primary-member-tax-id',
    ])
    expect(await offensesOf(dependentOf(company, child['tax-id']))).toEqual(['primary-member-not-found'])
  })

  test('of a primary whose benefit has ended may only be of the past', async () => {
    const one = holder(company, { 'end-date': '2025-06-30' })
    const child = dependentOf(company, one['tax-id'])
    await imported([one])
    expect(await offensesOf(child)).toEqual(['primary-member-not-enrolled-in-product'])
    expect(await offensesOf({ ...child, 'end-date': '2025-06-30' })).toEqual([])
  })

  test('ends with its primary', async () => {
    const one = holder(company)
    const child = dependentOf(company, one['tax-id'])
    await imported([one, child])
    await imported([{ ...one, 'end-date': '2026-09-30' }])
    expect((await memberOf(partner, child['tax-id'])).benefits).toMatchObject([
      { status: 'inactive', 'end-date': '2026-09-30' },
    ])
  })
})

describe('what the book knows already', () => {
  test('an open inclusion: ongoing-enrollment, with either start', async () => {
    const person = primary()
    await testApp.include(partner, company, [person])
    const line = holder(company, { 'tax-id': person['tax-id'] })
    expect(await offensesOf({ ...line, 'start-date': monday })).toEqual(['ongoing-enrollment'])
    expect(await offensesOf(line)).toEqual(['ongoing-enrollment'])
    expect(await offensesOf({ ...line, 'product-name': dental })).toEqual([])
  })

  test('an open exclusion: the period may not change, the rest may', async () => {
    const line = holder(company)
    await imported([line])
    const [benefit] = (await memberOf(partner, line['tax-id'])).benefits
    expectOk(
      await partner.post(`/v1/enrollment/exclusion/${line['tax-id']}/benefit/${benefit['benefit-id']}`, {
        'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'resignation' },
      }),
    )
    expect(await offensesOf({ ...line, 'end-date': '2026-10-31' })).toEqual(['ongoing-enrollment'])
    expect(await offensesOf({ ...line, 'card-number': '7' })).toEqual([])
  })

  test('an open change of plan towards the product: ongoing-enrollment', async () => {
    const line = holder(company)
    await imported([line])
    expectOk(
      await partner.post(`/v1/enrollment/alteration/${line['tax-id']}`, {
        'company-tax-id': company.taxId,
        'alteration-data': { 'new-product-id': company.products[premium] },
      }),
    )
    expect(await offensesOf({ ...line, 'product-name': premium })).toEqual(['ongoing-enrollment'])
  })

  test('an imported benefit is excluded, and takes dependents, like any other', async () => {
    const line = holder(company)
    await imported([line])
    const request = await testApp.include(partner, company, [dependent(line['tax-id'])], '?resolution=approve')
    expect(request.status).toBe('completed')
    expectOk(
      await partner.post(
        `/v1/enrollment/exclusion/${line['tax-id']}/product/${company.products[health]}?resolution=approve`,
        {
          'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'resignation' },
        },
      ),
    )
    expect((await memberOf(partner, line['tax-id'])).benefits).toMatchObject([{ status: 'inactive' }])
  })

  test('somebody new with a former CPF gets an id of their own', async () => {
    const [former, corrected] = [nextCpf(), nextCpf()]
    await imported([holder(company, { 'tax-id': former })])
    const { id } = await memberOf(partner, former)
    expectOk(
      await partner.post(`/v1/enrollment/alteration/${former}?resolution=approve`, {
        'company-tax-id': company.taxId,
        'alteration-data': { 'tax-id': corrected },
      }),
    )
    expect(await offensesOf(holder(company, { 'tax-id': former, name: 'Outra Pessoa' }))).toEqual([])
    expect((await memberOf(partner, corrected)).id).toBe(id)
    const other = await memberOf(partner, former)
    expect([other.profile.name, other.id === id]).toEqual(['Outra Pessoa', false])
  })

  test('companies are told apart: one CPF in two of them, each with its own profile', async () => {
    const second = await testApp.company()
    const line = holder(company)
    await imported([line, { ...line, 'company-tax-id': second.taxId, name: 'Na Segunda' }])
    const rows = await testApp.sql('select name from member where tax_id = $1 order by name', [line['tax-id']])
    expect(rows).toEqual([{ name: 'Conceição Müller' }, { name: 'Na Segunda' }])
    expect((await memberOf(partner, line['tax-id'])).benefits).toHaveLength(1)
  })
})

describe('what is told', () => {
  test('no event of what comes new; one of a benefit of the book whose status turns', async () => {
    const line = holder(company)
    const events = () =>
      testApp.sql(
        `select e.type from event e join member m on m.tax_id = $1 and e.data->>'member-id' = m.id::text
        order by e.at, e.id`,
        [line['tax-id']],
      )
    await imported([line])
    expect(await events()).toEqual([])
    await imported([{ ...line, 'end-date': '2026-10-31' }])
    expect(await events()).toEqual([{ type: 'benefit.deactivated' }])
    await imported([line])
    expect(await events()).toEqual([{ type: 'benefit.deactivated' }, { type: 'benefit.activated' }])
  })

  test('one audit row for each company that it wrote into; none of a dry run, none where nothing was good', async () => {
    const second = await testApp.company()
    const lines = [holder(company), holder(second), holder(second), holder(company, { gender: 'x' })]
    const audit = async (id: string) =>
      expectOk(await testApp.operator.get(`/operator/v1/audit?target=${id}`)).body.result
    const real = await imported(lines)
    const rows = await audit(real['import-id'])
    expect(rows).toMatchObject([{ action: 'member.imported', actor: testApp.operator.clientId }, {}])
    expect(rows.map((row: Json) => row['company-tax-id']).sort()).toEqual([company.taxId, second.taxId].sort())
    expect(await audit((await imported(lines, '?dry-run=true'))['import-id'])).toEqual([])
    expect(await audit((await imported(lines.slice(3)))['import-id'])).toEqual([])
  })
})

describe('dry-run=true', () => {
  test('judges every line as if those before were kept, and leaves nothing', async () => {
    const one = holder(company)
    const child = dependentOf(company, one['tax-id'])
    const known = holder(company)
    await imported([known])
    const lines = [
      one,
      child,
      { ...one, 'start-date': '2025-01-01' },
      { ...known, 'end-date': '2026-01-31' },
      { ...known, 'start-date': '2026-02-01' },
      { ...one, 'product-name': life, 'end-date': '2025-01-01' },
      '{',
    ]
    const before = await rosterOf(testApp)
    const dry = await imported(lines, '?dry-run=true')
    expect(dry).toMatchObject({
      'dry-run': true,
      status: 'done',
      lines: 7,
      accepted: 5,
      rejected: 2,
      errors: [
        { line: 3, offenses: ['already-enrolled'] },
        { line: 7, offenses: ['malformed-line'] },
      ],
    })
    expect(await rosterOf(testApp)).toEqual(before)
    expect(await testApp.sql('select 1 from member_import_dry_run_benefit')).toEqual([])
    const real = await imported(lines)
    expect({ ...real, 'dry-run': true }).toEqual({
      ...dry,
      'import-id': real['import-id'],
      'created-at': real['created-at'],
      'finished-at': real['finished-at'],
    })
  })

  test('remembers lines across chunks', async () => {
    const one = holder(company)
    const fill = Array.from({ length: 4_100 }, () => ({ gender: 'x' }))
    const response = await imported([one, ...fill, dependentOf(company, one['tax-id'])], '?dry-run=true')
    expect(response).toMatchObject({ lines: 4_102, accepted: 2, rejected: 4_100 })
    expect(await memberOf(partner, one['tax-id'])).toBeUndefined()
  })
})

test('CSV and NDJSON of the same lines make the same book', async () => {
  const [one, two] = [await testApp.company(), await testApp.company()]
  const family = (of: Company) => {
    const first = holder(of, { 'tax-id': '39053344705', salary: 250_000, 'card-number': '1; 2, "3"' })
    return [first, dependentOf(of, '39053344705', { 'tax-id': '11144477735', name: 'Zoé de Sá', 'job-title': 'A\nB' })]
  }
  await imported(family(one))
  expectOk(await sendImport(testApp.operator, csv(family(two)), { type: 'text/csv' }))
  const rows = (of: Company) =>
    testApp.sql(
      `select m.id, m.tax_id, m.name, m.mothers_name, m.date_of_birth, m.gender, m.salary, m.details, b.type, b.primary_member_id,
         b.dependent_type, b.status, b.start_date, b.end_date, b.card_number
       from member m join benefit b on b.company_id = m.company_id and b.member_id = m.id where m.company_id = $1 order by 2`,
      [of.id],
    )
  const stored = await rows(one)
  expect(stored).toHaveLength(2)
  expect(await rows(two)).toEqual(stored)
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
