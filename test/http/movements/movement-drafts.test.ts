import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  type Json,
  premium,
  primary,
  type TestApp,
  useCompany,
  useTestApp,
} from '../../world/test-app.ts'
import { newSlot, pdf, putRaw, upload } from '../../world/upload.ts'

/* Movements that somebody else has to confirm: a company's alterations, which its broker approves. */

const testApp = useTestApp({ VIGENCIA_SECOND_PERSON_EXCLUSIONS: '20' })
const { company, partner } = useCompany(testApp)
const production = useTestApp({ VIGENCIA_ENVIRONMENT: 'production' })

const wait = { prefer: 'wait=30' }

/** People who are covered, in any environment. */
async function covered(app: TestApp, client: Client, at: Company, members: readonly Json[]): Promise<void> {
  const body = { 'company-tax-id': at.taxId, members }
  const { 'request-id': id } = expectOk(await client.post('/v1/enrollment/inclusion', body)).body
  const seen = await app.finished(client, id)
  const transitions = Object.values<Json>(seen['status-by-tax-id']).flatMap((products: Json) =>
    Object.values<Json>(products).map((part) => ({ 'enrollment-id': part['enrollment-id'], status: 'completed' })),
  )
  for (const { 'enrollment-id': enrollment } of transitions) {
    expectOk(await app.operator.post(`/operator/v1/enrollment/${enrollment}/transition`, { status: 'completed' }))
  }
}

/** A primary with a dependent. */
async function family(app: TestApp = testApp, client: Client = partner, at: Company = company): Promise<[Json, Json]> {
  const mother = primary()
  const child = dependent(mother['tax-id'])
  await covered(app, client, at, [mother, child])
  return [mother, child]
}

const entry = (cpf: string, data: Json): Json => ({ 'tax-id': cpf, 'alteration-data': data })

const send = (
  members: readonly Json[],
  more: Json = {},
  client: Client = partner,
  at: Company = company,
  query = '',
): Promise<ApiResponse> =>
  client.post(`/v1/movement-draft${query}`, {
    'company-tax-id': at.taxId,
    movement: 'alteration',
    members,
    ...more,
  })

const drafted = async (...given: Parameters<typeof send>): Promise<Json> => expectOk(await send(...given)).body.result
const pathOf = (draft: Json, api = '/operator/v1') => `${api}/movement-draft/${draft['draft-id']}`
const itemsOf = async (client: Client, draft: Json, api = '/operator/v1', query = ''): Promise<Json[]> =>
  expectOk(await client.get(`${pathOf(draft, api)}/item${query}`)).body.result
const all: Json = { classes: ['correction', 'plan-change', 'exclusion'] }
const confirm = (
  draft: Json,
  body: Json = all,
  client: Client = testApp.operator,
  api = '/operator/v1',
  headers: Record<string, string> = wait,
): Promise<ApiResponse> => client.post(`${pathOf(draft, api)}/confirm`, body, headers)
const profileOf = async (client: Client, cpf: string): Promise<Json> =>
  expectOk(await client.get(`/v1/member?filter=tax-id%3D${cpf}`)).body.result[0].profile
const count = (draft: Json, name: string): Json => draft.counts.find((one: Json) => one.class === name)

