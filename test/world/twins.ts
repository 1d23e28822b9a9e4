import { randomUUID } from 'node:crypto'
import {
  type ApiResponse,
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  life,
  nextCpf,
  premium,
  primary,
  type TestApp,
  until,
} from './test-app.ts'
import { movementDraft } from './draft.ts'
import { rosterSync } from './roster-sync.ts'
import { upload } from './upload.ts'

/*
 * Two equal worlds in one app: a partner calls the operations of the one, an operator their twins in the other. A call is written once, with
 * `@name@` for what differs, such as `@company@` or `@benefit-3@`; what is received and stored is compared by these names.
 */

/** A call of the partner API, whose twin is called, too. */
export interface TwinCall {
  readonly operation: string
  readonly path?: readonly string[]
  readonly query?: string
  /** A text goes as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Route {
  readonly method: string
  readonly path: string
  readonly takesIntake: boolean
}

export interface World {
  readonly client: Client
  readonly companies: readonly [Company, Company]
  /** By name. */
  readonly ids: Map<string, string>
}

export interface Worlds {
  readonly testApp: TestApp
  /** Entitled to all companies, and no caller. */
  readonly payroll: Client
  readonly partner: World
  readonly operator: World
}

export const inBoth = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }
/** Primaries with two products, each with a child. */
export const families = Array.from({ length: 12 }, () => ({ mother: nextCpf(), child: nextCpf() }))
export const documents = ['document-1', 'document-2', 'document-3', 'document-4', 'document-5']
/** Rules want documents of whoever was born then: an inclusion waits for them, an exclusion is refused without. */
export const old = { 'date-of-birth': '1930-01-01' }
export const elder = nextCpf()
const [asked, waiting] = [nextCpf(), nextCpf()]
const productNames = { health, premium, dental, life }

const intake = { medium: 'phone', 'received-at': '2026-11-23T00:00:00-03:00', 'requester-name': 'Paula Andrade' }
/** The intake of all calls of the operator: as a company reads it, and as it is stored. */
export const shownIntake = { ...intake, 'received-at': 'time' }
export const storedIntake = {
  medium: intake.medium,
  received_at: 'time',
  requester_name: intake['requester-name'],
  requester_contact: null,
  documents: [],
}

export async function openWorlds(testApp: TestApp): Promise<Worlds> {
  const companies: Company[] = []
  for (let n = 0; n < 4; n += 1) companies.push(await testApp.company())
  const [one, other, ours, theirs] = companies as [Company, Company, Company, Company]
  const taxIds = companies.map(({ taxId }) => taxId)
  for (const [movement, enforcement] of [
    ['inclusion', 'pending'],
    ['exclusion', 'offense'],
  ]) {
    const rule = {
      name: movement,
      when: { movements: [movement], 'age-from': 90 },
      require: [{ of: 'primary', 'any-of': ['proof-of-residency'], message: 'Comprovante' }],
      enforcement,
    }
    expectOk(await testApp.operator.put(`/operator/v1/requirement-rule/${randomUUID()}`, rule))
  }
  const payroll = await testApp.partner(...taxIds)
  const ofPartner = await testApp.partner(...taxIds)
  const ofOperator = await testApp.operatorOf('analyst')
  const opened = { testApp, payroll }
  const partner = await openWorld(opened, ofPartner, '/v1', [one, other])
  const operator = await openWorld(opened, ofOperator, '/operator/v1', [ours, theirs])
  return { testApp, payroll, partner, operator }
}

