import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { EXCLUSION_OFFENSES } from '#kernel/exclusion-offenses.ts'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  nextCpf,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const approve = '?resolution=approve'
const path = '/v1/enrollment/exclusion'
const inBoth = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }

const leaves = (cpf: string, more: Json = {}, details: Json = {}): Json => ({
  'tax-id': cpf,
  'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal', ...details },
  ...more,
})

const send = (members: Json, query = '', headers: Record<string, string> = {}, more: Json = {}): Promise<ApiResponse> =>
  partner.post(`${path}${query}`, { 'company-tax-id': company.taxId, members, ...more }, headers)

const finished = async (response: ApiResponse): Promise<Json> =>
  testApp.finished(partner, expectOk(response).body['request-id'])

const benefits = async (cpf: string): Promise<Json[]> =>
  expectOk(await partner.get(`/v1/benefit?member-tax-id=${cpf}&include-inactive=true`)).body.result

const statuses = async (cpf: string) => (await benefits(cpf)).map(({ status }) => status)

/** Primaries with a benefit in each of the products, and their dependents. */
async function people(count: number, dependents = 0, products: Json = inBoth): Promise<string[]> {
  const members = Array.from({ length: count }, () => {
    const mother = primary({ products })
    return [mother, ...Array.from({ length: dependents }, () => dependent(mother['tax-id'], { products }))]
  }).flat()
  await testApp.include(partner, company, members, approve)
  return members.map((one) => one['tax-id'])
}

const offensesOf = (response: ApiResponse) =>
  response.body.result.map((one: Json) => [one.index, one.offenses] as const)

