import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, nextBillingDate } from '#kernel/calendar.ts'
import { seed } from '../../seed.ts'
import {
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  premium,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const { company, partner } = useCompany(testApp)
let analyst: Client

beforeAll(async () => {
  analyst = await testApp.operatorOf('analyst')
})

const list = async (query: Record<string, string>): Promise<Json[]> => {
  const text = new URLSearchParams({ 'items-per-page': '500', ...query }).toString()
  return expectOk(await analyst.get(`/operator/v1/enrollment?${text}`)).body.result
}
/** Somebody who was not included within 30 days: no deadline of a norm is due. */
const longAdmitted = (overrides: Json = {}): Json => primary({ 'admission-date': '2025-01-10', ...overrides })

const idsOf = (items: Json[]): string[] => items.map((item) => item.id)

/** The id of the enrollment of each member, in its only product. */
async function enroll(of: Company, by: Client, ...members: Json[]): Promise<string[]> {
  const request = await testApp.include(by, of, members)
  return members.map(
    (member) => Object.values<Json>(request['status-by-tax-id'][member['tax-id']])[0]['enrollment-id'] as string,
  )
}

async function exclude(taxId: string, reason: string, endDate = '2026-11-23'): Promise<string> {
  const details = { 'end-date': endDate, 'exclusion-reason': reason }
  const path = `/v1/enrollment/exclusion/${taxId}/product/${company.products[health]}`
  const { 'request-id': id } = expectOk(await partner.post(path, { 'exclusion-details': details })).body
  const request = expectOk(await partner.get(`/v1/request/${id}`)).body
  return request['status-by-tax-id'][taxId][health]['enrollment-id']
}

describe('an item of the queue', () => {
  test('has the names, the due date, the assignee and the number of notes', async () => {
    const mother = primary({ name: 'Lúcia Prado' })
    const child = dependent(mother['tax-id'])
    const [id = '', childId = ''] = await enroll(company, partner, mother, child)
    const items = await list({ 'company-tax-id': company.taxId })
    const itemOf = (one: string) => items.find((item) => item.id === one)
    expect(itemOf(id)).toMatchObject({
      'member-name': 'Lúcia Prado',
      'company-name': 'Metalúrgica Serra Azul S.A.',
      'primary-member-tax-id': null,
      'due-date': '2026-12-02',
      'due-kind': 'inclusion-window',
      assignee: null,
      'notes-count': 0,
      history: [{ status: 'created', 'actor-id': partner.clientId }],
    })
    expect(itemOf(childId)).toMatchObject({
      'primary-member-tax-id': mother['tax-id'],
      'primary-member-name': 'Lúcia Prado',
      'dependent-type': child['dependent-type'],
      'answered-at': null,
    })
    const movement = expectOk(await analyst.get(`/operator/v1/enrollment/${id}`)).body.result
    expect(movement).toMatchObject({ 'member-name': 'Lúcia Prado', 'notes-count': 0 })
  })

  test('of a rejected inclusion has the name and the primary as they were sent', async () => {
    const mother = primary({ name: 'Rejeitada Um' })
    const child = dependent(mother['tax-id'])
    const request = await testApp.include(partner, company, [mother, child], '?resolution=reject')
    const id = request['status-by-tax-id'][child['tax-id']][health]['enrollment-id']
    const [item] = (await list({ 'member-tax-id': child['tax-id'] })).filter((one) => one.id === id)
    expect(item).toMatchObject({ 'member-name': child['name'], 'primary-member-tax-id': mother['tax-id'] })
    expect(idsOf(await list({ 'member-id': item['member-id'] }))).toEqual([id])
    expect(idsOf(await list({ q: 'rejeitada' }))).toHaveLength(1)
  })
})

describe('request-id', () => {
  test('selects the movements of that request alone, in the list, with a status, and in the counts', async () => {
    const child = dependent('')
    const mother = primary()
    const request = await testApp.include(partner, company, [
      mother,
      { ...child, 'primary-member-tax-id': mother['tax-id'] },
    ])
    await enroll(company, partner, primary())
    const id = request['request-id']
    const taxIds = [mother['tax-id'], child['tax-id']].sort()
    for (const filter of [{}, { status: 'created' }, { status: 'open' }, { q: mother['name'] }]) {
      const items = await list({ 'request-id': id, ...filter })
      const expected = 'q' in filter ? [mother['tax-id']] : taxIds
      expect([filter, items.map((item) => item['member-tax-id']).sort()]).toEqual([filter, expected])
    }
    expect(await list({ 'request-id': id, status: 'completed' })).toEqual([])
    const count = expectOk(await analyst.get(`/operator/v1/enrollment/count?request-id=${id}`)).body.result
    expect(count).toContainEqual({ status: 'created', count: 2 })
    expect(count.map((one: Json) => one.count).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 2])
    expect(await list({ 'request-id': unknown })).toEqual([])
    expect((await analyst.get('/operator/v1/enrollment?request-id=one')).status).toBe(400)
  })
})