describe('in production, what HR corrects', () => {
  test('waits for the broker, who sees what is and what would be, with the document, and confirms it', async () => {
    const at = await production.company()
    const client = await production.partner(at.taxId)
    const [beatriz] = await family(production, client, at)
    const { id: document, url } = await newSlot(client)
    expectOk(await putRaw({ url: url.replace('https://benefits.example', production.url) }, pdf))
    const address = { 'address-street': 'Rua das Acácias', 'address-number': '88' }
    const documents = [{ 'document-id': document, 'document-type': 'proof-of-residency' }]
    const draft = await drafted(
      [entry(beatriz['tax-id'], { ...address, documents })],
      { comment: 'Mudou de endereço em novembro', reference: 'RH 12' },
      client,
      at,
    )
    expect(draft).toMatchObject({
      source: 'batch',
      movement: 'alteration',
      'company-tax-id': at.taxId,
      status: 'open',
      approval: 'broker',
      'closed-because': null,
      'created-by': 'Folha',
      reference: 'RH 12',
      comment: 'Mudou de endereço em novembro',
      intake: null,
      'request-ids': [],
    })
    expect(count(draft, 'correction')).toMatchObject({ approval: 1, proposed: 0, requested: 0 })
    expect((await confirm(draft, all, client, '/v1')).body).toMatchObject({
      code: 'nothing-selected',
      error: 'Invalid body',
    })
    const [item] = await itemsOf(production.operator, draft)
    expect(item).toMatchObject({
      number: 1,
      class: 'correction',
      status: 'approval',
      approval: 'broker',
      name: beatriz.name,
    })
    expect(item.differences).toEqual([
      { field: 'address-street', here: null, stated: 'Rua das Acácias' },
      { field: 'address-number', here: null, stated: '88' },
    ])
    expect(item.documents).toMatchObject([{ 'document-id': document, 'document-type': 'proof-of-residency' }])
    const file = await production.operator.get(`${pathOf(draft)}/document/${document}`)
    expect(expectOk(file).text).toBe(pdf.toString())
    const confirmed = await confirm(draft, all, production.operator)
    expect([confirmed.status, confirmed.headers.get('preference-applied')]).toEqual([200, 'wait=30'])
    const { result } = confirmed.body
    expect(result).toMatchObject({ status: 'closed', 'closed-because': 'done', approval: null })
    const [requestId] = result['request-ids']
    const seen = await production.finished(client, requestId)
    expect(seen).toMatchObject({ status: 'completed', reference: 'RH 12', 'requested-by': 'operator' })
    expect(seen.intake).toEqual({ medium: 'draft', 'received-at': draft['created-at'], 'requester-name': 'Folha' })
    const enrollment = seen['status-by-tax-id'][beatriz['tax-id']][health]['enrollment-id']
    const { result: movement } = expectOk(await production.operator.get(`/operator/v1/enrollment/${enrollment}`)).body
    expect(movement).toMatchObject({ 'draft-id': draft['draft-id'], 'requested-by': 'operator' })
    expect(movement.history[0].actor).toBe('operator')
    const { result: sent } = expectOk(
      await production.operator.get(`/operator/v1/enrollment/${enrollment}/document`),
    ).body
    expect(sent).toMatchObject([{ 'document-id': document }])
    expect(await readViolations(production.sql)).toEqual({})
  })

  test('is discarded with a reason, which the company reads; nothing changes', async () => {
    const at = await production.company()
    const client = await production.partner(at.taxId)
    const [person] = await family(production, client, at)
    const draft = await drafted([entry(person['tax-id'], { phone: '11912345678' })], {}, client, at)
    const without = await production.operator.post(`${pathOf(draft)}/discard`, {})
    expect([without.status, without.body.details]).toEqual([400, [{ field: 'reason', code: 'missing' }]])
    const discarded = await production.operator.post(`${pathOf(draft)}/discard`, {
      reason: ' O telefone é de outra pessoa ',
    })
    expect(expectOk(discarded).body.result).toMatchObject({ status: 'closed', 'closed-because': 'discarded' })
    const [item] = await itemsOf(client, draft, '/v1')
    expect(item).toMatchObject({ status: 'discarded', reason: 'O telefone é de outra pessoa', documents: [] })
    expect(item.differences).toHaveLength(1)
    const late = await confirm(draft, all, production.operator)
    expect([late.status, late.body.code, late.body.status]).toEqual([409, 'movement-draft-status', 'closed'])
    expect((await profileOf(client, person['tax-id'])).phone).toBe(person.phone)
  })
})

