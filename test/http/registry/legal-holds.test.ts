import { expect, test } from 'vitest'
import { expectOk, type Json, nextCpf, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
const url = '/operator/v1/legal-hold'
const set = async (body: Json) => testApp.operator.post(url, { reason: 'Ação trabalhista', ...body })
const list = async (query: string) => expectOk(await testApp.operator.get(`${url}?${query}`)).body.result as Json[]

test('a hold is set on a person, listed with the CPF masked, and released with a reason', async () => {
  const taxId = nextCpf()
  const hold = expectOk(await set({ 'tax-id': taxId })).body.result
  expect(hold).toEqual({
    'legal-hold-id': expect.any(String),
    'tax-id': `***.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-**`,
    'company-tax-id': null,
    'company-name': null,
    reason: 'Ação trabalhista',
    'created-by': testApp.operator.clientId,
    'created-at': expect.any(String),
    'release-reason': null,
    'released-by': null,
    'released-at': null,
  })
  expect(await list(`tax-id=${taxId}&in-force=true`)).toEqual([hold])
  const path = `${url}/${hold['legal-hold-id']}/release`
  const released = expectOk(await testApp.operator.post(path, { reason: 'Arquivada' })).body.result
  expect(released).toMatchObject({ 'release-reason': 'Arquivada', 'released-by': testApp.operator.clientId })
  expect(await list(`tax-id=${taxId}&in-force=true`)).toEqual([])
  expect(await list(`tax-id=${taxId}&in-force=false`)).toEqual([released])
  expect(await testApp.operator.post(path, { reason: 'De novo' })).toMatchObject({
    status: 409,
    body: { code: 'legal-hold-released' },
  })
})

test('a company and a person have one hold in force, and another after its release', async () => {
  const { taxId } = await testApp.company()
  for (const subject of [{ 'company-tax-id': taxId }, { 'tax-id': nextCpf() }]) {
    const first = expectOk(await set(subject)).body.result
    expect(await set(subject)).toMatchObject({ status: 409, body: { code: 'legal-hold-in-force' } })
    expectOk(await testApp.operator.post(`${url}/${first['legal-hold-id']}/release`, { reason: 'Fim' }))
    expectOk(await set(subject))
  }
  expect(await list(`company-tax-id=${taxId}`)).toHaveLength(2)
})

test('a hold is on one person or one company that is known', async () => {
  const { taxId } = await testApp.company()
  const refused = async (body: Json) => {
    const { status, body: error } = await set(body)
    return { status, code: error.code, details: error.details }
  }
  expect(await refused({})).toMatchObject({ status: 400, details: [{ field: 'tax-id', code: 'missing' }] })
  expect(await refused({ 'tax-id': nextCpf(), 'company-tax-id': taxId })).toMatchObject({
    status: 400,
    details: [{ field: 'company-tax-id', code: 'not-applicable' }],
  })
  expect(await refused({ 'company-tax-id': '11222333000181' })).toMatchObject({
    status: 404,
    code: 'company-not-found',
  })
  const path = `${url}/01995e10-1a2b-7c3d-8e4f-5a6b7c8d9e0f/release`
  expect(await testApp.operator.post(path, { reason: 'Fim' })).toMatchObject({ body: { code: 'legal-hold-not-found' } })
})

test('the audit of a hold has no CPF', async () => {
  const taxId = nextCpf()
  const hold = expectOk(await set({ 'tax-id': taxId })).body.result
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${hold['legal-hold-id']}`)).body
  expect(result).toMatchObject([{ action: 'legal-hold.set', target: hold['legal-hold-id'] }])
  expect(JSON.stringify(result)).not.toContain(taxId)
})
