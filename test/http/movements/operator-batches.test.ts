import { addDays, businessDate } from '#kernel/calendar.ts'
import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  premium,
  primary,
  useCompany,
  useTestApp,
} from '../../world/test-app.ts'
import { pdf, upload } from '../../world/upload.ts'

/* What a company asked the broker for: an operator includes, excludes and alters in its name. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-07' })
const { company, partner } = useCompany(testApp)
const production = useTestApp({ VIGENCIA_ENVIRONMENT: 'production' })

const path = '/operator/v1/enrollment'
const intake = {
  medium: 'email',
  'received-at': '2026-12-04T18:40:00-03:00',
  'requester-name': 'Paula Andrade',
  'requester-contact': 'paula.andrade@serraazul.example',
}

const request = (
  movement: string,
  members: Json,
  more: Json = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> =>
  testApp.operator.post(`${path}/${movement}`, { 'company-tax-id': company.taxId, intake, members, ...more }, headers)

const evidence = (): Promise<string> => upload(testApp.operator, pdf, '/operator/v1')

/** A primary and a dependent with a benefit. */
async function family(): Promise<[string, string]> {
  const mother = primary()
  const child = dependent(mother['tax-id'])
  await testApp.include(partner, company, [mother, child], '?resolution=approve')
  return [mother['tax-id'], child['tax-id']]
}

const leaves = (cpf: string, details: Json = {}, more: Json = {}): Json => ({
  'tax-id': cpf,
  'exclusion-details': { 'end-date': '2026-12-31', 'exclusion-reason': 'requested-by-beneficiary', ...details },
  ...more,
})

const shown = (id: string): Promise<Json> => testApp.finished(partner, id)

