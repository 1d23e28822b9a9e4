import { rngOf, type Rng } from '../crash/rng.ts'
import { exampleOf, pick, type Source, textOf, uuidOf, valueOf } from './generate.ts'
import { encoded, hostileEncoded, hostileHeaders, hostileTexts, jsonText, mutated, mutatedBytes } from './hostile.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { carrierFileBody, fileBody, formBody, lineBody, workbookBody } from './bodies.ts'
import { useLink } from './onboarding.ts'
import { type Operation, operations, type Parameter } from './operations.ts'
import type { Pool, PoolRecord } from './pool.ts'
import { businessDay } from './world.ts'

/** Who sends requests. */
export interface Actor {
  /** Stands for the token where a request is printed. */
  readonly name: string
  readonly api: 'partner' | 'operator'
  readonly token: string
  readonly companyTaxIds: readonly string[]
}

/** `nearly-valid` has one change. */
export type Kind = 'valid' | 'nearly-valid' | 'hostile'

export interface FuzzRequest {
  readonly index: number
  readonly kind: Kind
  readonly operation: Operation
  readonly actor: Actor | null
  readonly method: string
  /** Path and query, as they go over the wire. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | null
}

export interface World {
  readonly actors: readonly Actor[]
  readonly webhookUrls: Source['webhookUrls']
}

/** Former values: of everybody, and of what one partner has seen. */
export interface Pools {
  /** @param partner the name of an actor; null, and an operator's: those of everybody. */
  of(partner: string | null): Pool
}

/** A request while it is made. */
export interface Draft {
  method: string
  path: string
  query: [string, string][]
  headers: [string, string][]
  body: Buffer | null
  json: unknown
}

/** Operations that make what others name; the pool would stay empty without them. */
const makers = [
  'includeMembers',
  'includeMembers',
  'moveEnrollment',
  'createUploadSlot',
  'uploadDocument',
  'putInvoice',
  'createContract',
  'createLayout',
  'closeShipment',
  'sendShipment',
  'acknowledgeShipment',
  'putRequirementRule',
  'uploadCarrierFile',
  'uploadCarrierFile',
  'createReconciliation',
  'createReconciliation',
  'createClaim',
  'createOnboardingInvitation',
  'startOnboardingSession',
  'submitOnboarding',
  'createSubjectRequest',
  'planErasure',
]
/** Reads that fill the pool. */
const readers = [
  'listMembers',
  'listEnrollmentHistory',
  'listEnrollmentQueue',
  'listInvoices',
  'listWebhookEvents',
  'listShipments',
  'listShipmentItems',
  'listContracts',
  'listCarrierFiles',
  'listReconciliations',
  'listDiscrepancies',
  'listClaims',
  'listOnboardingInvitations',
  'listSubjectRequests',
]
const byId = new Map(operations.map((operation) => [operation.id, operation]))

/** The request of this index: with the same seed the same, but for the values of former responses. */
export function requestOf(seed: number, index: number, world: World, pools: Pools): FuzzRequest {
  const rng = rngOf(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35))
  const operation = operationAt(rng, index)
  const draw = rng.between(1, 100)
  const kind = draw <= 50 ? 'valid' : draw <= 80 ? 'nearly-valid' : 'hostile'
  const actor = actorOf(rng, operation, kind, world)
  const source: Source = {
    rng,
    // A partner mostly names what is its own.
    pool: pools.of(rng.oneIn(8) ? null : (actor?.name ?? null)),
    companyTaxIds: actor?.companyTaxIds ?? [],
    webhookUrls: world.webhookUrls,
  }
  const draft = draftOf(source, operation)
  if (actor !== null) authenticate(rng, draft, actor, pools.of(null))
  if (kind === 'nearly-valid') change(rng, draft)
  if (kind === 'hostile') for (let left = rng.between(2, 6); left > 0; left -= 1) change(rng, draft)
  const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&')
  const target = query === '' ? draft.path : `${draft.path}${draft.path.includes('?') ? '&' : '?'}${query}`
  const headers = [...draft.headers]
  const hasLength = draft.body !== null || !['GET', 'HEAD'].includes(draft.method)
  if (hasLength) headers.push(['content-length', String(draft.body?.length ?? 0)])
  return { index, kind, operation, actor, method: draft.method, target, headers, body: draft.body }
}

