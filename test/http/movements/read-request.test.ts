import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { responseWhenCut } from '../../world/cut-connection.ts'
import {
  companyBody,
  dental,
  expectOk,
  health,
  type Json,
  life,
  nextCpf,
  useTestApp,
  premium,
  primary,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const at = '2026-11-23T12:00:00.120Z'

interface Rows {
  readonly status?: string
  /** What is still to be processed: by CPF, product names. */
  readonly parts?: Record<string, string[]>
  readonly failures?: Json[]
  readonly enrollments?: { cpf: string; product: string; status?: string }[]
}

/** A request in the middle of processing, without a work row, so that no worker continues it. */
async function insertRequest(rows: Rows): Promise<{ id: string; enrollmentIds: string[] }> {
  const id = uuidv7()
  const { status = 'completed', parts = {}, failures = [], enrollments = [] } = rows
  await testApp.sql(
    `insert into request (company_id, id, client_id, request_type, status, failures, created_at, finished_at)
     values ($1, $2, $3, 'inclusion', $4, $5, $6, $7)`,
    [company.id, id, partner.clientId, status, JSON.stringify(failures), at, status === 'processing' ? null : at],
  )
  const items = Object.entries(parts).flatMap(([cpf, names]) => names.map((name) => ({ cpf, name })))
  await testApp.sql(
    `insert into movement_item (company_id, request_id, chunk, position, kind, subject, tax_id, type, payload)
     select $1, $2, 0, row_number() over (), 'inclusion', cpf || name, cpf, 'primary', jsonb_build_object('product_name', name)
     from json_to_recordset($3) as s(cpf text, name text)`,
    [company.id, id, JSON.stringify(items)],
  )
  const inserted = enrollments.map((enrollment) => ({
    id: uuidv7(),
    member_id: uuidv7(),
    benefit_id: uuidv7(),
    status: 'created',
    ...enrollment,
    product_id: company.products[enrollment.product],
  }))
  await testApp.sql(
    `insert into enrollment (company_id, id, request_id, enrollment_type, status, reason, member_id, member_tax_id,
       member_type, product_id, product_name, benefit_id, data, initial_status, created_at, updated_at)
     select $1, id, $2, 'inclusion', status, 'a reason', member_id, cpf, 'primary', product_id, product, benefit_id, '{}',
       'created', $3, $3
     from json_to_recordset($4) as e(id uuid, status text, member_id uuid, cpf text, product_id uuid, product text, benefit_id uuid)`,
    [company.id, id, at, JSON.stringify(inserted)],
  )
  return { id, enrollmentIds: inserted.map((one) => one.id) }
}

const read = (id: string, client = partner) => client.get(`/v1/request/${id}`)

/** The item of a person in the list of members. */
const listed = async (member: Json) =>
  expectOk(await partner.get(`/v1/member?include-inactive=true&filter=tax-id%3D${member['tax-id']}`)).body.result[0]

describe('200', () => {
  test('of an inclusion sent whole: the object itself, with the enrollment of the part', async () => {
    const member = primary()
    const sent = { 'company-tax-id': company.taxId, members: [member] }
    const requestId = expectOk(await partner.post('/v1/enrollment/inclusion', sent)).body['request-id']
    await testApp.finished(partner, requestId)
    const response = await read(requestId)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.has('retry-after')).toBe(false)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.body).toEqual({
      'request-id': requestId,
      'request-type': 'inclusion',
      'requested-by': 'partner',
      intake: null,
      'alteration-kind': null,
      'company-tax-id': company.taxId,
      status: 'completed',
      reference: null,
      'created-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      'finished-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      'enrollment-summary': { created: 1 },
      parts: [
        {
          'tax-id': member['tax-id'],
          'product-id': company.products[health],
          'benefit-id': (await listed(member)).benefits[0]['benefit-id'],
          'enrollment-id': response.body['status-by-tax-id'][member['tax-id']][health]['enrollment-id'],
          status: 'enrollment-created',
          'enrollment-status': 'created',
        },
      ],
      'status-by-tax-id': {
        [member['tax-id']]: {
          [health]: {
            status: 'enrollment-created',
            'enrollment-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
            'enrollment-status': 'created',
          },
        },
      },
    })
  })

  test('while processing: every part, those already carried on as what they became', async () => {
    const [first, second, third] = [nextCpf(), nextCpf(), nextCpf()]
    const { id, enrollmentIds } = await insertRequest({
      status: 'processing',
      parts: { [first]: [health, dental], [second]: [health], [third]: [life] },
      enrollments: [{ cpf: first, product: dental }],
      failures: [{ 'tax-id': second, 'product-name': health, offenses: ['ongoing-enrollment'] }],
    })
    const waiting = { status: 'processing', 'enrollment-id': null, 'enrollment-status': null }
    const response = await read(id)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(response.body).toEqual({
      'request-id': id,
      'request-type': 'inclusion',
      'requested-by': 'partner',
      intake: null,
      'alteration-kind': null,
      'company-tax-id': company.taxId,
      status: 'processing',
      reference: null,
      'created-at': at,
      'finished-at': null,
      'enrollment-summary': { created: 1 },
      parts: expect.any(Array),
      'status-by-tax-id': {
        [first]: {
          [health]: waiting,
          [dental]: {
            status: 'enrollment-created',
            'enrollment-id': enrollmentIds[0],
            'enrollment-status': 'created',
          },
        },
        [second]: {
          [health]: {
            status: 'failed',
            'enrollment-id': null,
            'enrollment-status': null,
            offenses: ['ongoing-enrollment'],
          },
        },
        [third]: { [life]: waiting },
      },
    })
    const parts = response.body.parts.map((part: Json) => [part['tax-id'], part.status, part['enrollment-id']])
    expect(parts.toSorted()).toEqual(
      [
        [first, 'enrollment-created', enrollmentIds[0]],
        [first, 'processing', null],
        [second, 'failed', null],
        [third, 'processing', null],
      ].toSorted(),
    )
  })

  test('the parts of each kind of movement have their product and benefit: waiting, made and failed', async () => {
    const [newcomer, leaving, altered] = [primary(), primary(), primary()]
    await testApp.include(partner, company, [leaving, altered], '?resolution=approve')
    const benefitOf = async (member: Json) => (await listed(member)).benefits[0]['benefit-id']
    const details = { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal' }
    const movements: [kind: string, member: Json, product: string, entry: Json][] = [
      ['inclusion', newcomer, health, newcomer],
      ['exclusion', leaving, health, { 'tax-id': leaving['tax-id'], 'exclusion-details': details }],
      [
        'alteration',
        altered,
        premium,
        { 'tax-id': altered['tax-id'], 'alteration-data': { 'new-product-id': company.products[premium] } },
      ],
    ]
    await testApp.restart({ VIGENCIA_ROLE: 'api' })
    const send = async (kind: string, entry: Json) =>
      expectOk(await partner.post(`/v1/enrollment/${kind}`, { 'company-tax-id': company.taxId, members: [entry] }))
        .body['request-id']
    const requests: string[][] = []
    // The second one of each is accepted, and fails when the first has been processed.
    for (const [kind, , , entry] of movements) requests.push([await send(kind, entry), await send(kind, entry)])
    const partsOf = async (id = '') => (await read(id)).body.parts
    const partOf = ([kind, member, product]: (typeof movements)[number], benefitId: string | null) => ({
      'tax-id': member['tax-id'],
      'product-id': company.products[product],
      'benefit-id': kind === 'inclusion' ? null : benefitId,
      'enrollment-id': null,
      status: 'processing',
      'enrollment-status': null,
    })
    const benefits = [null, await benefitOf(leaving), await benefitOf(altered)]
    const waiting = movements.map((movement, n) => partOf(movement, benefits[n] ?? null))
    expect(await Promise.all(requests.map(([one]) => partsOf(one)))).toEqual(waiting.map((part) => [part]))
    await testApp.restart({ VIGENCIA_ROLE: 'all' })
    for (const id of requests.flat()) await testApp.finished(partner, id)
    const made = { status: 'enrollment-created', 'enrollment-id': expect.any(String), 'enrollment-status': 'created' }
    const included = { ...waiting[0], 'benefit-id': await benefitOf(newcomer) }
    const all = [included, ...waiting.slice(1)].map((part) => [{ ...part, ...made }])
    expect(await Promise.all(requests.map(([one]) => partsOf(one)))).toEqual(all)
    const failed = waiting.map((part) => [{ ...part, status: 'failed' }])
    expect(await Promise.all(requests.map(([, two]) => partsOf(two)))).toEqual(failed)
  })

  test('partial-failure: enrollments where they stand now, failures with their offenses, counted by status', async () => {
    const [first, second] = [nextCpf(), nextCpf()]
    const { id } = await insertRequest({
      status: 'partial-failure',
      enrollments: [
        { cpf: first, product: health, status: 'rejected' },
        { cpf: first, product: dental, status: 'completed' },
        { cpf: second, product: dental, status: 'completed' },
      ],
      failures: [{ 'tax-id': second, 'product-name': life, offenses: ['already-enrolled'] }],
    })
    const { body } = await read(id)
    expect(body['enrollment-summary']).toEqual({ completed: 2, rejected: 1 })
    const parts = body['status-by-tax-id']
    expect(Object.keys(parts).toSorted()).toEqual([first, second].toSorted())
    expect(parts[first][health]['enrollment-status']).toBe('rejected')
    expect(Object.keys(parts[second]).toSorted()).toEqual([dental, life].toSorted())
    expect(parts[second][life]).toMatchObject({ status: 'failed', offenses: ['already-enrolled'] })
  })

  test('an operator gets the number of parts by status, and only those of one status', async () => {
    const [first, second, third] = [nextCpf(), nextCpf(), nextCpf()]
    const { id } = await insertRequest({
      status: 'processing',
      parts: { [third]: [health, dental] },
      enrollments: [
        { cpf: first, product: health, status: 'completed' },
        { cpf: second, product: dental, status: 'rejected' },
      ],
      failures: [{ 'tax-id': second, 'product-name': life, offenses: ['already-enrolled'] }],
    })
    const readAny = async (query = '', headers = {}): Promise<Json> => {
      const { token } = testApp.operator
      return expectOk(await testApp.call('GET', `/operator/v1/request/${id}${query}`, { token, headers })).body.result
    }
    const { body } = await read(id)
    const summary = { processing: 2, 'enrollment-created': 2, failed: 1 }
    const ofOperator = { ...body, 'company-name': companyBody.name, 'draft-id': null, 'part-summary': summary }
    expect(await readAny()).toEqual(ofOperator)
    const failed = await readAny('?part-status=failed')
    expect(failed).toEqual({
      ...ofOperator,
      parts: body.parts.filter((part: Json) => part.status === 'failed'),
      'status-by-tax-id': { [second]: { [life]: body['status-by-tax-id'][second][life] } },
    })
    const { 'status-by-tax-id': parts } = await readAny('?part-status=failed', { 'accept-language': 'pt-BR' })
    expect(parts[second][life]['offense-details']).toMatchObject([
      { code: 'already-enrolled', message: expect.stringMatching(/./) },
    ])
    const created = await readAny('?part-status=enrollment-created')
    expect(Object.keys(created['status-by-tax-id']).toSorted()).toEqual([first, second].toSorted())
    const unknown = await testApp.operator.get(`/operator/v1/request/${id}?part-status=done`)
    expect([unknown.status, unknown.body.details]).toMatchObject([400, [{ field: 'part-status', code: 'invalid' }]])
  })

  test('failed: no enrollments, an empty summary', async () => {
    const cpf = nextCpf()
    const { id } = await insertRequest({
      status: 'failed',
      failures: [{ 'tax-id': cpf, 'product-name': health, offenses: ['unknown-product'] }],
    })
    const { body } = await read(id)
    expect(body).toMatchObject({ status: 'failed', 'enrollment-summary': {} })
    expect(Object.keys(body['status-by-tax-id'])).toEqual([cpf])
  })

  test('two enrollments of one person under one product name are one key', async () => {
    const cpf = nextCpf()
    const twice = { cpf, product: health, status: 'completed' }
    const { id, enrollmentIds } = await insertRequest({ enrollments: [twice, twice] })
    const response = await read(id)
    const [, keys = ''] = response.text.split('"status-by-tax-id"')
    expect(keys.split(`"${cpf}"`)).toHaveLength(2)
    expect(keys.split(`"${health}"`)).toHaveLength(2)
    expect(enrollmentIds).toContain(response.body['status-by-tax-id'][cpf][health]['enrollment-id'])
    expect(response.body['enrollment-summary']).toEqual({ completed: 2 })
    expect(response.body.parts.map((part: Json) => part['enrollment-id'])).toEqual(enrollmentIds)
  })

  test('10,000 members in the middle of their processing, none missing', async () => {
    const cpfs = Array.from({ length: 10_000 }, nextCpf)
    const { id } = await insertRequest({
      status: 'processing',
      parts: Object.fromEntries(cpfs.map((cpf) => [cpf, [health, dental]])),
      enrollments: cpfs.slice(0, 4_000).map((cpf) => ({ cpf, product: health })),
      failures: cpfs
        .slice(4_000, 5_000)
        .map((cpf) => ({ 'tax-id': cpf, 'product-name': health, offenses: ['already-enrolled'] })),
    })
    const { body } = await read(id)
    const statuses = cpfs.map((cpf) => body['status-by-tax-id'][cpf])
    expect(statuses.every((parts) => parts[dental].status === 'processing')).toBe(true)
    expect(new Set(statuses.slice(0, 4_000).map((parts) => parts[health].status))).toEqual(
      new Set(['enrollment-created']),
    )
    expect(new Set(statuses.slice(4_000, 5_000).map((parts) => parts[health].status))).toEqual(new Set(['failed']))
    expect(new Set(statuses.slice(5_000).map((parts) => parts[health].status))).toEqual(new Set(['processing']))
  })

  test('an id in upper case is the same id', async () => {
    const { id } = await insertRequest({ status: 'failed' })
    expect((await read(id.toUpperCase())).body['request-id']).toBe(id)
  })
})

