import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALTERATION_OFFENSES } from '#kernel/alteration-offenses.ts'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  dental,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  nextCpf,
  openTestApp,
  premium,
  primary,
  useTestApp,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

const testApp = useTestApp()
let company: Company
let second: Company
let partner: Client

beforeAll(async () => {
  company = await testApp.company()
  second = await testApp.company()
  partner = await testApp.partner(company.taxId, second.taxId)
})

const approve = '?resolution=approve'
const path = '/v1/enrollment/alteration'
const uuid = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const inBoth = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }

const alters = (cpf: string, data: Json, more: Json = {}): Json => ({
  'tax-id': cpf,
  'alteration-data': data,
  ...more,
})

const send = (members: Json, query = '', headers: Record<string, string> = {}, more: Json = {}): Promise<ApiResponse> =>
  partner.post(`${path}${query}`, { 'company-tax-id': company.taxId, members, ...more }, headers)

const finished = async (response: ApiResponse): Promise<Json> =>
  testApp.finished(partner, expectOk(response).body['request-id'])

const activeProducts = async (cpf: string): Promise<string[]> =>
  expectOk(await partner.get(`/v1/benefit?member-tax-id=${cpf}`)).body.result.map((one: Json) => one['product-name'])

const profile = async (cpf: string): Promise<Json> =>
  testApp.sql('select to_jsonb(m) as stored from member m where m.tax_id = $1', [cpf])

/** Primaries with a benefit in each of the products. */
async function people(count: number, products: Json = inBoth): Promise<string[]> {
  const members = Array.from({ length: count }, () => primary({ products }))
  await testApp.include(partner, company, members, approve)
  return members.map((one) => one['tax-id'])
}

const offensesOf = (response: ApiResponse) =>
  response.body.result.map((one: Json) => [one.index, one.offenses] as const)

describe('200', () => {
  test('changes plan, company, CPF and data of different people in one request that the worker processes', async () => {
    const [plan = '', data = '', mover = '', renamed = ''] = await people(4)
    const cpf = nextCpf()
    const response = expectOk(
      await send(
        [
          alters(plan, { 'new-product-id': company.products[premium] }),
          alters(data, { phone: '11987654321' }),
          alters(mover, { 'new-company-tax-id': second.taxId }),
          alters(renamed, { 'tax-id': cpf }),
        ],
        approve,
      ),
    )
    expect(Object.keys(response.body)).toEqual(['request-id'])
    const shown = await finished(response)
    expect(shown).toMatchObject({
      'request-type': 'alteration',
      status: 'completed',
      'enrollment-summary': { completed: 7 },
    })
    expect(Object.keys(shown['status-by-tax-id'][plan])).toEqual([premium])
    expect(await activeProducts(plan)).toEqual(expect.arrayContaining([premium, dental]))
    expect(JSON.stringify(await profile(data))).toContain('11987654321')
    expect(await activeProducts(cpf)).toHaveLength(2)
    const companies = await testApp.sql(
      `select distinct b.company_id from benefit b join member m on m.company_id = b.company_id and m.id = b.member_id
       where m.tax_id = $1 and b.status = 'active'`,
      [mover],
    )
    expect(companies).toEqual([{ company_id: second.id }])
  })

  test('waits for an operator without a resolution; a future start is scheduled; the reference of an entry goes first', async () => {
    const [one = '', two = ''] = await people(2)
    const future = { 'new-product-id': company.products[premium], 'requested-start-date': '2026-12-31' }
    const members = [alters(one, future, { reference: 'RH-7' }), alters(two, { name: 'Ana Lima' })]
    const shown = await finished(await send(members, '', {}, { reference: 'lote\t11' }))
    expect(shown).toMatchObject({ reference: 'lote\t11', 'enrollment-summary': { scheduled: 1, created: 2 } })
    const id = shown['status-by-tax-id'][one][premium]['enrollment-id']
    expect(expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result).toMatchObject({
      reference: 'RH-7',
      'scheduled-action-date': '2026-12-31',
      'scheduled-reason': 'future-requested-start-date',
    })
    const rows = await testApp.sql(
      'select distinct reference from enrollment where member_tax_id = $1 and request_id = $2',
      [two, shown['request-id']],
    )
    expect(rows).toEqual([{ reference: 'lote\t11' }])
  })

  test('every part is shown as processing from the first reading on', async () => {
    const [one = ''] = await people(1)
    const id = expectOk(await send([alters(one, { phone: '11987654321' })])).body['request-id']
    const first = expectOk(await partner.get(`/v1/request/${id}`)).body
    expect(Object.keys(first['status-by-tax-id'][one]).toSorted()).toEqual([dental, health].toSorted())
    expect((await testApp.finished(partner, id)).status).toBe('completed')
  })

  test('a dry run judges and stores nothing', async () => {
    const [one = ''] = await people(1)
    const members = [alters(one, { 'new-product-id': company.products[premium] })]
    expect(expectOk(await send(members, '?dry-run=true')).body).toEqual({ 'dry-run': true })
    expect(
      await testApp.sql('select 1 from enrollment where member_tax_id = $1 and enrollment_type = $2', [
        one,
        'alteration',
      ]),
    ).toEqual([])
    expect((await finished(await send(members))).status).toBe('completed')
  })

  test('Prefer: handling=lenient accepts the others and returns the rejected', async () => {
    const [one = ''] = await people(1)
    const members = [alters(nextCpf(), { phone: '11987654321' }), alters(one, { phone: '11987654321' })]
    const response = await send(members, '', { prefer: 'handling=lenient' })
    expect(expectOk(response).headers.get('preference-applied')).toBe('handling=lenient')
    expect(offensesOf(response)).toEqual([[0, ['member-not-found']]])
    expect(Object.keys((await finished(response))['status-by-tax-id'])).toEqual([one])
  })

  test('an Idempotency-Key gives the first response again', async () => {
    const [one = ''] = await people(1)
    const headers = { 'idempotency-key': 'alterations-of-november' }
    const members = [alters(one, { phone: '11987654321' })]
    const first = expectOk(await send(members, '', headers))
    const again = expectOk(await send(members, '', headers))
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await send(members, approve, headers)).status).toBe(422)
  })

  test('a large batch goes through a thread, and is processed in several steps', async () => {
    const cpfs = await people(1_100, inProduct('health-insurance', health))
    const members = cpfs.map((cpf) => alters(cpf, { phone: '11987654321', reason: 'x'.repeat(500) }))
    members.push(...Array.from({ length: 1_000 }, () => alters('x', { phone: '1', reason: 'x'.repeat(500) })))
    expect(JSON.stringify(members).length).toBeGreaterThan(1024 * 1024)
    const response = await send(members, approve, { prefer: 'handling=lenient' })
    expect(expectOk(response).body.result).toHaveLength(1_000)
    expect(await finished(response)).toMatchObject({ status: 'completed', 'enrollment-summary': { completed: 1_100 } })
  })
})

