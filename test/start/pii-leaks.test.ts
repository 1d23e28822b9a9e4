import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { findDatabase } from '../../src/embedded-postgres/postmaster.ts'
import { completeCpf } from '../../src/domain/tax-id.ts'
import { closeEngineFixture, makeData } from '../embedded-postgres/engine-fixture.ts'
import { type Collector, openCollector } from '../http/collector.ts'
import { type ApiResponse, expectOk, type Json, send, until } from '../http/test-app.ts'
import { formOf } from '../http/upload.ts'
import { demoClient, endPrograms, startOn, tokenOf } from './program.ts'

let collector: Collector | undefined
afterEach(async () => {
  await endPrograms()
  await collector?.close()
  await closeEngineFixture()
})

const [mother, child, corrected, stranger] = ['734519862', '734519863', '734519864', '734519865'].map(completeCpf)
const dotted = (cpf = '') => cpf.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4')
const cnpj = '11222333000181'

const person = {
  name: 'Xanadu Canarinho Quimera',
  'mothers-name': 'Ofélia Canarinho Quimera',
  'date-of-birth': '1971-03-08',
  gender: 'female',
  'email-private': 'canarinho@quimera.example',
  'email-corporate': 'xanadu@quimera.example',
  phone: '11987650123',
  'employee-id': 'CANARY-EMPLOYEE-77',
  'cost-center': 'CANARY-CENTER-3',
  'job-title': 'Criadora de Quimeras',
  salary: 73_451_986,
  products: { 'health-insurance': [{ name: 'Saúde Essencial', 'start-option': 'on-inclusion-date' }] },
}
const changes = {
  name: 'Xanadu Pintassilgo',
  'preferred-name': 'Xana Pintassilgo',
  'tax-id': corrected,
  email: 'pintassilgo@quimera.example',
  phone: '21976540321',
  'monthly-salary': 84_562_097,
  'bank-number': 'BC-77341-X',
  'bank-branch-number': 'AG-9913-7X',
  'bank-account-number': '55443322-1',
  'bank-account-owners-name': 'Genoveva Tentilhão',
  'bank-account-owners-tax-id': stranger,
  'address-street': 'Rua do Canário Quimérico',
  'address-postal-code': '01999-777',
  'address-city': 'Canariópolis',
  reason: 'Casou-se com Genoveva Tentilhão',
}

/** All that was sent and may stand nowhere but in the tables of the movement itself. */
const canaries = [
  ...[mother, child, corrected, stranger].flatMap((cpf = '') => [cpf, dotted(cpf)]),
  ...Object.values({ ...person, ...changes }).filter((value) => typeof value === 'string' && value.length > 6),
  '73451986',
  '84562097',
  'Canarinho',
  'Tentilh',
  'Pintassilgo',
  'curriculo-da-xanadu',
  'fugiu com a vizinha',
].map(String)

/** Where what a caller sent may appear. Not the demo's own people: they stand in its welcome. */
function expectClean(where: string, text: string): void {
  for (const canary of canaries) expect(text.includes(canary), `${where} holds ${canary}`).toBe(false)
}

async function readTable(url: string, table: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`select json_agg(t)::text as text, count(*)::int as count from ${table} t`)
    expect(rows[0].count).toBeGreaterThan(5)
    return rows[0].text
  } finally {
    await client.end()
  }
}

type Call = (method: string, path: string, body?: unknown, bearer?: string) => Promise<ApiResponse>

/** What becomes of a family: included with papers, altered, excluded, resolved at the desk. @returns the ids of its requests. */
async function liveThrough(call: Call, desk: string): Promise<void> {
  const slot = expectOk(await call('POST', '/v1/enrollment/document-upload-url')).body
  const form = formOf([
    {
      field: 'file',
      fileName: 'curriculo-da-xanadu.pdf',
      type: 'application/pdf',
      bytes: `%PDF-1.7\n${person.name} ${mother}\n`,
    },
  ])
  const headers = { 'content-type': 'multipart/form-data; boundary=vigencia-5f2c' }
  expectOk(await send(slot['upload-url'], 'POST', { body: form, headers }))
  const papers = [{ 'document-id': slot['document-id'], 'document-type': 'marriage-certificate' }]
  const family = [
    { ...person, 'beneficiary-type': 'primary', 'tax-id': mother, documents: papers },
    {
      ...person,
      'beneficiary-type': 'dependent',
      'tax-id': child,
      'primary-member-tax-id': mother,
      'dependent-type': 'child',
    },
  ]
  const collect = async (response: ApiResponse): Promise<Json> =>
    until(
      async () => expectOk(await call('GET', `/v1/request/${expectOk(response).body['request-id']}`)).body,
      (body) => body.status !== 'processing',
    )
  const body = { 'company-tax-id': cnpj, members: family }
  expect((await collect(await call('POST', '/v1/enrollment/inclusion?resolution=approve', body))).status).toBe(
    'completed',
  )
  const alteration = { 'company-tax-id': cnpj, 'alteration-data': changes }
  await collect(await call('POST', `/v1/enrollment/alteration/${mother}?resolution=approve`, alteration))
  const leaving = {
    'exclusion-details': {
      'end-date': new Date().toISOString().slice(0, 10),
      'exclusion-reason': 'other',
      'exclusion-reason-details': 'Ela fugiu com a vizinha',
    },
  }
  const excluded = await collect(
    await call('POST', `/v1/enrollment/exclusion/${child}/dependent-of/${corrected}`, leaving),
  )
  const [part] = Object.values<Json>(excluded['status-by-tax-id']).flatMap((products) => Object.values<Json>(products))
  const move = { status: 'rejected', reason: `A ${person.name} fugiu com a vizinha` }
  expectOk(await call('POST', `/operator/v1/enrollment/${part['enrollment-id']}/transition`, move, desk))
}

