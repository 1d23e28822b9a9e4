import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mayCall } from '../../world/calls/book.ts'
import { type Made, make as send, type Operation, operationOf, operations, roles } from '../../world/calls/call.ts'
import { partnerCalls } from '../../world/calls/partner.ts'
import { openTenant, type Tenant } from '../../world/calls/tenant.ts'
import { invitationBody, invited, openPage, submissionOf } from '../../world/onboarding.ts'
import { type Browser, personOf, signInAs } from '../../world/person.ts'
import { type ApiResponse, type Client, expectOk, type Json, nextCpf, until, useTestApp } from '../../world/test-app.ts'
import { pdf } from '../../world/upload.ts'

/*
 * Who may call each operation of openapi.json, and what of another company it shows: nothing. An operation that is not in the book of
 * calls fails: give it a call, and the roles that may make it.
 */

const ofApi = (api: Operation['api']) => operations.filter((operation) => operation.api === api)

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let ours: Tenant
let theirs: Tenant
let revoked: Client

/** A company with everything that a call can name, and its partner. */
async function newTenant(word: string, shared?: string): Promise<Tenant> {
  const company = await testApp.company({ name: `${word} S.A.` })
  return openTenant(testApp, { company, partner: await testApp.partner(company.taxId) }, word, shared)
}

beforeAll(async () => {
  const shared = nextCpf()
  ours = await newTenant('Ânfora', shared)
  theirs = await newTenant('Bétula', shared)
  revoked = await testApp.partner(ours.company.taxId)
  expectOk(await revoked.get('/v1/company'))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${revoked.clientId}`))
})

/** Operations that need no token; none of them reads a company's rows but the uploads, whose URL is signed, and those of an onboarding link. */
const withoutToken = [
  'authenticate',
  'calculateOnboardingPrice',
  'createSession',
  'createSessionByPasskey',
  'deleteOnboardingDocument',
  'readBrand',
  'readHealth',
  'readHome',
  'readKeySet',
  'readLiveness',
  'readLogo',
  'readMetrics',
  'readOpenApi',
  'readOwnOnboarding',
  'readPartnerOpenApi',
  'readPasskeyOptions',
  'readPersonLink',
  'readReadiness',
  'readSignInOptions',
  'setPassword',
  'startOnboardingSession',
  'submitOnboarding',
  'uploadDocument',
  'uploadDocumentByPost',
  'uploadOnboardingDocument',
]
test('every operation of openapi.json is in the book of calls', () => {
  const idsOf = (api: Operation['api']) =>
    ofApi(api)
      .map(({ id }) => id)
      .toSorted()
  expect(Object.keys(partnerCalls.entries).toSorted()).toEqual(idsOf('partner'))
  expect(partnerCalls.callsOf(ours).map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(idsOf('partner').filter((id) => id !== 'advanceDemoClock')),
  )
  expect(Object.keys(mayCall).toSorted()).toEqual(idsOf('operator'))
  expect(withoutToken).toEqual(idsOf(null))
})

const { callsOf } = partnerCalls
const takesSessions = ({ operation }: Made) => operationOf(operation).takesSessions
const keys = new Map<string, string>()

/** Makes the call. A POST has an Idempotency-Key, the same for everybody who makes the same call. */
async function make(call: Made, caller: string | null | Browser): Promise<ApiResponse> {
  const { method, path, body, headers } = call
  const key = keys.get(path) ?? randomUUID()
  keys.set(path, key)
  const more: Record<string, string> = method === 'POST' ? { 'idempotency-key': key } : {}
  if (caller === null || typeof caller === 'string') return send(testApp, call, caller, more)
  return caller.call(method, path, body, { ...headers, ...more })
}

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search
const marksIn = (response: ApiResponse, { marks }: Tenant) => marks.filter((mark) => response.text.includes(mark))

/** A digest of each table's rows of the company, without the tables that the worker continues to write. */
async function rowsOf({ company }: Tenant): Promise<Json> {
  const tables = await testApp.sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'company_id'
       and table_name not in ('audit', 'audit_pending', 'event', 'event_batch', 'movement_money', 'webhook_delivery', 'webhook_fan_out', 'work') order by 1`,
  )
  const digests = tables.map(
    ({ name }) =>
      `(select md5(string_agg(t::text, ',' order by t::text)) from ${name} t where company_id = $1) as ${name}`,
  )
  const [row] = await testApp.sql(`select ${digests.join(', ')}`, [company.id])
  return row
}

