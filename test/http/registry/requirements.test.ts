import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { makeContract } from '../../world/contract.ts'
import { whileLocked } from '../../world/locked-table.ts'
import {
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  type Json,
  monday,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const url = '/operator/v1/requirement-rule'
const message = 'Declaração de união estável com firma reconhecida'
const union = { 'any-of': ['stable-union-declaration', 'document-proving-relationship'], of: 'dependent', message }
const whenPartner = { movements: ['inclusion'], 'dependent-types': ['partner'] }
const body = (more: Json = {}): Json => ({
  name: 'Regra interna: companheiro',
  when: whenPartner,
  require: [union],
  ...more,
})
const made = new Set<string>()
const put = (rule: Json, id: string = randomUUID()) => {
  made.add(id)
  return testApp.operator.put(`${url}/${id}`, rule)
}
const rule = async (more: Json = {}): Promise<string> => expectOk(await put(body(more))).body.result['rule-id']

afterEach(async () => {
  for (const id of made) await testApp.operator.delete(`${url}/${id}`)
  made.clear()
})

const detail = async (id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
const couple = (more: Json = {}): [Json, Json] => {
  const titular = primary()
  return [titular, dependent(titular['tax-id'], { 'dependent-type': 'partner', ...more })]
}
const include = (members: Json[], query = '') =>
  partner.post(`/v1/enrollment/inclusion${query}`, { 'company-tax-id': company.taxId, members })
/** The enrollment of the dependent of a couple. */
async function enrollPartner(more: Json = {}, query = ''): Promise<string> {
  const members = couple(more)
  const request = await testApp.include(partner, company, members, query)
  return request['status-by-tax-id'][members[1]['tax-id']][health]['enrollment-id']
}
const documents = async (type: string) => [{ 'document-id': await upload(partner), 'document-type': type }]
const answer = (id: string, sent: Json) => partner.post(`/v1/enrollment/${id}/answer`, sent)

describe('a document that rules want', () => {
  test('is known before the movement is sent', async () => {
    await rule()
    const query = { 'company-tax-id': company.taxId, 'product-id': company.products[health], movement: 'inclusion' }
    const ask = async (more: Record<string, string>) =>
      expectOk(await partner.get(`/v1/requirement?${String(new URLSearchParams({ ...query, ...more } as never))}`)).body
        .result
    const asked = { ...union, enforcement: 'pending', when: {} }
    expect(await ask({ 'beneficiary-type': 'dependent', 'dependent-type': 'partner' })).toEqual([asked])
    expect(await ask({ 'dependent-type': 'partner' })).toEqual([asked])
    expect(await ask({ 'dependent-type': 'child' })).toEqual([])
    expect(await ask({ 'beneficiary-type': 'primary' })).toEqual([])
    expect(await ask({ movement: 'exclusion' })).toEqual([])
    expect(await ask({})).toEqual([{ ...asked, when: { 'dependent-types': ['partner'] } }])
  })

  test('makes the movement pending until the document comes, which returns it to the queue by itself', async () => {
    await rule()
    const dry = expectOk(await include(couple(), '?dry-run=true')).body
    expect(dry).toMatchObject({ 'dry-run': true })
    expect(dry['missing-documents']).toMatchObject([
      { index: 1, 'product-name': health, ...union, enforcement: 'pending' },
    ])
    const id = await enrollPartner()
    const item = {
      kind: 'document',
      'document-type': 'stable-union-declaration',
      'any-of': union['any-of'],
      requirement: 1,
      message,
    }
    expect(await detail(id)).toMatchObject({ status: 'pending-documents', 'pending-items': [item] })
    expect(
      expectOk(await answer(id, { documents: await documents('marriage-certificate') })).body.result,
    ).toMatchObject({
      status: 'pending-documents',
      'pending-items': [item],
    })
    const wrong = { documents: await documents('marriage-certificate'), comment: 'É o que temos' }
    expect(expectOk(await answer(id, wrong)).body.result.status).toBe('pending-documents')
    const comment = expectOk(await answer(id, { comment: 'O cartório entrega amanhã' })).body.result
    expect(comment.status).toBe('pending-documents')
    const notes: Json[] = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}/note`)).body.result
    expect(notes.map(({ text, author }) => [text, author]).toSorted()).toEqual([
      ['O cartório entrega amanhã', partner.clientId],
      ['É o que temos', partner.clientId],
    ])
    expect(comment.history.at(-1).reason).toBe(`Required documents are missing: ${message}`)
    expectOk(await answer(id, { documents: await documents('document-proving-relationship') }))
    const { status, history, 'pending-items': items } = await detail(id)
    expect([status, items]).toEqual(['created', []])
    expect(history.map((step: Json) => [step.status, step.actor])).toEqual([
      ['created', 'partner'],
      ['pending-documents', 'service'],
      ['created', 'service'],
    ])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('is not asked for when it comes with the movement', async () => {
    await rule({ enforcement: 'offense' })
    const id = await enrollPartner({ documents: await documents('stable-union-declaration') })
    expect(await detail(id)).toMatchObject({ status: 'created', 'pending-items': [] })
  })

  test('refuses the member under `offense`, and only says so under `warning`', async () => {
    const id = await rule({ enforcement: 'offense' })
    const members = couple()
    for (const query of ['', '?dry-run=true']) {
      const refused = await include(members, query)
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid-members'])
      expect(refused.body.result).toMatchObject([{ index: 1, offenses: ['missing-documents'] }])
      expect(refused.body['missing-documents']).toMatchObject([{ index: 1, message, enforcement: 'offense' }])
    }
    expectOk(await put(body({ enforcement: 'warning' }), id))
    const warned = expectOk(await include(members)).body
    expect(warned.warnings).toMatchObject([{ index: 1, warning: 'missing-documents' }])
    expect(warned['missing-documents']).toMatchObject([{ index: 1, enforcement: 'warning' }])
    const request = await testApp.finished(partner, warned['request-id'])
    const [part] = Object.values<Json>(request['status-by-tax-id'][members[1]['tax-id']])
    expect((await detail(part['enrollment-id'])).status).toBe('created')
  })

  test('is asked for of a movement of a later day too, and `resolution` leaves it to wait', async () => {
    await rule({ when: { movements: ['inclusion'] } })
    const later = primary({
      'admission-date': '2027-02-01',
      products: { 'health-insurance': [{ name: health, 'start-option': 'on-admission-date' }] },
    })
    const request = await testApp.include(partner, company, [later], '?resolution=approve')
    const id = request['status-by-tax-id'][later['tax-id']][health]['enrollment-id']
    expect((await detail(id)).status).toBe('pending-documents')
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('depends on the size of the contract that has the product', async () => {
    const other = await testApp.company()
    const client = await testApp.partner(other.taxId)
    await rule({ when: { ...whenPartner, lives: 'up-to-29' } })
    const judged = async () =>
      expectOk(
        await client.post('/v1/enrollment/inclusion?dry-run=true', {
          'company-tax-id': other.taxId,
          members: couple(),
        }),
      ).body['missing-documents']
    expect(await judged()).toBeUndefined()
    await makeContract(testApp, other, { lives: 'up-to-29', plans: [{ 'product-id': other.products[health] }] })
    expect(await judged()).toMatchObject([{ index: 1, enforcement: 'pending' }])
  })
})

describe('exclusions and alterations', () => {
  const details = (more: Json = {}) => ({
    'exclusion-details': { 'end-date': '2026-12-31', 'exclusion-reason': 'death', ...more },
  })
  const certificate = { 'any-of': ['death-certificate'], message: 'Certidão de óbito' }
  const death = { when: { 'exclusion-reasons': ['death'] }, require: [certificate] }
  async function covered(): Promise<Json> {
    const member = primary()
    await testApp.include(partner, company, [member], '?resolution=approve')
    return member
  }
  const exclude = (member: Json, sent: Json) =>
    partner.post(`/v1/enrollment/exclusion/${member['tax-id']}/company/${company.taxId}`, sent)
  const only = async (requestId: string, member: Json): Promise<Json> => {
    const request = await testApp.finished(partner, requestId)
    const [part] = Object.values<Json>(request['status-by-tax-id'][member['tax-id']])
    return detail(part['enrollment-id'])
  }

  test('wait for a document, or are refused without it', async () => {
    const member = await covered()
    const id = await rule({ ...death, enforcement: 'offense' })
    const refused = await exclude(member, details())
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ field: 'exclusion-details.documents', code: 'missing-documents', message: 'Certidão de óbito' }],
    ])
    expectOk(await put(body(death), id))
    const accepted = expectOk(await exclude(member, details())).body
    expect(accepted['missing-documents']).toMatchObject([{ 'product-name': health, message: 'Certidão de óbito' }])
    const enrollment = await only(accepted['request-id'], member)
    expect(enrollment).toMatchObject({ status: 'pending-documents', 'pending-items': [{ requirement: 1 }] })
    expectOk(await answer(enrollment.id, { documents: await documents('death-certificate') }))
    expect((await detail(enrollment.id)).status).toBe('created')
  })

  const batches = {
    exclusion: (member: Json, documents: Json[] = []) => ({
      'tax-id': member['tax-id'],
      ...details({ 'end-date': monday, documents }),
    }),
    alteration: (member: Json, documents: Json[] = []) => ({
      'tax-id': member['tax-id'],
      'alteration-data': { phone: '11987654321', documents },
    }),
  }

  test.each(Object.keys(batches) as (keyof typeof batches)[])(
    'a batch of %ss is judged as it is accepted',
    async (kind) => {
      const entryOf = batches[kind]
      const batch = (members: Json[], query = '', headers = {}) =>
        partner.post(`/v1/enrollment/${kind}${query}`, { 'company-tax-id': company.taxId, members }, headers)
      const [one, other, third] = [await covered(), await covered(), await covered()]
      const id = await rule({ when: { movements: [kind] }, require: [certificate], enforcement: 'offense' })
      const complete = entryOf(other, await documents('death-certificate'))
      for (const query of ['', '?dry-run=true']) {
        const refused = await batch([entryOf(one), complete], query)
        expect([refused.status, refused.body.code]).toEqual([400, 'invalid-members'])
        expect(refused.body.result).toMatchObject([{ index: 0, offenses: ['missing-documents'] }])
        expect(refused.body['missing-documents']).toMatchObject([
          {
            index: 0,
            'tax-id': one['tax-id'],
            'product-name': health,
            message: 'Certidão de óbito',
            enforcement: 'offense',
          },
        ])
      }
      const lenient = expectOk(await batch([entryOf(one), complete], '', { prefer: 'handling=lenient' })).body
      expect(lenient.result).toMatchObject([{ index: 0, offenses: ['missing-documents'] }])
      expect((await only(lenient['request-id'], other)).status).toBe('created')
      for (const [enforcement, member, status] of [
        ['warning', third, 'created'],
        ['pending', one, 'pending-documents'],
      ] as const) {
        expectOk(await put(body({ when: { movements: [kind] }, require: [certificate], enforcement }), id))
        const dry = expectOk(await batch([entryOf(member)], '?dry-run=true')).body
        const accepted = expectOk(await batch([entryOf(member)])).body
        expect(accepted['missing-documents']).toMatchObject([{ index: 0, enforcement }])
        expect(accepted['missing-documents']).toEqual(dry['missing-documents'])
        expect((await only(accepted['request-id'], member)).status).toBe(status)
      }
      expect(await readViolations(testApp.sql)).toEqual({})
    },
  )

  test('an accepted batch waits for what rules asked for when it was accepted', async () => {
    const [one, other] = [await covered(), await covered()]
    const id = await rule(death)
    const batch = async (member: Json): Promise<Json> => {
      const sent = { 'company-tax-id': company.taxId, members: [batches.exclusion(member)] }
      return only(expectOk(await partner.post('/v1/enrollment/exclusion', sent)).body['request-id'], member)
    }
    // The worker waits for the benefits while the rule is deleted.
    const lock = `select from benefit where company_id = '${company.id}' for update`
    const [waiting] = await whileLocked(testApp, lock, [() => batch(one)], () =>
      testApp.operator.delete(`${url}/${id}`),
    )
    expect(waiting).toMatchObject({ status: 'pending-documents', 'pending-items': [{ requirement: 1 }] })
    expect((await batch(other)).status).toBe('created')
  })

  test('a dependent who goes with the primary needs the documents too', async () => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    await testApp.include(partner, company, [mother, child], '?resolution=approve')
    const ofDependents = {
      when: { movements: ['exclusion'], 'beneficiary-types': ['dependent'] },
      require: [certificate],
    }
    const id = await rule({ ...ofDependents, enforcement: 'offense' })
    const members = [batches.exclusion(mother)]
    const refused = await partner.post('/v1/enrollment/exclusion', { 'company-tax-id': company.taxId, members })
    expect(refused.body.result).toMatchObject([{ index: 0, offenses: ['missing-documents'] }])
    expect(refused.body['missing-documents']).toMatchObject([{ index: 0, 'tax-id': child['tax-id'] }])
    expect((await exclude(mother, details())).status).toBe(400)
    expectOk(await put(body(ofDependents), id))
    const accepted = expectOk(await exclude(mother, details())).body
    const primaryPart = await only(accepted['request-id'], mother)
    const part = await only(accepted['request-id'], child)
    // The day of the exclusion is not come: the part that lacks nothing waits for it.
    expect([primaryPart.status, part.status]).toEqual(['scheduled', 'pending-documents'])
    expectOk(await answer(part.id, { documents: await documents('death-certificate') }))
    expect((await detail(part.id)).status).toBe('created')
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('what an operator requests needs no document', async () => {
    const member = await covered()
    await rule({ when: {}, require: [certificate], enforcement: 'offense' })
    const { result } = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${member['tax-id']}`)).body
    const card = { 'benefit-id': result[0].benefits[0]['benefit-id'], reason: 'lost' }
    const asked = await testApp.operator.post(`/operator/v1/member/${result[0].id}/second-card`, card)
    const request = await testApp.finished(partner, expectOk(asked).body['request-id'])
    expect(request['enrollment-summary']).toMatchObject({ created: 1 })
  })

  test('an alteration waits for its document', async () => {
    const member = await covered()
    await rule({ when: { movements: ['alteration'] }, require: [certificate] })
    const sent = await partner.post(`/v1/enrollment/alteration/${member['tax-id']}`, {
      'company-tax-id': company.taxId,
      'alteration-data': { phone: '11987654321' },
    })
    expect(await only(expectOk(sent).body['request-id'], member)).toMatchObject({ status: 'pending-documents' })
  })
})

