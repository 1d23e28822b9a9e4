import type { Sql } from '../platform/database.ts'

const columns = `array['name', 'mothers-name', 'date-of-birth', 'gender', 'marital-status', 'admission-date', 'employee-id',
  'cost-center', 'salary', 'tax-id', 'documents']`

/**
 * Applies what completed movements tell of the people: the profile of an inclusion of somebody who was a member already, and
 * an alteration's registration data, once per request. Several of one person apply in the order in which they were asked.
 */
export async function applyProfiles(
  sql: Sql,
  companyId: string,
  at: Date,
  enrollmentIds: readonly string[],
): Promise<void> {
  await sql.planned(
    `with applied as (
       update request r set applied_at = $2
       where r.company_id = $1 and r.request_type = 'alteration' and r.applied_at is null
         and r.id in (select request_id from enrollment where company_id = $1 and id = any($3::uuid[]))
       returning r.id
     ), told as (
       select distinct on (e.request_id, e.member_id) e.member_id, e.created_at, e.id,
         case e.enrollment_type when 'inclusion' then e.data else e.data->'registration' end as data
       from enrollment e
       where e.company_id = $1 and e.id = any($3::uuid[])
         and (e.updates_profile or (e.data ? 'registration' and e.request_id in (select id from applied)))
       order by e.request_id, e.member_id, e.id
     ), known as (
       select t.member_id, jsonb_object_agg(k.key, k.value order by t.created_at, t.id) as data
       from told t cross join lateral jsonb_each(t.data) k group by t.member_id
     )
     update member m set
       tax_id = coalesce((k.data->>'tax-id')::bpchar, m.tax_id),
       name = coalesce(k.data->>'name', m.name),
       mothers_name = coalesce(k.data->>'mothers-name', m.mothers_name),
       date_of_birth = coalesce((k.data->>'date-of-birth')::date, m.date_of_birth),
       gender = coalesce(k.data->>'gender', m.gender),
       marital_status = coalesce(k.data->>'marital-status', m.marital_status),
       admission_date = coalesce((k.data->>'admission-date')::date, m.admission_date),
       employee_id = coalesce(k.data->>'employee-id', m.employee_id),
       cost_center = coalesce(k.data->>'cost-center', m.cost_center),
       salary = coalesce((k.data->>'salary')::bigint, m.salary),
       details = m.details || (k.data - ${columns}),
       updated_at = $2
     from known k
     where m.company_id = $1 and m.id = k.member_id`,
    [companyId, at, enrollmentIds],
  )
}
