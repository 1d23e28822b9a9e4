import type { Sql } from '#platform/core/database.ts'
import { deleteDocuments } from './statements.ts'

/** Deletes the documents of those of the movements that were rejected or cancelled. @returns the keys of their files. */
export async function eraseRefusedDocuments(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
): Promise<readonly string[]> {
  const emptied = await sql.query<{ ids: string[] }>(
    `with refused as materialized (
       select id, data->'documents' as documents from enrollment
       where company_id = $1 and id = any($2::uuid[]) and status in ('rejected', 'cancelled')
         and jsonb_typeof(data->'documents') = 'array'
     )
     update enrollment set data = data - 'documents' from refused where enrollment.company_id = $1 and enrollment.id = refused.id
     returning array(select item->>'document-id' from jsonb_array_elements(refused.documents) as sent(item)) as ids`,
    [companyId, enrollmentIds],
  )
  const ids = emptied.flatMap((row) => row.ids)
  const [used] = await sql.query<{ ids: string[] }>(
    `with owner as materialized (select distinct request_id as id from document where company_id = $1 and id = any($2::uuid[]))
     select coalesce(array_agg(distinct item->>'document-id'), '{}') as ids from enrollment
     cross join lateral jsonb_array_elements(case jsonb_typeof(enrollment.data->'documents') when 'array'
       then enrollment.data->'documents' else '[]' end) as sent(item)
     where enrollment.company_id = $1 and enrollment.request_id in (
       select owner.id from owner
       union all
       select request.id from request where request.company_id = $1 and request.draft_id in (select owner.id from owner))`,
    [companyId, ids],
  )
  return deleteDocuments(
    sql,
    companyId,
    ids.filter((id) => used?.ids.includes(id) !== true),
  )
}