/** @param caller who is entitled to the other company only. */
async function expectForeignRefused(caller: string | Browser = theirs.partner.token): Promise<void> {
  // What our own calls have accepted is processed first.
  await until(
    () => testApp.sql<{ n: number }>('select count(*)::int as n from work where company_id = $1', [ours.company.id]),
    ([work]) => work?.n === 0,
  )
  const before = await rowsOf(ours)
  for (const call of callsOf(ours)) {
    const response = await make(call, caller)
    const isOpen = call.isOpen === true && (typeof caller === 'string' || takesSessions(call))
    const allowed = isOpen ? [200] : [403, 404]
    expect({ call, allowed, status: response.status }).toEqual({
      call,
      allowed,
      status: allowed.find((status) => status === response.status),
    })
    expect({ call, marks: marksIn(response, ours) }).toEqual({ call, marks: [] })
  }
  expect(await rowsOf(ours)).toEqual(before)
}

describe('a partner operation', () => {
  test('is 401 for a revoked client, an operator and a caller without a token', async () => {
    const before = await rowsOf(ours)
    for (const call of callsOf(ours)) {
      for (const token of [revoked.token, testApp.operator.token, null]) {
        const response = await make(call, token)
        expect([call.operation, call.path, response.status, response.body.error]).toEqual([
          call.operation,
          call.path,
          401,
          'Invalid credentials',
        ])
      }
    }
    expect(await rowsOf(ours)).toEqual(before)
  })

  test('is 403 or 404 for a client of another company that names ours, or shows it nothing of ours', () =>
    expectForeignRefused())

  test('succeeds for our client, and shows it nothing of the other company', async () => {
    for (const call of callsOf(ours)) {
      const response = await make(call, ours.partner.token)
      expect([call.operation, call.path, [200, 202, 204].includes(response.status), response.text]).toEqual([
        call.operation,
        call.path,
        true,
        response.text,
      ])
      expect({ call, marks: marksIn(response, theirs) }).toEqual({ call, marks: [] })
    }
  })

  test('shows its own client nothing of the contract with the carrier, its layout and its shipments', async () => {
    const names = [
      'contract-id',
      'contract-number',
      'carrier-company-code',
      'plan-code',
      'code-map',
      'layout',
      'shipment',
    ]
    const secrets = [...names, ...ours.contract]
    for (const call of callsOf(ours)) {
      if (call.method !== 'GET') continue
      const { text } = await make(call, ours.partner.token)
      expect({ call, seen: secrets.filter((secret) => text.includes(secret)) }).toEqual({ call, seen: [] })
    }
  })

  test('is refused to the other client under the Idempotency-Key of our successful call, too', () =>
    expectForeignRefused())

  test('shows a client of both companies the rows of both, until one entitlement is revoked', async () => {
    const broker = await testApp.partner(ours.company.taxId, theirs.company.taxId)
    const lists = /^list(EnrollmentHistory|Members|Benefits|Companies|Products|PendingInvoices|Invoices|Requests)$/
    const open = callsOf(ours).filter(({ operation, isOpen }) => isOpen === true && lists.test(operation))
    expect(new Set(open.map(({ operation }) => operation)).size).toBe(8)
    const seen = async (call: Made) => {
      const response = expectOk(await send(testApp, call, broker.token))
      return [marksIn(response, ours).length > 0, marksIn(response, theirs).length > 0]
    }
    for (const call of open) expect([call.path, await seen(call)]).toEqual([call.path, [true, true]])
    expectOk(await testApp.operator.delete(`/operator/v1/client/${broker.clientId}/company/${ours.company.taxId}`))
    for (const call of open) expect([call.path, await seen(call)]).toEqual([call.path, [false, true]])
  })
})

