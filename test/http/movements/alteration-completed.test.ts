import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  type TestApp,
  inProduct,
  type Json,
  monday,
  nextCpf,
  openTestApp,
  premium,
  primary,
  until,
} from '../../world/test-app.ts'

let testApp: TestApp
let company: Company
let other: Company
/** Entitled to `company` and `other`. */
let partner: Client

async function furnish(environment: Record<string, string> = {}): Promise<void> {
  testApp = await openTestApp(environment)
  company = await testApp.company()
  other = await testApp.company()
  partner = await testApp.partner(company.taxId, other.taxId)
}

beforeAll(() => furnish())
afterAll(() => testApp.close())

const admitted = '2026-11-02'
const sinceAdmission = inProduct('health-insurance', health, 'on-admission-date')
const inBoth = { ...sinceAdmission, ...inProduct('dental-insurance', dental, 'on-admission-date') }
const approve = '?resolution=approve'

/** Somebody with active cover since 2 November (health by default); the CPF. */
async function member(overrides: Json = {}, at = company): Promise<string> {
  const one = primary({ 'admission-date': admitted, products: sinceAdmission, ...overrides })
  await testApp.include(partner, at, [one], approve)
  return one['tax-id']
}

/** A mother, and children who are her dependents in the same products. */
async function family(children: number, products: Json = sinceAdmission): Promise<string[]> {
  const mother = primary({ 'admission-date': admitted, products })
  const born = Array.from({ length: children }, () => dependent(mother['tax-id'], { products }))
  await testApp.include(partner, company, [mother, ...born], approve)
  return [mother, ...born].map((one) => one['tax-id'])
}

const alter = (cpf: string, data: Json, query = '', others: Json = {}): Promise<ApiResponse> =>
  partner.post(`/v1/enrollment/alteration/${cpf}${query}`, { ...others, 'alteration-data': data })

const toPremium = (day?: string) => ({
  'new-product-id': company.products[premium],
  ...(day === undefined ? {} : { 'requested-start-date': day }),
})

async function enrollments(response: ApiResponse): Promise<Record<string, string>> {
  const { body } = expectOk(await partner.get(`/v1/request/${expectOk(response).body['request-id']}`))
  const [products] = Object.values<Json>(body['status-by-tax-id'])
  return Object.fromEntries(Object.entries<Json>(products).map(([name, part]) => [name, part['enrollment-id']]))
}

const move = (id: string | undefined, body: Json = { status: 'completed' }) =>
  testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body)

const detail = async (id: string | undefined): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result

const exclude = (cpf: string, product: string | undefined, endDate = monday, query = '') =>
  partner.post(`/v1/enrollment/exclusion/${cpf}/product/${product}${query}`, {
    'exclusion-details': { 'end-date': endDate, 'exclusion-reason': 'resignation' },
  })

const people = async (...cpfs: string[]): Promise<Json[]> => {
  const shown: Json[] = expectOk(await partner.get('/v1/member?include-inactive=true')).body.result
  return cpfs.map((cpf) => shown.find((one) => one.profile['tax-id'] === cpf))
}

const person = async (cpf: string): Promise<Json> => (await people(cpf))[0]

/** `[product, status, first day, last day]` of each person's benefits, in the order in which they start. */
async function covers(...cpfs: string[]): Promise<unknown[][][]> {
  const rank = (one: Json) => `${one['start-date']} ${one['end-date'] === null ? 1 : 0}`
  return (await people(...cpfs)).map((one) => {
    const benefits: Json[] = one?.benefits ?? []
    return benefits
      .toSorted((a, b) => rank(a).localeCompare(rank(b)))
      .map((benefit) => [benefit['product-name'], benefit.status, benefit['start-date'], benefit['end-date']])
  })
}

const cover = async (cpf: string): Promise<unknown[][]> => (await covers(cpf))[0] ?? []

/** The row of the person in the company, with what the member list does not show. */
async function memberRow(cpf: string, at = company): Promise<Json> {
  const [row] = await testApp.sql('select * from member where company_id = $1 and tax_id = $2', [at.id, cpf])
  return row
}

const status = async (response: Promise<ApiResponse>) => {
  const { status, body } = await response
  return [status, body?.error]
}

