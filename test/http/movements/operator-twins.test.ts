import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { scaled } from '../../scale.ts'
import { partnerCalls } from '../../world/calls/partner.ts'
import type { Tenant } from '../../world/calls/tenant.ts'
import {
  type ApiResponse,
  dental,
  dependent,
  health,
  inProduct,
  type Json,
  monday,
  nextCpf,
  premium,
  primary,
  useTestApp,
} from '../../world/test-app.ts'
import {
  byText,
  callBoth,
  documents,
  elder,
  families,
  inBoth,
  neutral,
  old,
  openWorlds,
  readWorld,
  type Route,
  shownIntake,
  storedIntake,
  type TwinCall,
  type World,
  type Worlds,
} from '../../world/twins.ts'

/*
 * An operator's call is judged as that of a partner who is entitled to every company. Every operation of openapi.json with `x-twin` gets the
 * same bodies as its twin, in an equal world: what is answered and stored is equal, but for the differences that are written here.
 */

const testApp = useTestApp()
let worlds: Worlds

beforeAll(async () => {
  worlds = await openWorlds(testApp)
})

interface Described {
  readonly method: string
  readonly path: string
  readonly operation: Json
}

const document: Json = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const described = new Map<string, Described>(
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => [
      operation.operationId,
      { method: method.toUpperCase(), path, operation },
    ]),
  ),
)
/** The operations of operators by that of partners. */
const twins = new Map(
  [...described].flatMap(([id, { operation }]) => (operation['x-twin'] ? [[operation['x-twin'], id]] : [])),
)

function routeOf(id: string): Route {
  const { method, path, operation } = described.get(id) as Described
  const schema = operation.requestBody?.content['application/json']?.schema
  const properties = schema?.properties ?? {}
  return { method, path, takesIntake: 'intake' in properties }
}

/* What differs. */

/** What an operator gets, by what a partner gets: of an unknown company another error; in a movement, who requested it. */
function expectedOf(status: number, body: Json): { status: number; body: Json } {
  if (body?.error === 'Not entitled to access this company') {
    return { status: 404, body: { ...body, code: 'company-not-found', error: 'Company not found' } }
  }
  if (Array.isArray(body?.result)) return { status, body: { ...body, result: body.result.map(decidedByOperator) } }
  const history = body?.result?.history
  return { status, body: history === undefined ? body : { ...body, result: ofOperator(body.result) } }
}

/** Who decided an item of a draft, by the names of the clients; one that waits has the name of who sent it. */
const decidedByOperator = (item: Json): Json =>
  item['decided-by'] === 'Folha' && item.status !== 'approval' ? { ...item, 'decided-by': 'analyst' } : item

/** What a draft makes of who sent it. */
const shownDraft = { ...shownIntake, medium: 'draft', 'requester-name': 'Folha' }

/** An own step of a history, and one of the service after the documents that a rule asked for. */
const isOwn = ({ actor, status }: Json): boolean =>
  actor === 'partner' || (actor === 'service' && ['created', 'broker-processing', 'scheduled'].includes(status))

/** The requests of the compared calls, by their names, with the intake that an operator's have. */
let requested: ReadonlyMap<string, Json> = new Map()

/** The detail of a movement as a company reads it. */
function ofOperator(detail: Json): Json {
  const intake = requested.get(detail['request-id'])
  const history = detail.history.map((step: Json, index: number) =>
    isOwn(step) && (index > 0 || intake !== undefined) ? { ...step, actor: 'operator' } : step,
  )
  if (intake === undefined) return { ...detail, history }
  const details = askedOnTheDay(detail)['exclusion-details']
  return { ...detail, history, 'exclusion-details': details, 'requested-by': 'operator', intake }
}

/** What is stored of an operator's calls, by what is stored of a partner's. */
function expectedRows(stored: Json): Json {
  const requests = stored.request.filter((row: Json) => row.client_id === '@caller@')
  requested = new Map(requests.map(({ id, draft_id }: Json) => [id, draft_id === null ? shownIntake : shownDraft]))
  const intakes = requests.map(({ company_id, id, draft_id }: Json) => ({
    ...storedIntake,
    ...(draft_id !== null && { medium: 'draft', requester_name: 'Folha' }),
    company_id,
    request_id: id,
  }))
  const enrollment = stored.enrollment.map((row: Json) =>
    requested.has(row.request_id) ? { ...row, initial_actor: 'operator', data: askedOnTheDay(row.data) } : row,
  )
  const enrollment_history = stored.enrollment_history.map((row: Json) =>
    isOwn(row) ? { ...row, actor: 'operator', actor_id: '@caller@' } : row,
  )
  const audit = stored.audit.map((row: Json) =>
    isOwn({ actor: row.actor, status: row.action.replace('enrollment.', '') }) ? { ...row, actor: '@caller@' } : row,
  )
  return { ...stored, request_intake: intakes, enrollment, enrollment_history, audit }
}

