import { readFileSync } from 'node:fs'
import type { ApiResponse, Client, Company, Json, TestApp } from '../test-app.ts'

/*
 * The book of calls. Each operation has one entry: the roles that may make it, what the audit has of it, and valid calls in a world
 * that its chapter prepares, in an order in which they all succeed. The tests that go through all operations are loops over the book.
 */

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly api: 'partner' | 'operator' | null
  readonly statuses: readonly string[]
  /** Whether a session of a person may call it. */
  readonly takesSessions: boolean
  /** An example of its JSON body. */
  readonly example: unknown
}

const document: Json = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
export const operations: readonly Operation[] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => {
    const content = operation.requestBody?.content?.['application/json']
    const [named] = Object.values<Json>(content?.examples ?? {})
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      api: Object.keys(operation.security?.[0] ?? {})[0] ?? null,
      statuses: Object.keys(operation.responses),
      takesSessions: (operation.security ?? []).some((scheme: object) => 'session' in scheme),
      example: content?.example ?? named?.value,
    } as Operation
  }),
)
export const operationOf = (id: string): Operation => {
  const found = operations.find((operation) => operation.id === id)
  if (found === undefined) throw new Error(`openapi.json has no operation ${id}`)
  return found
}

export const roles = ['analyst', 'finance', 'auditor'] as const
export type Role = (typeof roles)[number]
export const admin: readonly Role[] = []
export const analyst: readonly Role[] = ['analyst']
export const finance: readonly Role[] = ['finance']
export const auditor: readonly Role[] = ['auditor']
/** Who works with movements, who with money, and who only reads them. */
export const movementRoles: readonly Role[] = ['analyst', 'auditor']
export const moneyRoles: readonly Role[] = ['finance', 'auditor']
export const carrierRoles: readonly Role[] = ['analyst', 'finance']

/** What the chapters stand on. */
export interface World {
  readonly testApp: TestApp
  readonly company: Company
  readonly partner: Client
  /** The admin who makes the calls of operators. */
  readonly operator: Client
}

export interface Call {
  /** The values of the path's parameters, in their order. */
  readonly path?: readonly (string | number)[]
  /** Without `?`. */
  readonly query?: string
  /** In place of path and query: where the service has said it. */
  readonly url?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** What this call records, where it is not as of the others. */
  readonly audit?: Audit
  /** Names nothing of a company: any client may make it, and gets what is its own. */
  readonly isOpen?: true
  /** Who makes it, where it has no token. */
  readonly clientId?: string
  /** The status for a client that was revoked meanwhile, where it is not 401. */
  readonly refusal?: number
}

/** Actions, with `by` where they are not of the caller, sorted; `*` last: others, too. */
type Audit = string | readonly string[]

export interface Entry<T> {
  readonly roles?: readonly Role[]
  readonly audit?: Audit
  readonly calls?: (prepared: T) => Call | readonly Call[]
}

/** A call of the book that can be made. */
export interface Made extends Omit<Call, 'path' | 'query' | 'url' | 'audit'> {
  readonly operation: string
  readonly method: string
  readonly api: Operation['api']
  /** With the query. */
  readonly path: string
  /** None: it stores nothing. */
  readonly audit: readonly string[]
}

export interface Chapter<T> {
  readonly entries: Readonly<Record<string, Entry<T>>>
  prepare(world: World): Promise<T>
  readonly callsOf: (prepared: T) => Made[]
}

export function chapter<T>(prepare: (world: World) => Promise<T>, entries: Record<string, Entry<T>>): Chapter<T> {
  return {
    entries,
    prepare,
    callsOf: (prepared) =>
      Object.entries(entries).flatMap(([id, entry]) => {
        const calls = entry.calls?.(prepared) ?? []
        return [calls].flat().map((call) => made(id, entry, call))
      }),
  }
}

function made(id: string, entry: Entry<never>, { path = [], query, url, audit, ...call }: Call): Made {
  const { method, api, path: template } = operationOf(id)
  const values = [...path]
  const filled = template.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(values.shift() ?? ''))
  const target = query === undefined ? filled : `${filled}?${query}`
  const rows = [audit ?? entry.audit ?? []].flat()
  return { ...call, operation: id, method, api, path: url ?? target, audit: rows }
}

/** An operation that changes nothing, and needs no call: that of the document names nothing that exists. */
export const reads = (by: readonly Role[], ...ids: string[]): Record<string, { readonly roles: readonly Role[] }> =>
  Object.fromEntries(ids.map((id) => [id, { roles: by }]))

/** An operation of operators that writes. */
export const write = <T>(
  by: readonly Role[],
  audit: Audit,
  calls: (prepared: T) => Call | readonly Call[],
): Entry<T> => ({ roles: by, audit, calls })

/** The token of a call: none where it is made by a cookie or a link. */
export const tokenOf = ({ api, clientId }: Made, token: string): string | null =>
  api === null || clientId !== undefined ? null : token

export const make = (
  { call }: Pick<TestApp, 'call'>,
  { method, path, body, headers }: Made,
  token: string | null,
  more: Record<string, string> = {},
): Promise<ApiResponse> =>
  call(method, path, { token, headers: { ...headers, ...more }, ...(body === undefined ? {} : { body }) })

export const csvType = { 'content-type': 'text/csv' }
export const ndjsonType = { 'content-type': 'application/x-ndjson' }