describe('due-date', () => {
  const billing = { 'start-option': 'on-next-billing-period' }

  test('of the next billing period it is the last cut-off day before it', async () => {
    const [one = '', other = ''] = await enroll(
      company,
      partner,
      longAdmitted({ products: { 'health-insurance': [{ name: health, ...billing }] } }),
      longAdmitted({ products: { 'health-insurance': [{ name: premium, ...billing }] } }),
    )
    const items = await list({ 'company-tax-id': company.taxId })
    const dates = (id: string) => {
      const item = items.find((found) => found.id === id)
      return [item['scheduled-action-date'], item['due-date'], item['due-kind']]
    }
    // Billing on the 1st with cut-off on the 20th, and on the 15th with cut-off on the 5th; today is the 23rd.
    expect(dates(one)).toEqual(['2027-01-01', '2026-12-20', 'cut-off'])
    expect(dates(other)).toEqual(['2027-01-15', '2027-01-05', 'cut-off'])
  })

  test('without a cut-off day it is the billing day', async () => {
    const other = await testApp.company({
      products: [
        {
          'product-name': health,
          'carrier-name': 'Operadora Sem Corte',
          'product-type': 'health-insurance',
          'allowed-dependent-types': [],
          'allowed-start-options': ['on-next-billing-period'],
          'billing-day': 10,
        },
      ],
    })
    const by = await testApp.partner(other.taxId)
    await enroll(other, by, longAdmitted({ products: { 'health-insurance': [{ name: health, ...billing }] } }))
    const [item] = await list({ 'company-tax-id': other.taxId })
    expect([item['scheduled-action-date'], item['due-date'], item['due-kind']]).toEqual([
      '2026-12-10',
      '2026-12-10',
      'scheduled-action',
    ])
  })

  test('of an exclusion is its last day of cover, also before the 30th day after a request of the beneficiary', async () => {
    const members = [primary(), primary(), primary()]
    await testApp.include(partner, company, members, '?resolution=approve')
    const [later, requested, dismissed] = members.map((member) => member['tax-id'])
    await exclude(later, 'requested-by-beneficiary', '2026-12-22')
    await exclude(requested, 'requested-by-beneficiary')
    await exclude(dismissed, 'dismissal')
    const dueOf = async (taxId: string) => {
      const items = await list({ 'member-tax-id': taxId, 'enrollment-type': 'exclusion' })
      return items.map((item) => [item['due-date'], item['due-kind']])
    }
    expect(await dueOf(later)).toEqual([['2026-12-22', 'exclusion-end']])
    expect(await dueOf(requested)).toEqual([[monday, 'exclusion-end']])
    expect(await dueOf(dismissed)).toEqual([[monday, 'exclusion-end']])
  })

  test('is a day on which the carrier still takes the movement for the billing day', async () => {
    const day = fc.date({ min: new Date('2024-01-01'), max: new Date('2029-12-31'), noInvalidDate: true })
    const cases = fc.record({
      today: day.map((date) => date.toISOString().slice(0, 10)),
      billing: fc.integer({ min: 1, max: 28 }),
      cutOff: fc.integer({ min: 1, max: 31 }),
    })
    const sample = fc.sample(cases, { seed, numRuns: 500 })
    const rows = sample.map((one) => ({ ...one, date: nextBillingDate(one.today, one.billing, one.cutOff) }))
    const found = await testApp.sql<{ due: string }>(
      `select cut_off_before(r.date, r.cut_off)::text as due from unnest($1::date[], $2::smallint[]) with ordinality as r(date, cut_off, n) order by n`,
      [rows.map(({ date }) => date), rows.map(({ cutOff }) => cutOff)],
    )
    for (const [index, { billing, cutOff, date }] of rows.entries()) {
      const due = found[index]?.due ?? ''
      const context = { billing, cutOff, date, due }
      expect({ ...context, next: nextBillingDate(due, billing, cutOff) }).toEqual({ ...context, next: date })
      const isCutOff = due.slice(8) === String(cutOff).padStart(2, '0') || addDays(due, 1).endsWith('-01')
      const isLast = due < date && addDays(due, 32) >= date
      expect({ ...context, isCutOff, isLast }).toEqual({ ...context, isCutOff: true, isLast: true })
    }
  })
})

