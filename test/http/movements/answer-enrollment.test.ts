import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  dental,
  dependent,
  expectOk,
  health,
  type Json,
  premium,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const answer = (id: string, body: Json, headers: Record<string, string> = {}) =>
  partner.post(`/v1/enrollment/${id}/answer`, body, headers)
const move = (id: string, body: Json) => testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body)
const detail = async (id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
const review = async (id: string): Promise<Json> =>
  expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
const person = async (id: string): Promise<Json> => (await review(id)).person
const pend = async (id: string, more: Json = {}) =>
  expectOk(await move(id, { status: 'pending-correction', reason: 'Divergência', ...more }))

/** Enrollment ids by product name, one object for each member in the order given. */
async function enroll(members: Json[], query = ''): Promise<Record<string, string>[]> {
  const request = await testApp.include(partner, company, members, query)
  return members.map((member) =>
    Object.fromEntries(
      Object.entries<Json>(request['status-by-tax-id'][member['tax-id']]).map(([name, part]) => [
        name,
        part['enrollment-id'],
      ]),
    ),
  )
}

async function enrollOne(overrides: Json = {}): Promise<string> {
  const [ids] = await enroll([primary(overrides)])
  return ids?.[health] ?? ''
}

const details = (response: Json) => {
  expect([response.status, response.body.error]).toEqual([400, 'Invalid answer'])
  return Object.fromEntries(response.body.details.map(({ field, code }: Json) => [field, code]))
}

const onAdmission = { 'health-insurance': [{ name: health, 'start-option': 'on-admission-date' }] }

describe('pending-items', () => {
  const items = [
    { kind: 'document', 'document-type': 'marriage-certificate', message: 'Certidão ilegível' },
    { kind: 'field', field: 'mothers-name', message: 'Como no RG' },
  ]

  test('are shown to the partner and the operator until the pending status ends', async () => {
    const id = await enrollOne()
    expect((await detail(id))['pending-items']).toEqual([])
    const pending = await pend(id, { 'pending-items': items })
    expect(pending.body.result['pending-items']).toEqual(items)
    expect((await detail(id))['pending-items']).toEqual(items)
    expect((await review(id))['pending-items']).toEqual(items)
    const { result } = expectOk(await partner.get('/v1/enrollment/history?status=pending-correction')).body
    expect(result.find((one: Json) => one.id === id)['pending-items']).toEqual(items)
    expectOk(await answer(id, { comment: 'Segue' }))
    expect((await detail(id))['pending-items']).toEqual([])
    await pend(id, { status: 'pending-documents', 'pending-items': items })
    expectOk(await move(id, { status: 'completed' }))
    expect((await detail(id))['pending-items']).toEqual([])
  })

  test('belong to the pending statuses, and each names what its kind says', async () => {
    const id = await enrollOne()
    const refused = async (body: Json) => {
      const response = await move(id, { reason: 'x', ...body })
      expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
      return response.body.details.map(({ field, code }: Json) => `${field} ${code}`)
    }
    expect(await refused({ status: 'broker-processing', 'pending-items': items })).toEqual([
      'pending-items not-applicable',
    ])
    const status = 'pending-documents'
    expect(
      await refused({ status, 'pending-items': [{ kind: 'field', 'document-type': 'other', message: 'x' }] }),
    ).toEqual(['pending-items[0].document-type not-applicable'])
    expect(await refused({ status, 'pending-items': [{ kind: 'phone', message: 'x' }] })).toEqual([
      'pending-items[0].kind invalid',
    ])
    expect(await refused({ status, 'pending-items': [{ kind: 'field', field: 'name' }] })).toEqual([
      'pending-items[0].message missing',
    ])
    const bulk = await testApp.operator.post('/operator/v1/enrollment/transition', {
      'enrollment-ids': [id],
      status,
      reason: 'x',
      'pending-items': items,
    })
    expect(expectOk(bulk).body.result).toEqual([{ 'enrollment-id': id, status }])
    expect((await detail(id))['pending-items']).toEqual(items)
  })
})

describe('of an inclusion', () => {
  test('a comment returns it to the status it came from, with the comment as the reason, by the partner', async () => {
    for (const steps of [[], ['broker-processing'], ['broker-processing', 'carrier-processing']]) {
      const id = await enrollOne()
      for (const status of steps) expectOk(await move(id, { status }))
      await pend(id)
      const { result } = expectOk(await answer(id, { comment: ' Está certo assim ' })).body
      expect(result).toMatchObject({ id, status: steps.at(-1) ?? 'created', reason: 'Está certo assim' })
      expect(result.history.at(-1)).toMatchObject({ actor: 'partner', reason: 'Está certo assim' })
      expect((await review(id)).history.at(-1)['actor-id']).toBe(partner.clientId)
    }
  })

  test('corrected data replace what was sent, in the movement and in the profile of the new member', async () => {
    const id = await enrollOne({ phone: '11987654321', 'job-title': 'Auxiliar' })
    await pend(id)
    const data = {
      'mothers-name': ' Tereza Brandão ',
      phone: '(21) 3456-7890',
      'job-title': null,
      'marital-status': 'other',
    }
    expectOk(await answer(id, { data }))
    const { asked, person: profile } = await review(id)
    for (const one of [asked, profile]) {
      expect(one).toMatchObject({ 'mothers-name': 'Tereza Brandão', phone: '2134567890', 'marital-status': 'others' })
      expect(one).not.toHaveProperty('job-title')
    }
    expectOk(await move(id, { status: 'completed' }))
    expect(await person(id)).toMatchObject({ 'mothers-name': 'Tereza Brandão', phone: '2134567890' })
  })

  test('it serves all open movements of the person in the request: those that are pending return too', async () => {
    const member = primary({
      products: { ...onAdmission, 'dental-insurance': [{ name: dental, 'start-option': 'on-inclusion-date' }] },
    })
    const other = primary()
    const [own, stranger] = await enroll([member, other])
    const [one = '', two = '', three = ''] = [own?.[health], own?.[dental], stranger?.[health]]
    for (const id of [one, three]) await pend(id)
    expectOk(await move(two, { status: 'broker-processing' }))
    const documentId = await upload(partner)
    const documents = [{ 'document-id': documentId, 'document-type': 'identification-document-with-tax-id' }]
    expectOk(await answer(one, { data: { name: 'Helena Souza' }, documents }))
    for (const id of [one, two]) {
      expect((await review(id)).asked).toMatchObject({ name: 'Helena Souza', documents })
      expect((await review(id)).documents).toMatchObject([{ 'document-id': documentId }])
    }
    expect([(await detail(one)).status, (await detail(two)).status]).toEqual(['created', 'broker-processing'])
    expect((await review(three)).asked.name).toBe(other['name'])
    expect((await detail(three)).status).toBe('pending-correction')
    await pend(two)
    await pend(one)
    expectOk(await answer(two, { comment: 'Ok' }))
    expect([(await detail(one)).status, (await detail(two)).status]).toEqual(['created', 'broker-processing'])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('of a member with a benefit in force it changes the profile when it completes', async () => {
    const member = primary({
      products: { ...onAdmission, 'dental-insurance': [{ name: dental, 'start-option': 'on-inclusion-date' }] },
    })
    const [ids] = await enroll([member])
    expectOk(await move(ids?.[dental] ?? '', { status: 'completed' }))
    const id = ids?.[health] ?? ''
    await pend(id)
    expectOk(await answer(id, { data: { name: 'Helena Corrigida' } }))
    expect((await person(id)).name).toBe(member['name'])
    expectOk(await move(id, { status: 'completed' }))
    expect((await person(id)).name).toBe('Helena Corrigida')
  })

  test('a corrected admission date starts the benefits of the person and of the dependents anew', async () => {
    const mother = primary({ 'admission-date': '2026-11-02', products: onAdmission })
    const child = dependent(mother['tax-id'], { products: onAdmission })
    const other = dependent(mother['tax-id'])
    const [own, follower, unmoved] = await enroll([mother, child, other])
    const ids = [own?.[health] ?? '', follower?.[health] ?? '', unmoved?.[health] ?? ''] as const
    await pend(ids[0])
    const starts = async () => {
      const { result } = expectOk(await partner.get('/v1/member?include-inactive=true')).body
      return [mother, child, other].map(
        (one) => result.find((found: Json) => found.profile['tax-id'] === one['tax-id']).benefits[0]['start-date'],
      )
    }
    expect(await starts()).toEqual(['2026-11-02', '2026-11-02', '2026-11-23'])
    expectOk(await answer(ids[0], { data: { 'admission-date': '2026-12-10' } }))
    // The one who starts on the day of the inclusion starts with the primary.
    expect(await starts()).toEqual(['2026-12-10', '2026-12-10', '2026-12-10'])
    for (const id of ids.slice(0, 2)) {
      expect(await detail(id)).toMatchObject({
        status: 'created',
        'scheduled-action-date': '2026-12-10',
        'scheduled-reason': 'future-admission-date',
      })
    }
    expect(await detail(ids[2])).toMatchObject({ 'scheduled-action-date': null })
    expect((await person(ids[0]))['admission-date']).toBe('2026-12-10')
    await pend(ids[0])
    expectOk(await answer(ids[0], { data: { 'admission-date': '2026-11-10' } }))
    expect(await starts()).toEqual(['2026-11-10', '2026-11-10', '2026-11-23'])
    expect(await detail(ids[1])).toMatchObject({ 'scheduled-action-date': null, 'scheduled-reason': null })
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('a dependent that waits for a day that has come by the correction enters the queue', async () => {
    const mother = primary({ 'admission-date': '2026-12-01', products: onAdmission })
    const [own, child] = await enroll([mother, dependent(mother['tax-id'], { products: onAdmission })])
    const [id = '', follower = ''] = [own?.[health], child?.[health]]
    expect((await detail(follower)).status).toBe('scheduled')
    expectOk(await move(id, { status: 'created' }))
    await pend(id)
    expectOk(await answer(id, { data: { 'admission-date': '2026-11-20' } }))
    expect(await detail(follower)).toMatchObject({ status: 'created', 'scheduled-action-date': null })
    expect((await detail(follower)).history.at(-1).actor).toBe('partner')
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('a corrected dependent type is that of the benefit', async () => {
    const mother = primary()
    const [, child] = await enroll([mother, dependent(mother['tax-id'], { 'dependent-type': 'spouse' })])
    const id = child?.[health] ?? ''
    await pend(id)
    expect(details(await answer(id, { data: { 'dependent-type': 'parent' } }))).toEqual({
      'data.dependent-type': 'dependent-type-not-allowed',
    })
    expect(details(await answer(id, { data: { 'admission-date': '2026-11-01' } }))).toEqual({
      'data.admission-date': 'not-applicable',
    })
    expectOk(await answer(id, { data: { 'dependent-type': 'child' } }))
    const [row] = await testApp.sql(
      'select b.dependent_type from benefit b join enrollment e on e.company_id = b.company_id and e.benefit_id = b.id where e.id = $1',
      [id],
    )
    expect(row).toEqual({ dependent_type: 'child' })
  })

  test('400 with every error, and nothing is changed', async () => {
    const id = await enrollOne({ products: onAdmission })
    await pend(id)
    const data = {
      'tax-id': '52998224725',
      products: {},
      'beneficiary-type': 'dependent',
      'primary-member-tax-id': '52998224725',
      'new-product-id': randomUUID(),
      documents: [],
      'end-date': '2026-12-01',
      __proto: 1,
      name: ' ',
      'date-of-birth': '2027-01-01',
      salary: 1.5,
      gender: 'x',
    }
    const documents = [{ 'document-id': randomUUID(), 'document-type': 'other' }]
    expect(details(await answer(id, { data, documents }))).toEqual({
      'data.tax-id': 'not-changeable',
      'data.products': 'not-changeable',
      'data.beneficiary-type': 'not-changeable',
      'data.primary-member-tax-id': 'not-changeable',
      'data.new-product-id': 'not-changeable',
      'data.documents': 'not-applicable',
      'data.end-date': 'unknown',
      'data.__proto': 'unknown',
      'data.name': 'missing',
      'data.date-of-birth': 'invalid',
      'data.salary': 'invalid',
      'data.gender': 'invalid',
      documents: 'invalid',
    })
    expect(details(await answer(id, { data: { 'admission-date': '' } }))).toEqual({ 'data.admission-date': 'missing' })
    expect(details(await answer(id, { data: { 'dependent-type': 'child' } }))).toEqual({
      'data.dependent-type': 'not-applicable',
    })
    expect((await detail(id)).status).toBe('pending-correction')
  })

  test('a document is consumed, and cannot answer twice', async () => {
    const [first, second] = [await enrollOne(), await enrollOne()]
    const documents = [{ 'document-id': await upload(partner), 'document-type': 'other' }]
    for (const id of [first, second]) await pend(id, { status: 'pending-documents' })
    expectOk(await answer(first, { documents }))
    expect(details(await answer(second, { documents }))).toEqual({ documents: 'invalid' })
    expect((await detail(second)).status).toBe('pending-documents')
  })
})

describe('of an exclusion', () => {
  const exclude = async (cpf: string, more: Json = {}) => {
    const response = await partner.post(`/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}`, {
      'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal', ...more },
    })
    return (await testApp.finished(partner, expectOk(response).body['request-id']))['status-by-tax-id']
  }

  test('the corrected details hold for the dependents’ parts too, and the day is scheduled anew', async () => {
    const mother = primary({ 'admission-date': '2026-11-02', products: onAdmission })
    const child = dependent(mother['tax-id'], { products: onAdmission })
    await enroll([mother, child], '?resolution=approve')
    const parts = await exclude(mother['tax-id'])
    const [own, follower] = [mother, child].map((one) => parts[one['tax-id']][health]['enrollment-id'] as string)
    await pend(own ?? '')
    const data = { 'end-date': '2026-11-30', 'exclusion-reason': 'other', 'exclusion-reason-details': 'Acordo' }
    expectOk(await answer(own ?? '', { data }))
    for (const id of [own ?? '', follower ?? '']) {
      expect(await detail(id)).toMatchObject({
        status: 'created',
        'scheduled-action-date': '2026-11-30',
        'scheduled-reason': 'future-end-date',
      })
      expect((await review(id)).asked['exclusion-details']).toMatchObject(data)
      expect((await review(id)).difference).toEqual([{ field: 'end-date', old: null, new: '2026-11-30' }])
    }
    expectOk(await move(own ?? '', { status: 'completed' }))
    const benefits = expectOk(await partner.get(`/v1/benefit?member-tax-id=${child['tax-id']}`)).body.result
    expect(benefits).toMatchObject([{ status: 'active', 'end-date': '2026-11-30' }])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('400 for details that do not hold together', async () => {
    const member = primary({ 'admission-date': '2026-11-02', products: onAdmission })
    await enroll([member], '?resolution=approve')
    const id = (await exclude(member['tax-id'], { 'extension-plan': true }))[member['tax-id']][health]['enrollment-id']
    await pend(id)
    const refused = async (data: Json) => details(await answer(id, { data }))
    expect(await refused({ 'exclusion-reason': 'other', 'extension-plan': false })).toEqual({
      'data.exclusion-reason-details': 'missing',
    })
    expect(await refused({ 'exclusion-reason': 'death' })).toEqual({ 'data.extension-plan': 'not-applicable' })
    expect(await refused({ 'end-date': '2026-11-01' })).toEqual({ 'data.end-date': 'before-start-date' })
    expect(await refused({ 'end-date': null, name: 'x', 'extension-plan': 'x' })).toEqual({
      'data.end-date': 'missing',
      'data.name': 'unknown',
      'data.extension-plan': 'invalid',
    })
    expectOk(await answer(id, { data: { 'exclusion-reason': 'retirement' } }))
    expect((await review(id)).asked['exclusion-details']).toMatchObject({
      'exclusion-reason': 'retirement',
      'extension-plan': true,
    })
  })

  test('a dependent’s part alone may be corrected, an extension plan only where it keeps the primary', async () => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    await enroll([mother, child], '?resolution=approve')
    const parts = await exclude(mother['tax-id'])
    const [own = '', follower = ''] = [mother, child].map((one) => parts[one['tax-id']][health]['enrollment-id'])
    await pend(follower)
    expect(details(await answer(follower, { data: { 'extension-plan': true } }))).toEqual({
      'data.extension-plan': 'primary-not-kept',
    })
    expectOk(await answer(follower, { data: { 'end-date': '2026-11-29' } }))
    expect((await review(follower)).asked['exclusion-details']['end-date']).toBe('2026-11-29')
    expect((await review(own)).asked['exclusion-details']['end-date']).toBe('2026-11-23')
    await pend(own)
    expectOk(await answer(own, { data: { 'extension-plan': true } }))
    expect((await review(follower)).asked['exclusion-details']['extension-plan']).toBe(true)
    expectOk(await move(own, { status: 'completed' }))
    const benefits = expectOk(await partner.get(`/v1/benefit?member-tax-id=${child['tax-id']}`)).body.result
    expect(benefits).toMatchObject([{ status: 'active', 'extension-plan': true, 'end-date': null }])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('a scheduled part enters the queue when its corrected day has come', async () => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    await enroll([mother, child], '?resolution=approve')
    const parts = await exclude(mother['tax-id'], { 'end-date': '2026-12-31' })
    const [own = '', follower = ''] = [mother, child].map((one) => parts[one['tax-id']][health]['enrollment-id'])
    expectOk(await move(own, { status: 'created' }))
    await pend(own)
    expectOk(await answer(own, { data: { 'end-date': '2026-11-23' } }))
    for (const id of [own, follower])
      expect(await detail(id)).toMatchObject({ status: 'created', 'scheduled-action-date': null })
  })
})

describe('of an alteration', () => {
  const alter = async (cpf: string, data: Json) => {
    const body = { 'company-tax-id': company.taxId, 'alteration-data': data }
    const response = expectOk(await partner.post(`/v1/enrollment/alteration/${cpf}`, body))
    return Object.values<Json>(
      (await testApp.finished(partner, response.body['request-id']))['status-by-tax-id'][cpf],
    ).map((part) => part['enrollment-id'] as string)
  }

  test('registration data are corrected in every open part, and applied at the next completion', async () => {
    const member = primary({
      products: { ...onAdmission, 'dental-insurance': [{ name: dental, 'start-option': 'on-inclusion-date' }] },
    })
    await enroll([member], '?resolution=approve')
    const [first = '', second = ''] = await alter(member['tax-id'], {
      email: 'a@mail.example',
      'address-city': 'Campinas',
    })
    await pend(first)
    expectOk(await answer(first, { data: { email: 'b@mail.example', reason: 'Novo' } }))
    expect((await review(second)).asked).toMatchObject({
      'alteration-data': { email: 'b@mail.example', reason: 'Novo', 'address-city': 'Campinas' },
      registration: { 'email-private': 'b@mail.example', 'address-city': 'Campinas' },
    })
    expectOk(await move(first, { status: 'completed' }))
    expect(await person(first)).toMatchObject({ 'email-private': 'b@mail.example', 'address-city': 'Campinas' })
    await pend(second)
    expectOk(await answer(second, { data: { email: 'c@mail.example' } }))
    expectOk(await move(second, { status: 'completed' }))
    expect(await person(first)).toMatchObject({ 'email-private': 'c@mail.example', 'address-city': 'Campinas' })
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('the day of a plan change is scheduled anew, not before the benefit’s start', async () => {
    const member = primary({ 'admission-date': '2026-11-02', products: onAdmission })
    await enroll([member], '?resolution=approve')
    const [id = ''] = await alter(member['tax-id'], { 'new-product-id': company.products[premium] })
    await pend(id)
    const refused = async (data: Json) => details(await answer(id, { data }))
    expect(await refused({ 'requested-start-date': '2026-11-01' })).toEqual({
      'data.requested-start-date': 'before-start-date',
    })
    expect(
      await refused({
        'new-product-id': randomUUID(),
        'new-company-tax-id': company.taxId,
        'tax-id': '52998224725',
        'company-id': company.id,
        phone: '',
        salary: 1,
      }),
    ).toEqual({
      'data.new-product-id': 'not-changeable',
      'data.new-company-tax-id': 'not-changeable',
      'data.tax-id': 'not-changeable',
      'data.company-id': 'not-changeable',
      'data.phone': 'invalid',
      'data.salary': 'unknown',
    })
    expectOk(await answer(id, { data: { 'requested-start-date': '2026-12-01' } }))
    expect(await detail(id)).toMatchObject({
      'scheduled-action-date': '2026-12-01',
      'scheduled-reason': 'future-requested-start-date',
    })
    expectOk(await move(id, { status: 'completed' }))
    const benefits = expectOk(await partner.get(`/v1/benefit?member-tax-id=${member['tax-id']}&include-inactive=true`))
    expect(benefits.body.result.map((one: Json) => [one['start-date'], one.status]).toSorted()).toEqual([
      ['2026-11-02', 'active'],
      ['2026-12-01', 'pending'],
    ])
    expect(await readViolations(testApp.sql)).toEqual({})
  })
})

test('409 while it is not pending, 400 for a body without an answer, 404 and 403 for what is not the client’s', async () => {
  const id = await enrollOne()
  const response = await answer(id, { data: { name: '' } })
  expect([response.status, response.body.error]).toEqual([409, 'Enrollment is not pending'])
  await pend(id)
  for (const body of [
    {},
    { documents: [], data: {}, comment: ' ' },
    { data: [] },
    { comment: 'x'.repeat(501) },
    { nome: 1 },
    [],
  ]) {
    expect([body, (await answer(id, body)).body.error]).toEqual([body, 'Invalid body'])
  }
  expect((await answer(randomUUID(), { comment: 'x' })).body.error).toBe('Enrollment not found')
  const stranger = await testApp.partner((await testApp.company()).taxId)
  const foreign = await stranger.post(`/v1/enrollment/${id}/answer`, { comment: 'x' })
  expect([foreign.status, foreign.body.error]).toEqual([403, 'Not entitled to access this enrollment'])
})

test('the operator reads what each answer changed; an auditor gets numbers masked, the partner and the events none of it', async () => {
  const id = await enrollOne({ 'mothers-name': 'Fátima Brandao', cns: '700000000000005' })
  const auditor = await testApp.operatorOf('auditor')
  const fieldsOf = async () =>
    expectOk(
      await testApp.operator.get(`/operator/v1/enrollment?answered=true&member-id=${(await review(id))['member-id']}`),
    ).body.result.map((item: Json) => item['answered-fields'])
  await pend(id)
  expect(await fieldsOf()).toEqual([])
  expectOk(await answer(id, { data: { 'mothers-name': 'Fátima Brandão', gender: 'female', cns: '800000000000001' } }))
  expect(await fieldsOf()).toEqual([['mothers-name', 'cns']])
  await pend(id)
  const documents = [{ 'document-id': await upload(partner), 'document-type': 'other' }]
  expectOk(await answer(id, { documents }))
  expect(await fieldsOf()).toEqual([['documents']])
  await pend(id)
  expectOk(await answer(id, { comment: 'Segue' }))
  expect(await fieldsOf()).toEqual([[]])
  const changes = [
    { field: 'mothers-name', old: 'Fátima Brandao', new: 'Fátima Brandão' },
    { field: 'cns', old: '700000000000005', new: '800000000000001' },
  ]
  const [first, second, ...others] = (await review(id)).answers
  expect(first).toEqual({ at: expect.any(String), changes })
  expect(second).toEqual({ at: expect.any(String), changes: [{ field: 'documents', old: 0, new: 1 }] })
  expect(others).toEqual([])
  const masked = expectOk(await auditor.get(`/operator/v1/enrollment/${id}`)).body.result
  expect(masked.answers[0].changes).toEqual([changes[0], { field: 'cns', old: '***', new: '***' }])
  expect(JSON.stringify(await detail(id))).not.toContain('Brandao')
  const [row] = await testApp.sql<{ told: string }>(
    `select concat_ws(' ', (select string_agg(event::text, ' ') from event), (select string_agg(audit::text, ' ') from audit),
       (select string_agg(audit_pending::text, ' ') from audit_pending)) as told`,
  )
  expect(row?.told).toContain(id)
  expect(row?.told).not.toMatch(/Brandao|700000000000005/)
})

test('503 while parts of the request are still processed', async () => {
  const id = await enrollOne()
  await pend(id)
  const request = 'id = (select request_id from enrollment where id = $1)'
  const [row] = await testApp.sql<{ at: Date }>(`select finished_at as at from request where ${request}`, [id])
  await testApp.sql(`update request set status = 'processing', finished_at = null where ${request}`, [id])
  const response = await answer(id, { comment: 'x' })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  await testApp.sql(`update request set status = 'completed', finished_at = $2 where ${request}`, [id, row?.at])
  expectOk(await answer(id, { comment: 'x' }))
})

test('another client of the company may answer, with documents of its own', async () => {
  const colleague = await testApp.partner(company.taxId)
  const id = await enrollOne()
  await pend(id)
  const documents = [{ 'document-id': await upload(colleague), 'document-type': 'other' }]
  expectOk(await colleague.post(`/v1/enrollment/${id}/answer`, { documents }))
  expect((await review(id)).documents).toHaveLength(1)
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('two answers, a cancellation and an operator at once: one wins, nothing is half done', async () => {
  for (let round = 0; round < 6; round += 1) {
    const mother = primary()
    const [own, child] = await enroll([mother, dependent(mother['tax-id'])])
    const [id = '', follower = ''] = [own?.[health], child?.[health]]
    await pend(id)
    const data = (name: string) => ({ data: { name } })
    const responses = await Promise.all([
      answer(id, data('Resposta Um')),
      answer(id, data('Resposta Dois')),
      partner.post(`/v1/enrollment/${id}/cancel`, {}),
      move(id, { status: 'rejected', reason: 'Recusada' }),
    ])
    expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const [one, two, cancelled, rejected] = responses.map(({ status }) => status === 200)
    expect([one, two].filter(Boolean).length).toBeLessThanOrEqual(1)
    expect([cancelled, rejected].filter(Boolean)).toHaveLength(1)
    const { history, status } = await detail(id)
    expect(status).toBe(cancelled ? 'cancelled' : 'rejected')
    expect(history).toHaveLength(one || two ? 4 : 3)
    expect((await detail(follower)).status).toBe('rejected')
    expect((await review(id)).asked.name).toBe(one ? 'Resposta Um' : two ? 'Resposta Dois' : mother['name'])
    expect(await readViolations(testApp.sql)).toEqual({})
  }
})