describe('a person of a company', () => {
  const hrOf = async (...taxIds: string[]) => {
    const { id, email, password } = await personOf(testApp, 'company-hr', ...taxIds)
    expectOk(
      await testApp.call('PATCH', `/operator/v1/person/${id}`, {
        token: testApp.operator.token,
        body: { 'see-money': true },
      }),
    )
    return signInAs(testApp, email, password)
  }

  test('of another company is refused as its partner is', async () => {
    await expectForeignRefused(await hrOf(theirs.company.taxId))
  })

  test('of the company may do what its partner may, but for what programs do, and sees nothing of the others', async () => {
    const tenant = await newTenant('Cicuta')
    const hr = await hrOf(tenant.company.taxId)
    const slot = expectOk(await hr.call('POST', '/v1/enrollment/document-upload-url')).body
    expectOk(
      await testApp.call('PUT', pathOf(slot['upload-url']), {
        body: pdf,
        headers: { 'content-type': 'application/pdf' },
      }),
    )
    const own = { ...tenant, documentId: slot['document-id'] }
    for (const call of callsOf(own)) {
      const response = await make(call, hr)
      const allowed = takesSessions(call) ? [200, 202, 204] : [403]
      expect([call.operation, call.path, allowed.includes(response.status), response.text]).toEqual([
        call.operation,
        call.path,
        true,
        response.text,
      ])
      for (const other of [ours, theirs]) {
        expect({ call, marks: marksIn(response, other) }).toEqual({ call, marks: [] })
      }
    }
  })

  test('is refused by every operation of operators, but those of its own session and account', async () => {
    const hr = await hrOf(ours.company.taxId)
    const open: string[] = []
    for (const operation of ofApi('operator')) {
      if (operation.id === 'endSession') continue
      const path = operation.path.replaceAll(/\{[^}]+\}/g, '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')
      const response = await hr.call(operation.method, path)
      if (response.status !== 403) open.push(operation.id)
      else expect([operation.id, response.body.code]).toEqual([operation.id, 'role-not-allowed'])
    }
    expect(open).toEqual([
      'readSession',
      'readAccount',
      'changePassword',
      'endOtherSessions',
      'readNewPasskeyOptions',
      'createPasskey',
      'deletePasskey',
      'readMailPreferences',
      'putMailPreferences',
    ])
    expect((await hr.call('DELETE', '/operator/v1/session')).status).toBe(204)
  })

  test('is refused by every operation of partners with a call from a page of another site, where it writes also without a sign of its own', async () => {
    const hr = await hrOf(ours.company.taxId)
    const firsts = new Map(
      callsOf(ours)
        .toReversed()
        .map((call) => [call.operation, call]),
    )
    for (const call of firsts.values()) {
      if (!takesSessions(call)) continue
      const forms: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        {},
      ]
      for (const headers of forms) {
        if (call.method === 'GET' && Object.keys(headers).length === 0) continue
        const sent = { cookie: hr.cookie, 'content-type': 'application/json', ...call.headers, ...headers }
        const response = await testApp.call(call.method, call.path, { headers: sent, body: call.body })
        expect([call.path, headers, response.status, response.body.code]).toEqual([
          call.path,
          headers,
          403,
          'cross-site-request',
        ])
      }
    }
  })
})

test('a POST of a partner stores its response in the transaction of what it does: where it cannot, nothing is done', async () => {
  await testApp.sql(`create function refuse_response() returns trigger language plpgsql as
    $$ begin raise exception 'no response is stored' using errcode = 'query_canceled'; end $$`)
  await testApp.sql(`create trigger refuse_response before update on idempotency_key for each row
    when (new.status is not null) execute function refuse_response()`)
  const counts = () =>
    testApp.sql(`select (select count(*) from request) as requests, (select count(*) from document) as documents,
      (select count(*) from webhook_endpoint) as endpoints, (select count(*) from audit) as audit_rows,
      (select md5(string_agg(w::text, ',' order by id)) from webhook_endpoint w) as endpoint_rows`)
  try {
    for (const call of callsOf(theirs)) {
      const { operation: id, method, path } = call
      // Reading a table stores nothing, and its response is a file that is sent from the disk.
      if (method !== 'POST' || id === 'readTable' || path.endsWith('?dry-run=true')) continue
      const before = [await counts(), await rowsOf(theirs)]
      const response = await send(testApp, call, theirs.partner.token, { 'idempotency-key': randomUUID() })
      expect([id, response.status]).toEqual([id, 503])
      expect([id, await counts(), await rowsOf(theirs)]).toEqual([id, ...before])
    }
  } finally {
    await testApp.sql('drop function refuse_response cascade')
  }
})

test('an upload needs the signature of its own document', async () => {
  const [own, other] = [new URL(theirs.slot.url), new URL(ours.slot.url)]
  for (const method of ['PUT', 'POST']) {
    const headers = { 'content-type': 'application/pdf' }
    const path = other.pathname + own.search
    const response = await testApp.call(method, path, { headers, body: pdf })
    expect([method, response.status]).toEqual([method, 404])
  }
})

