import { beforeAll, describe, expect, test } from 'vitest'
import { book, writing } from '../../world/calls/book.ts'
import { type Made, make, tokenOf } from '../../world/calls/call.ts'
import { whileLocked } from '../../world/locked-table.ts'
import { invite, linkToken, setPassword } from '../../world/person.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  expectOk,
  health,
  nextCnpj,
  useTestApp,
  premium,
  primary,
  until,
} from '../../world/test-app.ts'

/*
 * A client that is revoked, or an entitlement that ends, while a write waits for a lock: nothing is written. What makes the order of
 * things certain is locks that the test holds.
 */

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let company: Company
beforeAll(async () => {
  company = await testApp.company()
})
interface Person {
  readonly taxId: string
  readonly childTaxId: string
  readonly benefitId: string
}

/** A primary with a child, both active in the product. */
async function family(partner: Client): Promise<Person> {
  const member = primary()
  const child = primary({
    'beneficiary-type': 'dependent',
    'primary-member-tax-id': member['tax-id'],
    'dependent-type': 'child',
  })
  await testApp.include(partner, company, [member, child], '?resolution=approve')
  const { result } = expectOk(await partner.get(`/v1/member?filter=tax-id=${member['tax-id']}`)).body
  return {
    taxId: member['tax-id'],
    childTaxId: child['tax-id'],
    benefitId: result[0].benefits[0]['benefit-id'],
  }
}

const leaving = (more: object = {}) => ({
  'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal', ...more },
})

const movements: [what: string, (partner: Client, person: Person) => Promise<ApiResponse>][] = [
  [
    'an exclusion as a dependent',
    (partner, { taxId, childTaxId }) =>
      partner.post(`/v1/enrollment/exclusion/${childTaxId}/dependent-of/${taxId}`, leaving()),
  ],
  [
    'an exclusion by product',
    (partner, { taxId }) =>
      partner.post(`/v1/enrollment/exclusion/${taxId}/product/${company.products[health]}`, leaving()),
  ],
  [
    'an exclusion by benefit',
    (partner, { taxId, benefitId }) =>
      partner.post(`/v1/enrollment/exclusion/${taxId}/benefit/${benefitId}?resolution=approve`, leaving()),
  ],
  [
    'an alteration',
    (partner, { taxId }) =>
      partner.post(`/v1/enrollment/alteration/${taxId}`, {
        'company-tax-id': company.taxId,
        'alteration-data': { 'new-product-id': company.products[premium] },
      }),
  ],
]

const lockBenefits = () => `select from benefit where company_id = '${company.id}' for update`

const written = () =>
  testApp.sql(
    `select (select count(*) from request) as requests, (select count(*) from enrollment) as enrollments,
       (select count(*) from benefit where status = 'active') as active, (select count(*) from event) as events`,
  )

describe('while a movement waits for the benefits of its member', () => {
  test.each(movements)('%s of a client revoked meanwhile gets 401 and does nothing', async (_what, move) => {
    const partner = await testApp.partner(company.taxId)
    const person = await family(partner)
    const before = await written()
    const [response] = await whileLocked(testApp, lockBenefits(), [() => move(partner, person)], async () => {
      // The revocation does not wait for the calls that wait.
      expect((await testApp.operator.delete(`/operator/v1/client/${partner.clientId}`)).status).toBe(204)
    })
    expect([response?.status, response?.body.error]).toEqual([401, 'Invalid credentials'])
    expect(await written()).toEqual(before)
  })

  test.each(movements)(
    '%s of a company whose entitlement ended meanwhile gets 403 and does nothing',
    async (_what, move) => {
      const partner = await testApp.partner(company.taxId)
      const person = await family(partner)
      const before = await written()
      const entitlement = `/operator/v1/client/${partner.clientId}/company/${company.taxId}`
      const [response] = await whileLocked(testApp, lockBenefits(), [() => move(partner, person)], async () => {
        expect((await testApp.operator.delete(entitlement)).status).toBe(204)
      })
      expect([response?.status, response?.body.error]).toEqual([
        403,
        expect.stringMatching(/^You are not authorized to /),
      ])
      expect(await written()).toEqual(before)
    },
  )

  test('an exclusion goes on in the company that is left', async () => {
    const other = await testApp.company()
    const partner = await testApp.partner(company.taxId, other.taxId)
    const member = primary()
    await testApp.include(partner, company, [member], '?resolution=approve')
    await testApp.include(partner, other, [member], '?resolution=approve')
    const path = `/v1/enrollment/exclusion/${member['tax-id']}/product/${other.products[health]}`
    const [response] = await whileLocked(testApp, lockBenefits(), [() => partner.post(path, leaving())], () =>
      testApp.operator.delete(`/operator/v1/client/${partner.clientId}/company/${company.taxId}`),
    )
    expect(response?.status).toBe(200)
  })
})
const revocation = (clientId: string) => `update client set revoked_at = now() where id = '${clientId}'`

