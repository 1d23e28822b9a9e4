import { fillOpenMovements } from '../../world/open-movements.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  useTestApp,
  premium,
  primary,
  until,
} from '../../world/test-app.ts'
import { dependentOf, holder, memberOf, ndjson, sendImport } from '../../world/import.ts'

/*
 * A dependent's benefit of a product never ends after its primary's, and one that would begin after that end is void.
 */

const testApp = useTestApp()
let company: Company
let other: Company
let partner: Client

beforeAll(async () => {
  company = await testApp.company()
  other = await testApp.company()
  partner = await testApp.partner(company.taxId, other.taxId)
})
const approve = '?resolution=approve'
const admitted = '2026-11-02'
const nextPeriod = '2026-12-01'
/** The start of `on-next-billing-period`: Monday is past the cut-off day. */
const billed = '2027-01-01'
const later = '2026-12-20'
const since = inProduct('health-insurance', health, 'on-admission-date')

interface FamilyOptions {
  readonly startOption?: string
  readonly products?: Json
  /** Leaves the child's inclusion open. */
  readonly isOpen?: boolean
}

/** A mother covered since 2 November and a child who joins later; their CPFs and the child's request. */
async function family({ startOption = 'on-admission-date', isOpen = false }: FamilyOptions = {}) {
  const mother = primary({ 'admission-date': admitted, products: since })
  await testApp.include(partner, company, [mother], approve)
  const child = dependent(mother['tax-id'], { products: inProduct('health-insurance', health, startOption) })
  const request = await testApp.include(partner, company, [child], isOpen ? '' : approve)
  const part = request['status-by-tax-id'][child['tax-id']][health]
  return { mother: mother['tax-id'] as string, child: child['tax-id'] as string, inclusion: part['enrollment-id'] }
}

const exclude = (cpf: string, endDate: string, more: Json = {}, query = approve): Promise<ApiResponse> =>
  partner.post(`/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}${query}`, {
    'exclusion-details': { 'end-date': endDate, 'exclusion-reason': 'dismissal', ...more },
  })

const alter = (cpf: string, data: Json, query = approve): Promise<ApiResponse> =>
  partner.post(`/v1/enrollment/alteration/${cpf}${query}`, { 'company-tax-id': company.taxId, 'alteration-data': data })

const toPremium = (day: string) => ({ 'new-product-id': company.products[premium], 'requested-start-date': day })
const toOther = (day: string) => ({ 'new-company-tax-id': other.taxId, 'requested-start-date': day })

const move = (id: string, body: Json = { status: 'completed' }) =>
  testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body)

const benefits = async (cpf: string): Promise<Json[]> => (await memberOf(partner, cpf))?.benefits ?? []

/** `[product, status, first day, last day]`, in the order in which they start and end. */
async function covers(cpf: string): Promise<unknown[][]> {
  const rows = (await benefits(cpf)).map((one) => [one['product-name'], one.status, one['start-date'], one['end-date']])
  return rows.toSorted((a, b) => `${a[2]} ${a[3] ?? 'z'}`.localeCompare(`${b[2]} ${b[3] ?? 'z'}`))
}

const knownTo = async (cpf: string, at: Company) =>
  (await testApp.sql('select 1 from member where company_id = $1 and tax_id = $2', [at.id, cpf])).length > 0

const partOf = async (response: ApiResponse, cpf: string, product: string): Promise<string> =>
  expectOk(await partner.get(`/v1/request/${expectOk(response).body['request-id']}`)).body['status-by-tax-id'][cpf][
    product
  ]['enrollment-id']