const illegal = [409, 'Illegal transition']

describe('a plan change', () => {
  test.each([
    ['today', undefined, monday],
    ['on a day that has passed', '2026-11-10', '2026-11-10'],
    ['on the day after the start', '2026-11-03', '2026-11-03'],
  ])('%s ends the old benefit on the day before and starts a new one on the day', async (_case, changes, day) => {
    const cpf = await member()
    const before = await person(cpf)
    const response = await alter(cpf, toPremium(changes))
    const { [premium]: id } = await enrollments(response)
    expect(await cover(cpf)).toEqual([[health, 'active', admitted, null]])
    expectOk(await move(id))
    expect(await cover(cpf)).toEqual([
      [health, 'inactive', admitted, addDays(day, -1)],
      [premium, 'active', day, null],
    ])
    const after = await person(cpf)
    expect(after.id).toBe(before.id)
    expect(after.profile).toEqual(before.profile)
    const [old] = before.benefits
    const changed = after.benefits.find((one: Json) => one['product-name'] === premium)
    expect(changed).toMatchObject({
      type: 'primary',
      'product-id': company.products[premium],
      'company-tax-id': company.taxId,
      'extension-plan': false,
    })
    expect(changed['benefit-id']).not.toBe(old['benefit-id'])
    const events = await testApp.sql(
      `select type, data->>'benefit-id' as id from event where data->>'benefit-id' = any($1) order by event.id desc limit 2`,
      [[old['benefit-id'], changed['benefit-id']]],
    )
    expect(new Set(events.map((event) => `${event['type']} ${event['id']}`))).toEqual(
      new Set([`benefit.deactivated ${old['benefit-id']}`, `benefit.activated ${changed['benefit-id']}`]),
    )
  })

  test('on the old benefit’s own first day leaves it void: its last day is the day before its first', async () => {
    const cpf = await member()
    expectOk(await alter(cpf, toPremium(admitted), approve))
    expect(await cover(cpf)).toEqual([
      [health, 'inactive', admitted, addDays(admitted, -1)],
      [premium, 'active', admitted, null],
    ])
  })

  test('includes the dependents of that product, without parts of their own, and does not change other products', async () => {
    const [mother = '', son = '', daughter = ''] = await family(2, inBoth)
    const response = await alter(mother, toPremium('2026-11-20'), approve)
    const request = expectOk(await partner.get(`/v1/request/${response.body['request-id']}`)).body
    expect(Object.keys(request['status-by-tax-id'])).toEqual([mother])
    for (const cpf of [mother, son, daughter]) {
      const benefits: Json[] = (await person(cpf)).benefits
      const of = (name: string) => benefits.filter((one) => one['product-name'] === name)
      expect(of(dental)).toMatchObject([{ status: 'active', 'end-date': null }])
      expect(of(health)).toMatchObject([{ status: 'inactive', 'end-date': '2026-11-19' }])
      expect(of(premium)).toMatchObject([{ status: 'active', 'start-date': '2026-11-20', 'end-date': null }])
    }
    const [theirs] = (await person(son)).benefits.filter((one: Json) => one['product-name'] === premium)
    expect(theirs).toMatchObject({ type: 'dependent', 'dependent-type': 'child', 'primary-member-tax-id': mother })
  })

  test('a dependent who starts later than the day starts the new benefit when the old one would have', async () => {
    const [mother = ''] = await family(0)
    const child = dependent(mother)
    await testApp.include(partner, company, [child], approve)
    expectOk(await alter(mother, toPremium('2026-11-10'), approve))
    expect(await cover(child['tax-id'])).toEqual([
      [health, 'inactive', monday, addDays(monday, -1)],
      [premium, 'active', monday, null],
    ])
  })

  test('completing one whose benefit has ended meanwhile is an Illegal transition, rejecting it is not', async () => {
    const cpf = await member()
    const { [premium]: id } = await enrollments(await alter(cpf, toPremium()))
    await testApp.sql(
      `update benefit b set status = 'inactive', end_date = '2026-11-20' from member m
       where m.company_id = b.company_id and m.id = b.member_id and m.tax_id = $1`,
      [cpf],
    )
    expect(await status(move(id))).toEqual(illegal)
    expect((await detail(id)).status).toBe('created')
    expectOk(await move(id, { status: 'rejected', reason: 'Sem cobertura' }))
    expect(await cover(cpf)).toEqual([[health, 'inactive', admitted, '2026-11-20']])
  })

  test('is shown to operators with what it would make different, and resolved once', async () => {
    const cpf = await member()
    const { [premium]: id } = await enrollments(await alter(cpf, { ...toPremium(), name: 'Helena Lima' }))
    const shown = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
    expect(shown.asked['alteration-data']).toEqual({ ...toPremium(), name: 'Helena Lima' })
    expect(shown.difference).toContainEqual({ field: 'name', old: 'Helena Brandão Souza', new: 'Helena Lima' })
    const responses = await Promise.all(Array.from({ length: 10 }, () => move(id)))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    expect(await cover(cpf)).toHaveLength(2)
  })
})