/** Makes each call wait for the revocation of its client, which then commits, and undoes it for the next one. @returns the statuses. */
async function refusals(client: Pick<Client, 'clientId' | 'token'>, calls: readonly Made[]): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const call of calls) {
    const { operation, path, clientId = client.clientId } = call
    const [response] = await whileLocked(testApp, revocation(clientId), [
      () => make(testApp, call, tokenOf(call, client.token)),
    ])
    seen.push([operation, path, response?.status])
    await testApp.sql('update client set revoked_at = null where id = $1', [clientId])
  }
  return seen
}

const everything = () =>
  testApp.sql(
    `select (select count(*) from audit) as audit, (select count(*) from request) as requests,
       (select count(*) from enrollment) as enrollments, (select count(*) from document) as documents,
       (select count(*) from document where uploaded_at is not null) as filled, (select count(*) from client) as clients,
       (select json_agg(row(id, role, revoked_at) order by id)::text from client) as roles,
       (select json_agg(person order by client_id)::text from person) as people,
       (select json_agg(row(client_id, id) order by id)::text from passkey) as passkeys, (select count(*) from webhook_delivery where company_id is null) as deliveries,
       (select count(*) from company) as companies, (select count(*) from entitlement) as entitlements,
       (select json_agg(row(client_id, slot, hash) order by client_id, slot)::text from client_secret) as secrets,
       (select count(*) from webhook_endpoint where deleted_at is null) as endpoints, (select count(*) from event) as events,
       (select json_agg(row(id, updated_at) order by id)::text from webhook_endpoint) as changed,
       (select json_agg(id order by id)::text from operator_session) as sessions,
       (select count(*) from invoice) as invoices, (select count(*) from invoice_file) as files,
       (select json_agg(row(id, status, end_date) order by id)::text from benefit) as benefits,
       (select json_agg(row(id, status) order by id)::text from enrollment) as statuses,
       (select json_agg(row(id, status) order by id)::text from shipment) as shipments,
       (select json_agg(row(id, status, notice_date) order by id)::text from continuation) as continuations, (select count(*) from layout) as layouts,
       (select json_agg(row(id, updated_at) order by id)::text from requirement_rule) as rules, (select json_agg(row(id, updated_at))::text from saved_view) as views, (select json_agg(row(id, status) order by id)::text from onboarding_invitation) as invitations, (select count(*) from enrollment_note) as notes,
       (select json_agg(row(id, status, file_requested_at) order by id)::text from subject_request) as requests_of_people, (select count(*) from decision_job) as jobs, (select count(*) from member) as members`,
  )
const done = new Set<string>()
// The chapter of an employee, who is no client, is left out.
const { employee, ...chapters } = book

describe('a write whose client is revoked meanwhile waits for it, and then does nothing', () => {
  test.each(Object.entries(chapters))('%s', async (_name, chapter) => {
    const partner = await testApp.partner(company.taxId)
    const operator = await testApp.operatorOf('admin')
    const prepared = await chapter.prepare({ testApp, company, partner, operator })
    const calls = chapter.callsOf(prepared).filter(({ audit }) => audit.length > 0)
    await quiet()
    const before = await everything()
    const caller = calls.some(({ api }) => api === 'operator') ? operator : partner
    expect(await refusals(caller, calls)).toEqual(
      calls.map(({ operation, path, refusal = 401 }) => [operation, path, refusal]),
    )
    expect(await everything()).toEqual(before)
    for (const { operation } of calls) done.add(operation)
  })

  test('no operation that writes is left out', () => {
    expect(writing.filter((id) => !(id in (employee?.entries ?? {})))).toEqual([...done].toSorted())
  })
})