describe('in staging', () => {
  test('a company confirms its own draft, in its own name; dependents can be corrected, also by it', async () => {
    const [mother, child] = await family()
    const draft = await drafted([
      entry(mother['tax-id'], { 'new-product-id': company.products[premium], phone: '11912345678' }),
      entry(child['tax-id'], { name: 'Helena Prates Nogueira' }),
    ])
    expect([count(draft, 'plan-change').approval, count(draft, 'correction').approval]).toEqual([1, 1])
    const [change, correction] = await itemsOf(partner, draft, '/v1')
    expect(change.differences).toEqual([
      { field: 'product-name', here: health, stated: premium },
      { field: 'phone', here: mother.phone ?? null, stated: '11912345678' },
    ])
    expect(correction.differences).toEqual([{ field: 'name', here: child.name, stated: 'Helena Prates Nogueira' }])
    const { result } = expectOk(await confirm(draft, all, partner, '/v1')).body
    expect(result).toMatchObject({ status: 'closed', 'closed-because': 'done' })
    expect(result['request-ids']).toHaveLength(1)
    const seen = await testApp.finished(partner, result['request-ids'][0])
    expect(seen).toMatchObject({ status: 'completed', 'requested-by': 'partner', intake: null })
    expect(Object.keys(seen['status-by-tax-id']).toSorted()).toEqual([mother['tax-id'], child['tax-id']].toSorted())
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('items are confirmed in parts, by class, by number and with exceptions; the rest stays open', async () => {
    const people = [await family(), await family(), await family()].map(([mother]) => mother)
    const draft = await drafted(people.map((one) => entry(one['tax-id'], { phone: '11912345678' })))
    const first = expectOk(await confirm(draft, { classes: ['correction'], except: [1, 3] })).body.result
    expect(first).toMatchObject({ status: 'open', approval: 'broker' })
    expect(count(first, 'correction')).toMatchObject({ requested: 1, approval: 2 })
    expect((await confirm(draft, { items: [{ number: 2 }] })).body.code).toBe('nothing-selected')
    expect((await confirm(draft, {})).body.code).toBe('nothing-selected')
    const second = expectOk(await confirm(draft, { items: [{ number: 3 }, { number: 2 }] })).body.result
    expect(second['request-ids']).toHaveLength(2)
    const left = expectOk(await partner.post(`${pathOf(draft, '/v1')}/discard`)).body.result
    expect(left).toMatchObject({ status: 'closed', 'closed-because': 'done' })
    const items = await itemsOf(partner, draft, '/v1')
    expect(items.map((one) => one.status)).toEqual(['discarded', 'requested', 'requested'])
    expect(items.map((one) => one.differences.length)).toEqual([1, 0, 0])
    expect(await itemsOf(partner, draft, '/v1', '?status=requested&class=correction')).toHaveLength(2)
    const [{ name }] = items
    expect(
      await itemsOf(partner, draft, '/v1', `?q=${encodeURIComponent(name.slice(0, 12).toLowerCase())}`),
    ).not.toHaveLength(0)
    expect(await itemsOf(partner, draft, '/v1', `?q=${people[1]?.['tax-id']}`)).toMatchObject([{ number: 2 }])
  })

  test('what has changed since is refused, and what the rules refuse; the others are requested', async () => {
    const [[changed], [gone], [kept]] = [await family(), await family(), await family()]
    const draft = await drafted([changed, gone, kept].map((one) => entry(one['tax-id'], { phone: '11912345678' })))
    await testApp.sql(
      `update member set details = details || '{"phone":"11977776666"}' where company_id = $1 and tax_id = $2`,
      [company.id, changed['tax-id']],
    )
    const details = { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal' }
    expectOk(
      await partner.post(`/v1/enrollment/exclusion/${gone['tax-id']}/company/${company.taxId}?resolution=approve`, {
        'exclusion-details': details,
      }),
    )
    const { result } = expectOk(await confirm(draft)).body
    expect(count(result, 'correction')).toMatchObject({ requested: 1, refused: 2 })
    const items = await itemsOf(partner, draft, '/v1')
    expect(items.map((one) => one.offenses)).toEqual([['changed-meanwhile'], ['no-active-benefit'], []])
    expect(result['request-ids']).toEqual([items[2]['request-id']])
  })

  test('a document belongs to the draft at once: it does not serve twice, and both of its movements have it', async () => {
    const [[one], [other]] = [await family(), await family()]
    const document = await upload(partner)
    const documents = [{ 'document-id': document, 'document-type': 'proof-of-residency' }]
    const draft = await drafted([
      entry(one['tax-id'], { 'address-number': '88', documents }),
      entry(other['tax-id'], { 'address-number': '88', documents }),
    ])
    const again = await send([entry(one['tax-id'], { 'address-number': '90', documents })])
    expect([again.status, again.body.result[0].offenses]).toEqual([400, ['invalid-alteration-data']])
    for (const number of [1, 2]) expectOk(await confirm(draft, { items: [{ number }] }))
    for (const { 'request-id': id, 'tax-id': cpf } of await itemsOf(partner, draft, '/v1')) {
      const seen = await testApp.finished(partner, id)
      const enrollment = seen['status-by-tax-id'][cpf][health]['enrollment-id']
      const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${enrollment}/document`)).body
      expect(result).toMatchObject([{ 'document-id': document }])
    }
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('the shape, the offenses and a dry run are those of the batch; nothing is stored', async () => {
    const [person] = await family()
    const before = expectOk(await partner.get('/v1/movement-draft')).body.pagination['total-items']
    const missing = await partner.post('/v1/movement-draft', {
      'company-tax-id': company.taxId,
      members: [entry(person['tax-id'], { phone: '11912345678' })],
    })
    expect([missing.status, missing.body.details]).toMatchObject([400, [{ field: 'movement', code: 'missing' }]])
    const other = await send([entry(person['tax-id'], {})], { movement: 'exclusion' })
    expect([other.status, other.body.details]).toMatchObject([400, [{ field: 'movement', code: 'not-applicable' }]])
    const unknown = await send([entry(person['tax-id'], { phone: '11912345678' })], { priority: 1, comment: 'x' })
    expect(unknown.body.details).toMatchObject([{ field: 'priority', code: 'unknown' }])
    const long = await send([entry(person['tax-id'], { phone: '11912345678' })], { comment: 'x'.repeat(501) })
    expect(long.body.details).toMatchObject([{ field: 'comment', code: 'invalid' }])
    const many = await send(Array.from({ length: 1_001 }, () => entry(person['tax-id'], { phone: '11912345678' })))
    expect(many.body.details).toMatchObject([{ field: 'members', code: 'too-many' }])
    const wrong = await send([entry(person['tax-id'], { phone: '1' }), entry('52998224725', { phone: '11912345678' })])
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid-members'])
    expect(wrong.body.result.map((one: Json) => one.offenses)).toEqual([
      ['invalid-alteration-data'],
      ['member-not-found'],
    ])
    const dry = await send([entry(person['tax-id'], { phone: '11912345678' })], {}, partner, company, '?dry-run=true')
    expect(expectOk(dry).body).toEqual({ 'dry-run': true })
    expect(expectOk(await partner.get('/v1/movement-draft')).body.pagination['total-items']).toBe(before)
  })

  test('the same call with its key makes one draft, and a confirmation with its key is answered again', async () => {
    const [person] = await family()
    const body = {
      'company-tax-id': company.taxId,
      movement: 'alteration',
      members: [entry(person['tax-id'], { phone: '11912345678' })],
    }
    const key = { 'idempotency-key': `draft ${person['tax-id']}` }
    const [first, second] = [
      await partner.post('/v1/movement-draft', body, key),
      await partner.post('/v1/movement-draft', body, key),
    ]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    const draft = first.body.result
    const again = { 'idempotency-key': 'one confirmation' }
    const done = await confirm(draft, all, testApp.operator, '/operator/v1', { ...wait, ...again })
    expect([done.status, done.body.result.status]).toEqual([200, 'closed'])
    const replayed = await confirm(draft, all, testApp.operator, '/operator/v1', { ...wait, ...again })
    expect([replayed.status, replayed.body.result.status]).toEqual([202, 'requesting'])
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  })

  test('a company has 50 drafts that are not closed', async () => {
    const at = await testApp.company()
    const client = await testApp.partner(at.taxId)
    const [person] = await family(testApp, client, at)
    const members = [entry(person['tax-id'], { phone: '11912345678' })]
    for (let made = 0; made < 50; made += 1) await drafted(members, {}, client, at)
    const refused = await send(members, {}, client, at)
    expect([refused.status, refused.body.error]).toEqual([409, 'Too many open drafts'])
    const { result } = expectOk(await client.get('/v1/movement-draft?items-per-page=1')).body
    expectOk(await client.post(`${pathOf(result[0], '/v1')}/discard`))
    await drafted(members, {}, client, at)
  })
})

describe('an operator who excludes many people', () => {
  const path = '/operator/v1/enrollment/exclusion'
  const intake = {
    medium: 'email',
    'received-at': '2026-11-20T18:40:00-03:00',
    'requester-name': 'Paula Andrade',
    'requester-contact': 'paula.andrade@serraazul.example',
  }
  const people = async (size: number): Promise<Json[]> => {
    const members = Array.from({ length: size }, () => primary())
    await testApp.include(partner, company, members, '?resolution=approve')
    return members
  }
  const leaves = (members: readonly Json[]): Json => ({
    'company-tax-id': company.taxId,
    reference: 'chamado 4471',
    intake,
    members: members.map((one) => ({
      'tax-id': one['tax-id'],
      'exclusion-details': { 'end-date': '2026-12-31', 'exclusion-reason': 'requested-by-beneficiary' },
    })),
  })

  test('needs another one: 34 people wait, 20 leave at once', async () => {
    const [ana, bruno] = [await testApp.operatorOf('analyst'), await testApp.operatorOf('admin')]
    const members = await people(34)
    const dry = expectOk(await ana.post(`${path}?dry-run=true`, leaves(members))).body
    expect(dry).toEqual({ 'dry-run': true, approval: 'second-operator' })
    const evidence = await upload(ana, pdf, '/operator/v1')
    const sent = await ana.post(path, { ...leaves(members), intake: { ...intake, documents: [evidence] } })
    expect(sent.status).toBe(202)
    const draft = sent.body.result
    expect(draft).toMatchObject({
      movement: 'exclusion',
      approval: 'second-operator',
      'request-ids': [],
      reference: 'chamado 4471',
    })
    expect(draft.intake).toMatchObject({
      'received-at': '2026-11-20T21:40:00.000Z',
      'requester-name': 'Paula Andrade',
      documents: [evidence],
    })
    // Auditors read no evidence.
    const shownEvidence = `${pathOf(draft)}/document/${evidence}`
    expect(expectOk(await bruno.get(shownEvidence)).text).toBe(pdf.toString())
    expect((await (await testApp.operatorOf('auditor')).get(shownEvidence)).status).toBe(403)
    expect(count(draft, 'exclusion').approval).toBe(34)
    const [item] = await itemsOf(ana, draft)
    expect(item.differences).toEqual([
      { field: 'product-name', here: health, stated: null },
      { field: 'end-date', here: null, stated: '2026-12-31' },
      { field: 'exclusion-reason', here: null, stated: 'requested-by-beneficiary' },
    ])
    for (const act of ['', '/item']) expect((await partner.get(`${pathOf(draft, '/v1')}${act}`)).status).toBe(404)
    expect((await confirm(draft, all, partner, '/v1')).status).toBe(404)
    const own = await confirm(draft, all, ana)
    expect([own.status, own.body.code, own.body.error]).toEqual([
      403,
      'second-person-needed',
      'Another operator has to confirm this',
    ])
    const { result } = expectOk(await confirm(draft, all, bruno)).body
    const [requestId] = result['request-ids']
    const seen = await testApp.finished(partner, requestId)
    expect(Object.keys(seen['status-by-tax-id'])).toHaveLength(34)
    expect(seen.intake).toMatchObject({ medium: 'email', 'requester-name': 'Paula Andrade' })
    const { result: request } = expectOk(await bruno.get(`/operator/v1/request/${requestId}`)).body
    expect(request).toMatchObject({ 'draft-id': draft['draft-id'], intake: { documents: [evidence] } })
    expect(expectOk(await bruno.get(`/operator/v1/request/${requestId}/document/${evidence}`)).text).toBe(
      pdf.toString(),
    )
    const [part] = Object.values<Json>(seen['status-by-tax-id'])
    const enrollment = part[health]['enrollment-id']
    const { result: movement } = expectOk(await bruno.get(`/operator/v1/enrollment/${enrollment}`)).body
    expect(movement.history[0]['actor-id']).toBe(bruno.clientId)
    expect(movement['exclusion-details']['requested-at']).toBe('2026-11-20')
    const audit = await testApp.sql(
      `select actor, action from audit where target = any($1) and action <> 'request.evidence-read' order by id`,
      [[draft['draft-id'], requestId]],
    )
    expect(audit.map(({ actor, action }) => [actor, action])).toEqual([
      [ana.clientId, 'movement-draft.created'],
      [bruno.clientId, 'movement-draft.approved'],
      [bruno.clientId, 'exclusion.requested'],
      ['service', 'movement-draft.closed'],
    ])
    const few = await people(20)
    expect(expectOk(await ana.post(path, leaves(few))).body['request-id']).toEqual(expect.any(String))
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('of which the rules refuse some, is told them; with `lenient` those who are left count', async () => {
    const ana = await testApp.operatorOf('analyst')
    const members = [...(await people(20)), primary()]
    const refused = await ana.post(path, leaves(members))
    expect([refused.status, refused.body.result.length]).toEqual([400, 1])
    const lenient = expectOk(await ana.post(path, leaves(members), { prefer: 'handling=lenient' })).body
    expect(lenient['request-id']).toEqual(expect.any(String))
    expect(lenient.result).toHaveLength(1)
  })

  test('excludes with the documents that a rule asks for: a confirmed exclusion waits for them as an ordinary one', async () => {
    const [ana, bruno] = [await testApp.operatorOf('analyst'), await testApp.operatorOf('analyst')]
    const rule = `/operator/v1/requirement-rule/${randomUUID()}`
    expectOk(
      await testApp.operator.put(rule, {
        name: 'Carta de exclusão',
        active: true,
        when: { movements: ['exclusion'] },
        require: [{ of: 'primary', 'any-of': ['exclusion-file'], message: 'Envie a carta.' }],
        enforcement: 'pending',
      }),
    )
    const members = await people(21)
    const { result: draft, 'missing-documents': missing } = (await ana.post(path, leaves(members))).body
    expect(missing).toHaveLength(21)
    const { result } = expectOk(await confirm(draft, all, bruno)).body
    const seen = await testApp.finished(partner, result['request-ids'][0])
    expect(seen['enrollment-summary']).toEqual({ 'pending-documents': 21 })
    const id = seen['status-by-tax-id'][members[0]?.['tax-id']][health]['enrollment-id']
    const document = await upload(bruno, pdf, '/operator/v1')
    const answer = { documents: [{ 'document-id': document, 'document-type': 'exclusion-file' }] }
    expectOk(await bruno.post(`/operator/v1/enrollment/${id}/answer`, answer))
    const { result: movement } = expectOk(await bruno.get(`/operator/v1/enrollment/${id}`)).body
    expect([movement.status, movement.history.at(-1).actor]).toEqual(['created', 'operator'])
    expectOk(await testApp.operator.delete(rule))
  })

  test('may discard it', async () => {
    const ana = await testApp.operatorOf('analyst')
    const { result: draft } = (await ana.post(path, leaves(await people(21)))).body
    const { result } = expectOk(await ana.post(`${pathOf(draft)}/discard`, { reason: 'Lista errada' })).body
    expect(result).toMatchObject({ status: 'closed', 'closed-because': 'discarded' })
    expect((await partner.get(pathOf(draft, '/v1'))).status).toBe(404)
  })
})