describe('a company change', () => {
  const away = (data: Json = {}) => ({ 'new-company-tax-id': other.taxId, ...data })

  /** For people whom the company knows by the CPF: the list of members has one item for an id. */
  const benefitsAt = async (cpf: string, at: Company): Promise<Json[]> => {
    const query = `member-tax-id=${cpf}&company-tax-id=${at.taxId}&include-inactive=true`
    return expectOk(await partner.get(`/v1/benefit?${query}`)).body.result
  }

  test('moves every primary benefit and the dependents’; the person keeps id and profile', async () => {
    const [mother = '', son = ''] = await family(1, inBoth)
    const before = await person(mother)
    expectOk(await alter(mother, away({ 'requested-start-date': '2026-11-20' }), approve))
    for (const cpf of [mother, son]) {
      const left = await benefitsAt(cpf, company)
      expect(left.map((one) => [one.status, one['end-date']])).toEqual([
        ['inactive', '2026-11-19'],
        ['inactive', '2026-11-19'],
      ])
      const begun = await benefitsAt(cpf, other)
      expect(new Set(begun.map((one) => one['product-id']))).toEqual(
        new Set([other.products[health], other.products[dental]]),
      )
      expect(begun.map((one) => [one.status, one['start-date'], one['end-date']])).toEqual([
        ['active', '2026-11-20', null],
        ['active', '2026-11-20', null],
      ])
    }
    const [theirs] = await benefitsAt(son, other)
    expect(theirs).toMatchObject({ type: 'dependent', 'primary-member-tax-id': mother })
    const after = await person(mother)
    expect([after.id, after.profile]).toEqual([before.id, before.profile])
  })

  test('with new-product-id moves to another plan at once', async () => {
    const cpf = await member({ products: inBoth })
    expectOk(await alter(cpf, away({ 'new-product-id': other.products[premium] }), approve))
    const begun = await benefitsAt(cpf, other)
    expect(new Set(begun.map((one) => one['product-name']))).toEqual(new Set([premium, dental]))
  })

  test('into a company that has the person brings the profile', async () => {
    const cpf = await member({ name: 'Nome Velho', products: inProduct('dental-insurance', dental) }, other)
    await member({ 'tax-id': cpf, name: 'Nome Novo', salary: 700_000 })
    const there = await memberRow(cpf, other)
    expectOk(await alter(cpf, away({ phone: '11987654321' }), approve, { 'company-tax-id': company.taxId }))
    expect(await memberRow(cpf, other)).toMatchObject({
      id: there.id,
      name: 'Nome Novo',
      salary: '700000',
      details: { phone: '11987654321' },
    })
    expect((await benefitsAt(cpf, other)).map((one) => one.status)).toEqual(['active', 'active'])
  })

  test('with a corrected CPF, into a company that has the former one: that member may be another person and stays', async () => {
    const wrong = await member({ products: inProduct('dental-insurance', dental), name: 'Quem sabe' }, other)
    await member({ 'tax-id': wrong })
    const right = nextCpf()
    expectOk(await alter(wrong, away({ 'tax-id': right }), approve, { 'company-tax-id': company.taxId }))
    expect(await memberRow(wrong, other)).toMatchObject({ name: 'Quem sabe' })
    expect(await memberRow(right, other)).toMatchObject({ name: 'Helena Brandão Souza' })
    expect((await benefitsAt(wrong, other)).map((one) => [one['product-name'], one.status])).toEqual([
      [dental, 'active'],
    ])
    expect((await benefitsAt(right, other)).map((one) => [one['product-name'], one.status])).toEqual([
      [health, 'active'],
    ])
  })

  test('of a person whose CPF was corrected before, into a company that has the former one', async () => {
    const wrong = await member({ products: inProduct('dental-insurance', dental) }, other)
    await member({ 'tax-id': wrong })
    const right = nextCpf()
    expectOk(await alter(wrong, { 'tax-id': right }, approve, { 'company-tax-id': company.taxId }))
    expectOk(await alter(right, away(), approve))
    expect((await benefitsAt(right, other)).map((one) => [one['product-name'], one.status])).toEqual([
      [health, 'active'],
    ])
    expect((await benefitsAt(wrong, other)).map((one) => one['product-name'])).toEqual([dental])
  })

  test('an exclusion of a dependent that was open meanwhile ends the cover in the new company', async () => {
    const [mother = '', son = ''] = await family(1)
    const exclusion = await enrollments(await exclude(son, company.products[health], '2026-11-25'))
    expectOk(await alter(mother, away(), approve))
    expectOk(await move(exclusion[health]))
    expect((await benefitsAt(son, other)).map((one) => one['end-date'])).toEqual(['2026-11-25'])
  })

  test('that is refused by a cover which the person got there meanwhile is an Illegal transition', async () => {
    const cpf = await member()
    const { [health]: id } = await enrollments(await alter(cpf, away()))
    await testApp.sql(
      `insert into member select $2, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, admission_date,
         employee_id, cost_center, salary, details, created_at, updated_at from member where company_id = $1 and tax_id = $3`,
      [company.id, other.id, cpf],
    )
    await testApp.sql(
      `insert into benefit (company_id, id, member_id, product_id, type, status, start_date, created_at, updated_at)
       select $1, gen_random_uuid(), id, $2, 'primary', 'active', '2026-11-23', now(), now() from member
       where company_id = $1 and tax_id = $3`,
      [other.id, other.products[health], cpf],
    )
    expect(await status(move(id))).toEqual(illegal)
    expect((await benefitsAt(cpf, company)).map((one) => one.status)).toEqual(['active'])
  })
})