/** An exclusion `requested-by-beneficiary` was requested on the day of the intake. */
function askedOnTheDay(data: Json): Json {
  const details = data['exclusion-details']
  if (details?.['exclusion-reason'] !== 'requested-by-beneficiary') return data
  return { ...data, 'exclusion-details': { 'requested-at': monday, ...details } }
}

const sorted = (stored: Json): Json =>
  Object.fromEntries(Object.entries<Json>(stored).map(([table, rows]) => [table, rows.toSorted(byText)]))

async function compareRows(): Promise<void> {
  const [ofPartner, ofOperator] = [await readWorld(worlds, worlds.partner), await readWorld(worlds, worlds.operator)]
  expect(sorted(ofOperator)).toEqual(sorted(expectedRows(ofPartner)))
}

/** Roster syncs without who made them, when, and with which id. */
function withoutMaker(body: Json): Json {
  const without = (one: Json): Json => {
    if (one?.['roster-sync-id'] === undefined) return one
    const maker = ['roster-sync-id', 'created-by', 'created-at']
    return Object.fromEntries(Object.entries(one).filter(([name]) => !maker.includes(name)))
  }
  if (typeof body !== 'object' || body?.result === undefined) return body
  return { ...body, result: Array.isArray(body.result) ? body.result.map(without) : without(body.result) }
}

async function compare(call: TwinCall): Promise<ApiResponse> {
  const twin = twins.get(call.operation)
  if (twin === undefined) throw new Error(`${call.operation} has no twin`)
  const responses = await callBoth(worlds, call, { partner: routeOf(call.operation), operator: routeOf(twin) })
  const { partner, operator } = responses
  const bodyOf = (world: World, { body, text }: ApiResponse) => withoutMaker(neutral(world, body ?? text))
  const seen = { call, status: operator.status, body: bodyOf(worlds.operator, operator) }
  expect(seen).toEqual({ call, ...expectedOf(partner.status, bodyOf(worlds.partner, partner)) })
  return partner
}

/** What a client of the companies reads of every request and movement. */
async function compareReadings(): Promise<void> {
  const read = async (world: World, path: string) => neutral(world, (await worlds.payroll.get(path)).body)
  const [ofPartner, ofOperators] = [worlds.partner, worlds.operator]
  for (const [name, id] of ofPartner.ids) {
    const twin = ofOperators.ids.get(name) ?? ''
    if (name.startsWith('enrollment-')) {
      const { result } = await read(ofPartner, `/v1/enrollment/detail/${id}`)
      const seen = await read(ofOperators, `/v1/enrollment/detail/${twin}`)
      expect(seen).toEqual({ result: ofOperator(result) })
    } else if (name.startsWith('request-')) {
      const shown = await read(ofPartner, `/v1/request/${id}`)
      const intake = requested.get(`@${name}@`)
      const by = intake === undefined ? {} : { 'requested-by': 'operator', intake }
      expect(await read(ofOperators, `/v1/request/${twin}`)).toEqual({ ...shown, ...by })
    }
  }
}

const [one, two, three, four] = families as [Json, Json, Json, Json]
const nobody = nextCpf()
const batch = (operation: string, members: unknown, more: Json = {}, call: Partial<TwinCall> = {}): TwinCall => ({
  operation,
  body: { 'company-tax-id': '@company@', members, ...more },
  ...call,
})
const include = (members: unknown, more: Json = {}, call: Partial<TwinCall> = {}) =>
  batch('includeMembers', members, more, call)
const leaves = (taxId: string, more: Json = {}, details: Json = {}): Json => ({
  'tax-id': taxId,
  'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal', ...details },
  ...more,
})
const exclude = (members: unknown, more: Json = {}, call: Partial<TwinCall> = {}) =>
  batch('excludeMembers', members, more, call)
const alters = (taxId: string, data: Json, more: Json = {}): Json => ({
  'tax-id': taxId,
  'alteration-data': data,
  ...more,
})
const alter = (members: unknown, more: Json = {}, call: Partial<TwinCall> = {}) =>
  batch('alterMembers', members, more, call)