describe('the end of a primary', () => {
  test('voids the benefit of a dependent that would begin after it, whatever the dependent’s own exclusion says', async () => {
    const { mother, child } = await family({ startOption: 'on-next-billing-period' })
    expectOk(await exclude(mother, monday))
    expect(await covers(child)).toEqual([[health, 'inactive', billed, addDays(billed, -1)]])
    const response = await exclude(child, '2027-03-31')
    expect([response.status, response.body.error]).toEqual([404, 'No active benefit found in member for given product'])
  })

  test('that lies ahead is the end of a dependent’s later exclusion', async () => {
    const { mother, child } = await family()
    expectOk(await exclude(mother, nextPeriod))
    expectOk(await exclude(child, later))
    expect(await covers(child)).toEqual([[health, 'active', admitted, nextPeriod]])
  })

  test('after a dependent’s exclusion to a later day was approved moves that day to the primary’s end', async () => {
    const { mother, child } = await family()
    expectOk(await exclude(child, later))
    expectOk(await exclude(mother, nextPeriod))
    expect(await covers(child)).toEqual([[health, 'active', admitted, nextPeriod]])
  })

  test('on a past day ends a dependent’s benefit there that had ended since', async () => {
    const { mother, child } = await family()
    expectOk(await exclude(child, '2026-11-20'))
    expectOk(await exclude(mother, '2026-11-10'))
    expect(await covers(child)).toEqual([[health, 'inactive', admitted, '2026-11-10']])
  })

  test('that lies ahead is the end of a dependent who joins after it was approved', async () => {
    const { mother } = await family()
    expectOk(await exclude(mother, nextPeriod))
    const [child, late] = [
      dependent(mother, { products: since }),
      dependent(mother, { products: inProduct('health-insurance', health, 'on-next-billing-period') }),
    ]
    await testApp.include(partner, company, [child, late], approve)
    expect(await covers(child['tax-id'])).toEqual([[health, 'active', admitted, nextPeriod]])
    expect(await covers(late['tax-id'])).toEqual([[health, 'inactive', billed, addDays(billed, -1)]])
  })

  test('rejects the open inclusion of a dependent, also ahead of its day, but not under an extension plan', async () => {
    for (const day of [monday, nextPeriod]) {
      const { mother, child, inclusion } = await family({ isOpen: true })
      expectOk(await exclude(mother, day))
      expect(expectOk(await partner.get(`/v1/enrollment/detail/${inclusion}`)).body.result).toMatchObject({
        status: 'rejected',
        reason: "Primary member's benefit was excluded",
      })
      expect(await covers(child)).toEqual([])
    }
    const kept = await family({ isOpen: true })
    expectOk(await exclude(kept.mother, monday, { 'extension-plan': true }))
    expectOk(await move(kept.inclusion))
    expect((await covers(kept.child))[0]?.[1]).toBe('active')
  })

  test('that is rejected or cancelled leaves the open inclusion and the own exclusion of dependents', async () => {
    for (const status of ['rejected', 'cancelled']) {
      const { mother, child } = await family()
      const joining = dependent(mother, { products: since })
      const included = await testApp.include(partner, company, [joining])
      const inclusion = included['status-by-tax-id'][joining['tax-id']][health]['enrollment-id']
      const own = await partOf(await exclude(child, later, {}, ''), child, health)
      const hers = await partOf(await exclude(mother, monday, {}, ''), mother, health)
      expectOk(await move(hers, { status, reason: 'Engano' }))
      const statusOf = async (id: string) =>
        expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result.status
      expect([await statusOf(inclusion), await statusOf(own)]).toEqual(['created', 'scheduled'])
    }
  })

  test('completes a dependent’s own exclusion with the day that it asks for, but not after the primary’s', async () => {
    for (const [own, expected] of [
      ['2026-11-10', ['inactive', '2026-11-10']],
      [later, ['inactive', '2026-11-20']],
    ] as const) {
      const { mother, child } = await family()
      const id = await partOf(await exclude(child, own, {}, ''), child, health)
      const hers = await partOf(await exclude(mother, monday, {}, ''), mother, health)
      expectOk(await move(hers, { status: 'completed', 'end-date': '2026-11-20' }))
      expect(expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result.status).toBe('completed')
      expect((await covers(child)).map(([, status, , end]) => [status, end])).toEqual([expected])
    }
    const { mother, child } = await family()
    expectOk(await exclude(child, monday, { 'exclusion-reason': 'death' }, ''))
    expectOk(await exclude(mother, monday, { 'extension-plan': true }))
    expect(await covers(child)).toEqual([[health, 'inactive', admitted, monday]])
  })

  test('by the operator, of an extension plan, ends a dependent’s benefit that would end later', async () => {
    const { mother, child } = await family()
    expectOk(await exclude(mother, monday, { 'extension-plan': true }))
    const [[hers], [theirs]] = [await benefits(mother), await benefits(child)]
    const end = (benefit: Json, day: string) =>
      testApp.operator.post(`/operator/v1/benefit/${benefit['benefit-id']}/end`, { 'end-date': day, reason: 'Prazo' })
    expectOk(await end(hers, nextPeriod))
    expectOk(await end(theirs, later))
    expect(await covers(child)).toEqual([[health, 'active', admitted, nextPeriod]])
  })

  test('by the operator, of an extension plan, rejects a dependent’s open inclusion in it', async () => {
    const { mother } = await family()
    expectOk(await exclude(mother, monday, { 'extension-plan': true }))
    const late = dependent(mother)
    const request = await testApp.include(partner, company, [late])
    const id = request['status-by-tax-id'][late['tax-id']][health]['enrollment-id']
    const [hers] = await benefits(mother)
    const body = { 'end-date': monday, reason: 'Prazo' }
    expectOk(await testApp.operator.post(`/operator/v1/benefit/${hers?.['benefit-id']}/end`, body))
    expect(expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result).toMatchObject({
      status: 'rejected',
      reason: "Primary member's benefit has ended",
    })
  })

  test('holds when both exclusions are completed concurrently', async () => {
    for (let n = 0; n < 10; n += 1) {
      const { mother, child } = await family()
      const theirs = await partOf(await exclude(child, later, {}, ''), child, health)
      const [hers] = await testApp.sql<{ id: string }>(
        `insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
           product_id, product_name, benefit_id, effective_date, data, initial_status, created_at, updated_at)
         select e.company_id, gen_random_uuid(), e.request_id, 'exclusion', 'created', b.member_id, $2, 'primary', b.product_id,
           e.product_name, b.id, $3, e.data, 'created', now(), now()
         from enrollment e join benefit b on b.company_id = e.company_id and b.member_id = e.primary_member_id
           and b.product_id = e.product_id and b.type = 'primary' and b.status = 'active'
         where e.id = $1 returning id`,
        [theirs, mother, nextPeriod],
      )
      await testApp.sql(fillOpenMovements)
      const responses = await Promise.all([move(theirs), move(hers?.id ?? '')])
      for (const { status } of responses) expect([200, 409]).toContain(status)
      expect(await covers(mother)).toEqual([[health, 'active', admitted, nextPeriod]])
      expect(await covers(child)).toEqual([[health, 'active', admitted, nextPeriod]])
    }
  })
})