/** Each operation in turn, so that none is left out; between them what fills the pool. */
function operationAt(rng: Rng, index: number): Operation {
  const draw = rng.between(1, 10)
  // A prime above the number of operations has no factor in common with it.
  const inTurn = operations[Math.imul(index, 997) % operations.length] as Operation
  if (draw <= 6) return inTurn
  return byId.get(pick(rng, draw <= 8 ? makers : readers)) ?? inTurn
}

function actorOf(rng: Rng, { api }: Operation, kind: Kind, { actors }: World): Actor | null {
  const draw = rng.between(0, 19)
  if (api === null) return null
  if (kind !== 'valid' && draw === 0) return null
  const isWrong = kind !== 'valid' && draw === 1
  const able = actors.filter((actor) => (actor.api === api) !== isWrong)
  // The first of each API may do most.
  return (draw < 10 ? able[0] : pick(rng, able)) ?? null
}

function authenticate(rng: Rng, draft: Draft, actor: Actor, pool: Pool): void {
  const cookie = pool.pick('cookie', rng)
  if (rng.oneIn(12) && actor.api === 'operator' && cookie !== null) {
    draft.headers.push(['cookie', cookie], ['sec-fetch-site', 'same-origin'])
  } else draft.headers.push(['authorization', `Bearer ${actor.token}`])
}

function draftOf(source: Source, operation: Operation): Draft {
  const { rng, pool } = source
  const paths = operation.parameters.filter((parameter) => parameter.in === 'path')
  const optional = operation.parameters.filter((parameter) => parameter.in === 'query')
  const queries = optional.filter(({ required = false }) => required || rng.oneIn(Math.max(3, optional.length / 2)))
  const names = [...paths, ...queries].map(({ name }) => nameOf(operation, name))
  // Several ids belong together mostly.
  const found = pool.pickRecord(
    names.filter((name) => name.endsWith('-id')),
    rng,
  )
  const record = paths.length > 0 && rng.between(1, 4) < 4 ? found : null
  const draft: Draft = {
    method: operation.method,
    path: operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => {
      const schema = paths.find((one) => one.name === name)?.schema ?? {}
      return encoded(
        isInvoiceToPut(operation, name)
          ? newInvoiceId(source, schema)
          : isOfWaiting(operation, name)
            ? textOf(source, 'waiting-enrollment-id', { ...schema })
            : valueIn(source, record, nameOf(operation, name), schema),
      )
    }),
    query: queries.map((one) => [one.name, encoded(parameterOf(source, record, one))]),
    headers: [],
    body: null,
    json: undefined,
  }
  orderDates(draft.query)
  if (operation.id === 'uploadCarrierFile') nameFile(source, draft)
  if (operation.path.startsWith('/upload/')) useUploadUrl(source, draft)
  addHeaders(source, operation, draft)
  addBody(source, operation, draft)
  useLink(source, operation, draft)
  return draft
}

/** Clients of partners and operators have the same name in paths, and so have files of invoices and of carriers. */
function nameOf({ path }: Operation, name: string): string {
  if (name === 'client-id' && path.startsWith('/operator/v1/operator/')) return 'operator-id'
  return name === 'file-id' && path.startsWith('/operator/v1/carrier-file/') ? 'carrier-file-id' : name
}

const isInvoiceToPut = ({ id }: Operation, name: string) => id === 'putInvoice' && name === 'invoice-id'