describe('registration data', () => {
  test('every key lands in the profile under its own name, e-mail and salary as inclusions have them', async () => {
    const cpf = await member({ 'email-private': 'velho@exemplo.com', 'job-title': 'Soldadora', salary: 1 })
    const details = {
      'preferred-name': 'Lena',
      phone: '11987654321',
      'address-postal-code': '01310100',
      'address-street': 'Avenida Paulista',
      'address-number': '1578',
      'address-neighborhood': 'Bela Vista',
      'address-complement': 'apto 12',
      'address-city': 'São Paulo',
      'address-state': 'SP',
      'city-ibge-code': '3550308',
      'fathers-name': 'Otávio Lima',
      cns: '705008734026156',
      pis: '12054789366',
      'birth-declaration-number': '30728419354',
      'identity-document-number': '34.192.708-5',
      'identity-document-issuer': 'SSP',
      'identity-document-state': 'SP',
      'identity-document-issued-at': '2008-03-14',
      cbo: '212405',
      'work-contract-type': 'on-leave',
      'employee-company-tax-id': '11222333000181',
      'bank-number': '001',
      'bank-branch-number': '1234-5',
      'bank-account-number': '67890-1',
      'bank-account-owners-name': 'Helena Lima',
      'bank-account-owners-tax-id': '52998224725',
    }
    const data = {
      name: 'Helena Lima',
      'mothers-name': 'Fátima Lima',
      'date-of-birth': '1991-06-18',
      gender: 'male',
      'marital-status': 'other',
      email: 'nova@exemplo.com',
      'monthly-salary': 523_000,
      ...details,
    }
    expectOk(await alter(cpf, data, approve))
    const row = await memberRow(cpf)
    expect(row).toMatchObject({ name: 'Helena Lima', mothers_name: 'Fátima Lima', gender: 'male', salary: '523000' })
    expect(row.details).toEqual({ ...details, 'job-title': 'Soldadora', 'email-private': 'nova@exemplo.com' })
    expect((await person(cpf)).profile).toEqual({
      name: 'Helena Lima',
      'mothers-name': 'Fátima Lima',
      'date-of-birth': '1991-06-18',
      gender: 'male',
      'marital-status': 'others',
      'tax-id': cpf,
    })
  })

  test('apply at the first completion of a request and never again', async () => {
    const cpf = await member({ products: inBoth })
    const first = await enrollments(await alter(cpf, { name: 'Primeira' }))
    const second = await enrollments(await alter(cpf, { name: 'Segunda' }))
    expectOk(await move(first[health]))
    expect((await person(cpf)).profile.name).toBe('Primeira')
    expectOk(await move(second[dental]))
    expect((await person(cpf)).profile.name).toBe('Segunda')
    expectOk(await move(first[dental]))
    expectOk(await move(second[health]))
    expect((await person(cpf)).profile.name).toBe('Segunda')
  })

  test('apply although one of their enrollments is rejected', async () => {
    const cpf = await member({ products: inBoth })
    const ids = await enrollments(await alter(cpf, { name: 'Helena Lima' }))
    expectOk(await move(ids[health], { status: 'rejected', reason: 'Grafia' }))
    expect((await person(cpf)).profile.name).toBe('Helena Brandão Souza')
    expectOk(await move(ids[dental]))
    expect((await person(cpf)).profile.name).toBe('Helena Lima')
  })

  test('of a benefit that has ended meanwhile complete and apply', async () => {
    const cpf = await member()
    const { [health]: id } = await enrollments(await alter(cpf, { name: 'Helena Lima' }))
    await testApp.sql(
      `update benefit b set status = 'inactive', end_date = '2026-11-20' from member m
       where m.company_id = b.company_id and m.id = b.member_id and m.tax_id = $1`,
      [cpf],
    )
    expectOk(await move(id))
    expect((await person(cpf)).profile.name).toBe('Helena Lima')
  })

  test('sent with a plan change apply when the change is completed', async () => {
    const cpf = await member({ products: inBoth })
    const ids = await enrollments(await alter(cpf, { ...toPremium(), name: 'Helena Lima' }))
    expectOk(await move(ids[premium]))
    expect((await person(cpf)).profile.name).toBe('Helena Lima')
    expectOk(await move(ids[dental]))
  })

  test('stay in their company: what another tenant knows of the person does not change', async () => {
    const apart = await testApp.company()
    const stranger = await testApp.partner(apart.taxId)
    const cpf = await member({ name: 'Aqui' })
    await testApp.include(stranger, apart, [primary({ 'tax-id': cpf, name: 'Lá' })], approve)
    expectOk(await alter(cpf, { name: 'Outra' }, approve))
    expect((await memberRow(cpf, apart)).name).toBe('Lá')
    expect((await memberRow(cpf)).name).toBe('Outra')
  })
})