test('an onboarding link opens its own invitation only', async () => {
  const [own, other] = [
    await invited(theirs.partner, invitationBody(theirs.company)),
    await invited(ours.partner, invitationBody(ours.company)),
  ]
  const [page, stranger] = [await openPage(testApp, own), await openPage(testApp, other)]
  const documentId = await stranger.upload()
  expect((await page.call('DELETE', `document/${documentId}`)).status).toBe(404)
  const documents = [{ 'document-id': documentId, 'document-type': 'other' }]
  const submission = submissionOf(own)
  expect((await page.submit({ ...submission, member: { ...submission.member, documents } })).status).toBe(400)
  expect((await page.submit(submissionOf(other))).status).toBe(400)
  const mixed = { ...page.headers, 'onboarding-token': other.token }
  for (const [method, path, body] of [
    ['GET', 'invitation', undefined],
    ['POST', 'price', { 'dates-of-birth': [] }],
    ['POST', 'document', pdf],
    ['DELETE', `document/${documentId}`, undefined],
    ['POST', 'submission', submissionOf(other)],
  ] as const) {
    for (const headers of [mixed, { ...page.headers, 'onboarding-token': 'A'.repeat(43) }, {}]) {
      const response = await testApp.call(method, `/onboarding/v1/${path}`, { body, headers })
      expect([path, [401, 410].includes(response.status), marksIn(response, ours)]).toEqual([path, true, []])
    }
  }
})

describe('an operator operation', () => {
  const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

  /** A well-formed call that names nothing that exists. */
  const callOf = ({ id, path, example }: Operation): Pick<Made, 'path' | 'body' | 'headers'> => {
    const filled = path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
      name.includes('tax-id')
        ? '11222333000181'
        : ['position', 'requirement', 'line-number'].includes(name)
          ? '1'
          : unknown,
    )
    if (id === 'putInvoiceFile') {
      const query = '?name=boleto.pdf&type=payment-slip&payment-slip-due-date=2026-12-10'
      return { path: filled + query, body: pdf, headers: { 'content-type': 'application/pdf' } }
    }
    if (id === 'uploadCarrierFile') {
      const query = `?contract-id=${unknown}&kind=roster&reference-month=2026-11`
      return { path: filled + query, body: pdf, headers: { 'content-type': 'text/csv' } }
    }
    if (id === 'findCarrierFileBenefits') return { path: `${filled}?q=helena` }
    if (id === 'readTableOfCompany' || id === 'readTableTemplateOfCompany')
      return { path: `${filled}?movement=inclusion&company-tax-id=11222333000181` }
    if (id === 'listTaxFigures') return { path: `${filled}?year=2026` }
    if (id === 'deleteUnpaidLeave') return { path: `${filled}?first-day=2026-11-01` }
    if (id === 'listDeductions') return { path: `${filled}?reference-month=2026-11` }
    if (id === 'listPayrollPeriods') return { path: `${filled}?company-tax-id=11222333000181` }
    if (['previewPayroll', 'listPayrollExports'].includes(id))
      return { path: `${filled}?company-tax-id=11222333000181&reference-month=2026-11` }
    if (['importMembers', 'decideEnrollments', 'acknowledgeShipment'].includes(id))
      return { path: filled, body: '{}\n', headers: { 'content-type': 'application/x-ndjson' } }
    return { path: filled, ...(example === undefined ? {} : { body: example }) }
  }
  const makeAs = (operation: Operation, token: string | null) => {
    const { path, body, headers = {} } = callOf(operation)
    return testApp.call(operation.method, path, { token, headers, ...(body === undefined ? {} : { body }) })
  }

  test('is 401 for a removed operator, a partner and a caller without a token', async () => {
    const removed = await testApp.operatorOf('admin')
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${removed.clientId}`))
    for (const operation of ofApi('operator')) {
      for (const token of [removed.token, ours.partner.token, null]) {
        const response = await makeAs(operation, token)
        expect([operation.id, response.status, response.body.error]).toEqual([operation.id, 401, 'Invalid credentials'])
      }
    }
  })

  test.each(roles)('is 403 for the role %s exactly where the role may not make it', async (role) => {
    const { token } = await testApp.operatorOf(role)
    for (const operation of ofApi('operator')) {
      const response = await makeAs(operation, token)
      const isRefused = response.status === 403 && response.body.error === 'Not allowed for this role'
      expect([operation.id, isRefused]).toEqual([operation.id, !mayCall[operation.id]?.includes(role)])
    }
  })

  test('is open to an admin', async () => {
    const { token } = await testApp.operatorOf('admin')
    for (const operation of ofApi('operator')) {
      const response = await makeAs(operation, token)
      expect([operation.id, response.body?.error]).not.toEqual([operation.id, 'Not allowed for this role'])
    }
  })

  test('declares 403 wherever a role may not make it', () => {
    const silent = ofApi('operator').filter(
      ({ id, statuses }) => (mayCall[id]?.length ?? 0) < roles.length && !statuses.includes('403'),
    )
    expect(silent.map(({ id }) => id)).toEqual([])
  })
})
