import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'

/** A page of the imports, newest first, without their errors, and their total. */
export async function listImports(sql: Sql, bounds: { limit: number; offset: number }): Promise<Page> {
  const rows = await sql.query<Page>(
    `select (select count(*) from member_import) as total,
       (select coalesce(json_agg(json_build_object('import-id', i.id, 'status', i.status, 'dry-run', i.dry_run, 'lines', i.lines,
          'accepted', i.accepted, 'rejected', i.rejected, 'created-at', iso(i.created_at), 'finished-at', iso(i.finished_at))
          order by i.created_at desc, i.id desc), '[]')::text
        from (select * from member_import order by created_at desc, id desc limit $1 offset $2) i) as items`,
    [bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
