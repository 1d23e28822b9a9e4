import { describe, expect, test } from 'vitest'
import {
  dental,
  dependent,
  expectOk,
  health,
  type Json,
  nextCpf,
  premium,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const exclusion = { 'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' } }

const include = async (members: unknown[], fields: Json = {}, query = '?resolution=approve') => {
  const body = { 'company-tax-id': company.taxId, members, ...fields }
  const { body: accepted } = expectOk(await partner.post(`/v1/enrollment/inclusion${query}`, body))
  return testApp.finished(partner, accepted['request-id'])
}
const requestOf = async (path: string, body: unknown) => {
  const { body: accepted } = expectOk(await partner.post(path, body))
  return testApp.finished(partner, accepted['request-id'])
}
const detail = async (request: Json, taxId: string, product = health) => {
  const id = request['status-by-tax-id'][taxId][product]['enrollment-id']
  return expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
}
const eventsOf = async (requestId: string) => {
  const { result } = expectOk(await partner.get('/v1/webhook-event?items-per-page=100')).body
  return result.filter((event: Json) => event.data['request-id'] === requestId)
}
const found = async (query: string) =>
  expectOk(await partner.get(`/v1/request?${query}`)).body.result.map((one: Json) => one['request-id'])

describe('a reference', () => {
  test('of an inclusion is that of its movements, unless the member has one, and is shown on both and in events', async () => {
    const [own, other] = [primary({ reference: ' vaga\t\\N 7 ' }), primary({ reference: ' ' })]
    const request = await include([own, other], { reference: 'folha-11' })
    expect(request.reference).toBe('folha-11')
    expect((await detail(request, own['tax-id'])).reference).toBe('vaga\t\\N 7')
    expect((await detail(request, other['tax-id'])).reference).toBe('folha-11')
    const events = await eventsOf(request['request-id'])
    const shown = events.map(({ type, data }: Json) => `${type} ${data.reference}`).toSorted()
    expect(shown).toEqual([
      'enrollment.completed folha-11',
      'enrollment.completed vaga\t\\N 7',
      'enrollment.created folha-11',
      'enrollment.created vaga\t\\N 7',
      'request.completed folha-11',
    ])
    expect(await found('reference=folha-11')).toEqual([request['request-id']])
    expect(await found(`reference=${encodeURIComponent('vaga\t\\N 7')}`)).toEqual([request['request-id']])
    expect(await found('reference=folha-1')).toEqual([])
  })

  test('that was not sent is null, and absent from events', async () => {
    const person = primary()
    const request = await include([person], { reference: null })
    expect(request.reference).toBeNull()
    expect((await detail(request, person['tax-id'])).reference).toBeNull()
    for (const event of await eventsOf(request['request-id'])) expect(event.data).not.toHaveProperty('reference')
  })

  test('of an exclusion is that of the dependents’ parts too', async () => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    const later = dependent(mother['tax-id'])
    await include([mother, child])
    const path = `/v1/enrollment/exclusion/${mother['tax-id']}/product/${company.products[health]}`
    const request = await requestOf(path, { ...exclusion, reference: 'desligamento 4' })
    await include([later])
    for (const person of [mother, child]) {
      expect((await detail(request, person['tax-id'])).reference).toBe('desligamento 4')
    }
    const { id } = await detail(request, mother['tax-id'])
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' }))
    const after = expectOk(await partner.get(`/v1/request/${request['request-id']}`)).body
    expect((await detail(after, later['tax-id'])).reference).toBe('desligamento 4')
  })

  test.each(['benefit', 'dependent-of'])('of an exclusion by %s is kept', async (by) => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    const included = await include([mother, child])
    const { 'benefit-id': benefitId } = await detail(included, child['tax-id'])
    const path = `/v1/enrollment/exclusion/${child['tax-id']}/${by}/${by === 'benefit' ? benefitId : mother['tax-id']}`
    const request = await requestOf(path, { ...exclusion, reference: `x-${by}` })
    expect([request.reference, (await detail(request, child['tax-id'])).reference]).toEqual([`x-${by}`, `x-${by}`])
  })

  test('of an alteration is kept', async () => {
    const person = primary()
    await include([person])
    const body = { 'alteration-data': { 'new-product-id': company.products[premium] }, reference: 'upgrade' }
    const request = await requestOf(`/v1/enrollment/alteration/${person['tax-id']}`, body)
    expect([request.reference, (await detail(request, person['tax-id'], premium)).reference]).toEqual([
      'upgrade',
      'upgrade',
    ])
  })

  test('is in the event of a movement that an answer to another one corrects', async () => {
    const inProduct = (name: string) => [{ name, 'start-option': 'on-inclusion-date' }]
    const products = { 'health-insurance': inProduct(health), 'dental-insurance': inProduct(dental) }
    const person = primary({ products })
    const body = { 'company-tax-id': company.taxId, members: [person], reference: 'folha-12' }
    const { body: accepted } = expectOk(await partner.post('/v1/enrollment/inclusion', body))
    const request = await testApp.finished(partner, accepted['request-id'])
    const idOf = (product: string) => request['status-by-tax-id'][person['tax-id']][product]['enrollment-id']
    const items = [{ kind: 'field', field: 'name', message: 'as in the identity card' }]
    const pending = { status: 'pending-correction', reason: 'Divergência', 'pending-items': items }
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${idOf(health)}/transition`, pending))
    const changes = { data: { name: 'Pessoa Corrigida' } }
    expectOk(await partner.post(`/v1/enrollment/${idOf(health)}/answer`, changes))
    const events = await eventsOf(request['request-id'])
    const corrected = events.filter((one: Json) => one.data['enrollment-id'] === idOf(dental))
    expect(corrected.map((one: Json) => [one.type, one.data.reference]).toSorted()).toEqual([
      ['enrollment.created', 'folha-12'],
      ['enrollment.updated', 'folha-12'],
    ])
  })

  test('with a valid CPF, or over 100 characters, is refused', async () => {
    const cpf = nextCpf()
    const path = `/v1/enrollment/exclusion/${nextCpf()}/product/${company.products[health]}`
    for (const reference of [`id ${cpf}`, 'x'.repeat(101), 7]) {
      const refused = [
        await partner.post(path, { ...exclusion, reference }),
        await partner.post(`/v1/enrollment/alteration/${nextCpf()}`, { 'alteration-data': { name: 'Ana' }, reference }),
        await partner.post('/v1/enrollment/inclusion', {
          'company-tax-id': company.taxId,
          members: [primary()],
          reference,
        }),
      ]
      for (const { status, body } of refused) {
        expect([status, body.error, body.details]).toEqual([
          400,
          'Invalid body',
          [expect.objectContaining({ field: 'reference', code: 'invalid' })],
        ])
      }
      const batch = { 'company-tax-id': company.taxId, members: [primary({ reference })] }
      const { status, body } = await partner.post('/v1/enrollment/inclusion', batch)
      expect([status, body.error, body.result[0].offenses]).toEqual([400, 'Invalid members', ['invalid-reference']])
      expect(JSON.stringify(refused.map((one) => one.body))).not.toContain(cpf)
    }
  })
})