describe('an extension plan', () => {
  test('for a dependent needs a primary with an extension plan', async () => {
    const { mother, child } = await family()
    const refused = await exclude(child, monday, { 'extension-plan': true })
    expect([refused.status, refused.body.error]).toEqual([400, 'Invalid exclusion-details'])
    expect(refused.body.details).toEqual([
      expect.objectContaining({ field: 'exclusion-details.extension-plan', code: 'primary-not-kept' }),
    ])
    expect(await covers(child)).toEqual([[health, 'active', admitted, null]])
    expectOk(await exclude(mother, monday, { 'extension-plan': true }))
    expectOk(await exclude(child, monday, { 'extension-plan': true }))
    expect(await benefits(child)).toMatchObject([{ status: 'active', 'extension-plan': true, 'end-date': null }])
  })

  test('that was accepted ends with the primary when the primary’s extension plan is withdrawn', async () => {
    const { mother, child } = await family()
    expectOk(await exclude(mother, monday, { 'extension-plan': true }))
    const id = await partOf(await exclude(child, monday, { 'extension-plan': true }, ''), child, health)
    const [hers] = await benefits(mother)
    const body = { 'end-date': nextPeriod, reason: 'Prazo' }
    expectOk(await testApp.operator.post(`/operator/v1/benefit/${hers['benefit-id']}/end`, body))
    expectOk(await move(id))
    expect(await covers(child)).toEqual([[health, 'active', admitted, nextPeriod]])
  })
})

describe('a change of the primary', () => {
  test('on a past day ends a dependent’s benefit there that had ended since', async () => {
    const { mother, child } = await family()
    expectOk(await exclude(child, '2026-11-20'))
    expectOk(await alter(mother, toPremium('2026-11-10')))
    expect(await covers(child)).toEqual([[health, 'inactive', admitted, '2026-11-09']])
  })

  test('that takes the place of one ahead does not end with the day of that one', async () => {
    const { mother, child } = await family()
    expectOk(await alter(mother, toPremium(later)))
    expectOk(await alter(mother, toOther(monday)))
    for (const cpf of [mother, child]) {
      expect(await covers(cpf)).toEqual([
        [health, 'inactive', admitted, addDays(monday, -1)],
        [health, 'active', monday, null],
      ])
    }
  })

  test('ahead: a dependent excluded to a day after it moves along and ends on that day', async () => {
    const { mother, child } = await family()
    expectOk(await alter(mother, toPremium(nextPeriod)))
    expectOk(await exclude(child, later))
    expect(await covers(child)).toEqual([
      [health, 'active', admitted, addDays(nextPeriod, -1)],
      [premium, 'pending', nextPeriod, later],
    ])
  })

  test('ahead, and voided by the exclusion of the primary: the day of the dependent’s own exclusion stays', async () => {
    const { mother, child } = await family()
    expectOk(await alter(mother, toPremium(nextPeriod)))
    expectOk(await exclude(child, later))
    expectOk(await exclude(mother, '2026-12-31'))
    expect(await covers(mother)).toEqual([[health, 'active', admitted, '2026-12-31']])
    expect(await covers(child)).toEqual([[health, 'active', admitted, later]])
  })

  test('of company leaves dependents whose cover ends earlier where they are, unknown to the new company', async () => {
    const { mother, child } = await family()
    const stranger = await testApp.partner(other.taxId)
    expectOk(await exclude(child, '2026-11-30'))
    expectOk(await alter(mother, toOther(later)))
    expect(await knownTo(mother, other)).toBe(true)
    expect(await knownTo(child, other)).toBe(false)
    const body = { 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'death' } }
    const response = await stranger.post(`/v1/enrollment/exclusion/${child}/product/${other.products[health]}`, body)
    expect(response.status).toBe(403)
    expect(await covers(child)).toEqual([[health, 'active', admitted, '2026-11-30']])
  })
})