/** A movement that waits for documents of rules. */
const isOfWaiting = ({ id }: Operation, name: string) => id === 'waiveRequirement' && name === 'enrollment-id'

function newInvoiceId(source: Source, schema: object): string {
  const id = `fatura ${source.rng.between(1, 400)}/2026`
  return source.rng.oneIn(3) ? textOf(source, 'invoice-id', { ...schema }) : id
}

function valueIn(source: Source, record: PoolRecord | null, name: string, schema: object): string {
  const other = textOf(source, name, { ...schema })
  return record?.[name] ?? other
}

function parameterOf(source: Source, record: PoolRecord | null, { name, schema, example }: Parameter): string {
  if (name === 'filter') {
    const field = pick(source.rng, ['tax-id', 'cost-center', 'employee-id'])
    return `${field}=${textOf(source, field, {})}`
  }
  if (name === 'import-id') return uuidOf(source.rng)
  const type = (schema as { type?: string }).type
  if (name === 'year') return '2026'
  if (type === 'integer') return String(source.rng.between(1, name === 'page' ? 3 : 50))
  if (type !== 'string') return String(valueOf(source, schema, name))
  return valueIn(source, record, name, example === undefined ? schema : { ...schema, example })
}

/** The first of two dates comes first. */
function orderDates(query: [string, string][]): void {
  for (const one of query) {
    const until = query.find(([name]) => name === one[0].replace(/from-dt$/, 'until-dt'))
    if (until !== undefined && until !== one && until[1] < one[1]) [one[1], until[1]] = [until[1], one[1]]
  }
}

/** A contract of the caller's companies, and mostly a layout of the kind of the file. */
function nameFile({ rng }: Source, draft: Draft): void {
  const kind = draft.query.find(([name]) => name === 'kind')?.[1] ?? 'roster'
  draft.query = draft.query.filter(([name]) => name !== 'layout-id')
  if (!rng.oneIn(8)) draft.query.push(['layout-id', `generic-csv-${kind}`])
}

/** The path and the signature of an upload URL that the service gave. */
function useUploadUrl({ rng, pool }: Source, draft: Draft): void {
  const url = pool.pick('upload-url', rng)
  if (url === null || rng.oneIn(8)) return
  const { pathname, search } = new URL(url, 'http://service')
  draft.path = pathname + search
  draft.query = []
}

function addHeaders({ rng }: Source, operation: Operation, draft: Draft): void {
  for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'header')) {
    const draw = rng.between(0, 9)
    if (name === 'prefer' && draw < 3) draft.headers.push(['prefer', 'handling=lenient'])
    // Few keys, so that some are sent again.
    if (name === 'idempotency-key' && draw < 3)
      draft.headers.push([name, `fuzz-${operation.id}-${rng.between(1, 200)}`])
  }
  if (rng.oneIn(4)) draft.headers.push(['accept-language', pick(rng, ['pt-BR', 'en', 'pt-BR,pt;q=0.9'])])
  if (rng.oneIn(6)) draft.headers.push(['accept-encoding', pick(rng, ['gzip', 'br', 'gzip, br'])])
  if (operation.hasWorkbook && rng.oneIn(3)) draft.headers.push(['accept', xlsxType])
  if (operation.id.startsWith('download') && rng.oneIn(2)) draft.headers.push(['range', 'bytes=0-3'])
}

