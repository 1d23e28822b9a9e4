import type { Sql } from '../platform/database.ts'
import { isOpen } from '../enrollments/is-open.ts'

/*
 * What a chunk of lines asks of the book and writes into it. Texts of JSON go in and out as they are: they are made and read
 * in the thread that judges.
 */

/**
 * Everything about the companies and people of a chunk that the judge needs (`ImportFacts`), of one moment.
 * @param asked JSON of `[{ companyTaxId, taxId }]`, each once; a null CPF asks for the company alone.
 */
export async function readImportFacts(sql: Sql, importId: string, asked: string): Promise<string> {
  const [row] = await sql.planned<{ facts: string }>(
    `with asked as materialized (
       select a."companyTaxId" as company_tax_id, a."taxId" as tax_id
       from json_to_recordset($2::json) as a("companyTaxId" bpchar, "taxId" bpchar)
     ), target as materialized (
       select c.id, c.tax_id from company c where c.tax_id = any(array(select distinct company_tax_id from asked))
     ), person as materialized (
       select t.id as company_id, a.tax_id, m.id
       from asked a
       join target t on t.tax_id = a.company_tax_id
       left join lateral (
         select m.id from member m where m.company_id = t.id and m.tax_id = a.tax_id limit 1) m on true
     ), known as (
       select json_build_object('id', b.id, 'companyId', b.company_id, 'taxId', n.tax_id, 'productId', b.product_id,
         'type', b.type, 'status', b.status, 'startDate', b.start_date, 'endDate', b.end_date, 'cardNumber', b.card_number,
         'primaryTaxId', (select p.tax_id from member p where p.company_id = n.company_id and p.id = b.primary_member_id),
         'dependentType', b.dependent_type, 'isMoving', exists (
           select 1 from enrollment e where e.company_id = n.company_id and e.benefit_id = b.id and ${isOpen('e')}
             and (e.enrollment_type = 'exclusion' or e.new_benefit_id is not null))
           or exists (select 1 from benefit s where s.replaces_company_id = n.company_id and s.replaces_id = b.id
             and s.status = 'pending')) as benefit
       from person n
       cross join lateral (
         select b.* from benefit b where b.company_id = n.company_id and b.member_id = n.id order by b.created_at, b.id) b
       where n.id is not null
     ), claimed as (
       select json_build_object('id', k.benefit_id, 'companyId', k.company_id, 'taxId', k.tax_id, 'productId', k.product_id,
         'type', k.type, 'status', k.status, 'startDate', k.start_date, 'endDate', k.end_date, 'isMoving', false) as benefit
       from person n
       join member_import_dry_run_benefit k on k.company_id = n.company_id and k.import_id = $1 and k.tax_id = n.tax_id
     )
     select json_build_object(
       'companies', coalesce((select json_agg(json_build_object('id', t.id, 'taxId', t.tax_id, 'products', coalesce((
           select json_agg(json_build_object('id', p.id, 'nameKey', p.name_key, 'dependentTypes', p.allowed_dependent_types))
           from product p where p.company_id = t.id and p.retired_at is null), '[]'))) from target t), '[]'),
       'people', coalesce((select json_agg(json_build_array(n.company_id, n.tax_id)) from person n where n.id is not null), '[]'),
       'benefits', coalesce((select json_agg(x.benefit) from (
           select benefit from known union all select benefit from claimed) x), '[]'),
       'awaited', coalesce((select json_agg(json_build_object('companyId', n.company_id, 'taxId', n.tax_id,
           'productId', e.destination_product_id, 'type', e.member_type))
         from person n join enrollment e on e.member_tax_id = n.tax_id and e.destination_company_id = n.company_id
         where e.new_benefit_id is not null and ${isOpen('e')}), '[]'))::text as facts`,
    [importId, asked],
  )
  return row?.facts ?? ''
}

const people = `json_to_recordset($1::json) as a("companyId" uuid, "taxId" bpchar, "memberId" uuid, data jsonb)`
const columns = `array['name', 'mothers-name', 'date-of-birth', 'gender', 'marital-status', 'admission-date', 'employee-id',
  'cost-center', 'salary']`

