import { required } from '../core/log.ts'
import type { Sql } from '../core/database.ts'
import { isChange } from '../enrollments/open-movement.ts'
import { insertBenefits, updateBenefits, type WrittenBenefit } from '../benefits/write.ts'
import { type InsertedMember, insertMembers, registrationJson, updateMembers } from '../members/write.ts'

/* The statements over a chunk of lines. JSON is passed as text: the worker thread serializes and parses it. */

/**
 * Reads the facts of a chunk's companies and people (`ImportFacts`) as JSON, from one snapshot.
 * @param people JSON of `[{ companyTaxId, taxId }]`, each once; a null CPF: the company alone.
 */
export async function readImportFacts(sql: Sql, importId: string, people: string): Promise<string> {
  const [row] = await sql.queryPlanned<{ facts: string }>(
    `with requested as materialized (
       select a."companyTaxId" as company_tax_id, a."taxId" as tax_id
       from json_to_recordset($2::json) as a("companyTaxId" bpchar, "taxId" bpchar)
     ), target as materialized (
       select c.id, c.tax_id from company c where c.tax_id = any(array(select distinct company_tax_id from requested))
     ), person as materialized (
       select t.id as company_id, a.tax_id, m.id
       from requested a
       join target t on t.tax_id = a.company_tax_id
       left join (
         select m.id, m.company_id, m.tax_id from requested a
         join target t on t.tax_id = a.company_tax_id
         join member m on m.company_id = t.id and m.tax_id = a.tax_id
       ) m on m.company_id = t.id and m.tax_id = a.tax_id
     ), held as materialized (
       select b.company_id, b.id, n.tax_id from person n join benefit b on b.company_id = n.company_id and b.member_id = n.id
     ), replaced as materialized (
       select s.replaces_id as id, s.status = 'pending' as is_ahead from held h
       join benefit s on s.replaces_company_id = h.company_id and s.replaces_id = h.id
     ), stored_benefit as (
       select json_build_object('id', b.id, 'companyId', b.company_id, 'taxId', h.tax_id, 'productId', b.product_id,
         'type', b.type, 'status', b.status, 'startDate', b.start_date, 'endDate', b.end_date, 'cardNumber', b.card_number,
         'primaryTaxId', (select p.tax_id from member p where p.company_id = b.company_id and p.id = b.primary_member_id),
         'dependentType', b.dependent_type, 'isMoving', exists (
           select 1 from open_movement o where o.company_id = b.company_id and o.benefit_id = b.id and ${isChange('o')})
           or b.id in (select id from replaced where is_ahead),
         'isReplaced', b.id in (select id from replaced where not is_ahead)) as benefit, b.created_at, b.id
       from held h join benefit b on b.company_id = h.company_id and b.id = h.id
     ), dry_run_benefit as (
       select json_build_object('id', k.benefit_id, 'companyId', k.company_id, 'taxId', k.tax_id, 'productId', k.product_id,
         'type', k.type, 'status', k.status, 'startDate', k.start_date, 'endDate', k.end_date) as benefit
       from person n
       join member_import_dry_run_benefit k on k.company_id = n.company_id and k.import_id = $1 and k.tax_id = n.tax_id
     )
     select json_build_object(
       'companies', coalesce((select json_agg(json_build_object('id', t.id, 'taxId', t.tax_id, 'products', coalesce((
           select json_agg(json_build_object('id', p.id, 'nameKey', p.name_key, 'dependentTypes', p.allowed_dependent_types))
           from product p where p.company_id = t.id and p.retired_at is null), '[]'))) from target t), '[]'),
       'people', coalesce((select json_agg(json_build_array(n.company_id, n.tax_id)) from person n where n.id is not null), '[]'),
       'benefits', coalesce((select json_agg(x.benefit) from (
           select benefit, created_at, id from stored_benefit union all select benefit, null, null from dry_run_benefit
           order by created_at nulls last, id) x), '[]'),
       'openTransfers', coalesce((select json_agg(json_build_object('companyId', n.company_id, 'taxId', n.tax_id,
           'productId', e.destination_product_id, 'type', e.member_type))
         from person n join open_movement e on e.member_tax_id = n.tax_id and e.destination_company_id = n.company_id
         where e.new_benefit_id is not null), '[]'))::text as facts`,
    [importId, people],
  )
  return required(row, 'row of facts').facts
}