describe('a dependent’s inclusion whose primary changed meanwhile', () => {
  test('plan: completes, and the cover goes on in the new product from the day of the change', async () => {
    const { mother, child, inclusion } = await family({ isOpen: true })
    expectOk(await alter(mother, toPremium('2026-11-10')))
    expectOk(await move(inclusion))
    expect(await covers(child)).toEqual([
      [health, 'inactive', admitted, '2026-11-09'],
      [premium, 'active', '2026-11-10', null],
    ])
    const detail = expectOk(await partner.get(`/v1/enrollment/detail/${inclusion}`)).body.result
    expect(detail).toMatchObject({ status: 'completed', 'product-name': health, 'member-tax-id': child })
    const events = await testApp.sql(
      `select type, data->>'status' as status from event where type like 'benefit.%' and data->>'member-id' = $1 order by id`,
      [(await memberOf(partner, child)).id],
    )
    expect(events.map((event) => event['type'])).toEqual([
      'benefit.activated',
      'benefit.deactivated',
      'benefit.activated',
    ])
  })

  test('plan, when it begins later: all of it is in the new product, the old benefit is void', async () => {
    const { mother, child, inclusion } = await family({ startOption: 'on-next-billing-period', isOpen: true })
    expectOk(await alter(mother, toPremium('2026-11-10')))
    expectOk(await move(inclusion, { status: 'completed', 'card-number': '77' }))
    expect(await covers(child)).toEqual([
      [health, 'inactive', billed, addDays(billed, -1)],
      [premium, 'active', billed, null],
    ])
  })

  test('twice: follows to where the primary is now', async () => {
    const { mother, child, inclusion } = await family({ isOpen: true })
    expectOk(await alter(mother, toPremium('2026-11-10')))
    expectOk(await alter(mother, { 'new-product-id': company.products[health], 'requested-start-date': '2026-11-20' }))
    expectOk(await move(inclusion))
    // The primary is in the first product again, since the 20th: the benefit starts in the product that was requested.
    expect(await covers(child)).toEqual([[health, 'active', '2026-11-20', null]])
    expectOk(await alter(mother, toOther(monday)))
    expect((await covers(child)).at(-1)).toEqual([health, 'active', monday, null])
  })

  test('company: the person moves there with it', async () => {
    const { mother, child, inclusion } = await family({ isOpen: true })
    expectOk(await alter(mother, toOther('2026-11-10')))
    expect(await knownTo(child, other)).toBe(false)
    expectOk(await move(inclusion))
    expect((await benefits(child)).map((one) => [one['company-tax-id'], one.status, one['start-date']])).toEqual(
      expect.arrayContaining([
        [company.taxId, 'inactive', admitted],
        [other.taxId, 'active', '2026-11-10'],
      ]),
    )
  })

  test('plan, ahead: waits beside the primary’s and begins with it', async () => {
    const { mother, child, inclusion } = await family({ isOpen: true })
    expectOk(await alter(mother, toPremium(nextPeriod)))
    expectOk(await move(inclusion))
    expect(await covers(child)).toEqual([
      [health, 'active', admitted, addDays(nextPeriod, -1)],
      [premium, 'pending', nextPeriod, null],
    ])
  })

  test('and left since is refused as before', async () => {
    const { mother, inclusion } = await family({ isOpen: true })
    expectOk(await alter(mother, toPremium('2026-11-10')))
    const body = { 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'death' } }
    const product = company.products[premium]
    expectOk(await partner.post(`/v1/enrollment/exclusion/${mother}/product/${product}${approve}`, body))
    const response = await move(inclusion)
    expect([response.status, response.body.error]).toEqual([409, 'Primary member is not active in this product'])
  })
})