describe('an exclusion that came by e-mail', () => {
  test('is the operator’s: the days of RN 561 count from the e-mail, and the company sees who asked, but no address and no evidence', async () => {
    const [davi, helena] = await family()
    const document = await evidence()
    const sent = { intake: { ...intake, documents: [document] }, reference: 'chamado 4471' }
    const products = { 'product-id': company.products[health] }
    const { 'request-id': id } = expectOk(await request('exclusion', [leaves(davi, {}, products)], sent)).body
    const seen = await shown(id)
    expect(seen).toMatchObject({ status: 'completed', 'requested-by': 'operator', reference: 'chamado 4471' })
    expect(seen.intake).toEqual({
      medium: 'email',
      'received-at': '2026-12-04T21:40:00.000Z',
      'requester-name': 'Paula Andrade',
    })
    const ids = [davi, helena].map((cpf) => seen['status-by-tax-id'][cpf][health]['enrollment-id'])
    for (const enrollmentId of ids) {
      const { result } = expectOk(await partner.get(`/v1/enrollment/detail/${enrollmentId}`)).body
      expect(result).toMatchObject({ status: 'scheduled', 'requested-by': 'operator', intake: seen.intake })
      expect(result['exclusion-details']['requested-at']).toBe('2026-12-04')
      expect(result.history[0]).toEqual({ status: 'scheduled', at: expect.anything(), actor: 'operator', reason: null })
      expect(result.deadlines).toContainEqual(expect.objectContaining({ kind: 'carrier-notice', until: '2027-01-03' }))
    }
    const { result: due } = expectOk(
      await testApp.operator.get(`/operator/v1/enrollment?status=scheduled&request-id=${id}`),
    ).body
    expect(due.map((one: Json) => one['due-date'])).toEqual(['2026-12-31', '2026-12-31'])
    const { result: queued } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${ids[0]}`)).body
    expect(queued.history[0]['actor-id']).toBe(testApp.operator.clientId)
    expect(queued.intake).toEqual({
      ...seen.intake,
      'requester-contact': intake['requester-contact'],
      documents: [document],
    })
    const { result: operators } = expectOk(await testApp.operator.get(`/operator/v1/request/${id}`)).body
    expect(operators.intake).toEqual(queued.intake)
    const { result: listed } = expectOk(
      await testApp.operator.get(
        `/operator/v1/request?requested-by=operator&reference=${encodeURIComponent('chamado 4471')}`,
      ),
    ).body
    expect(listed.map((one: Json) => one['request-id'])).toEqual([id])
    const { result: ofPartners } = expectOk(
      await testApp.operator.get(
        `/operator/v1/request?requested-by=partner&reference=${encodeURIComponent('chamado 4471')}`,
      ),
    ).body
    expect(ofPartners).toEqual([])
    const download = expectOk(await testApp.operator.get(`/operator/v1/request/${id}/document/${document}`))
    expect(download.text).toBe(pdf.toString())
    const auditor = await testApp.operatorOf('auditor')
    const refused = await auditor.get(`/operator/v1/request/${id}/document/${document}`)
    expect([refused.status, refused.body.code]).toEqual([403, 'role-not-allowed'])
    expect(
      (await testApp.sql('select action from audit where target = $1 order by action', [id])).map(
        ({ action }) => action,
      ),
    ).toEqual(['exclusion.requested', 'request.evidence-read'])
    const types = await testApp.sql(`select type from event where data->>'request-id' = $1 order by type`, [id])
    expect(types.map(({ type }) => type)).toEqual(['enrollment.created', 'enrollment.created', 'request.completed'])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('was asked for on the day that the body says, which is not after the e-mail', async () => {
    const [cpf] = await family()
    const asked = expectOk(await request('exclusion', [leaves(cpf, { 'requested-at': '2026-12-01' })], {}, {})).body
    const seen = await shown(asked['request-id'])
    const id = seen['status-by-tax-id'][cpf][health]['enrollment-id']
    const { result } = expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body
    expect(result['exclusion-details']['requested-at']).toBe('2026-12-01')
    const [late] = await family()
    const refused = await request('exclusion', [leaves(late, { 'requested-at': '2026-12-05' })])
    expect(refused.status).toBe(400)
    expect(refused.body.result[0]['offense-details']).toEqual([
      expect.objectContaining({ field: 'exclusion-details.requested-at', code: 'invalid-exclusion-details' }),
    ])
  })

  test('is requested once by one Idempotency-Key, and the key is the operator’s', async () => {
    const [cpf] = await family()
    const key = { 'idempotency-key': 'mail-4471' }
    const first = expectOk(await request('exclusion', [leaves(cpf)], {}, key))
    const again = expectOk(await request('exclusion', [leaves(cpf)], {}, key))
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await request('exclusion', [leaves(cpf)], { reference: 'x' }, key)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused'])
  })
})

describe('intake', () => {
  const send = (own: Json) => request('inclusion', [primary()], { intake: own })
  test.each<[string, Json, string, string]>([
    ['none', undefined, 'intake', 'missing'],
    ['a text', 'e-mail', 'intake', 'invalid'],
    ['no medium', { ...intake, medium: undefined }, 'intake.medium', 'missing'],
    ['a medium of the service', { ...intake, medium: 'draft' }, 'intake.medium', 'invalid'],
    ['a coming day', { ...intake, 'received-at': '2026-12-08T00:00:00-03:00' }, 'intake.received-at', 'invalid'],
    ['more than a year', { ...intake, 'received-at': '2025-11-01T00:00:00-03:00' }, 'intake.received-at', 'invalid'],
    ['no offset', { ...intake, 'received-at': '2026-12-04T18:40:00' }, 'intake.received-at', 'invalid'],
    ['nobody who asked', { ...intake, 'requester-name': ' ' }, 'intake.requester-name', 'missing'],
    ['a CPF as a name', { ...intake, 'requester-name': 'Paula 529.982.247-25' }, 'intake.requester-name', 'invalid'],
    ['a CPF as contact', { ...intake, 'requester-contact': '529.982.247-25' }, 'intake.requester-contact', 'invalid'],
    ['an unknown key', { ...intake, subject: 'Exclusão' }, 'intake.subject', 'unknown'],
    [
      'a document of nobody',
      { ...intake, documents: ['01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'] },
      'intake.documents',
      'invalid',
    ],
    [
      'a document twice',
      { ...intake, documents: Array(2).fill('01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21') },
      'intake.documents',
      'invalid',
    ],
  ])('%s is 400 with its field', async (_, own, field, code) => {
    const response = await send(own)
    expect(response.status).toBe(400)
    expect(response.body.details).toEqual([expect.objectContaining({ field, code })])
  })

  test('of the portal of a carrier needs nobody who asked; a phone number is a contact', async () => {
    const ofPortal = await send({ medium: 'carrier-portal', 'received-at': intake['received-at'] })
    const byPhone = await send({ ...intake, 'requester-contact': '(11) 98765-4321' })
    expect([ofPortal.status, byPhone.status]).toEqual([200, 200])
  })

  test('is an unknown field of the partner API', async () => {
    const body = { 'company-tax-id': company.taxId, intake, members: [leaves((await family())[0])] }
    const refused = await partner.post('/v1/enrollment/exclusion', body)
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [expect.objectContaining({ field: 'intake', code: 'unknown' })],
    ])
  })

  test('gets more evidence later, twenty documents in all', async () => {
    const documents = await Promise.all(Array.from({ length: 19 }, evidence))
    const sent = { intake: { ...intake, documents } }
    const { 'request-id': id } = expectOk(await request('inclusion', [primary()], sent)).body
    const add = (...ids: string[]) => testApp.operator.post(`/operator/v1/request/${id}/document`, { documents: ids })
    const last = await evidence()
    const tooMany = await add(last, await evidence())
    expect([tooMany.status, tooMany.body.details[0]]).toEqual([
      400,
      expect.objectContaining({ field: 'documents', code: 'too-many' }),
    ])
    expect(expectOk(await add(last)).body.result.documents).toEqual([...documents, last])
    const again = await add(last)
    expect([again.status, again.body.details[0].field]).toEqual([400, 'documents'])
  })

  test('has documents of its own: one that a movement names too is refused', async () => {
    const id = await evidence()
    const member = primary({ documents: [{ 'document-id': id, 'document-type': 'other' }] })
    const refused = await request('inclusion', [member], { intake: { ...intake, documents: [id] } })
    expect([refused.status, refused.body.details[0]]).toEqual([
      400,
      expect.objectContaining({ field: 'intake.documents', code: 'invalid' }),
    ])
    const accepted = await request('inclusion', [member])
    expect(accepted.status).toBe(200)
  })

  test('of a request without one there is no evidence', async () => {
    const own = await testApp.include(partner, company, [primary()])
    const id = own['request-id']
    const refused = await testApp.operator.post(`/operator/v1/request/${id}/document`, {
      documents: [await evidence()],
    })
    expect([refused.status, refused.body.code]).toEqual([400, 'not-applicable'])
    const unknown = await testApp.operator.get(`/operator/v1/request/${id}/document/${await evidence()}`)
    expect([unknown.status, unknown.body.code]).toEqual([404, 'document-not-found'])
  })
})

describe('an operator', () => {
  test('includes families, and a company that is unknown is 404', async () => {
    const mother = primary()
    const { 'request-id': id } = expectOk(await request('inclusion', [mother, dependent(mother['tax-id'])])).body
    expect(await shown(id)).toMatchObject({ status: 'completed', 'requested-by': 'operator' })
    const unknown = await request('inclusion', [primary()], { 'company-tax-id': '12ABC34501DE35' })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'company-not-found'])
  })

  test('only tries with `dry-run`, and resolves at once in staging', async () => {
    const tried = await testApp.operator.post(`${path}/inclusion?dry-run=true`, {
      'company-tax-id': company.taxId,
      intake,
      members: [primary()],
    })
    expect(tried.body).toMatchObject({ 'dry-run': true })
    const member = primary()
    const { 'request-id': id } = expectOk(
      await testApp.operator.post(`${path}/inclusion?resolution=approve`, {
        'company-tax-id': company.taxId,
        intake,
        members: [member],
      }),
    ).body
    const seen = await shown(id)
    expect(seen['status-by-tax-id'][member['tax-id']][health]['enrollment-status']).toBe('completed')
  })

  test('alters the plan of a primary, and the name of somebody who is a dependent only: to a partner that is 404', async () => {
    const [mother, child] = await family()
    const moved = { 'tax-id': mother, 'alteration-data': { 'new-product-id': company.products[premium] } }
    const named = { 'tax-id': child, 'alteration-data': { name: 'Helena Prates Nogueira' } }
    const { 'request-id': id } = expectOk(await request('alteration', [moved, named])).body
    const seen = await shown(id)
    expect(seen.status).toBe('completed')
    expect(seen['status-by-tax-id'][child][health]['enrollment-status']).toBe('created')
    const refused = await partner.post('/v1/enrollment/alteration', {
      'company-tax-id': company.taxId,
      members: [named],
    })
    expect(refused.body.result[0].offenses).toEqual(['no-active-benefit'])
    const plan = { 'tax-id': child, 'alteration-data': { 'new-product-id': company.products[premium] } }
    const ofDependent = await request('alteration', [plan])
    expect(ofDependent.body.result[0].offenses).toContain('no-active-benefit')
  })

  test('waits for the documents that a rule asks for, and answers with those that came after all', async () => {
    const rule = {
      name: 'Carta de exclusão',
      active: true,
      when: { movements: ['exclusion'] },
      require: [{ of: 'primary', 'any-of': ['exclusion-file'], message: 'Envie a carta.' }],
      enforcement: 'pending',
    }
    const ruleId = '01995e0b-7c11-7f22-8b33-4d5e6f708192'
    expectOk(await testApp.operator.put(`/operator/v1/requirement-rule/${ruleId}`, rule))
    const [cpf] = await family()
    const sent = expectOk(await request('exclusion', [leaves(cpf)])).body
    expect(sent['missing-documents']).toHaveLength(2)
    const id = (await shown(sent['request-id']))['status-by-tax-id'][cpf][health]['enrollment-id']
    const before = expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
    expect(before.status).toBe('pending-documents')
    const document = await evidence()
    const answer = { documents: [{ 'document-id': document, 'document-type': 'exclusion-file' }] }
    const { result } = expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/answer`, answer)).body
    expect(result.history.at(-1)).toMatchObject({ actor: 'operator' })
    expect(result.status).not.toBe('pending-documents')
    expectOk(await testApp.operator.delete(`/operator/v1/requirement-rule/${ruleId}`))
  })

  test('may be an analyst or an admin; finance and auditors are refused', async () => {
    for (const [role, status] of [
      ['analyst', 200],
      ['finance', 403],
      ['auditor', 403],
    ] as const) {
      const client = await testApp.operatorOf(role)
      const body = {
        'company-tax-id': company.taxId,
        intake,
        members: [primary({ products: inProduct('dental-insurance', dental) })],
      }
      expect((await client.post(`${path}/inclusion`, body)).status).toBe(status)
    }
  })
})