const answer = (name: string, body: unknown): TwinCall => ({ operation: 'answerEnrollment', path: [name], body })
const proven = (document: string, type = 'proof-of-residency'): Json => ({
  documents: [{ 'document-id': `@${document}@`, 'document-type': type }],
})

/** The tenant of the book of calls. A list of all companies shows both worlds; for a discard without a reason see below. */
const tenant = {
  company: { taxId: '@company@', products: { [health]: '@health@' } },
  pendingId: '@asked@',
  leaving: one.mother,
  drafts: ['@draft-0@', '@draft-1@'],
  syncs: ['@sync-0@', '@sync-1@'],
  altered: four.mother,
  dismissed: four.mother,
} as unknown as Tenant
const ofBook = [...twins.keys()]
  .flatMap((operation) =>
    [partnerCalls.entries[operation]?.calls?.(tenant) ?? []].flat().map(({ path, query, body, headers }): TwinCall => ({
      operation,
      ...(headers && { headers }),
      ...(path && { path: path.map(String) }),
      ...(query !== undefined && { query }),
      body,
    })),
  )
  .filter(
    ({ operation, query }) =>
      operation !== 'discardMovementDraft' &&
      (!['listMovementDrafts', 'listRosterSyncs'].includes(operation) || query?.includes('company-tax-id')),
  )

/** Bodies that no batch is. */
const malformed = ['includeMembers', 'excludeMembers', 'alterMembers'].flatMap((operation): TwinCall[] => [
  batch(operation, []),
  batch(operation, [7]),
  batch(operation, {}),
  batch(operation, [{}]),
  batch(
    operation,
    Array.from({ length: 10_001 }, () => ({})),
  ),
  batch(operation, [{ 'tax-id': '1' }], { membros: [] }),
  batch(operation, [{}], { 'company-tax-id': '04252011000110' }),
  batch(operation, [{}], { 'company-tax-id': 'x' }),
  batch(operation, [{}], { 'company-tax-id': undefined }),
  batch(operation, [{}], { reference: 'x'.repeat(101) }),
  batch(operation, [{}], {}, { query: 'dry-run=2' }),
  batch(operation, [{}], {}, { query: 'resolution=perhaps' }),
  batch(operation, [{}], {}, { query: 'colour=blue' }),
  batch(operation, [{}], {}, { headers: { 'content-type': 'text/plain' } }),
  { operation, body: '{' },
  { operation, body: '[]' },
  { operation, body: 'null' },
])