describe('an import', () => {
  const imported = async (lines: unknown[]) => expectOk(await sendImport(testApp.operator, ndjson(lines))).body
  const offenses = async (...lines: unknown[]) => (await imported(lines)).errors.flatMap((one: Json) => one.offenses)

  test('that ends a primary ahead ends the dependents with it, and voids who would begin after', async () => {
    const one = holder(company)
    const [child, late] = [
      dependentOf(company, one['tax-id']),
      dependentOf(company, one['tax-id'], { 'start-date': later }),
    ]
    await imported([one, child, late, { ...one, 'end-date': nextPeriod }])
    expect(await covers(child['tax-id'])).toEqual([[health, 'active', '2024-03-01', nextPeriod]])
    expect(await covers(late['tax-id'])).toEqual([[health, 'inactive', later, addDays(later, -1)]])
  })

  test('of a dependent: without an end it has its primary’s, with a later one it is refused', async () => {
    const one = holder(company, { 'end-date': nextPeriod })
    const child = dependentOf(company, one['tax-id'])
    expect(await offenses(one, child)).toEqual([])
    expect(await covers(child['tax-id'])).toEqual([[health, 'active', '2024-03-01', nextPeriod]])
    expect(await offenses({ ...child, 'end-date': later })).toEqual(['invalid-end-date'])
    expect(await offenses(dependentOf(company, one['tax-id'], { 'start-date': later }))).toEqual([
      'primary-member-not-enrolled-in-product',
    ])
    const past = holder(company, { 'end-date': '2025-06-30' })
    const theirs = dependentOf(company, past['tax-id'], { 'end-date': '2025-07-31' })
    expect(await offenses(past, theirs)).toEqual(['invalid-end-date'])
  })

  test('refuses history of one person and product that overlaps, in the file or with what is stored', async () => {
    const one = holder(company, { 'start-date': '2020-01-01', 'end-date': '2020-12-31' })
    const overlapping = { ...one, 'start-date': '2020-12-31', 'end-date': '2021-06-30' }
    const beside = { ...one, 'start-date': '2021-01-01', 'end-date': '2021-06-30' }
    const around = { ...one, 'start-date': '2019-01-01', 'end-date': '2022-12-31' }
    expect(await offenses(one, overlapping, beside, around)).toEqual(['already-enrolled', 'already-enrolled'])
    expect(await offenses(overlapping, around)).toEqual(['already-enrolled', 'already-enrolled'])
    expect(await offenses({ ...one, 'end-date': '2021-01-01' })).toEqual(['already-enrolled'])
    expect(await offenses({ ...one, 'end-date': '2020-11-30' }, one, beside)).toEqual([])
    expect((await covers(one['tax-id'])).map(([, , first, last]) => [first, last])).toEqual([
      ['2020-01-01', '2020-12-31'],
      ['2021-01-01', '2021-06-30'],
    ])
  })

  test('does not take the end from a benefit whose change lies ahead', async () => {
    const one = holder(company)
    await imported([one])
    expectOk(await alter(one['tax-id'], toPremium(nextPeriod)))
    expect(await offenses(one)).toEqual(['ongoing-enrollment'])
    expect(await covers(one['tax-id'])).toEqual([
      [health, 'active', '2024-03-01', addDays(nextPeriod, -1)],
      [premium, 'pending', nextPeriod, null],
    ])
  })
})

test('after the end dates every dependent has ended with the primary, and no dependent is covered alone', async () => {
  const { mother, child } = await family()
  expectOk(await exclude(mother, nextPeriod))
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: later })
  await until(
    () => covers(mother),
    ([row]) => row?.[1] === 'inactive',
  )
  expect(await covers(child)).toEqual([[health, 'inactive', admitted, nextPeriod]])
  const outliving = await until(
    () =>
      testApp.sql(`select d.id from benefit d where d.type = 'dependent' and d.status = 'active' and not exists (
        select 1 from benefit p where p.company_id = d.company_id and p.member_id = d.primary_member_id
          and p.product_id = d.product_id and p.type = 'primary' and p.status = 'active')`),
    (rows) => rows.length === 0,
  )
  expect(outliving).toEqual([])
})
