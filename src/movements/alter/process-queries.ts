import type { AlterationRequest } from '../../domain/alteration-data.ts'
import type { BeneficiaryType } from '../../domain/enums.ts'
import type { Sql } from '../../core/database.ts'
import type { Chunk } from '../batch/progress.ts'

/** A row of `staged_alteration`. */
export interface StagedAlteration {
  readonly memberId: string
  readonly taxId: string
  readonly destinationCompanyId: string
  readonly alteration: AlterationRequest
  readonly parts: readonly { readonly type: BeneficiaryType; readonly 'product-name': string }[]
}

export interface ChunkSummary {
  readonly entries: readonly StagedAlteration[]
  /** The benefits of the people, which are locked. */
  readonly benefitIds: readonly string[]
  /** Whether an unprocessed request of the company that was accepted earlier alters one of them: it must be processed first. */
  readonly hasEarlier: boolean
}

export async function readChunk(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<ChunkSummary> {
  const [row] = await sql.query<ChunkSummary>(
    `with staged as materialized (
       select * from staged_alteration where company_id = $1 and request_id = $2 and chunk = $3
     ), earlier as materialized (
       select o.member_id from staged_alteration o
       where o.company_id = $1 and o.request_id = any(array(
         select w.target_id from work own join work w on (w.created_at, w.target_id) < (own.created_at, own.target_id)
         where own.company_id = $1 and own.target_id = $2 and w.company_id = $1))
     )
     select
       coalesce((select json_agg(json_build_object('memberId', s.member_id, 'taxId', s.tax_id,
         'destinationCompanyId', s.destination_company_id, 'alteration', s.alteration, 'parts', s.parts) order by s.member_index)
         from staged s), '[]') as entries,
       array(select b.id from staged s join benefit b on b.company_id = $1 and b.member_id = s.member_id
         where b.status in ('pending', 'active')) as "benefitIds",
       exists (select 1 from staged s join earlier e on e.member_id = s.member_id) as "hasEarlier"`,
    [companyId, requestId, chunk],
  )
  return row ?? { entries: [], benefitIds: [], hasEarlier: false }
}