describe('an operator', () => {
  const waive = (id: string, n: number, reason = 'A operadora dispensou') =>
    testApp.operator.post(`/operator/v1/enrollment/${id}/requirement/${n}/waive`, { reason })

  test('waives documents one by one, the last one returns the movement to the queue', async () => {
    await rule({ require: [union, { 'any-of': ['proof-of-residency'], message: 'Comprovante' }] })
    const id = await enrollPartner()
    expect((await waive(id, 1)).status).toBe(200)
    expect((await waive(id, 1)).status).toBe(404)
    expect((await detail(id))['pending-items']).toMatchObject([{ requirement: 2, message: 'Comprovante' }])
    expect((await waive(id, 2)).status).toBe(200)
    const { status, history } = await detail(id)
    expect([status, history.at(-1)]).toMatchObject(['created', { actor: 'operator', reason: 'A operadora dispensou' }])
    expect((await waive(id, 2)).body.code).toBe('enrollment-not-pending')
    expect((await waive(randomUUID(), 1)).body.code).toBe('enrollment-not-found')
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('writes, reads and deletes rules', async () => {
    const id = await rule()
    const { result } = expectOk(await testApp.operator.get(`${url}/${id}`)).body
    expect(result).toMatchObject({ 'rule-id': id, active: true, enforcement: 'pending', require: [union] })
    expect(result.when).toMatchObject({ ...whenPartner, lives: null, 'product-ids': [] })
    expect(expectOk(await testApp.operator.get(url)).body.result).toMatchObject([result])
    expect((await testApp.operator.delete(`${url}/${id}`)).status).toBe(204)
    expect((await testApp.operator.delete(`${url}/${id}`)).status).toBe(404)
    expect((await testApp.operator.get(`${url}/${id}`)).body.code).toBe('requirement-rule-not-found')
  })

  test('sees how many movements of the last 30 days each rule concerns, also one that is off', async () => {
    const members = couple({ 'date-of-birth': '1990-01-01' })
    await testApp.include(partner, company, members)
    const whens: Json[] = [
      whenPartner,
      { ...whenPartner, 'product-ids': [company.products[health]], 'company-tax-ids': [company.taxId] },
      { ...whenPartner, 'age-from': 36, 'age-until': 36 },
      { ...whenPartner, 'age-from': 37 },
      { ...whenPartner, 'days-since-admission-over': 10 },
      { ...whenPartner, 'days-since-admission-over': 3650 },
      { ...whenPartner, late: false, 'beneficiary-types': ['dependent'] },
      { ...whenPartner, movements: ['alteration'] },
    ]
    const ids: string[] = []
    for (const when of whens) ids.push(await rule({ when, active: false }))
    const count = async () => {
      const { result } = expectOk(await testApp.operator.get(`${url}?items-per-page=100`)).body
      const counts = new Map(result.map((one: Json) => [one['rule-id'], one['movements-of-30-days']]))
      return ids.map((id) => counts.get(id))
    }
    const before = await count()
    const [mother, spouse] = couple({ 'date-of-birth': '1990-01-01' })
    await testApp.include(partner, company, [{ ...mother, 'admission-date': '2026-11-12' }, spouse])
    const added = (await count()).map((after, index) => Number(after) - Number(before[index]))
    expect(added).toEqual([1, 1, 1, 0, 1, 0, 1, 0])
    await testApp.sql(`update enrollment set created_at = now() - interval '31 days', accepted_on = accepted_on - 30`)
    expect(await count()).toEqual(ids.map(() => 0))
  })

  test.each<[Json, Record<string, string>]>([
    [{ when: { 'product-ids': [randomUUID()] } }, { 'when.product-ids[0]': 'unknown' }],
    [{ when: { 'carrier-names': ['Nenhuma'] } }, { 'when.carrier-names[0]': 'unknown' }],
    [{ when: { 'company-tax-ids': ['60840055000131'] } }, { 'when.company-tax-ids[0]': 'unknown' }],
    [
      { when: { 'beneficiary-types': ['primary'], 'dependent-types': ['child'] } },
      { 'when.dependent-types': 'not-applicable' },
    ],
    [{ require: [{ ...union, 'any-of': [] }] }, { 'require[0].any-of': 'invalid' }],
    [{ require: [union, union] }, { 'require[1].any-of': 'repeated' }],
  ])('gets every error of a rule: %o', async (more, expected) => {
    const refused = await put(body(more))
    expect(refused.status).toBe(400)
    expect(Object.fromEntries(refused.body.details.map(({ field, code }: Json) => [field, code]))).toEqual(expected)
  })

  test('is told that another rule asks for the same', async () => {
    const id = await rule()
    const { warnings } = expectOk(await put(body())).body
    expect(warnings).toEqual([{ warning: 'rule-shadowed', 'rule-id': id }])
    expect(expectOk(await put(body({ enforcement: 'offense' }))).body.warnings).toBeUndefined()
  })

  test('has 500 rules at most', async () => {
    await testApp.sql(
      `insert into requirement_rule (id, name, active, conditions, require, enforcement, created_at, updated_at)
       select gen_random_uuid(), 'Regra', false, '{"carrier-names":[]}', '[{}]', 'pending', now(), now() from generate_series(1, 500)`,
    )
    const refused = await put(body())
    expect([refused.status, refused.body.details[0].code]).toEqual([400, 'too-many'])
    await testApp.sql(`delete from requirement_rule where name = 'Regra'`)
  })

  test('sees which rules match a member that does not exist, and why others do not', async () => {
    const id = await rule()
    const off = await rule({ active: false, 'valid-from': '2030-01-01' })
    const child = await rule({ when: { 'dependent-types': ['child'] } })
    const simulated = expectOk(
      await testApp.operator.post(`${url}/simulate`, {
        'company-tax-id': company.taxId,
        'product-id': company.products[health],
        movement: 'inclusion',
        'beneficiary-type': 'dependent',
        'dependent-type': 'partner',
      }),
    ).body.result
    expect(simulated).toMatchObject({ enforcement: 'pending', 'missing-documents': [union] })
    expect(new Map(simulated.rules.map((one: Json) => [one['rule-id'], one['failed-conditions']]))).toEqual(
      new Map([
        [id, []],
        [off, ['active', 'valid-from']],
        [child, ['dependent-types']],
      ]),
    )
  })

  test('loads the examples, which are off', async () => {
    const { rules } = JSON.parse(readFileSync('examples/requirements-pt-BR.json', 'utf8'))
    const products = Object.entries(['Amil', 'Porto Seguro', 'SulAmérica']).map(([n, name]) => ({
      'product-name': `Saúde ${n}`,
      'product-type': 'health-insurance',
      'carrier-name': name,
      'allowed-dependent-types': [],
      'allowed-start-options': ['on-inclusion-date'],
    }))
    await testApp.company({ products })
    for (const { 'rule-id': id, ...one } of rules) {
      const { result } = expectOk(await put(one, id)).body
      expect(result.active).toBe(false)
    }
  })
})

test('a partner sees nothing of rules but what they ask for, and only for its own companies', async () => {
  await rule({ enforcement: 'offense' })
  const stranger = await testApp.partner((await testApp.company()).taxId)
  const query = new URLSearchParams({
    'company-tax-id': company.taxId,
    'product-id': company.products[health] ?? '',
    movement: 'inclusion',
  })
  expect((await stranger.get(`/v1/requirement?${String(query)}`)).status).toBe(403)
  query.set('company-tax-id', '60840055000131')
  expect((await partner.get(`/v1/requirement?${String(query)}`)).status).toBe(403)
  query.set('company-tax-id', company.taxId)
  const responses = [await partner.get(`/v1/requirement?${String(query)}`), await include(couple())]
  expect(JSON.stringify(responses.map((one) => one.body))).not.toContain('Regra interna')
  query.set('product-id', randomUUID())
  expect((await partner.get(`/v1/requirement?${String(query)}`)).body.details).toMatchObject([
    { field: 'product-id', code: 'unknown' },
  ])
})

test('a rule about another company, its product or its carrier is neither shown nor judged', async () => {
  const other = await testApp.company({
    products: [
      {
        'product-name': 'Saúde Alheia',
        'product-type': 'health-insurance',
        'carrier-name': 'Operadora Alheia',
        'allowed-dependent-types': ['partner'],
        'allowed-start-options': ['on-inclusion-date'],
      },
    ],
  })
  for (const when of [
    { 'company-tax-ids': [other.taxId] },
    { 'product-ids': Object.values(other.products) },
    { 'carrier-names': ['operadora alheia'] },
    { lives: 'up-to-29' },
  ]) {
    await rule({ when, require: [{ ...union, message: 'Regra alheia' }], enforcement: 'offense' })
  }
  const ask = async (client: Client, { taxId, products }: Company) => {
    const [productId = ''] = Object.values(products)
    const query = new URLSearchParams({ 'company-tax-id': taxId, 'product-id': productId, movement: 'inclusion' })
    return expectOk(await client.get(`/v1/requirement?${String(query)}`)).body.result.length
  }
  expect(await ask(partner, company)).toBe(0)
  expect(expectOk(await include(couple(), '?dry-run=true')).body).toEqual({ 'dry-run': true })
  expect(await ask(await testApp.partner(other.taxId), other)).toBe(1)
})
