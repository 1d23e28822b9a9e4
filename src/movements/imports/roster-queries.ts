import type { Records } from '#platform/core/records.ts'
import { required } from '#platform/core/log.ts'
import type { Sql } from '#platform/core/database.ts'
import { isChange } from '#coverage/enrollments/open-movement.ts'
import { insertBenefits, updateBenefits, type WrittenBenefit } from '#coverage/benefits/write.ts'
import { type InsertedMember, insertMembers, registrationJson, updateMembers } from '#coverage/members/write.ts'

/* The statements over a chunk of lines. JSON is passed as text: the worker thread serializes and parses it. */

/**
 * Reads the facts of a chunk's companies and people (`ImportFacts`) as JSON, from one snapshot.
 * @param people JSON of `[{ companyTaxId, taxId }]`, each once; a null CPF: the company alone.
 */
export async function readImportFacts(sql: Sql, importId: string, people: string): Promise<string> {
  const [row] = await sql.queryPlanned<{ facts: string }>(
    `with requested as materialized (
       select "companyTaxId" as company_tax_id, "taxId" as tax_id
       from json_to_recordset($2::json) as sent("companyTaxId" bpchar, "taxId" bpchar)
     ), target as materialized (
       select id, tax_id from company where tax_id = any(array(select distinct company_tax_id from requested))
     ), person as materialized (
       select target.id as company_id, requested.tax_id, member.id
       from requested
       join target on target.tax_id = requested.company_tax_id
       left join (
         select member.id, member.company_id, member.tax_id from requested
         join target on target.tax_id = requested.company_tax_id
         join member on member.company_id = target.id and member.tax_id = requested.tax_id
       ) member on member.company_id = target.id and member.tax_id = requested.tax_id
     ), held as materialized (
       select benefit.company_id, benefit.id, person.tax_id from person
       join benefit on benefit.company_id = person.company_id and benefit.member_id = person.id
     ), replaced as materialized (
       select replacing.replaces_id as id, replacing.status = 'pending' as is_ahead from held
       join benefit replacing on replacing.replaces_company_id = held.company_id and replacing.replaces_id = held.id
     ), stored_benefit as (
       select json_build_object('id', benefit.id, 'companyId', benefit.company_id, 'taxId', held.tax_id, 'productId', benefit.product_id,
         'type', benefit.type, 'status', benefit.status, 'startDate', benefit.start_date, 'endDate', benefit.end_date,
         'cardNumber', benefit.card_number,
         'primaryTaxId', (select tax_id from member where company_id = benefit.company_id and id = benefit.primary_member_id),
         'dependentType', benefit.dependent_type, 'isMoving', exists (
           select 1 from open_movement where company_id = benefit.company_id and benefit_id = benefit.id and ${isChange('open_movement')})
           or benefit.id in (select id from replaced where is_ahead),
         'isReplaced', benefit.id in (select id from replaced where not is_ahead)) as benefit, benefit.created_at, benefit.id
       from held join benefit on benefit.company_id = held.company_id and benefit.id = held.id
     ), dry_run_benefit as (
       select json_build_object('id', benefit_id, 'companyId', person.company_id, 'taxId', person.tax_id, 'productId', product_id,
         'type', type, 'status', status, 'startDate', start_date, 'endDate', end_date) as benefit
       from person
       join member_import_dry_run_benefit dry_run on dry_run.company_id = person.company_id
         and dry_run.import_id = $1 and dry_run.tax_id = person.tax_id
     )
     select json_build_object(
       'companies', coalesce((select json_agg(json_build_object('id', target.id, 'taxId', target.tax_id, 'products', coalesce((
           select json_agg(json_build_object('id', id, 'nameKey', name_key, 'dependentTypes', allowed_dependent_types,
             'ageLimits', age_limits))
           from product where company_id = target.id and retired_at is null), '[]'))) from target), '[]'),
       'people', coalesce((select json_agg(json_build_array(person.company_id, person.tax_id)) from person where person.id is not null), '[]'),
       'benefits', coalesce((select json_agg(known.benefit) from (
           select benefit, created_at, id from stored_benefit union all select benefit, null, null from dry_run_benefit
           order by created_at nulls last, id) known), '[]'),
       'openTransfers', coalesce((select json_agg(json_build_object('companyId', person.company_id, 'taxId', person.tax_id,
           'productId', open_movement.destination_product_id, 'type', open_movement.member_type))
         from person
         join open_movement on open_movement.member_tax_id = person.tax_id and open_movement.destination_company_id = person.company_id
         where open_movement.new_benefit_id is not null), '[]'))::text as facts`,
    [importId, people],
  )
  return required(row, 'row of facts').facts
}

const peopleRows = `json_to_recordset($1::json) as line("companyId" uuid, "taxId" bpchar, data jsonb)`

const memberOf = (taxId: string) => `member on member.company_id = line."companyId" and member.tax_id = ${taxId}`

