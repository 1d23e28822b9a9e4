import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'

/** A page of the imports, newest first, without their errors, and their total. */
export async function listImports(sql: Sql, bounds: { limit: number; offset: number }): Promise<Page> {
  const rows = await sql.query<Page>(
    `select (select count(*) from member_import) as total,
       (select coalesce(json_agg(json_build_object('import-id', page.id, 'status', status, 'dry-run', dry_run, 'lines', lines,
          'accepted', accepted, 'rejected', rejected, 'file-name', file_name, 'company-name', company.name,
          'actor-name', coalesce(client.name, page.actor), 'created-at', iso(page.created_at), 'finished-at', iso(finished_at))
          order by page.created_at desc, page.id desc), '[]')::text
        from (select * from member_import order by created_at desc, id desc limit $1 offset $2) page
        left join client on client.id = page.actor left join company on company.tax_id = page.company_tax_id) as items`,
    [bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
