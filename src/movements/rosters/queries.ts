import type { RosterStatus } from '#kernel/roster-syncs.ts'
import { activeClient, companiesOf, rowOfActiveClient } from '#platform/core/access.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { equals, oneOf, Parameters } from '#platform/core/parameters.ts'
import type { Page } from '#platform/http/page.ts'
import { conditionsOf, type Where } from '#platform/http/pages.ts'
import { pageBounds, type PageQuery } from '#platform/http/schemas.ts'
import { isEntitledTo } from '#registry/companies/queries.ts'
import type { RosterSyncQuery } from './schema.ts'

type Caller = Pick<ClientActor, 'clientId' | 'kind'>

/** 404 for a roster sync that is unknown, and for one of which the caller must not know. */
export const syncNotFound = () => new ApiError('roster-sync-not-found')

/** SQL of a RosterSync, over `roster_sync` and `company`. */
const syncJson = `json_build_object('roster-sync-id', roster_sync.id, 'company-tax-id', company.tax_id, 'status', roster_sync.status,
  'as-of', roster_sync.as_of, 'states', roster_sync.states, 'within', roster_sync.within, 'reference', roster_sync.reference,
  'file-name', roster_sync.file_name, 'lines', roster_sync.lines, 'refused-lines', roster_sync.refused_lines, 'of', roster_sync.of,
  'compared', roster_sync.compared, 'unchanged', roster_sync.unchanged, 'doubts', roster_sync.doubts, 'problems', roster_sync.problems,
  'warnings', roster_sync.warnings, 'sheets-not-read', roster_sync.sheets_not_read,
  'draft-id', (select movement_draft.id from movement_draft
    where movement_draft.company_id = roster_sync.company_id and movement_draft.id = roster_sync.id),
  'created-by', (select client.name from client where client.id = roster_sync.created_by),
  'created-at', iso(roster_sync.created_at), 'finished-at', iso(roster_sync.finished_at))`

/** SQL: a company sees the lists that one of its clients sent. */
const isSeenBy = ({ kind }: Caller): string =>
  kind === 'operator'
    ? 'true'
    : `exists (select 1 from client sender where sender.id = roster_sync.created_by and sender.api = 'partner')`

/** SQL: the roster syncs of the companies of the caller $1, for `from`. */
const syncsOf = (caller: Caller): string => `(select id from ${activeClient(caller)}) caller
  join roster_sync on ${isSeenBy(caller)} ${companiesOf(caller, 'roster_sync.company_id')}
  join company on company.id = roster_sync.company_id`

export interface KnownSync {
  readonly companyId: string
  readonly status: RosterStatus
  /** The hash of its file, in hexadecimal; null: it has none. */
  readonly sha256: string | null
}

/** A roster sync of one of the caller's companies. @throws ApiError 404, and 401 when the client is revoked. */
export async function requireSync(sql: Sql, caller: Caller, id: string): Promise<KnownSync> {
  const { sync } = rowOfActiveClient(
    await sql.query<{ sync: KnownSync | null }>(
      `select (select json_build_object('companyId', company.id, 'status', roster_sync.status, 'sha256', encode(roster_sync.sha256, 'hex'))
         from ${syncsOf(caller)} where roster_sync.id = $2) as sync
       from ${activeClient(caller)}`,
      [caller.clientId, id],
    ),
  )
  if (sync === null) throw syncNotFound()
  return sync
}

/** `{ "result": RosterSync }`. @throws ApiError 404, and 401 when the client is revoked. */
export async function readSyncFor(sql: Sql, caller: Caller, id: string): Promise<string> {
  const { body } = rowOfActiveClient(
    await sql.query<{ body: string | null }>(
      `select (select json_build_object('result', ${syncJson})::text from ${syncsOf(caller)} where roster_sync.id = $2) as body
       from ${activeClient(caller)}`,
      [caller.clientId, id],
    ),
  )
  if (body === null) throw syncNotFound()
  return body
}

const where = {
  'company-tax-id': equals('company.tax_id'),
  status: oneOf('roster_sync.status'),
} satisfies Where<RosterSyncQuery>

/**
 * A page of the roster syncs of the caller's companies, newest first.
 * @throws ApiError 401 when the client is revoked, 403 for a filter by a company that is not the caller's.
 */
export async function listSyncs(sql: Sql, caller: Caller, query: RosterSyncQuery & PageQuery): Promise<Page> {
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(caller.clientId, limit, offset)
  const { 'company-tax-id': companyTaxId } = query
  const company = caller.kind === 'partner' && companyTaxId !== undefined ? parameters.add(companyTaxId) : null
  const selected = `from ${syncsOf(caller)} where ${['true', ...conditionsOf(where, query, parameters)].join(' and ')}`
  const { isEntitled, ...page } = rowOfActiveClient(
    await sql.queryPlanned<Page & { isEntitled: boolean }>(
      `select ${isEntitledTo(company)} as "isEntitled", (select count(*) ${selected}) as total, (
         select coalesce(json_agg(page.item), '[]')::text from (
           select ${syncJson} as item ${selected} order by roster_sync.created_at desc, roster_sync.id desc limit $2 offset $3) page) as items
       from ${activeClient(caller)}`,
      parameters.values,
    ),
  )
  if (!isEntitled) throw notEntitled('company')
  return page
}