describe('a corrected CPF', () => {
  test('keeps the member’s id and history; the former CPF finds no one, and a new member with it is another person', async () => {
    const wrong = await member()
    const before = await person(wrong)
    const right = nextCpf()
    const response = await alter(wrong, { 'tax-id': right }, approve)
    const ids = await enrollments(response)
    expect(await person(wrong)).toBeUndefined()
    const after = await person(right)
    expect(after).toMatchObject({ id: before.id, benefits: before.benefits })
    expect((await detail(ids[health]))['member-id']).toBe(before.id)
    expect(await status(alter(wrong, { name: 'A' }))).toEqual([404, 'Member not found'])
    expectOk(await alter(right, { name: 'A' }))
    await member({ 'tax-id': wrong })
    expect((await person(wrong)).id).not.toBe(before.id)
    expect((await person(right)).id).toBe(before.id)
  })

  test('of a primary shows at the dependents', async () => {
    const [mother = '', son = ''] = await family(1)
    const right = nextCpf()
    expectOk(await alter(mother, { 'tax-id': right }, approve))
    expect((await person(son)).benefits).toMatchObject([{ 'primary-member-tax-id': right }])
  })

  test('that another person has got meanwhile cannot be completed', async () => {
    const [cpf, right] = [await member(), nextCpf()]
    const { [health]: id } = await enrollments(await alter(cpf, { 'tax-id': right }))
    await member({ 'tax-id': right })
    expect(await status(move(id))).toEqual(illegal)
    expect((await person(cpf)).profile['tax-id']).toBe(cpf)
  })

  test('of two members who are to have the same one gives it to one', async () => {
    const [one, two, right] = [await member(), await member(), nextCpf()]
    const ids = []
    for (const cpf of [one, two]) ids.push((await enrollments(await alter(cpf, { 'tax-id': right })))[health])
    const responses = await Promise.all(ids.map((id) => move(id)))
    expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const left = [await person(one), await person(two)].filter(Boolean)
    expect(left).toHaveLength(1)
  })
})