const peopleRows = `json_to_recordset($1::json) as a("companyId" uuid, "taxId" bpchar, data jsonb)`

const memberOf = (taxId: string) => `member m on m.company_id = a."companyId" and m.tax_id = ${taxId}`

/** Inserts people who are not members of their company yet. @returns those inserted; another transaction may have inserted others. */
export async function insertNewMembers(
  sql: Sql,
  memberKey: Buffer,
  newPeople: string,
  at: Date,
): Promise<InsertedMember[]> {
  const text = `select a."companyId" as company_id, a."taxId" as tax_id, null::uuid as id, a.data from ${peopleRows}`
  return insertMembers(sql, memberKey, at, { text, values: [newPeople] })
}

/** Updates the registration data of members, field by field, unless they are the same already. */
export async function updateKnownMembers(sql: Sql, knownPeople: string, at: Date): Promise<void> {
  const text = `select m.company_id, m.id, a.data from ${peopleRows}
    join ${memberOf('a."taxId"')}
    where not ${registrationJson('m')} @> a.data
    order by m.company_id, m.id`
  await updateMembers(sql, at, { text, values: [knownPeople] })
}

const benefitRows = `json_to_recordset($1::json) as a(id uuid, "companyId" uuid, "taxId" bpchar, "productId" uuid, type text,
  status text, "startDate" date, "endDate" date, "cardNumber" text, "primaryTaxId" bpchar, "dependentType" text,
  "wasStatus" text, "wasEndDate" date)`

/** Joined by itself: after another join, which is estimated at one row, the planner reads the whole company for each row. */
const primaryOfRow = `left join (select a.id as benefit_id, m.id from ${benefitRows} join ${memberOf('a."primaryTaxId"')}) p on p.benefit_id = a.id`

/** Inserts benefits of existing members with existing primaries. @returns those inserted. */
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
    from: `${benefitRows}
      join ${memberOf('a."taxId"')}
      ${primaryOfRow}
      where a."primaryTaxId" is null or p.id is not null`,
    values: [newBenefits],
  })
}

export interface ChangedBenefit extends WrittenBenefit {
  readonly previousStatus: string
}

/** Updates benefits whose status and end are still those that were judged. @returns those updated. */
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
      select a.*, p.id as primary_id from ${benefitRows}
      ${primaryOfRow}
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
  const benefits = JSON.parse(primaries) as readonly { readonly companyId: string; readonly id: string }[]
  let count = 0
  for (const [companyId, rows] of Map.groupBy(benefits, (row) => row.companyId)) {
    const locked = await sql.queryPlanned(
      `select b.id from benefit b where b.company_id = $1 and b.id = any($2::uuid[]) and b.status = 'active' order by b.id for share`,
      [companyId, rows.map(({ id }) => id)],
    )
    count += locked.length
  }
  return count
}

/** Upserts the benefits that lines of a dry run would insert or update; the lines after them are judged by these. */
export async function insertDryRunBenefits(sql: Sql, importId: string, benefits: string): Promise<void> {
  await sql.queryPlanned(
    `insert into member_import_dry_run_benefit (company_id, import_id, tax_id, benefit_id, product_id, type, status, start_date, end_date)
     select a."companyId", $2::uuid, a."taxId", a.id, a."productId", a.type, a.status, a."startDate", a."endDate" from ${benefitRows}
     on conflict (company_id, import_id, tax_id, benefit_id) do update set status = excluded.status, end_date = excluded.end_date`,
    [benefits, importId],
  )
}
