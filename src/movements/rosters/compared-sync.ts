import type { StartOption } from '#kernel/enums.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { RosterState } from '#kernel/roster-syncs.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Intake } from '../rules/intake.ts'
import type { RosterTally } from '../rules/roster.ts'
import { emptyTally } from '../rules/roster-doubts.ts'

/** What `within` says, in wire keys. */
export interface Within {
  readonly 'cost-centers'?: readonly string[]
  readonly 'employee-company-tax-ids'?: readonly string[]
  readonly 'product-types'?: readonly string[]
  readonly 'product-ids'?: readonly string[]
}

/** A roster sync that is compared. */
export interface ComparedSync {
  readonly companyId: string
  readonly id: string
  readonly companyTaxId: string
  readonly actor: ClientActor
  readonly states: readonly RosterState[]
  readonly within: Within
  readonly scopeKey: string
  readonly asOf: LocalDate
  readonly peopleCount: number | null
  readonly defaults: { readonly 'start-option'?: StartOption; readonly products?: readonly string[] }
  readonly acceptDoubts: readonly string[]
  readonly automatic: boolean
  readonly reference: string | null
  readonly intake: Intake | null
  readonly storageKey: string
  readonly sha256: string
  readonly lines: number
  readonly refusedLines: number
  readonly suspiciousLines: number
  readonly isComplete: boolean
  readonly hasMovementSheets: boolean
  readonly of: number | null
  readonly compared: number
  readonly through: string | null
  readonly tally: RosterTally
}

/** Locks a sync until the transaction ends; null when it is not compared any more. */
export async function lockCompared(sql: Sql, companyId: string, syncId: string): Promise<ComparedSync | null> {
  await sql.query('select from roster_sync where company_id = $1 and id = $2 for update', [companyId, syncId])
  const [row] = await sql.query<
    ComparedSync & { clientId: string; kind: ClientActor['kind']; address: string; traceId: string }
  >(
    `select roster_sync.company_id as "companyId", roster_sync.id, company.tax_id as "companyTaxId", client.id as "clientId", client.api as kind,
       roster_sync.address, roster_sync.request_trace_id as "traceId", states, within, scope_key as "scopeKey", as_of as "asOf",
       people_count as "peopleCount", defaults, accept_doubts as "acceptDoubts", automatic, reference, intake, storage_key as "storageKey",
       encode(sha256, 'hex') as sha256, lines, refused_lines as "refusedLines",
       suspicious_lines as "suspiciousLines", is_complete as "isComplete", has_movement_sheets as "hasMovementSheets", of, compared,
       compared_through as through, tally
     from roster_sync join company on company.id = roster_sync.company_id join client on client.id = roster_sync.created_by
     where roster_sync.company_id = $1 and roster_sync.id = $2 and roster_sync.status = 'comparing'`,
    [companyId, syncId],
  )
  if (row === undefined) return null
  const { clientId, kind, address, traceId, tally, ...sync } = row
  return { ...sync, actor: { kind, clientId, origin: { address, traceId } }, tally: { ...emptyTally, ...tally } }
}