/** Makes members whom their company does not know. @returns how many; an id or a CPF may be taken meanwhile. */
export async function insertMembers(sql: Sql, newPeople: string, at: Date): Promise<number> {
  const [row] = await sql.planned<{ made: number }>(
    `with made as (
       insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, admission_date,
         employee_id, cost_center, salary, details, created_at, updated_at)
       select a."companyId", a."memberId", a."taxId", a.data->>'name', a.data->>'mothers-name',
         (a.data->>'date-of-birth')::date, a.data->>'gender', a.data->>'marital-status', (a.data->>'admission-date')::date,
         a.data->>'employee-id', a.data->>'cost-center', (a.data->>'salary')::bigint, a.data - ${columns}, $2::timestamptz,
         $2::timestamptz
       from ${people}
       on conflict do nothing
       returning 1
     ) select count(*)::int as made from made`,
    [newPeople, at],
  )
  return row?.made ?? 0
}

/** Those of the new people whom no row bears, because their id is somebody's whose CPF was corrected: as JSON, and how many. */
export async function readUnplaced(sql: Sql, newPeople: string): Promise<{ companyId: string; taxId: string }[]> {
  return sql.planned(
    `select a."companyId", a."taxId" from ${people}
     where not exists (select 1 from member m where m.company_id = a."companyId" and m.tax_id = a."taxId")`,
    [newPeople],
  )
}

/** Gives people of `newPeople` other ids, and drops whoever needs none. @returns the JSON of those. */
export async function reassignIds(
  sql: Sql,
  newPeople: string,
  ids: readonly { companyId: string; taxId: string; memberId: string }[],
): Promise<string> {
  const [row] = await sql.planned<{ renamed: string }>(
    `select json_agg(json_build_object('companyId', a."companyId", 'taxId', a."taxId", 'memberId', i."memberId", 'data', a.data))::text
       as renamed
     from ${people}
     join json_to_recordset($2::json) as i("companyId" uuid, "taxId" bpchar, "memberId" uuid)
       on i."companyId" = a."companyId" and i."taxId" = a."taxId"`,
    [newPeople, JSON.stringify(ids)],
  )
  return row?.renamed ?? '[]'
}

/** Brings the profiles of members up to date, field by field; a row that says the same already is left alone. */
export async function updateMembers(sql: Sql, knownPeople: string, at: Date): Promise<void> {
  await sql.planned(
    `update member m set name = n.name, mothers_name = n.mothers_name, date_of_birth = n.date_of_birth, gender = n.gender,
       marital_status = n.marital_status, admission_date = n.admission_date, employee_id = n.employee_id,
       cost_center = n.cost_center, salary = n.salary, details = n.details, updated_at = $2
     from (
       select a."companyId", o.id, a.data->>'name' as name, a.data->>'mothers-name' as mothers_name,
         (a.data->>'date-of-birth')::date as date_of_birth, a.data->>'gender' as gender,
         coalesce(a.data->>'marital-status', o.marital_status) as marital_status,
         coalesce((a.data->>'admission-date')::date, o.admission_date) as admission_date,
         coalesce(a.data->>'employee-id', o.employee_id) as employee_id,
         coalesce(a.data->>'cost-center', o.cost_center) as cost_center,
         coalesce((a.data->>'salary')::bigint, o.salary) as salary, o.details || (a.data - ${columns}) as details
       from ${people}
       cross join lateral (
         select o.* from member o where o.company_id = a."companyId" and o.tax_id = a."taxId" limit 1) o
       order by o.company_id, o.id
     ) n
     where m.company_id = n."companyId" and m.id = n.id
       and (m.name, m.mothers_name, m.date_of_birth, m.gender, m.marital_status, m.admission_date, m.employee_id, m.cost_center,
         m.salary, m.details) is distinct from (n.name, n.mothers_name, n.date_of_birth, n.gender, n.marital_status,
         n.admission_date, n.employee_id, n.cost_center, n.salary, n.details)`,
    [knownPeople, at],
  )
}

