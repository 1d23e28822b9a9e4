import type { AlterationRequest } from '../rules/alteration-data.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import type { RequirementItem } from '#registry/rules/requirement.ts'
import type { Sql } from '#platform/core/database.ts'
import { type Chunk, chunkSize, chunkValues, itemsOfChunk } from '../batch/process-queries.ts'

/** The items of an entry. */
export interface AlteredEntry {
  readonly memberId: string
  readonly taxId: string
  readonly destinationCompanyId: string
  readonly alteration: AlterationRequest
  readonly parts: readonly AlteredPart[]
}

export interface AlteredPart {
  readonly type: BeneficiaryType
  readonly 'product-name': string
  readonly 'product-id': string | null
  readonly 'benefit-id': string | null
  readonly 'pending-items': readonly RequirementItem[] | null
}

/** Reads the entries of a chunk in their order. */
export function readEntries(sql: Sql, chunk: Chunk): Promise<AlteredEntry[]> {
  return sql.query<AlteredEntry>(
    `select item.member_id as "memberId", item.tax_id as "taxId", item.destination_company_id as "destinationCompanyId", item.alteration,
       json_agg(json_build_object('type', item.type, 'product-name', item.product_name, 'product-id', item.product_id, 'benefit-id', item.benefit_id, 'pending-items', item.pending_items) order by item.position) as parts
     from ${itemsOfChunk('entry integer, member_id uuid, destination_company_id uuid, alteration jsonb, product_name text, product_id uuid, benefit_id uuid, pending_items jsonb')}
     group by item.entry, item.member_id, item.tax_id, item.destination_company_id, item.alteration
     order by item.entry`,
    chunkValues(chunk),
    chunkSize(chunk),
  )
}

/** Reads the benefits of the people of a chunk, which are locked. */
export async function readBenefitIds(sql: Sql, chunk: Chunk): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select benefit.id from (select distinct item.member_id from ${itemsOfChunk('member_id uuid')}) person
     join benefit on benefit.company_id = $1 and benefit.member_id = person.member_id
     where benefit.status in ('pending', 'active')`,
    chunkValues(chunk),
    chunkSize(chunk),
  )
  return rows.map(({ id }) => id)
}