describe('filters and order', () => {
  let other: Company
  let otherPartner: Client
  let byName: Record<string, string>

  beforeAll(async () => {
    other = await testApp.company()
    otherPartner = await testApp.partner(other.taxId)
    const members = [
      longAdmitted({ name: 'José Antônio Ñandú', 'employee-id': 'Mat-77' }),
      longAdmitted({ name: '100%_Maria', products: inProduct('dental-insurance', dental) }),
      longAdmitted({
        name: 'Ana Prazo',
        products: inProduct('health-insurance', health, 'on-next-billing-period'),
      }),
      longAdmitted({
        name: 'Bia Prazo',
        products: inProduct('health-insurance', premium, 'on-next-billing-period'),
      }),
    ]
    await enroll(other, otherPartner, ...members)
    const items = await list({ 'company-tax-id': other.taxId })
    byName = Object.fromEntries(items.map((item) => [item['member-name'], item.id]))
  })

  const namesOf = async (query: Record<string, string>) =>
    (await list({ 'company-tax-id': other.taxId, ...query })).map((item) => item['member-name'])

  test.each([
    ['jose antonio', ['José Antônio Ñandú']],
    ['ÑANDU', ['José Antônio Ñandú']],
    ['nandú', ['José Antônio Ñandú']],
    ['mat-77', ['José Antônio Ñandú']],
    ['100%', ['100%_Maria']],
    ['0%_', ['100%_Maria']],
    ['prazo', ['Ana Prazo', 'Bia Prazo']],
    ['%%%', []],
    ['Fátima', []],
  ])('q=%s', async (q, names) => expect((await namesOf({ q })).toSorted()).toEqual(names))

  test('q is a part of the CPF, formatted or not', async () => {
    const [item] = await list({ 'company-tax-id': other.taxId, q: 'jose' })
    const taxId: string = item['member-tax-id']
    expect(await namesOf({ q: taxId.slice(2, 9) })).toContain('José Antônio Ñandú')
    const formatted = `${taxId.slice(0, 3)}.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-${taxId.slice(9)}`
    expect(await namesOf({ q: formatted })).toEqual(['José Antônio Ñandú'])
  })

  test('carrier-name is compared without case and accents, as a whole', async () => {
    expect(await namesOf({ 'carrier-name': ' ODONTO bRISÁ ' })).toEqual(['100%_Maria'])
    expect(await namesOf({ 'carrier-name': 'Odonto' })).toEqual([])
  })

  test('due-before is exclusive, and leaves out what has no due date', async () => {
    expect(await namesOf({ 'due-before': '2026-12-20' })).toEqual([])
    expect(await namesOf({ 'due-before': '2026-12-21' })).toEqual(['Ana Prazo'])
  })

  test('due-from is inclusive, and makes a range with due-before', async () => {
    expect(await namesOf({ 'due-from': '2026-12-20', 'due-before': '2026-12-21' })).toEqual(['Ana Prazo'])
    expect(await namesOf({ 'due-from': '2026-12-21', sort: 'due-date' })).toEqual(['Bia Prazo'])
  })

  test('product-id: the product that the items show', async () => {
    expect(await namesOf({ 'product-id': other.products[dental]?.toUpperCase() ?? '' })).toEqual(['100%_Maria'])
    expect(await namesOf({ 'product-id': unknown })).toEqual([])
  })

  test('sort=due-date: the earliest first, those without one last', async () => {
    const sorted = await namesOf({ sort: 'due-date' })
    expect(sorted.slice(0, 2)).toEqual(['Ana Prazo', 'Bia Prazo'])
    expect(sorted.slice(2).toSorted()).toEqual(['100%_Maria', 'José Antônio Ñandú'])
    const path = `/operator/v1/enrollment?company-tax-id=${other.taxId}&sort=due-date&status=created&items-per-page=1&page=2`
    const page = expectOk(await analyst.get(path)).body
    expect(page.result.map((item: Json) => item['member-name'])).toEqual(['Bia Prazo'])
    expect(page.pagination).toMatchObject({ 'current-page': 2, 'total-items': 4, 'total-pages': 4 })
  })

  test('assignee: the enrollments that an operator has, or that nobody has', async () => {
    const id = byName['Ana Prazo'] ?? ''
    expectOk(await analyst.put(`/operator/v1/enrollment/${id}/assignee`, { assignee: analyst.clientId }))
    expect(await namesOf({ assignee: analyst.clientId })).toEqual(['Ana Prazo'])
    expect(await namesOf({ assignee: 'nobody-of-that-name' })).toEqual([])
    expect(await namesOf({ assignee: 'none' })).toHaveLength(3)
    expect(await namesOf({ assignee: 'none', q: 'prazo' })).toEqual(['Bia Prazo'])
  })

  test('answered: those that the partner has answered, until their status changes', async () => {
    const id = byName['Bia Prazo'] ?? ''
    expect(await namesOf({ answered: 'true' })).toEqual([])
    const url = `/operator/v1/enrollment/${id}/transition`
    expectOk(await analyst.post(url, { status: 'pending-documents', reason: 'Falta um documento' }))
    expect(await namesOf({ answered: 'true' })).toEqual([])
    expectOk(await otherPartner.post(`/v1/enrollment/${id}/answer`, { comment: 'Não há outro documento' }))
    const [item] = await list({ 'company-tax-id': other.taxId, answered: 'true', status: 'open' })
    expect(item).toMatchObject({ id, status: 'created', 'answered-at': item['last-updated-at'] })
    expectOk(await analyst.post(url, { status: 'broker-processing' }))
    expect(await namesOf({ answered: 'true' })).toEqual([])
  })

  test('group=family: a dependent who came later stands with the primary within a page', async () => {
    const families = await testApp.company()
    const by = await testApp.partner(families.taxId)
    const [mother, between] = [primary({ name: 'Mãe' }), primary({ name: 'Outra' })]
    await enroll(families, by, mother)
    await enroll(families, by, between)
    await enroll(families, by, dependent(mother['tax-id'], { name: 'Filha' }))
    const query = { 'company-tax-id': families.taxId }
    const names = async (more: Record<string, string>) =>
      (await list({ ...query, ...more })).map((one) => one['member-name'])
    expect(await names({})).toEqual(['Mãe', 'Outra', 'Filha'])
    expect(await names({ group: 'family' })).toEqual(['Mãe', 'Filha', 'Outra'])
    expect(await names({ group: 'family', sort: 'due-date', status: 'open' })).toEqual(['Mãe', 'Filha', 'Outra'])
    expect(await names({ group: 'family', 'items-per-page': '1', page: '2' })).toEqual(['Outra'])
  })

  test.each([
    ['from-dt=2026-11-20&until-dt=2026-11-19', "'until-dt' must not be before 'from-dt'"],
    [
      'resolved-from-dt=2026-11-20&resolved-until-dt=2026-11-19',
      "'resolved-until-dt' must not be before 'resolved-from-dt'",
    ],
    ['due-from=2026-11-20&due-before=2026-11-20', "'due-before' must be greater than 'due-from'"],
  ])('400 invalid-date-range: %s, in the list, the export and the counts', async (query, rule) => {
    for (const path of ['', '/export', '/count']) {
      const { status, body } = await analyst.get(`/operator/v1/enrollment${path}?${query}`)
      expect([status, body.code, body.error]).toEqual([400, 'invalid-date-range', `Invalid date filter: ${rule}`])
    }
  })

  test.each([
    ['product-id=x', 'product-id'],
    ['from-dt=2026-13-01', 'from-dt'],
    ['status=closed', 'status'],
    ['q=ab', 'q'],
    ['q=%20%20%20', 'q'],
    ['q=%00%00%00', 'q'],
    ['due-before=2026-13-01', 'due-before'],
    ['sort=name', 'sort'],
    ['assignee=', 'assignee'],
    ['member-name=x', 'member-name'],
  ])('400: %s', async (query, field) => {
    const response = await analyst.get(`/operator/v1/enrollment?${query}`)
    expect([response.status, response.body.error, response.body.details?.[0]?.field]).toEqual([
      400,
      'Invalid parameter',
      field,
    ])
  })
})