test.each(['1', 'not-a-uuid', '%00', '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21%00', `${uuidv7()}x`, 'a'.repeat(2_000)])(
  '400 for the malformed id %s',
  async (id) => {
    const response = await read(id)
    expect(response.status).toBe(400)
    expect(response.body).toEqual({
      error: 'Invalid request-id',
      code: 'invalid-parameter',
      details: [expect.objectContaining({ field: 'request-id', code: 'invalid' })],
      'request-trace-id': response.headers.get('x-request-id'),
    })
  },
)

describe('401', () => {
  test('without a token', async () => {
    const response = await testApp.call('GET', `/v1/request/${uuidv7()}`)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('for a living token of a revoked client, whatever the id', async () => {
    const { id } = await insertRequest({})
    const other = await testApp.partner(company.taxId)
    expectOk(await read(id, other))
    expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}`))
    for (const requested of [id, uuidv7(), 'malformed']) {
      const response = await read(requested, other)
      expect(response.status).toBe(401)
      expect(response.body.error).toBe('Invalid credentials')
    }
  })
})

describe('403', () => {
  test('for a request of another company', async () => {
    const { id } = await insertRequest({})
    const elsewhere = await testApp.company()
    const response = await read(id, await testApp.partner(elsewhere.taxId))
    expect(response.status).toBe(403)
    expect(response.body.error).toBe('Not entitled to access this request')
    expect(response.text).not.toContain(company.taxId)
  })

  test('once the entitlement is revoked', async () => {
    const { id } = await insertRequest({})
    const other = await testApp.partner(company.taxId)
    expectOk(await read(id, other))
    expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}/company/${company.taxId}`))
    expect((await read(id, other)).status).toBe(403)
  })
})

test('404 for an id that no request has', async () => {
  const response = await read(uuidv7())
  expect(response.status).toBe(404)
  expect(response.body.error).toBe('Request not found')
})

test('503 when the connection to the database breaks', async () => {
  const response = await responseWhenCut(testApp, 'request', () => read(uuidv7()))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})