describe('200', () => {
  test('excludes by product, by benefit, by primary and everything, in one request that the worker processes', async () => {
    const [one = '', two = '', three = '', four = '', child = ''] = [...(await people(3)), ...(await people(1, 1))]
    const [benefit] = await benefits(two)
    const members = [
      leaves(one, { 'product-id': company.products[health] }),
      leaves(two, { 'benefit-id': benefit['benefit-id'] }),
      leaves(three),
      leaves(child, { 'primary-member-tax-id': four }),
    ]
    const response = expectOk(await send(members))
    expect(Object.keys(response.body)).toEqual(['request-id'])
    const shown = await finished(response)
    expect(shown).toMatchObject({
      'request-type': 'exclusion',
      status: 'completed',
      'enrollment-summary': { created: 6 },
    })
    const names = Object.fromEntries(
      Object.entries<Json>(shown['status-by-tax-id']).map(([cpf, parts]) => [cpf, Object.keys(parts).toSorted()]),
    )
    expect(names).toEqual({
      [one]: [health],
      [two]: [benefit['product-name']],
      [three]: [dental, health],
      [child]: [dental, health],
    })
  })

  test('with resolution=approve takes dependents along, and ends everything at once', async () => {
    const cpfs = await people(2, 2)
    const shown = await finished(await send([leaves(cpfs[0] ?? ''), leaves(cpfs[3] ?? '')], approve))
    expect(shown).toMatchObject({ status: 'completed', 'enrollment-summary': { completed: 12 } })
    for (const cpf of cpfs) expect(await statuses(cpf)).toEqual(['inactive', 'inactive'])
  })

  test('a dependent of a primary in the batch may have an entry of its own, whose details hold', async () => {
    const [mother = '', son = '', daughter = ''] = await people(1, 2)
    const shown = await finished(
      await send([leaves(mother), leaves(son, {}, { 'end-date': '2026-11-23', 'exclusion-reason': 'death' })], approve),
    )
    expect(shown).toMatchObject({ status: 'completed', 'enrollment-summary': { completed: 6 } })
    const reasons = await testApp.sql(
      `select distinct member_tax_id, data->'exclusion-details'->>'exclusion-reason' as reason, primary_enrollment_id is null as own
       from enrollment where request_id = $1`,
      [shown['request-id']],
    )
    expect(reasons).toHaveLength(3)
    expect(reasons).toEqual(
      expect.arrayContaining([
        { member_tax_id: mother, reason: 'dismissal', own: true },
        { member_tax_id: son, reason: 'death', own: true },
        { member_tax_id: daughter, reason: 'dismissal', own: false },
      ]),
    )
  })

  test('a future end is scheduled; a product held in two roles has two names', async () => {
    const [father = '', mother = ''] = await people(2)
    await testApp.include(
      partner,
      company,
      [dependent(father, { 'tax-id': mother, 'dependent-type': 'spouse' })],
      approve,
    )
    const shown = await finished(await send([leaves(mother, {}, { 'end-date': '2026-12-31' })]))
    expect(shown['enrollment-summary']).toEqual({ scheduled: 3 })
    const parts = shown['status-by-tax-id'][mother]
    expect(Object.keys(parts).toSorted()).toEqual([dental, health, `${health} (dependent)`].toSorted())
    const detail = await partner.get(`/v1/enrollment/detail/${parts[health]['enrollment-id']}`)
    expect(expectOk(detail).body.result).toMatchObject({
      status: 'scheduled',
      'scheduled-action-date': '2026-12-31',
      'scheduled-reason': 'future-end-date',
    })
  })

  test('every part is shown as processing from the first reading on', async () => {
    const [mother = '', son = ''] = await people(1, 1)
    const id = expectOk(await send([leaves(mother)])).body['request-id']
    const first = expectOk(await partner.get(`/v1/request/${id}`)).body
    expect(Object.keys(first['status-by-tax-id']).toSorted()).toEqual([mother, son].toSorted())
    expect((await testApp.finished(partner, id)).status).toBe('completed')
  })

  test('a dry run judges and stores nothing', async () => {
    const [mother = ''] = await people(1)
    const response = expectOk(await send([leaves(mother)], '?dry-run=true'))
    expect(response.body).toEqual({ 'dry-run': true })
    expect(
      await testApp.sql('select 1 from request where request_type = $1 and status = $2', ['exclusion', 'processing']),
    ).toEqual([])
    expectOk(await send([leaves(mother)]))
  })

  test('Prefer: handling=lenient accepts the others and returns the rejected', async () => {
    const [mother = '', son = ''] = await people(1, 1)
    const members = [leaves(nextCpf()), leaves(mother), leaves(son, {}, { 'end-date': 'never' })]
    const response = await send(members, '', { prefer: 'handling=lenient' })
    expect(expectOk(response).headers.get('preference-applied')).toBe('handling=lenient')
    expect(offensesOf(response)).toEqual([
      [0, ['member-not-found']],
      [2, ['invalid-exclusion-details']],
    ])
    // Without a valid entry of its own the dependent goes along.
    const shown = await finished(response)
    expect(Object.keys(shown['status-by-tax-id']).toSorted()).toEqual([mother, son].toSorted())
  })

  test('an Idempotency-Key gives the first response again', async () => {
    const [mother = ''] = await people(1)
    const headers = { 'idempotency-key': 'leavers-of-november' }
    const first = expectOk(await send([leaves(mother)], '', headers))
    const again = expectOk(await send([leaves(mother)], '', headers))
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await send([leaves(mother)], approve, headers)).status).toBe(422)
  })

  test('an own reference goes before that of the body, also for dependents who go along', async () => {
    const [one = '', child = '', two = ''] = [...(await people(1, 1)), ...(await people(1))]
    const members = [leaves(one, { reference: 'RH-7' }), leaves(two)]
    const shown = await finished(await send(members, '', {}, { reference: 'lote\t11' }))
    const rows = await testApp.sql<{ cpf: string; reference: string }>(
      `select distinct member_tax_id as cpf, reference from enrollment where request_id = $1
       union all select 'request', reference from request where id = $1`,
      [shown['request-id']],
    )
    expect(Object.fromEntries(rows.map((row) => [row.cpf, row.reference]))).toEqual({
      [one]: 'RH-7',
      [child]: 'RH-7',
      [two]: 'lote\t11',
      request: 'lote\t11',
    })
  })

  test('a large batch goes through a thread, and is processed in several steps', async () => {
    const cpfs = await people(1_200, 0, inProduct('health-insurance', health))
    const members = cpfs.map((cpf) => leaves(cpf, {}, { 'exclusion-reason-details': 'x'.repeat(500) }))
    members.push(
      ...Array.from({ length: 1_000 }, () => leaves('x', {}, { 'exclusion-reason-details': 'x'.repeat(500) })),
    )
    expect(JSON.stringify(members).length).toBeGreaterThan(1024 * 1024)
    const response = await send(members, approve, { prefer: 'handling=lenient' })
    expect(expectOk(response).body.result).toHaveLength(1_000)
    expect(await finished(response)).toMatchObject({ status: 'completed', 'enrollment-summary': { completed: 1_200 } })
  })
})