test('in production an operator alters; for a partner there is no alteration, and nobody has `resolution`', async () => {
  const there = await production.company()
  const client = await production.partner(there.taxId)
  const operator = production.operator
  const received = { ...intake, 'received-at': new Date(Date.now() - 60_000).toISOString() }
  const body = { 'company-tax-id': there.taxId, intake: received }
  const member = primary()
  const nextMonth = addDays(businessDate(new Date()), 31)
  const included = expectOk(await operator.post(`${path}/inclusion`, { ...body, members: [member] })).body
  const seen = await production.finished(client, included['request-id'])
  const id = seen['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
  expectOk(await operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' }))
  const alters = [
    {
      'tax-id': member['tax-id'],
      'alteration-data': { 'new-product-id': there.products[premium], 'requested-start-date': nextMonth },
    },
  ]
  const { 'request-id': altered } = expectOk(
    await operator.post(`${path}/alteration`, { ...body, members: alters }),
  ).body
  expect(await production.finished(client, altered)).toMatchObject({ status: 'completed' })
  const refused = await client.post('/v1/enrollment/alteration', { 'company-tax-id': there.taxId, members: alters })
  expect([refused.status, refused.body.error]).toEqual([404, 'Alteration is only available in staging'])
  const resolved = await operator.post(`${path}/exclusion?resolution=approve`, {
    ...body,
    members: [leaves(member['tax-id'])],
  })
  expect([resolved.status, resolved.body.details[0].field]).toEqual([400, 'resolution'])
})
