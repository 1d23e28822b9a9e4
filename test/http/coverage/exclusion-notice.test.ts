import { expect, test } from 'vitest'
import { textOfPages } from '../../platform/pdf/pages.ts'
import {
  type Client,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  life,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-18' })
const { company, partner } = useCompany(testApp)

/** Includes the people and requests the exclusion of the first. @returns the ids of the exclusions. */
async function excluded(members: Json[], details: Json, product = health): Promise<string[]> {
  await testApp.include(partner, company, members, '?resolution=approve')
  const [{ 'tax-id': cpf } = {}] = members
  const path = `/v1/enrollment/exclusion/${cpf}/product/${company.products[product]}`
  const { body } = expectOk(await partner.post(path, { 'exclusion-details': { 'end-date': '2026-12-18', ...details } }))
  const { 'status-by-tax-id': parts } = await testApp.finished(partner, body['request-id'])
  return members.map((member) => parts[member['tax-id']][product]['enrollment-id'])
}

const onRequest = { 'exclusion-reason': 'requested-by-beneficiary', 'requested-at': '2026-12-10' }

async function noticeOf(by: Client, path: string): Promise<string> {
  const response = await fetch(`${testApp.url}${path}`, { headers: { authorization: `Bearer ${by.token}` } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return (await textOfPages(Buffer.from(await response.arrayBuffer()))).join('\n').replaceAll(/\s+/g, ' ')
}

test('has the people, the items a to g, the deadlines and the norm, as text, on both APIs', async () => {
  const mother = primary({ name: 'Helena Brandão Souza' })
  const child = dependent(mother['tax-id'])
  const [id = '', childId = ''] = await excluded([mother, child], onRequest)
  const text = await noticeOf(partner, `/v1/enrollment/${id}/exclusion-notice`)
  for (const part of [
    'Beneficiário: Helena Brandão Souza',
    `CNPJ ${company.taxId}`,
    'Data do pedido: 10/12/2026',
    'Último dia de cobertura pedido: 18/12/2026',
    'a) ',
    'b) ',
    'c) ',
    'd) ',
    'e) ',
    'f) ',
    'g) ',
    'A empresa informa a operadora até 09/01/2027',
    'Resolução Normativa ANS 561/2022',
    'Calculado a partir de dados fornecidos pela empresa.',
    'o contrato da empresa com a operadora diz se os dependentes saem',
  ]) {
    expect(text).toContain(part)
  }
  expect(text).not.toContain('comprovante')
  expect(await noticeOf(testApp.operator, `/operator/v1/enrollment/${id}/exclusion-notice`)).toBe(text)
  expect(await noticeOf(partner, `/v1/enrollment/${childId}/exclusion-notice`)).toContain('a exclusão do dependente')

  for (const status of ['broker-processing', 'carrier-processing'])
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status }))
  const sent = await noticeOf(partner, `/v1/enrollment/${id}/exclusion-notice`)
  expect(sent).toContain('A operadora tomou conhecimento do pedido em 18/12/2026')
  expect(sent).toContain('comprovante da exclusão até 05/01/2027')
})

test('is not of another movement, another product, another company, nor of an unknown id', async () => {
  const [dismissed = ''] = await excluded([primary()], { 'exclusion-reason': 'dismissal' })
  const insured = primary({ products: inProduct('life-insurance', life, 'on-admission-date') })
  const [ofLife = ''] = await excluded([insured], onRequest, life)
  const [own = ''] = await excluded([primary()], onRequest)
  const stranger = await testApp.partner((await testApp.company()).taxId)
  const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
  const codes: Json[] = []
  for (const [by, id] of [
    [partner, dismissed],
    [partner, ofLife],
    [partner, unknown],
    [stranger, own],
  ] as const) {
    const { status, body } = await by.get(`/v1/enrollment/${id}/exclusion-notice`)
    codes.push([status, body.code])
  }
  expect(codes).toEqual([
    [404, 'exclusion-notice-not-found'],
    [404, 'exclusion-notice-not-found'],
    [404, 'enrollment-not-found'],
    [403, 'not-entitled'],
  ])
  const ofOperator = await testApp.operator.get(`/operator/v1/enrollment/${dismissed}/exclusion-notice`)
  expect([ofOperator.status, ofOperator.body.code]).toEqual([404, 'exclusion-notice-not-found'])
})
