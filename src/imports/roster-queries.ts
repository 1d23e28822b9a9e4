import type { Sql } from '../platform/database.ts'
import { isOpen } from '../enrollments/is-open.ts'
import { insertBenefits, updateBenefits, type WrittenBenefit } from '../benefits/write.ts'
import { type InsertedMember, insertMembers, registrationJson, updateMembers } from '../members/write.ts'

/*
 * What a chunk of lines reads of the roster and writes into it. JSON goes in and out as text: it is written and parsed in the thread
 * that judges.
 */

/**
 * The facts of the companies and people of a chunk that its lines are judged by (`ImportFacts`), from one snapshot.
 * @param asked JSON of `[{ companyTaxId, taxId }]`, each once; a null CPF means the company alone.
 */
export async function readImportFacts(sql: Sql, importId: string, lookups: string): Promise<string> {
  const [row] = await sql.queryPlanned<{ facts: string }>(
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
    [importId, lookups],
  )
  return row?.facts ?? ''
}

const people = `json_to_recordset($1::json) as a("companyId" uuid, "taxId" bpchar, data jsonb)`

const memberOf = (taxId: string) =>
  `lateral (select m.* from member m where m.company_id = a."companyId" and m.tax_id = ${taxId} limit 1)`

/** Inserts members whom their company does not know. @returns those inserted; another transaction may have inserted others. */
export async function insertNewMembers(
  sql: Sql,
  memberKey: Buffer,
  newPeople: string,
  at: Date,
): Promise<InsertedMember[]> {
  const text = `select a."companyId" as company_id, a."taxId" as tax_id, null::uuid as id, a.data from ${people}`
  return insertMembers(sql, memberKey, at, { text, values: [newPeople] })
}

/** Updates the registration data of members, field by field; a member whose data are the same already is not updated. */
export async function updateKnownMembers(sql: Sql, knownPeople: string, at: Date): Promise<void> {
  const text = `select m.company_id, m.id, a.data from ${people}
    cross join ${memberOf('a."taxId"')} m
    where not ${registrationJson('m')} @> a.data
    order by m.company_id, m.id`
  await updateMembers(sql, at, { text, values: [knownPeople] })
}

const benefits = `json_to_recordset($1::json) as a(id uuid, "companyId" uuid, "taxId" bpchar, "productId" uuid, type text,
  status text, "startDate" date, "endDate" date, "cardNumber" text, "primaryTaxId" bpchar, "dependentType" text,
  "wasStatus" text, "wasEndDate" date)`

/** Inserts benefits of members who exist, and whose primary exists. @returns those inserted. */
export async function insertNewBenefits(sql: Sql, newBenefits: string, at: Date): Promise<WrittenBenefit[]> {
  return insertBenefits(sql, at, {
    columns: {
      company_id: 'a."companyId"',
      id: 'a.id',
      member_id: 'm.id',
      product_id: 'a."productId"',
      type: 'a.type',
      primary_member_id: 'p.id',
      dependent_type: 'a."dependentType"',
      status: 'a.status',
      start_date: 'a."startDate"',
      end_date: 'a."endDate"',
      card_number: 'a."cardNumber"',
    },
    from: `${benefits}
      cross join ${memberOf('a."taxId"')} m
      left join ${memberOf('a."primaryTaxId"')} p on true
      where a."primaryTaxId" is null or p.id is not null`,
    values: [newBenefits],
  })
}

export interface ChangedBenefit extends WrittenBenefit {
  readonly previousStatus: string
}

/** Updates benefits that are still as they were judged. @returns those updated. */
export async function updateKnownBenefits(sql: Sql, changed: string, at: Date): Promise<ChangedBenefit[]> {
  return updateBenefits<ChangedBenefit>(sql, at, {
    set: {
      status: 'c.status',
      end_date: 'c."endDate"',
      card_number: 'c."cardNumber"',
      primary_member_id: 'c.primary_id',
      dependent_type: 'c."dependentType"',
    },
    from: `(
      select a.*, p.id as primary_id from ${benefits}
      left join ${memberOf('a."primaryTaxId"')} p on true
      where a."primaryTaxId" is null or p.id is not null
      order by a.id) c`,
    where: `b.company_id = c."companyId" and b.id = c.id and b.status = c."wasStatus"
      and b.end_date is not distinct from c."wasEndDate"`,
    values: [changed],
    returning: 'c."wasStatus" as "previousStatus"',
  })
}

/**
 * Locks the primaries' benefits that dependents join, so that none ends before theirs are saved.
 * @returns how many are active.
 */
export async function lockPrimaryBenefits(sql: Sql, primaries: string): Promise<number> {
  const rows = await sql.queryPlanned(
    `select b.id from ${benefits}
     join benefit b on b.company_id = a."companyId" and b.id = a.id and b.status = 'active'
     order by b.id for share of b`,
    [primaries],
  )
  return rows.length
}

/** Saves the benefits that the lines of a dry run would have made or changed, for the lines after them. */
export async function claimBenefits(sql: Sql, importId: string, claimed: string): Promise<void> {
  await sql.queryPlanned(
    `insert into member_import_dry_run_benefit (company_id, import_id, tax_id, benefit_id, product_id, type, status, start_date, end_date)
     select a."companyId", $2::uuid, a."taxId", a.id, a."productId", a.type, a.status, a."startDate", a."endDate" from ${benefits}
     on conflict (company_id, import_id, tax_id, benefit_id) do update set status = excluded.status, end_date = excluded.end_date`,
    [claimed, importId],
  )
}