const cases: TwinCall[] = [
  ...ofBook,
  ...malformed,
  include([primary(), dependent(one.mother, { products: inBoth })], { reference: 'RH-7' }, { query: 'dry-run=true' }),
  include([primary({ products: inBoth })], { reference: 'RH-7' }, { query: 'resolution=approve' }),
  include([primary()], {}, { query: 'resolution=reject' }),
  include([primary({ products: inProduct('health-insurance', health, 'on-next-billing-period') })]),
  include([primary({ 'tax-id': one.mother }), primary({ 'tax-id': '1' }), primary({ name: '' }), {}]),
  include([primary({ 'tax-id': nobody }), primary({ 'tax-id': nobody })]),
  include([dependent(nobody), dependent(one.mother, { 'dependent-type': 'nephew' }), dependent(one.child)]),
  include([primary({ products: {} }), primary({ products: inProduct('health-insurance', 'Nenhum') })]),
  include([primary({ sandbox: { outcome: 'reject', reason: 'x' } }), primary({ sandbox: { outcome: 'lost' } })]),
  include([primary(old), primary({ ...old, ...proven('document-1') })], { reference: 'lote 11' }),
  include([primary(proven('document-1')), primary(proven('document-2')), primary(proven('nobody'))]),
  include([primary({ 'tax-id': '1' }), primary()], {}, { headers: { prefer: 'handling=lenient' } }),
  include([primary({ 'tax-id': '1' })], {}, { headers: { 'accept-language': 'pt-BR' } }),
  exclude([leaves(one.mother, { 'product-id': '@health@' })], { reference: 'RH-8' }),
  exclude([leaves(one.mother)]),
  exclude([leaves(two.child, { 'primary-member-tax-id': two.mother })], {}, { query: 'resolution=approve' }),
  exclude([leaves(two.mother, {}, { 'end-date': '2026-12-31', 'exclusion-reason': 'requested-by-beneficiary' })]),
  exclude([leaves(elder), leaves(nobody), leaves('1'), { 'tax-id': three.mother }, leaves(three.mother, { cor: 'x' })]),
  exclude([leaves(elder, {}, proven('document-2'))], {}, { query: 'resolution=reject' }),
  exclude([leaves(three.mother, { 'benefit-id': '@benefit-0@' }), leaves(three.mother, { 'product-id': '@nobody@' })]),
  exclude(
    [leaves(nobody), leaves(three.mother, {}, { 'end-date': '2026-12-31' })],
    {},
    { headers: { prefer: 'handling=lenient' } },
  ),
  exclude([
    leaves(four.mother, {}, { 'exclusion-reason': 'requested-by-beneficiary', 'requested-at': '2026-11-20' }),
    leaves(one.child, {}, { 'exclusion-reason': 'requested-by-beneficiary', 'requested-at': '2026-11-24' }),
    leaves(two.child, {}, { 'exclusion-reason': 'requested-by-beneficiary', 'requested-at': '2024-11-24' }),
  ]),
  alter([alters(four.mother, { 'new-product-id': '@premium@' })], { reference: 'RH-9' }),
  alter([alters(families[4]?.mother ?? '', { 'new-product-id': '@premium@', 'requested-start-date': '2026-12-31' })]),
  alter(
    [alters(families[5]?.mother ?? '', { 'new-company-tax-id': '@second-company@' })],
    {},
    { query: 'resolution=approve' },
  ),
  alter([alters(families[4]?.mother ?? '', { phone: '11987654321' })], {}, { query: 'resolution=approve' }),
  alter([alters(nobody, { phone: '1' }), alters(elder, {}), alters('1', {}), { 'tax-id': elder }]),
  alter([alters(elder, { 'tax-id': one.mother }), alters(elder, { name: 'Ana', documents: 7 })]),
  alter([alters(nobody, {}), alters(elder, { phone: '11987654321' })], {}, { headers: { prefer: 'handling=lenient' } }),
  answer('@waiting@', {}),
  answer('@waiting@', { comment: 'Vai amanhã' }),
  answer('@waiting@', { data: { cor: 'x' }, ...proven('nobody') }),
  answer('@waiting@', proven('document-3')),
  answer('@waiting@', { comment: 'De novo' }),
  answer('@nobody@', { comment: 'x' }),
  answer(nobody, { comment: 'x' }),
  ...['inclusion', 'exclusion', 'alteration', 'colour'].map((movement) => ({
    operation: 'listRequirements',
    query: `company-tax-id=@company@&product-id=@health@&movement=${movement}`,
  })),
  { operation: 'listRequirements', query: 'company-tax-id=04252011000110&product-id=@health@&movement=inclusion' },
  { operation: 'listRequirements', query: 'company-tax-id=@company@&product-id=@nobody@&movement=inclusion' },
  { operation: 'listRequirements', query: 'company-tax-id=@company@' },
  ...['', '&status=open', '&status=closed', '&approval=broker', '&approval=nobody', '&page=0'].map((more) => ({
    operation: 'listMovementDrafts',
    query: `company-tax-id=@company@${more}`,
  })),
  ...['@draft-0@', '@draft-1@', '@draft-2@', '@nobody@', nobody].flatMap((draft): TwinCall[] => [
    { operation: 'readMovementDraft', path: [draft] },
    { operation: 'listMovementDraftItems', path: [draft] },
    { operation: 'listMovementDraftItems', path: [draft], query: 'class=correction&status=approval' },
    { operation: 'confirmMovementDraft', path: [draft], body: {} },
    { operation: 'confirmMovementDraft', path: [draft], body: { classes: ['colour'] } },
    { operation: 'discardMovementDraft', path: [draft], body: { items: [7], reason: 'Não' } },
  ]),
  {
    operation: 'confirmMovementDraft',
    path: ['@draft-2@'],
    body: { items: [1] },
    headers: { prefer: 'wait=60' },
  },
  { operation: 'discardMovementDraft', path: ['@draft-2@'], body: { reason: 'Não' } },
  { operation: 'listMovementDraftItems', path: ['@draft-2@'] },
  ...['inclusion', 'exclusion', 'alteration', 'colour'].flatMap((movement): TwinCall[] => [
    { operation: 'readTableTemplate', query: `movement=${movement}&company-tax-id=@company@` },
    { operation: 'readTableTemplate', query: `movement=${movement}&company-tax-id=04252011000110` },
    ...['CPF;Nome;Data de nascimento;Cor\n1;Ana;1990-01-01;azul\n', 'tax-id\n', '', '"\n'].map((body) => ({
      operation: 'readTable',
      query: `movement=${movement}&company-tax-id=@company@`,
      body,
      headers: { 'content-type': 'text/csv' },
    })),
  ]),
  { operation: 'createUploadSlot', body: { name: 'x' } },
]

