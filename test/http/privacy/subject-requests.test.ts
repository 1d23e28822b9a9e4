import { expect, test } from 'vitest'
import { expectOk, type Json, nextCpf, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-25' })

const path = '/operator/v1/subject-request'
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const create = async (more: Json = {}): Promise<Json> =>
  expectOk(await testApp.operator.post(path, { 'tax-id': nextCpf(), kind: 'access', ...more })).body.result
const move = (id: string, body: Json) => testApp.operator.post(`${path}/${id}/status`, body)

test('a request is due 15 days after it was received, and is fulfilled once', async () => {
  const cpf = nextCpf()
  const dotted = cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')
  const made = await create({ 'tax-id': dotted, 'received-on': '2026-11-20', note: 'Por e-mail' })
  const id = made['subject-request-id']
  expect(made).toMatchObject({
    'tax-id': cpf,
    kind: 'access',
    status: 'open',
    'received-on': '2026-11-20',
    'due-date': '2026-12-05',
    note: 'Por e-mail',
    'closed-at': null,
  })
  expect((await testApp.operator.get(`${path}/${id}`)).body.result).toEqual(made)
  const { result } = expectOk(await move(id, { status: 'fulfilled' })).body
  expect(result).toEqual({ ...made, status: 'fulfilled', 'closed-at': expect.any(String) })
  const again = await move(id, { status: 'cancelled', 'cancel-reason': 'Desistiu' })
  expect([again.status, again.body.code, again.body.allowed]).toEqual([409, 'subject-request-status', []])
})

test('a person has one open request of each kind', async () => {
  const made = await create()
  const erasure = await create({ 'tax-id': made['tax-id'], kind: 'erasure' })
  const second = await testApp.operator.post(path, { 'tax-id': made['tax-id'], kind: 'access' })
  expect([second.status, second.body.code, second.body['subject-request-id']]).toEqual([
    409,
    'subject-request-open',
    made['subject-request-id'],
  ])
  expectOk(await move(made['subject-request-id'], { status: 'fulfilled' }))
  await create({ 'tax-id': made['tax-id'] })
  const early = await move(erasure['subject-request-id'], { status: 'fulfilled' })
  expect([early.status, early.body.allowed]).toEqual([409, ['cancelled']])
})

test('of the same request at once one is made', async () => {
  const body = { 'tax-id': nextCpf(), kind: 'access' }
  const made = await Promise.all(Array.from({ length: 8 }, () => testApp.operator.post(path, body)))
  expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 7 }, () => 409),
  ])
})

test('it is cancelled with a reason', async () => {
  const { 'subject-request-id': id } = await create({ kind: 'erasure' })
  const silent = await move(id, { status: 'cancelled' })
  expect([silent.status, silent.body.details]).toEqual([400, [{ field: 'cancel-reason', code: 'missing' }]])
  const { result } = expectOk(await move(id, { status: 'cancelled', 'cancel-reason': 'Desistiu' })).body
  expect(result).toMatchObject({ status: 'cancelled', 'cancel-reason': 'Desistiu' })
  const other = await create()
  const odd = await move(other['subject-request-id'], { status: 'fulfilled', 'cancel-reason': 'Desistiu' })
  expect(odd.body.details).toEqual([{ field: 'cancel-reason', code: 'not-applicable' }])
})

test('the open ones come first, by due date; filters are combined', async () => {
  const later = await create({ 'received-on': '2026-11-12' })
  const earlier = await create({ 'received-on': '2026-11-10' })
  const closed = await create({ 'received-on': '2026-11-09' })
  expectOk(await move(closed['subject-request-id'], { status: 'fulfilled' }))
  const ids = async (query: string) =>
    expectOk(await testApp.operator.get(`${path}${query}`)).body.result.map((one: Json) => one['subject-request-id'])
  const wanted = [earlier, later].map((one) => one['subject-request-id'])
  expect(await ids('?due-until=2026-11-27&status=open&kind=access')).toEqual(wanted)
  expect(await ids('?due-until=2026-11-27')).toEqual([...wanted, closed['subject-request-id']])
  expect(await ids('?due-until=2026-11-27&kind=erasure')).toEqual([])
})

test('what is malformed or unknown is refused', async () => {
  const future = await testApp.operator.post(path, { 'tax-id': nextCpf(), kind: 'access', 'received-on': '2026-11-26' })
  expect([future.status, future.body.details[0].field]).toEqual([400, 'received-on'])
  const malformed = await testApp.operator.post(path, { 'tax-id': '52998224724', kind: 'access' })
  expect([malformed.status, malformed.body.details[0].field]).toEqual([400, 'tax-id'])
  expect((await testApp.operator.get(`${path}/${unknown}`)).body.code).toBe('subject-request-not-found')
  expect((await move(unknown, { status: 'fulfilled' })).body.code).toBe('subject-request-not-found')
})

test('the audit names the request, never the CPF', async () => {
  const { 'subject-request-id': id, 'tax-id': cpf } = await create()
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${id}`)).body
  expect(result.map((row: Json) => row.action)).toEqual(['subject-request.created'])
  const [row] = await testApp.sql(`select count(*)::int as count from audit where audit::text like '%' || $1 || '%'`, [
    cpf,
  ])
  expect(row?.['count']).toBe(0)
})
