import type { Sql } from '../platform/database.ts'
import { updateMembers } from '../members/write.ts'

/**
 * Applies the registration data of completed movements: of inclusions of people who were members already, and of alterations, once per
 * request. Data of several movements of one person apply in the order of their creation.
 */
export async function applyRegistrationData(
  sql: Sql,
  companyId: string,
  at: Date,
  enrollmentIds: readonly string[],
): Promise<void> {
  const alterations = await sql.queryPlanned<{ id: string }>(
    `update request r set applied_at = $2
     where r.company_id = $1 and r.request_type = 'alteration' and r.applied_at is null
       and r.id in (select request_id from enrollment where company_id = $1 and id = any($3::uuid[]))
     returning r.id`,
    [companyId, at, enrollmentIds],
  )
  await updateMembers(sql, at, {
    text: `
      select x.company_id, x.member_id as id, jsonb_object_agg(field.key, field.value order by x.created_at, x.id) as data
      from (
        select distinct on (e.request_id, e.member_id) e.company_id, e.member_id, e.created_at, e.id,
          case e.enrollment_type when 'inclusion' then e.data else e.data->'registration' end as data
        from enrollment e
        where e.company_id = $1 and e.id = any($2::uuid[])
          and (e.updates_profile or (e.data ? 'registration' and e.request_id = any($3::uuid[])))
        order by e.request_id, e.member_id, e.id
      ) x cross join lateral jsonb_each(x.data) field
      group by x.company_id, x.member_id`,
    values: [companyId, enrollmentIds, alterations.map(({ id }) => id)],
  })
}