/* Seeded bodies: batches of people who exist, with a value that is spoiled now and then. */

const newcomers = Array.from({ length: 12 }, () => nextCpf())
/** Those that the cases have left. */
const others = families.slice(6)
const mothers = others.map(({ mother }) => mother)
const taxId = fc.constantFrom(...mothers, ...others.map(({ child }) => child), ...newcomers, nobody)
const day = fc.constantFrom(monday, '2026-11-20', '2026-12-31', '2025-01-01', '2026-02-30')
const proof = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      document: fc.constantFrom(...documents, 'nobody'),
      type: fc.constantFrom('other', 'proof-of-residency'),
    }),
  },
)
const proofOf = (drawn: { document: string; type: string } | null): Json =>
  drawn === null ? {} : proven(drawn.document, drawn.type)
const products = fc.constantFrom(
  inBoth,
  inProduct('health-insurance', health),
  inProduct('health-insurance', premium, 'on-next-billing-period'),
  inProduct('dental-insurance', dental, 'on-admission-date'),
)
const included = fc
  .record({
    cpf: taxId,
    mother: fc.option(fc.constantFrom(...mothers, ...newcomers)),
    products,
    proof,
    isOld: fc.boolean(),
  })
  .map(({ cpf, mother, isOld, ...drawn }) => {
    const more = { 'tax-id': cpf, products: drawn.products, ...(isOld && old), ...proofOf(drawn.proof) }
    return mother === null ? primary(more) : dependent(mother, more)
  })
const excluded = fc
  .record({
    cpf: taxId,
    selector: fc.constantFrom({}, {}, {}, { 'product-id': '@health@' }, { 'primary-member-tax-id': mothers[0] }),
    details: fc.oneof(
      fc.record({
        'end-date': day,
        'exclusion-reason': fc.constantFrom('dismissal', 'death', 'requested-by-beneficiary'),
      }),
      fc.record({
        'end-date': fc.constantFrom(monday, '2026-12-31'),
        'exclusion-reason': fc.constantFrom('resignation', 'requested-by-beneficiary', 'requested-by-beneficiary'),
      }),
      fc.record({
        'end-date': fc.constant('2026-12-31'),
        'exclusion-reason': fc.constant('requested-by-beneficiary'),
        'requested-at': day,
      }),
    ),
    proof,
  })
  .map(({ cpf, selector, details, ...drawn }) => leaves(cpf, selector, { ...details, ...proofOf(drawn.proof) }))