describe('ahead of its day', () => {
  const day = '2026-12-01'

  test('a completed plan change leaves the old benefit active and the new one pending', async () => {
    const [mother = '', son = ''] = await family(1)
    const { [premium]: id } = await enrollments(await alter(mother, toPremium(day)))
    expect((await detail(id)).status).toBe('scheduled')
    expectOk(await move(id))
    for (const cpf of [mother, son]) {
      expect((await cover(cpf)).map(([name, status, first]) => [name, status, first])).toEqual([
        [health, 'active', admitted],
        [premium, 'pending', day],
      ])
    }
    const shown = expectOk(await partner.get('/v1/member')).body.result.find(
      (one: Json) => one.profile['tax-id'] === mother,
    )
    expect(shown.benefits).toMatchObject([{ 'product-name': health, status: 'active' }])
  })

  test('the pending new benefit counts as an open enrollment of its product', async () => {
    const cpf = await member()
    const { [premium]: id } = await enrollments(await alter(cpf, toPremium(day), approve))
    const members = [primary({ 'tax-id': cpf, products: inProduct('health-insurance', premium) })]
    const response = await partner.post('/v1/enrollment/inclusion', { 'company-tax-id': company.taxId, members })
    expect(response.body.result?.[0].offenses).toEqual(['ongoing-enrollment'])
    const exclusion = await exclude(cpf, company.products[premium])
    expect([exclusion.status, exclusion.body['enrollment-ids']]).toEqual([409, [id]])
    const again = await alter(cpf, toPremium('2026-12-15'))
    expect([again.status, again.body.details?.[0]?.code]).toEqual([400, 'already-enrolled'])
  })

  test('an exclusion of the old benefit voids the new one, the dependents’ too', async () => {
    const [mother = '', son = ''] = await family(1)
    expectOk(await alter(mother, toPremium(day), approve))
    expectOk(await exclude(mother, company.products[health], '2026-11-25', approve))
    for (const cpf of [mother, son]) {
      expect(await cover(cpf)).toEqual([[health, 'active', admitted, '2026-11-25']])
    }
  })

  test('another change of the old benefit replaces it', async () => {
    const third = { ...other.products }
    const cpf = await member()
    expectOk(await alter(cpf, toPremium(day), approve))
    expectOk(
      await alter(cpf, { 'new-company-tax-id': other.taxId, 'requested-start-date': '2026-11-25' }, approve, {
        'company-tax-id': company.taxId,
      }),
    )
    const benefits: Json[] = (await person(cpf)).benefits
    expect(benefits.map((one) => [one['company-tax-id'], one['product-id'], one.status, one['start-date']])).toEqual(
      expect.arrayContaining([
        [company.taxId, company.products[health], 'active', admitted],
        [other.taxId, third[health], 'pending', '2026-11-25'],
      ]),
    )
    expect(benefits).toHaveLength(2)
  })

  test('a company change creates the member in the destination; voiding the change deletes the member', async () => {
    const cpf = await member()
    expectOk(await alter(cpf, { 'new-company-tax-id': other.taxId, 'requested-start-date': day }, approve))
    expect(await memberRow(cpf, other)).toBeDefined()
    const response = await partner.post(
      `/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}${approve}`,
      {
        'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'death' },
      },
    )
    expect(response.status).toBe(200)
    expect(await memberRow(cpf, other)).toBeUndefined()
    expect(await cover(cpf)).toEqual([[health, 'inactive', admitted, monday]])
  })
})