describe('the assignee', () => {
  test('is an operator or nobody; the partner sees nothing of it, and last-updated-at stays', async () => {
    const [id = ''] = await enroll(company, partner, primary())
    const detail = async () => expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).text
    const before = await detail()
    const url = `/operator/v1/enrollment/${id.toUpperCase()}/assignee`
    const response = await analyst.put(url, { assignee: analyst.clientId })
    expect(response.status).toBe(200)
    expect(response.body.result).toMatchObject({ id, assignee: analyst.clientId })
    expect(await detail()).toBe(before)
    expect(expectOk(await analyst.put(url, { assignee: null })).body.result.assignee).toBe(null)
    const rows = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${id}`)).body.result
    expect(rows.map((row: Json) => row.action)).toEqual(['enrollment.unassigned', 'enrollment.assigned'])
  })

  test('400 for a partner, a removed operator and an unknown id; 404 for an unknown enrollment', async () => {
    const [id = ''] = await enroll(company, partner, primary())
    const removed = await testApp.operatorOf('analyst')
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${removed.clientId}`))
    for (const assignee of [partner.clientId, removed.clientId, unknown]) {
      const response = await analyst.put(`/operator/v1/enrollment/${id}/assignee`, { assignee })
      expect([response.status, response.body.details]).toEqual([400, [{ field: 'assignee', code: 'unknown' }]])
    }
    for (const body of [{}, { assignee: 5 }, { assignee: '' }]) {
      expect((await analyst.put(`/operator/v1/enrollment/${id}/assignee`, body)).status).toBe(400)
    }
    const missing = await analyst.put(`/operator/v1/enrollment/${unknown}/assignee`, { assignee: null })
    expect([missing.status, missing.body.error]).toEqual([404, 'Enrollment not found'])
  })
})