const altered = fc
  .record({
    // Registration data of somebody who is a dependent only are altered by operators: see below.
    cpf: fc.constantFrom(...mothers, nobody),
    data: fc.record(
      {
        'new-product-id': fc.constantFrom('@premium@', '@health@', '@nobody@'),
        'new-company-tax-id': fc.constant('@second-company@'),
        'requested-start-date': day,
        phone: fc.constantFrom('11987654321', ''),
        name: fc.constant('Ana Lima'),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ cpf, data }) => alters(cpf, data))

/** Puts another value in the place of one of the body's, at any depth. */
function spoiled(value: Json, at: number, by: unknown): Json {
  const places: [Json, string][] = []
  const walk = (part: Json): void => {
    for (const key of Object.keys(part)) {
      places.push([part, key])
      if (typeof part[key] === 'object' && part[key] !== null) walk(part[key])
    }
  }
  const copy = structuredClone(value)
  walk(copy)
  const [part, key] = places[at % places.length] as [Json, string]
  part[key] = by
  return copy
}

const hostile = fc.constantFrom(null, '', ' ', 7, [], {}, [null], 'x'.repeat(300), '2026-02-30', '529.982.247-25', true)
const batches = fc
  .record({
    kind: fc.oneof(
      fc.record({
        operation: fc.constant('includeMembers'),
        members: fc.array(included, { minLength: 1, maxLength: 4 }),
      }),
      fc.record({
        operation: fc.constant('excludeMembers'),
        members: fc.array(excluded, { minLength: 1, maxLength: 2 }),
      }),
      fc.record({ operation: fc.constant('alterMembers'), members: fc.array(altered, { minLength: 1, maxLength: 4 }) }),
    ),
    reference: fc.option(fc.constant('RH-1')),
    spoil: fc.option(fc.record({ at: fc.nat(200), by: hostile }), { freq: 2 }),
    query: fc.constantFrom('', '', 'dry-run=true', 'resolution=approve', 'resolution=approve', 'resolution=reject'),
    isLenient: fc.boolean(),
  })
  .map(({ kind: { operation, members }, reference, spoil, query, isLenient }): TwinCall => {
    const { body } = batch(operation, members, reference === null ? {} : { reference })
    return {
      operation,
      query,
      body: spoil === null ? body : spoiled(body, spoil.at, spoil.by),
      headers: isLenient ? { prefer: 'handling=lenient' } : {},
    }
  })
const answers = fc
  .record({
    at: fc.nat(5),
    data: fc.constantFrom(undefined, undefined, { 'job-title': 'Auxiliar' }, { name: '' }, 7),
    proof,
    comment: fc.constantFrom(undefined, 'Segue', ''),
  })
  .map(({ at, data, comment, ...drawn }) => answer(`@asked-${at}@`, { data, comment, ...proofOf(drawn.proof) }))

/** An operator asks something about every movement that waits for it, in both worlds. */
async function ask(): Promise<void> {
  for (const { companies, ids: names } of [worlds.partner, worlds.operator]) {
    const waiting = await testApp.sql<{ id: string }>(
      `select enrollment.id from enrollment join request on request.company_id = enrollment.company_id and request.id = enrollment.request_id
       where enrollment.company_id = $1 and enrollment.status = 'created' order by request.created_at, member_tax_id, product_name, member_type limit 5`,
      [companies[0].id],
    )
    const ids = waiting.map(({ id }) => id)
    if (ids.length === 0) continue
    for (const [index, id] of ids.entries()) names.set(`asked-${index}`, id)
    const status = { status: 'pending-correction', reason: 'Cargo', 'enrollment-ids': ids }
    await testApp.operator.post('/operator/v1/enrollment/transition', status)
  }
}

describe('twins', () => {
  test('have bodies here, every one', () => {
    expect([...twins.keys()].filter((operation) => !cases.some((call) => call.operation === operation))).toEqual([])
  })

  test('answer and store the same of every case', async () => {
    for (const [index, call] of cases.entries()) {
      await compare(call)
      if (index % 10 === 0) await compareRows()
    }
    await compareRows()
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('answer and store the same of seeded bodies', async () => {
    const accepted = new Map<string, number>()
    const calls = fc.sample(fc.oneof({ weight: 8, arbitrary: batches }, { weight: 1, arbitrary: answers }), {
      seed: 51,
      numRuns: scaled(120, 2_000),
    })
    for (const [index, call] of calls.entries()) {
      if (index % 20 === 0) {
        await ask()
        await compareRows()
      }
      const { status } = await compare(call)
      if (status === 200) accepted.set(call.operation, (accepted.get(call.operation) ?? 0) + 1)
    }
    await compareRows()
    expect([...accepted.keys()].toSorted()).toEqual([
      'alterMembers',
      'answerEnrollment',
      'excludeMembers',
      'includeMembers',
    ])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('differ for the registration data of somebody who is a dependent only: an operator alters them', async () => {
    const call = alter([alters(three.child, { name: 'Helena Prates' })])
    const twin = twins.get('alterMembers') ?? ''
    const { partner, operator } = await callBoth(worlds, call, {
      partner: routeOf('alterMembers'),
      operator: routeOf(twin),
    })
    expect([partner.status, partner.body.result[0].offenses]).toEqual([400, ['no-active-benefit']])
    expect(operator.status).toBe(200)
  })

  test('differ for a draft that is discarded without a reason: the company reads that of an operator', async () => {
    const call = { operation: 'discardMovementDraft', path: ['@draft-1@'], body: {} }
    const twin = twins.get('discardMovementDraft') ?? ''
    const routes = { partner: routeOf(call.operation), operator: routeOf(twin) }
    const { partner, operator } = await callBoth(worlds, call, routes)
    expect(partner.status).toBe(200)
    expect([operator.status, operator.body.details]).toEqual([400, [{ field: 'reason', code: 'missing' }]])
  })

  test('are the same movements and requests for their company', async () => {
    await compareReadings()
  })
})