test('the result is the same whether a family is completed step by step or at once', async () => {
  const [mother = '', son = ''] = await family(1)
  const { [premium]: id } = await enrollments(await alter(mother, toPremium('2026-11-20')))
  for (const step of ['broker-processing', 'carrier-processing', 'completed'])
    expectOk(await move(id, { status: step }))
  const slow = await covers(mother, son)
  const [sister = '', niece = ''] = await family(1)
  expectOk(await alter(sister, toPremium('2026-11-20'), approve))
  expect(await covers(sister, niece)).toEqual(slow)
})

describe('when the day comes', () => {
  beforeAll(async () => {
    await testApp.close()
    await furnish({ VIGENCIA_BUSINESS_DATE: '2027-02-15' })
  })

  test('the new benefit follows the old one, at ends of months, once, without a gap or an overlap', async () => {
    const days = ['2027-03-01', '2027-04-30', '2028-02-29', '2028-03-01', '2027-12-31', '2028-01-01']
    const cpfs: string[] = []
    for (const day of days) {
      const [mother = '', son = ''] = await family(1)
      const there =
        cpfs.length % 4 === 0 ? { 'new-company-tax-id': other.taxId, 'requested-start-date': day } : toPremium(day)
      expectOk(await alter(mother, there, approve))
      cpfs.push(mother, son)
    }
    const waiting = await member()
    const { [premium]: scheduled } = await enrollments(await alter(waiting, toPremium('2027-03-01')))

    await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2027-02-28' })
    expect((await cover(cpfs[0] ?? '')).map(([, status]) => status)).toEqual(['active', 'pending'])
    await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2027-03-01' })
    await until(
      () => cover(cpfs[1] ?? ''),
      (rows) => rows[1]?.[1] === 'active',
    )
    expect((await cover(cpfs[3] ?? '')).map(([, status]) => status)).toEqual(['active', 'pending'])
    await until(
      () => detail(scheduled),
      (shown) => shown.status === 'created',
    )
    expectOk(await move(scheduled))
    expect((await cover(waiting)).map(([name, status]) => [name, status])).toEqual([
      [health, 'inactive'],
      [premium, 'active'],
    ])

    await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2028-03-02' })
    const all = await until(
      () => covers(...cpfs),
      (shown) => shown.every((rows) => rows.every(([, status]) => status !== 'pending')),
    )
    expect(all).toEqual(
      cpfs.map((_cpf, n) => {
        const day = days[Math.floor(n / 2)] ?? ''
        return [
          [health, 'inactive', admitted, addDays(day, -1)],
          [Math.floor(n / 2) % 2 === 0 ? health : premium, 'active', day, null],
        ]
      }),
    )
    const [counts] = await testApp.sql(
      `select count(*) as n, count(distinct data->>'benefit-id') as d from event where type = 'benefit.deactivated'`,
    )
    expect(counts).toEqual({ n: String(cpfs.length + 1), d: String(cpfs.length + 1) })
  })

  test('a dependent who joined the old product between approval and the day does not outlive the primary in it', async () => {
    await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2028-03-02' })
    const [mother = ''] = await family(0)
    expectOk(await alter(mother, toPremium('2028-03-05'), approve))
    const child = dependent(mother, { products: sinceAdmission })
    await testApp.include(partner, company, [child], approve)
    await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2028-03-05' })
    const [, theirs] = await until(
      () => covers(mother, child['tax-id']),
      ([rows]) => rows?.[1]?.[1] === 'active',
    )
    expect(theirs).toContainEqual([health, 'inactive', admitted, '2028-03-04'])
  })

  test('a change that was voided before never comes', async () => {
    await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2028-03-02' })
    const cpf = await member()
    expectOk(await alter(cpf, toPremium('2028-03-10'), approve))
    expectOk(await exclude(cpf, company.products[health], '2028-03-05', approve))
    await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2028-03-11' })
    await until(
      () => cover(cpf),
      (rows) => rows[0]?.[1] === 'inactive',
    )
    expect(await cover(cpf)).toEqual([[health, 'inactive', admitted, '2028-03-05']])
  })
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
