import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'

/** A page of the imports, newest first, without their errors, and their total. */
export async function listImports(sql: Sql, bounds: { limit: number; offset: number }): Promise<Page> {
  const rows = await sql.query<Page>(
    `select (select count(*) from member_import) as total,
       (select coalesce(json_agg(json_build_object('import-id', id, 'status', status, 'dry-run', dry_run, 'lines', lines,
          'accepted', accepted, 'rejected', rejected, 'created-at', iso(created_at), 'finished-at', iso(finished_at))
          order by created_at desc, id desc), '[]')::text
        from (select * from member_import order by created_at desc, id desc limit $1 offset $2) page) as items`,
    [bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