describe('400', () => {
  const uuid = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

  test('lists every offense of every entry with its field, and stores nothing', async () => {
    const [one = '', two = '', both = '', busy = '', ended = '', six = '', seven = ''] = await people(7)
    const rule = `/operator/v1/requirement-rule/${randomUUID()}`
    const require = [{ 'any-of': ['death-certificate'], message: 'Certidão de óbito' }]
    const when = { 'exclusion-reasons': ['death'] }
    expectOk(await testApp.operator.put(rule, { name: 'Óbito', when, require, enforcement: 'offense' }))
    await testApp.include(partner, company, [dependent(two, { 'tax-id': both, 'dependent-type': 'spouse' })], approve)
    await finished(await send([leaves(busy, { 'product-id': company.products[dental] })]))
    await finished(await send([leaves(ended)], approve))
    const [first] = await benefits(one)
    // In another company of the client, and in one that is not the client's.
    const [other, stranger] = [await testApp.company(), await testApp.company()]
    expectOk(await testApp.operator.put(`/operator/v1/client/${partner.clientId}/company/${other.taxId}`))
    const [ofOther, ofStranger] = [primary(), primary()]
    await testApp.include(partner, other, [ofOther], approve)
    await testApp.include(await testApp.partner(stranger.taxId), stranger, [ofStranger], approve)
    const cases: [Json, string[], string[]][] = [
      [leaves('1'), ['invalid-tax-id'], ['tax-id']],
      [{ 'exclusion-details': leaves('')['exclusion-details'] }, ['invalid-tax-id'], ['tax-id']],
      [leaves(nextCpf()), ['member-not-found'], ['tax-id']],
      [leaves(one, { 'product-id': uuid }), ['no-active-benefit'], ['product-id']],
      [leaves(ended), ['no-active-benefit'], ['tax-id']],
      [leaves(ofOther['tax-id']), ['no-active-benefit'], ['tax-id']],
      [leaves(ofStranger['tax-id']), ['member-not-found'], ['tax-id']],
      [leaves(both, { 'product-id': company.products[health] }), ['ambiguous-product'], ['product-id']],
      [leaves(busy), ['ongoing-enrollment'], ['tax-id']],
      [leaves(two, {}, { 'end-date': '2020-01-01' }), ['invalid-exclusion-details'], ['exclusion-details.end-date']],
      [{ 'tax-id': six }, ['invalid-exclusion-details'], ['exclusion-details']],
      [
        leaves(one, { 'product-id': '', 'benefit-id': first['benefit-id'], reference: 'x'.repeat(101), sandbox: {} }),
        ['conflicting-selector', 'invalid-reference', 'invalid-sandbox', 'invalid-selector'],
        ['product-id', 'benefit-id', 'reference', 'sandbox'],
      ],
      [leaves(one, { 'produkt-id': uuid }), ['invalid-selector'], ['produkt-id']],
      [leaves(one, { 'benefit-id': first['benefit-id'] }), ['duplicated-member'], ['tax-id']],
      [leaves(one), ['duplicated-member'], ['tax-id']],
      [leaves(seven, {}, { 'exclusion-reason': 'death' }), ['missing-documents'], ['exclusion-details.documents']],
    ]
    const response = await send(cases.map(([entry]) => entry))
    await testApp.operator.delete(rule)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid members'])
    expect(offensesOf(response)).toEqual(cases.map(([, offenses], index) => [index, offenses]))
    for (const [index, [entry, , fields]] of cases.entries()) {
      const rejected = response.body.result[index]
      expect(rejected).toMatchObject({ 'tax-id': entry['tax-id'] ?? null, 'company-tax-id': company.taxId })
      const named = rejected['offense-details'].map((one: Json) => one.field)
      expect([...new Set(named)]).toEqual(fields)
    }
    const found = new Set(response.body.result.flatMap((one: Json) => one.offenses))
    expect([...found].toSorted()).toEqual(EXCLUSION_OFFENSES)
    expect(await statuses(one)).toEqual(['active', 'active'])
  })

  test('a malformed body is refused before its entries are judged', async () => {
    const entry = leaves(nextCpf())
    for (const [body, field, code] of [
      [{ members: [entry] }, 'company-tax-id', 'missing'],
      [{ 'company-tax-id': company.taxId }, 'members', 'missing'],
      [{ 'company-tax-id': company.taxId, members: [] }, 'members', 'too-few'],
      [{ 'company-tax-id': company.taxId, members: Array.from({ length: 10_001 }, () => ({})) }, 'members', 'too-many'],
      [{ 'company-tax-id': company.taxId, members: [entry, 7] }, 'members[1]', 'invalid'],
      [{ 'company-tax-id': company.taxId, members: [entry], membros: [] }, 'membros', 'unknown'],
      [{ 'company-tax-id': company.taxId, members: [entry], reference: 7 }, 'reference', 'invalid'],
    ] as const) {
      const response = await partner.post(path, body)
      expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
      expect(response.body.details).toMatchObject([
        { field, code, ...(code === 'unknown' && { message: 'Did you mean members?' }) },
      ])
    }
  })

  test('documents: unknown ones are an offense, one may serve several entries, and it is used once', async () => {
    const [one = '', two = '', three = ''] = await people(3)
    const documentId = await upload(partner)
    const documents = [{ 'document-id': documentId, 'document-type': 'rescission' }]
    const wrong = [{ 'document-id': uuid, 'document-type': 'rescission' }]
    const refused = await send([leaves(one, {}, { documents: wrong })])
    expect(offensesOf(refused)).toEqual([[0, ['invalid-exclusion-details']]])
    await finished(await send([leaves(one, {}, { documents }), leaves(two, {}, { documents })]))
    expect(offensesOf(await send([leaves(three, {}, { documents })]))).toEqual([[0, ['invalid-exclusion-details']]])
  })
})

test('403 for a company of others, and a batch tells nothing of their people', async () => {
  const other = await testApp.company()
  const stranger = await testApp.partner(other.taxId)
  const [mother = ''] = await people(1)
  const post = (taxId: string) =>
    stranger.post(path, { 'company-tax-id': taxId, members: [leaves(mother), leaves(nextCpf())] })
  const foreign = await post(company.taxId)
  expect([foreign.status, foreign.body.error]).toEqual([403, 'Not entitled to access this company'])
  expect(offensesOf(await post(other.taxId))).toEqual([
    [0, ['member-not-found']],
    [1, ['member-not-found']],
  ])
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