/** Every kind of bad input, with canaries where they hurt. @returns the statuses. */
async function getItWrong(call: Call, desk: string): Promise<number[]> {
  const alter = (data: unknown) =>
    call('POST', `/v1/enrollment/alteration/${dotted(corrected)}`, { 'company-tax-id': cnpj, 'alteration-data': data })
  const include = (member: unknown) =>
    call('POST', '/v1/enrollment/inclusion', { 'company-tax-id': cnpj, members: [member] })
  const details = (more: object) => ({
    'exclusion-details': { 'end-date': '2026-01-01', 'exclusion-reason': 'dismissal', ...more },
  })
  const responses = [
    await include({
      ...person,
      'beneficiary-type': 'primary',
      'tax-id': `${mother}0`,
      gender: person.name,
      phone: changes.email,
    }),
    await include({ ...person, 'tax-id': mother, [String(stranger)]: changes['bank-account-number'] }),
    await include(person.name),
    await call('POST', '/v1/enrollment/inclusion', `{"members":[{"name":"${person.name}","tax-id":"${mother}"`),
    await call('POST', '/v1/enrollment/inclusion', `{"name":"${person.name}\u0000"}`),
    await alter({ ...changes, 'bank-account-owners-tax-id': `${stranger}1` }),
    await alter({ [changes['bank-account-number']]: changes['bank-account-owners-name'] }),
    await alter({ name: '', email: person.name, 'monthly-salary': '84562097' }),
    await call('POST', `/v1/enrollment/alteration/${stranger}`, { 'alteration-data': changes }),
    await call('POST', `/v1/enrollment/exclusion/${stranger}/dependent-of/${mother}`, details({})),
    await call(
      'POST',
      `/v1/enrollment/exclusion/${child}/dependent-of/${corrected}`,
      details({ 'exclusion-reason': 'other' }),
    ),
    await call(
      'POST',
      `/v1/enrollment/exclusion/${corrected}/product/${stranger}`,
      details({ documents: [person.name] }),
    ),
    await call('POST', `/v1/enrollment/exclusion/${person.name}/benefit/${corrected}`, details({})),
    await call('GET', `/v1/member?filter=tax-id=${corrected}|name=${encodeURIComponent(person.name)}`),
    await call('GET', `/v1/member?${encodeURIComponent(person.name)}=${mother}`),
    await call('GET', `/v1/benefit?member-tax-id=${dotted(mother)}`),
    await call('GET', `/v1/enrollment/history?member-tax-id=${stranger}`),
    await call('GET', `/v1/request/${mother}`),
    await call('GET', `/${person['employee-id']}/${mother}?cpf=${dotted(mother)}`),
    await call('GET', `/operator/v1/enrollment?member-tax-id=${corrected}`, undefined, desk),
    await call('GET', `/operator/v1/audit?actor=${encodeURIComponent(person.name)}&target=${mother}`, undefined, desk),
    await call('POST', '/v1/authenticate', { 'client-id': mother, 'client-secret': changes['bank-account-number'] }),
  ]
  return responses.map((response) => response.status)
}

test('movements, papers and bad input leave no person in logs, metrics, traces, events or audit', async () => {
  collector = await openCollector()
  const dataDir = await makeData()
  const program = startOn(dataDir, { LOG_LEVEL: 'debug', TRACES_URL: collector.url })
  const url = await program.url
  const token = await tokenOf(url, demoClient(program, 'partner'))
  const desk = await tokenOf(url, demoClient(program, 'operator'))
  const call: Call = (method, path, body, bearer = token) => send(url + path, method, { token: bearer, body })

  await liveThrough(call, desk)
  const listed = await call('GET', '/v1/member?include-inactive=true')
  for (const shown of [corrected, changes.name, person['mothers-name']]) expect(listed.text).toContain(shown)
  expect(() => expectClean('an answer', listed.text)).toThrow('an answer holds')
  const statuses = await getItWrong(call, desk)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(statuses.filter((status) => status >= 400).length).toBeGreaterThan(15)

  const databaseUrl = (await findDatabase(dataDir))?.url ?? ''
  expectClean('the events', await readTable(databaseUrl, 'event'))
  expectClean('the audit', await readTable(databaseUrl, 'audit'))
  const metrics = (await send(`${url}/metrics`, 'GET')).text
  expect(metrics).toContain('vigencia_requests_total{type="alteration",outcome="refused"}')
  expectClean('the metrics', metrics)
  await program.stop()
  expect(collector.spans.length).toBeGreaterThan(100)
  expectClean('the traces', collector.text)
  expect(program.err.match(/"msg":"request completed"/g)?.length).toBeGreaterThan(25)
  expectClean('standard error', program.err)
  expectClean('standard output', program.out)
  expectClean('PostgreSQL’s log', await readFile(join(dataDir, 'postgres.log'), 'utf8'))
})