/** What the workers have to do is done, and nothing is sent. */
async function quiet(): Promise<void> {
  const due = "select count(*)::int as n from work where run_at < now() + interval '1 minute'"
  await until(
    () => testApp.sql<{ n: number }>(due),
    ([work]) => work?.n === 0,
  )
  await testApp.sql("update webhook_delivery set status = 'failed' where status = 'pending'")
}

test('an inclusion with an Idempotency-Key, too, and the key is free again', async () => {
  const partner = await testApp.partner(company.taxId)
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  const headers = { 'idempotency-key': 'inclusao-4711' }
  const before = await everything()
  const include = () => partner.post('/v1/enrollment/inclusion', body, headers)
  const [response] = await whileLocked(testApp, revocation(partner.clientId), [include])
  expect(response?.status).toBe(401)
  await testApp.sql('update client set revoked_at = null where id = $1', [partner.clientId])
  expect(await everything()).toEqual(before)
  expect((await include()).status).toBe(200)
})

test('a person who is being blocked sets no password', async () => {
  const { 'person-id': id, link } = await invite(testApp, { name: 'Ivo', email: 'ivo@broker.example', role: 'analyst' })
  const [response] = await whileLocked(testApp, revocation(id), [() => setPassword(testApp, linkToken(link))])
  expect([response?.status, response?.body.code]).toEqual([401, 'client-revoked'])
  expect(await testApp.sql('select password_hash from person where client_id = $1', [id])).toEqual([
    { password_hash: null },
  ])
})
test('an operator whose role changes while a write waits may do what the new role may', async () => {
  const operator = await testApp.operatorOf('admin')
  const path = `/operator/v1/company/${nextCnpj()}`
  const changed = `update client set role = 'auditor' where id = '${operator.clientId}'`
  const [response] = await whileLocked(testApp, changed, [() => operator.put(path, { name: 'A', products: [] })])
  expect([response?.status, response?.body.error]).toEqual([403, 'Not allowed for this role'])
  expect((await testApp.operator.get(path)).status).toBe(404)
})
describe('two admins who remove each other at once', () => {
  // What lets one removal at a time count the admins.
  const lockAdmins = 'select pg_advisory_xact_lock(7446103217)'

  test('one succeeds; the other is removed by then', async () => {
    const [one, other] = [await testApp.operatorOf('admin'), await testApp.operatorOf('admin')]
    const remove = (by: Client, whom: Client) => () => by.delete(`/operator/v1/operator/${whom.clientId}`)
    const responses = await whileLocked(testApp, lockAdmins, [remove(one, other), remove(other, one)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 401])
    const left = await testApp.sql('select id from client where id = any($1) and revoked_at is null', [
      [one.clientId, other.clientId],
    ])
    expect(left).toHaveLength(1)
  })

  test('and one admin is left where there were no others', async () => {
    const [one, other] = [await testApp.operatorOf('admin'), await testApp.operatorOf('admin')]
    const others = await testApp.sql<{ id: string }>(
      `update client set revoked_at = now()
        where api = 'operator' and role = 'admin' and revoked_at is null and id <> all($1) returning id`,
      [[one.clientId, other.clientId]],
    )
    const remove = (by: Client, whom: Client) => () => by.delete(`/operator/v1/operator/${whom.clientId}`)
    const responses = await whileLocked(testApp, lockAdmins, [remove(one, other), remove(other, one)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const left = await testApp.sql(
      "select from client where api = 'operator' and role = 'admin' and revoked_at is null",
    )
    expect(left).toHaveLength(1)
    await testApp.sql('update client set revoked_at = null where id = any($1)', [others.map(({ id }) => id)])
  })
})
