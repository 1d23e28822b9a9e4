import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { completeCpf } from '../../src/domain/tax-id.ts'
import { closeEngineFixture, makeData } from '../embedded-postgres/engine-fixture.ts'
import { type ApiResponse, send, until } from '../http/test-app.ts'
import { demoClient, endPrograms, startOn, tokenOf } from './program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

const cpf = completeCpf('734519862')
const formatted = cpf.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4')
const canaries = {
  name: 'Xanadu Canarinho Quimera',
  'mothers-name': 'Ofélia Canarinho Quimera',
  'email-private': 'canarinho@quimera.example',
  phone: '11987650123',
  'employee-id': 'CANARY-EMPLOYEE-77',
}

const member = {
  'beneficiary-type': 'primary',
  'tax-id': cpf,
  'date-of-birth': '1971-03-08',
  gender: 'female',
  salary: 73_451_986,
  products: { 'health-insurance': [{ name: 'Saúde Essencial', 'start-option': 'on-inclusion-date' }] },
  ...canaries,
}

const inclusion = (one: object) => ({ 'company-tax-id': '11222333000181', members: [one] })

/** A call that HTTP itself refuses: what fetch would never send. */
function sendRaw(url: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(url, { path, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    call.once('error', reject)
    call.end()
  })
}

test('a whole movement, and every way to get it wrong, leaves no person, token or secret in any log', async () => {
  const dataDir = await makeData()
  const program = startOn(dataDir, { LOG_LEVEL: 'debug' })
  const url = await program.url
  const partner = demoClient(program, 'partner')
  const operator = demoClient(program, 'operator')
  const token = await tokenOf(url, partner)
  const desk = await tokenOf(url, operator)
  const call = (method: string, path: string, body?: unknown, bearer = token): Promise<ApiResponse> =>
    send(url + path, method, { token: bearer, body })

  const included = await call('POST', '/v1/enrollment/inclusion?resolution=approve', inclusion(member))
  expect(included.status).toBe(200)
  await until(
    () => call('GET', `/v1/request/${included.body['request-id']}`),
    (response) => response.body.status !== 'processing',
  )
  const listed = await until(
    () => call('GET', '/v1/member'),
    (response) => response.text.includes(cpf),
  )
  expect(listed.text).toContain(canaries.name)

  const statuses = [
    // The same again, offenses, and bodies that are no JSON.
    await call('POST', '/v1/enrollment/inclusion', inclusion(member)),
    await call(
      'POST',
      '/v1/enrollment/inclusion',
      inclusion({ ...member, gender: canaries.name, 'tax-id': `${cpf}9` }),
    ),
    await call('POST', '/v1/enrollment/inclusion', `{"company-tax-id":"11222333000181","members":[{"tax-id":"${cpf}"`),
    await call('POST', '/v1/enrollment/inclusion', `{"name":"${canaries.name}\u0000"}`),
    await call('POST', '/v1/enrollment/inclusion', { ...inclusion(member), [cpf]: canaries.name }),
    await call('POST', '/v1/authenticate', { 'client-id': cpf, 'client-secret': partner.secret }),
    // CPFs in paths and query strings, known and unknown.
    await call('GET', `/v1/person/${cpf}/${formatted}`),
    await call('GET', `/${cpf}?cpf=${cpf}&token=${token}`),
    await call('GET', `/v1/member?filter=tax-id=${cpf}|name=${encodeURIComponent(canaries.name)}`),
    await call('GET', `/v1/member?${cpf}=1`),
    await call('GET', `/v1/request/${cpf}`),
    await call('GET', `/v1/company/${cpf}`),
    await call('DELETE', `/v1/company/${cpf}`),
    await call('GET', `/operator/v1/enrollment?member-tax-id=${formatted}`, undefined, desk),
    await call('GET', `/operator/v1/client/${cpf}`, undefined, desk),
    await call('GET', '/v1/company', undefined, `${token}x`),
  ].map((response) => response.status)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  const raw = [
    await sendRaw(url, `/v1/company/%ZZ${cpf}`, { authorization: `Bearer ${token}` }),
    await sendRaw(url, '/v1/company', { 'x-request-id': cpf, cookie: `cpf=${formatted}` }),
    await sendRaw(url, `/v1/${'x'.repeat(20_000)}${cpf}`, {}),
  ]
  expect(raw).toEqual([400, 401, 431])
  await program.stop()

  const [masterKey, postgresLog] = await Promise.all(
    ['master.key', 'postgres.log'].map((name) => readFile(join(dataDir, name), 'utf8')),
  )
  expect(program.err.match(/"msg":"request completed"/g)?.length).toBeGreaterThan(20)
  expect(postgresLog).toContain('database system is shut down')
  const hidden = [
    cpf,
    formatted,
    ...Object.values(canaries),
    '73451986',
    '1971-03-08',
    token,
    desk,
    masterKey?.trim() ?? '',
  ]
  const secrets = [partner.secret, operator.secret]
  for (const one of hidden) {
    expect(program.out, 'standard output').not.toContain(one)
    expect(program.err, 'standard error').not.toContain(one)
    expect(postgresLog, "PostgreSQL's log").not.toContain(one)
  }
  // The welcome shows the demo's own secrets: nothing else does.
  for (const one of secrets) {
    expect(program.err).not.toContain(one)
    expect(postgresLog).not.toContain(one)
  }
})