/** Inserts people who are not members of their company yet. @returns those inserted; another transaction may have inserted others. */
export async function insertNewMembers(
  sql: Sql,
  memberKey: Buffer,
  newPeople: Records,
  at: Date,
): Promise<InsertedMember[]> {
  const text = `select line."companyId" as company_id, line."taxId" as tax_id, null::uuid as id, line.data from ${peopleRows}`
  return insertMembers(sql, memberKey, at, { text, values: [newPeople] })
}

/** Updates the registration data of members, field by field, unless they are the same already. */
export async function updateKnownMembers(sql: Sql, knownPeople: Records, at: Date): Promise<void> {
  const text = `select member.company_id, member.id, line.data from ${peopleRows}
    join ${memberOf('line."taxId"')}
    where not ${registrationJson('member')} @> line.data
    order by member.company_id, member.id`
  await updateMembers(sql, at, { text, values: [knownPeople] })
}

const benefitRows = `json_to_recordset($1::json) as line(id uuid, "companyId" uuid, "taxId" bpchar, "productId" uuid, type text,
  status text, "startDate" date, "endDate" date, "cardNumber" text, "primaryTaxId" bpchar, "dependentType" text,
  "wasStatus" text, "wasEndDate" date)`

/** Joined by itself: after another join, which is estimated at one row, the planner reads the whole company for each row. */
const primaryOfRow = `left join (
    select line.id as benefit_id, member.id from ${benefitRows} join ${memberOf('line."primaryTaxId"')}
  ) primary_member on primary_member.benefit_id = line.id`

/** Inserts benefits of existing members with existing primaries. @returns those inserted. */
export async function insertNewBenefits(sql: Sql, newBenefits: Records, at: Date): Promise<WrittenBenefit[]> {
  return insertBenefits(sql, at, {
    columns: {
      company_id: 'line."companyId"',
      id: 'line.id',
      member_id: 'member.id',
      product_id: 'line."productId"',
      type: 'line.type',
      primary_member_id: 'primary_member.id',
      dependent_type: 'line."dependentType"',
      status: 'line.status',
      start_date: 'line."startDate"',
      end_date: 'line."endDate"',
      card_number: 'line."cardNumber"',
    },
    from: `${benefitRows}
      join ${memberOf('line."taxId"')}
      ${primaryOfRow}
      where line."primaryTaxId" is null or primary_member.id is not null`,
    values: [newBenefits],
  })
}

export interface ChangedBenefit extends WrittenBenefit {
  readonly previousStatus: string
}

/** Updates benefits whose status and end are still those that were judged. @returns those updated. */
export async function updateKnownBenefits(sql: Sql, changed: Records, at: Date): Promise<ChangedBenefit[]> {
  return updateBenefits<ChangedBenefit>(sql, at, {
    set: {
      status: 'changed.status',
      end_date: 'changed."endDate"',
      card_number: 'changed."cardNumber"',
      primary_member_id: 'changed.primary_id',
      dependent_type: 'changed."dependentType"',
    },
    from: `(
      select line.*, primary_member.id as primary_id from ${benefitRows}
      ${primaryOfRow}
      where line."primaryTaxId" is null or primary_member.id is not null
      order by line.id) changed`,
    where: `benefit.company_id = changed."companyId" and benefit.id = changed.id and benefit.status = changed."wasStatus"
      and benefit.end_date is not distinct from changed."wasEndDate"`,
    values: [changed],
    returning: 'changed."wasStatus" as "previousStatus"',
  })
}

/**
 * Locks the primaries' benefits that dependents join, so that none ends before theirs are saved.
 * @returns how many are active.
 */
export async function lockPrimaryBenefits(sql: Sql, primaries: Records): Promise<number> {
  const benefits = JSON.parse(primaries.json) as readonly { readonly companyId: string; readonly id: string }[]
  let count = 0
  for (const [companyId, rows] of Map.groupBy(benefits, (row) => row.companyId)) {
    const locked = await sql.queryPlanned(
      `select id from benefit where company_id = $1 and id = any($2::uuid[]) and status = 'active' order by id for share`,
      [companyId, rows.map(({ id }) => id)],
    )
    count += locked.length
  }
  return count
}

/** Upserts the benefits that lines of a dry run would insert or update; the lines after them are judged by these. */
export async function insertDryRunBenefits(sql: Sql, importId: string, benefits: Records): Promise<void> {
  await sql.queryPlanned(
    `insert into member_import_dry_run_benefit (company_id, import_id, tax_id, benefit_id, product_id, type, status, start_date, end_date)
     select "companyId", $2::uuid, "taxId", id, "productId", type, status, "startDate", "endDate" from ${benefitRows}
     on conflict (company_id, import_id, tax_id, benefit_id) do update set status = excluded.status, end_date = excluded.end_date`,
    [benefits, importId],
  )
}