describe('400', () => {
  test('lists every offense of every entry with its field, and stores nothing', async () => {
    const [one = '', two = '', busy = '', gone = '', taken = '', twin = '', wrong = ''] = await people(7)
    const foreign = await testApp.company()
    const born = { 'date-of-birth': '1930-01-01' }
    const old = primary({ ...born, products: inBoth })
    await testApp.include(partner, company, [old], approve)
    const rule = `/operator/v1/requirement-rule/${randomUUID()}`
    const require = [{ 'any-of': ['proof-of-residency'], message: 'Comprovante' }]
    const when = { 'age-from': 90 }
    expectOk(await testApp.operator.put(rule, { name: 'Idosos', when, require, enforcement: 'offense' }))
    const plan = { 'new-product-id': company.products[premium] }
    expectOk(await partner.post(`${path}/${busy}`, { 'company-tax-id': company.taxId, 'alteration-data': plan }))
    const leaving = { 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal' } }
    expectOk(await partner.post(`/v1/enrollment/exclusion/${gone}/company/${company.taxId}${approve}`, leaving))
    const corrected = nextCpf()
    const of = (...keys: string[]) => keys.map((key) => `alteration-data.${key}`)
    const phone = { phone: '11987654321' }
    const invalid = ['invalid-alteration-data']
    const cases: [Json, string[], string[]][] = [
      [alters('1', phone), ['invalid-tax-id'], ['tax-id']],
      [{ 'alteration-data': phone }, ['invalid-tax-id'], ['tax-id']],
      [alters(nextCpf(), phone), ['member-not-found'], ['tax-id']],
      [alters(gone, phone), ['no-active-benefit'], ['tax-id']],
      [alters(busy, plan), ['ongoing-enrollment'], of('new-product-id')],
      [{ 'tax-id': wrong }, ['duplicated-member', ...invalid], ['alteration-data', 'tax-id']],
      [
        alters(wrong, { 'new-product-id': uuid, 'tax-id': taken, 'company-id': uuid, 'date-of-birth': '2027-01-01' }),
        ['duplicated-member', ...invalid],
        ['tax-id', ...of('company-id', 'date-of-birth', 'new-product-id', 'tax-id')],
      ],
      [
        alters(taken, { phone: '', cor: 'azul' }, { reference: 'x'.repeat(101), sandbox: { outcome: 'lost' } }),
        [...invalid, 'invalid-reference', 'invalid-sandbox'],
        [...of('phone', 'cor'), 'reference', 'sandbox'],
      ],
      [alters(two, { 'new-company-tax-id': foreign.taxId }), invalid, of('new-company-tax-id')],
      [alters(one, { 'tax-id': corrected }), ['duplicated-member'], of('tax-id')],
      [
        alters(twin, { 'tax-id': corrected }, { 'product-id': uuid }),
        ['duplicated-member', ...invalid],
        ['product-id', ...of('tax-id')],
      ],
      [alters(old['tax-id'], phone), ['missing-documents'], of('documents')],
    ]
    const response = await send(cases.map(([entry]) => entry))
    await testApp.operator.delete(rule)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid members'])
    expect(offensesOf(response)).toEqual(cases.map(([, offenses], index) => [index, offenses]))
    for (const [index, [entry, , fields]] of cases.entries()) {
      const rejected = response.body.result[index]
      expect(rejected).toMatchObject({ 'tax-id': entry['tax-id'] ?? null, 'company-tax-id': company.taxId })
      const named = rejected['offense-details'].map((detail: Json) => detail.field)
      expect([...new Set(named)].toSorted()).toEqual(fields.toSorted())
    }
    const found = new Set(response.body.result.flatMap((rejected: Json) => rejected.offenses))
    expect([...found].toSorted()).toEqual(ALTERATION_OFFENSES)
  })

  test('the messages of the details name the field, in Portuguese too', async () => {
    const [one = ''] = await people(1)
    const response = await send([alters(one, { phone: 'x' })], '', { 'accept-language': 'pt-BR' })
    expect(response.body.result[0]['offense-details']).toEqual([
      {
        code: 'invalid-alteration-data',
        field: 'alteration-data.phone',
        reason: 'invalid',
        message: 'O campo “Telefone” não é válido. Informe o telefone com DDD, 10 ou 11 dígitos.',
      },
    ])
  })

  test('a malformed body is refused before its entries are judged', async () => {
    const entry = alters(nextCpf(), { phone: '11987654321' })
    for (const [body, field, code] of [
      [{ members: [entry] }, 'company-tax-id', 'missing'],
      [{ 'company-tax-id': company.taxId, members: [] }, 'members', 'too-few'],
      [{ 'company-tax-id': company.taxId, members: Array.from({ length: 10_001 }, () => ({})) }, 'members', 'too-many'],
      [{ 'company-tax-id': company.taxId, members: [entry, 7] }, 'members[1]', 'invalid'],
      [{ 'company-tax-id': company.taxId, members: [entry], membros: [] }, 'membros', 'unknown'],
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
    const documents = [{ 'document-id': await upload(partner), 'document-type': 'other' }]
    const unknown = [{ 'document-id': uuid, 'document-type': 'other' }]
    const proven = (cpf: string, sent: Json) => alters(cpf, { name: 'Ana Lima', documents: sent })
    expect(offensesOf(await send([proven(one, unknown)]))).toEqual([[0, ['invalid-alteration-data']]])
    expect(await finished(await send([proven(one, documents), proven(two, documents)]))).toMatchObject({
      status: 'completed',
    })
    expect(offensesOf(await send([proven(three, documents)]))).toEqual([[0, ['invalid-alteration-data']]])
  })
})

test('403 for a company of others, and a batch tells nothing of their people', async () => {
  const other = await testApp.company()
  const stranger = await testApp.partner(other.taxId)
  const [one = ''] = await people(1)
  const phone = { phone: '11987654321' }
  const post = (taxId: string) =>
    stranger.post(path, { 'company-tax-id': taxId, members: [alters(one, phone), alters(nextCpf(), phone)] })
  const foreign = await post(company.taxId)
  expect([foreign.status, foreign.body.error]).toEqual([403, 'Not entitled to access this company'])
  expect(offensesOf(await post(other.taxId))).toEqual([
    [0, ['member-not-found']],
    [1, ['member-not-found']],
  ])
})

test('404 in production, whatever is sent', async () => {
  const production = await openTestApp({ VIGENCIA_ENVIRONMENT: 'production' })
  try {
    const own = await production.company()
    const client = await production.partner(own.taxId)
    const response = await client.post(path, '{', { 'content-type': 'text/plain' })
    expect([response.status, response.body.error]).toEqual([404, 'Alteration is only available in staging'])
  } finally {
    await production.close()
  }
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