describe('notes', () => {
  test('are listed oldest first and counted in the queue; partners never see them', async () => {
    const [id = ''] = await enroll(company, partner, primary())
    const url = `/operator/v1/enrollment/${id}/note`
    const before = expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).text
    const texts = ['Falta a certidão.\nPedida por telefone.', 'x'.repeat(2_000), '😀'.repeat(2_000)]
    for (const text of texts) {
      const { result } = expectOk(await analyst.post(url, { text })).body
      expect(result).toMatchObject({ text, author: analyst.clientId })
    }
    const auditor = await testApp.operatorOf('auditor')
    const page = expectOk(await auditor.get(`${url}?items-per-page=2`)).body
    expect(page.result.map((note: Json) => note.text)).toEqual(texts.slice(0, 2))
    expect(page.pagination['total-items']).toBe(3)
    const [item] = (await list({ assignee: 'none' })).filter((one) => one.id === id)
    expect(item['notes-count']).toBe(3)
    expect(expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).text).toBe(before)
    const rows = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${page.result[0].id}`)).body.result
    expect(rows.map((row: Json) => [row.action, row.actor])).toEqual([['enrollment.note-added', analyst.clientId]])
    expect((await auditor.post(url, { text: 'x' })).status).toBe(403)
  })

  test.each([
    ['no text', {}],
    ['an empty text', { text: '' }],
    ['a blank text', { text: ' \n' }],
    ['a long text', { text: 'x'.repeat(2_001) }],
    ['a text of few marks and many characters', { text: `e${'\u0301'.repeat(2_000)}` }],
    ['NUL', { text: 'a\0b' }],
    ['another key', { text: 'x', author: 'me' }],
  ])('400: %s', async (_name, body) => {
    const [id = ''] = await enroll(company, partner, primary())
    const response = await analyst.post(`/operator/v1/enrollment/${id}/note`, body)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
  })

  test('404 for an unknown enrollment', async () => {
    const url = `/operator/v1/enrollment/${unknown}/note`
    for (const response of [await analyst.post(url, { text: 'x' }), await analyst.get(url)]) {
      expect([response.status, response.body.error]).toEqual([404, 'Enrollment not found'])
    }
  })
})