async function openWorld(
  { testApp, payroll }: Pick<Worlds, 'testApp' | 'payroll'>,
  client: Client,
  api: string,
  companies: readonly [Company, Company],
): Promise<World> {
  const ids = new Map([['caller', client.clientId]])
  for (const [prefix, company] of [['', companies[0]] as const, ['second-', companies[1]] as const]) {
    ids.set(`${prefix}company`, company.taxId).set(`${prefix}company-id`, company.id)
    for (const [name, product] of Object.entries(productNames)) ids.set(prefix + name, company.products[product] ?? '')
  }
  const proof = { documents: [{ 'document-id': await upload(payroll), 'document-type': 'proof-of-residency' }] }
  const covered = families.flatMap(({ mother, child }) => [
    primary({ 'tax-id': mother, products: inBoth }),
    dependent(mother, { 'tax-id': child, products: inBoth }),
  ])
  const [company] = companies
  await testApp.include(
    payroll,
    company,
    [...covered, primary({ 'tax-id': elder, ...old, ...proof })],
    '?resolution=approve',
  )
  const open = [primary({ 'tax-id': asked }), primary({ 'tax-id': waiting, ...old })]
  const shown = await testApp.include(payroll, company, open)
  const enrollmentOf = (cpf: string): string => shown['status-by-tax-id'][cpf][health]['enrollment-id']
  ids.set('asked', enrollmentOf(asked)).set('waiting', enrollmentOf(waiting))
  const move = { status: 'pending-correction', reason: 'Cargo' }
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${ids.get('asked')}/transition`, move))
  for (const [index, { mother }] of families.slice(9).entries()) {
    ids.set(`draft-${index}`, await movementDraft(payroll, company, mother))
  }
  for (const name of ['sync-0', 'sync-1']) ids.set(name, await rosterSync(payroll, company))
  for (const name of documents) ids.set(name, await upload(client, undefined, api))
  return { client, companies, ids }
}

/** The same call in both worlds at once, until its request is finished. */
export async function callBoth(
  worlds: Worlds,
  call: TwinCall,
  routes: { readonly partner: Route; readonly operator: Route },
): Promise<{ readonly partner: ApiResponse; readonly operator: ApiResponse }> {
  const [partner, operator] = await Promise.all([
    send(worlds, worlds.partner, call, routes.partner),
    send(worlds, worlds.operator, call, routes.operator),
  ])
  return { partner, operator }
}

async function send(worlds: Worlds, world: World, call: TwinCall, route: Route): Promise<ApiResponse> {
  const named = (text: string) => text.replaceAll(/@([\w-]+)@/g, (whole, name: string) => world.ids.get(name) ?? whole)
  const values = [...(call.path ?? [])]
  const path = route.path.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(named(values.shift() ?? '')))
  const isObject = typeof call.body === 'object' && call.body !== null && !Array.isArray(call.body)
  const body = route.takesIntake && isObject ? { ...call.body, intake } : call.body
  const response = await worlds.testApp.call(
    route.method,
    call.query === undefined ? path : `${path}?${named(call.query)}`,
    {
      token: world.client.token,
      ...(body !== undefined && { body: named(typeof body === 'string' ? body : JSON.stringify(body)) }),
      headers: { 'content-type': 'application/json', ...call.headers },
    },
  )
  const id = response.body?.['request-id']
  if (typeof id === 'string') await worlds.testApp.finished(worlds.payroll, id)
  const sync = response.body?.result?.['roster-sync-id']
  if (typeof sync === 'string' && response.body.result.status === 'reading') {
    await until(
      () => worlds.payroll.get(`/v1/roster-sync/${sync}`),
      ({ body: read }) => !['reading', 'comparing'].includes(read.result.status),
    )
  }
  return response
}

/** What is stored in a world, with names for its ids: requests, movements, benefits and people are numbered in their natural order. */
export async function readWorld({ testApp }: Worlds, world: World): Promise<Json> {
  const companies = [world.companies.map(({ id }) => id)]
  const ofCompanies = (table: string) => `from ${table} where ${table}.company_id = any($1)`
  for (const [name, ids] of [
    ['request', `${ofCompanies('request')} order by created_at, id`],
    [
      'enrollment',
      `from enrollment join request on request.company_id = enrollment.company_id and request.id = enrollment.request_id
       where enrollment.company_id = any($1) order by request.created_at, request.id, member_tax_id, product_name, member_type`,
    ],
    [
      'benefit',
      `from benefit join member on member.company_id = benefit.company_id and member.id = benefit.member_id
       join product on product.company_id = benefit.company_id and product.id = benefit.product_id
       where benefit.company_id = any($1) order by benefit.created_at, member.tax_id, product.name, benefit.type, benefit.replaces_id is null`,
    ],
    ['member', `${ofCompanies('member')} order by member.created_at, member.company_id, member.tax_id`],
  ] as const) {
    const rows = await testApp.sql<{ id: string }>(`select ${name}.id ${ids}`, companies)
    for (const [index, { id }] of rows.entries()) world.ids.set(`${name}-${index}`, id)
  }
  const stored: Record<string, Json[]> = {}
  const tables = [
    'request',
    'request_intake',
    'enrollment',
    'enrollment_history',
    'benefit',
    'member',
    'event',
    'audit',
  ]
  for (const table of tables) {
    // Who may call which company is not a part of the worlds.
    const own = table === 'audit' ? `and action not like 'entitlement.%'` : ''
    const rows = await testApp.sql(`select to_jsonb(${table}) as row ${ofCompanies(table)} ${own}`, companies)
    stored[table] = rows.map(({ row }) => neutral(world, row)).toSorted(byText)
  }
  return stored
}

/** The order of rows, whatever the order of their columns. */
export function byText(one: unknown, other: unknown): number {
  const [text, next] = [one as Json, other as Json].map(
    (row) => row.id + JSON.stringify(Object.entries(row).toSorted()),
  )
  return (text ?? '') < (next ?? '') ? -1 : 1
}

/** A value with names for the ids of a world; other ids, times and traces are all the same. */
export function neutral({ ids }: World, value: unknown): Json {
  const names = new Map([...ids].map(([name, id]) => [id, `@${name}@`]))
  const text = (sent: string): string =>
    sent
      .replaceAll(
        /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\dA-Z]{12}\d\d/g,
        (id) => names.get(id) ?? `@${id.length}@`,
      )
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'time')
  const walk = (part: unknown): Json => {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part === 'string') return names.get(part) ?? text(part)
    if (typeof part !== 'object' || part === null) return part
    const entries = Object.entries(part).filter(([key]) => !isOfOneCall.has(key))
    return Object.fromEntries(entries.map(([key, inner]) => [text(key), walk(inner)]).toSorted())
  }
  return walk(value)
}

/** Columns and fields that differ between any two calls. */
const isOfOneCall = new Set(['request_trace_id', 'request-trace-id', 'upload-url', 'address'])