function addBody(source: Source, operation: Operation, draft: Draft): void {
  const { rng } = source
  const types = Object.keys(operation.content)
  if (types.length === 0) return
  const isTable = operation.id === 'uploadCarrierFile' && !rng.oneIn(4)
  const type = isTable ? 'text/csv' : pick(rng, types)
  const { schema = {}, examples } = operation.content[type] ?? { examples: [] }
  let contentType = type
  if (type === 'application/json') {
    const isExample = examples.length > 0 && rng.between(1, 10) <= 6
    draft.json = isExample
      ? exampleOf(source, pick(rng, examples), ['includeMembers', 'createOnboardingInvitation'].includes(operation.id))
      : valueOf(source, schema, '')
    if (operation.id === 'authenticate' || operation.id === 'createSession') draft.json = credentialsOf(source)
    // Something is always left to do.
    if (operation.id === 'closeMonth' && !rng.oneIn(4)) draft.json = { ...(draft.json as object), reason: 'Prazo' }
    // The rules are checked for the day of the world: it stays.
    if (operation.id === 'advanceClock') draft.json = { 'business-date': businessDay }
    draft.body = Buffer.from(jsonText(draft.json))
  } else if (operation.id === 'uploadCarrierFile' && (type === 'text/csv' || type === xlsxType)) {
    const kind = draft.query.find(([name]) => name === 'kind')?.[1] ?? 'roster'
    const file = carrierFileBody(source, kind)
    draft.body = type === xlsxType ? workbookBody(source, [file.toString()]) : file
  } else if (['text/csv', 'application/x-ndjson', 'text/plain'].includes(type)) {
    draft.body = lineBody(source, examples, type)
  } else if (type === xlsxType) {
    draft.body = workbookBody(source, operation.content['text/csv']?.examples ?? [])
  } else if (type === 'multipart/form-data') {
    ;({ contentType, body: draft.body } = formBody(rng))
  } else draft.body = fileBody(rng, type)
  draft.headers.push(['content-type', contentType])
}

/** Those of a client that a former request has made. */
function credentialsOf({ rng, pool }: Source): Record<string, string> {
  const records = ['client-id', 'operator-id'].map((name) => pool.pickRecord([name, 'client-secret'], rng))
  const other = uuidOf(rng)
  const record = rng.oneIn(2) ? (records[0] ?? records[1]) : (records[1] ?? records[0])
  return {
    'client-id': record?.['client-id'] ?? record?.['operator-id'] ?? other,
    'client-secret': record?.['client-secret'] ?? other,
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']

/** One thing of a request, changed. */
function change(rng: Rng, draft: Draft): void {
  const draw = rng.between(0, 19)
  if (draft.body !== null && draw < 11) changeBody(rng, draft)
  else if (draw < 13) changePath(rng, draft)
  else if (draw < 16) changeQuery(rng, draft)
  else if (draw < 19) changeHeader(rng, draft)
  else draft.method = pick(rng, methods)
}

function changeBody(rng: Rng, draft: Draft): void {
  const draw = rng.between(0, 9)
  if (draft.json !== undefined && draw < 8) {
    draft.json = mutated(rng, draft.json)
    draft.body = Buffer.from(jsonText(draft.json))
  } else if (draw === 9) draft.body = null
  else draft.body = mutatedBytes(rng, draft.body ?? Buffer.alloc(0))
}

function changePath(rng: Rng, draft: Draft): void {
  const segments = draft.path.split('/')
  const at = rng.between(1, segments.length - 1)
  const text = hostileEncoded(rng)
  // A segment of dots is another path for some clients.
  segments[at] = /^\.{1,2}$/.test(text) ? '...' : text
  draft.path = segments.join('/')
}

function changeQuery(rng: Rng, draft: Draft): void {
  const at = rng.between(0, Math.max(0, draft.query.length - 1))
  const one = draft.query[at]
  const draw = rng.between(0, 3)
  if (one === undefined || draw === 0) {
    draft.query.push([
      pick(rng, ['page', 'no-such', encoded(pick(rng, hostileTexts)), '__proto__', '']),
      hostileEncoded(rng),
    ])
  } else if (draw === 1) draft.query.push(one)
  else one[1] = hostileEncoded(rng)
}

function changeHeader(rng: Rng, draft: Draft): void {
  for (const [name, value] of hostileHeaders(rng)) {
    if (!rng.oneIn(5)) draft.headers = draft.headers.filter(([known]) => known !== name || name === 'cookie')
    draft.headers.push([name, value])
  }
}