const benefits = `json_to_recordset($1::json) as a(id uuid, "companyId" uuid, "taxId" bpchar, "productId" uuid, type text,
  status text, "startDate" date, "endDate" date, "cardNumber" text, "primaryTaxId" bpchar, "dependentType" text,
  "wasStatus" text, "wasEndDate" date)`

/** Begins benefits of members who have a row, and whose primary has. @returns how many. */
export async function insertBenefits(sql: Sql, begun: string, at: Date): Promise<number> {
  const [row] = await sql.planned<{ made: number }>(
    `with made as (
       insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date,
         end_date, card_number, created_at, updated_at)
       select a."companyId", a.id, m.id, a."productId", a.type, p.id, a."dependentType", a.status, a."startDate", a."endDate",
         a."cardNumber", $2::timestamptz, $2::timestamptz
       from ${benefits}
       cross join lateral (
         select m.id from member m where m.company_id = a."companyId" and m.tax_id = a."taxId" limit 1) m
       left join lateral (
         select p.id from member p where p.company_id = a."companyId" and p.tax_id = a."primaryTaxId" limit 1) p on true
       where a."primaryTaxId" is null or p.id is not null
       returning 1
     ) select count(*)::int as made from made`,
    [begun, at],
  )
  return row?.made ?? 0
}

export interface Turned {
  readonly companyId: string
  readonly id: string
  readonly memberId: string
  readonly status: 'active' | 'inactive'
}

/**
 * Changes benefits that still are as they were judged.
 * @returns how many, and those whose status turned.
 */
export async function updateBenefits(
  sql: Sql,
  changed: string,
  at: Date,
): Promise<{ changed: number; turned: Turned[] }> {
  const [row] = await sql.planned<{ changed: number; turned: Turned[] }>(
    `with asked as materialized (
       select a.*, p.id as primary_id from ${benefits}
       left join lateral (
         select p.id from member p where p.company_id = a."companyId" and p.tax_id = a."primaryTaxId" limit 1) p on true
       where a."primaryTaxId" is null or p.id is not null
       order by a.id
     ), written as (
       update benefit b set status = a.status, end_date = a."endDate", card_number = a."cardNumber",
         primary_member_id = a.primary_id, dependent_type = a."dependentType", updated_at = $2
       from asked a
       where b.company_id = a."companyId" and b.id = a.id and b.status = a."wasStatus"
         and b.end_date is not distinct from a."wasEndDate"
       returning b.company_id, b.id, b.member_id, b.status, a."wasStatus" as was
     )
     select count(*)::int as changed, coalesce(json_agg(json_build_object('companyId', w.company_id, 'id', w.id,
       'memberId', w.member_id, 'status', w.status))
       filter (where w.status <> w.was), '[]') as turned
     from written w`,
    [changed, at],
  )
  return row ?? { changed: 0, turned: [] }
}

/**
 * Holds the primaries' benefits that dependents join, so that none ends before those are kept: an update that changes
 * nothing, because a row lock would have to name one company.
 * @returns how many are active.
 */
export async function lockBenefits(sql: Sql, held: string): Promise<number> {
  const [row] = await sql.planned<{ held: number }>(
    `with held as (
       update benefit b set updated_at = b.updated_at
       from (select a.id, a."companyId" from ${benefits} order by a.id) a
       where b.company_id = a."companyId" and b.id = a.id and b.status = 'active'
       returning 1
     ) select count(*)::int as held from held`,
    [held],
  )
  return row?.held ?? 0
}

/** Notes what lines of a dry run would have made. */
export async function claimBenefits(sql: Sql, importId: string, claimed: string): Promise<void> {
  await sql.planned(
    `insert into member_import_dry_run_benefit (company_id, import_id, tax_id, benefit_id, product_id, type, status, start_date, end_date)
     select a."companyId", $2::uuid, a."taxId", a.id, a."productId", a.type, a.status, a."startDate", a."endDate" from ${benefits}
     on conflict (company_id, import_id, tax_id, benefit_id) do update set status = excluded.status, end_date = excluded.end_date`,
    [claimed, importId],
  )
}
