import type { Sql } from '#platform/core/database.ts'
import { withoutNestedLoops } from '#platform/core/nested-loops.ts'

/*
 * Who the lines of a list are, and who of the list's scope has none: one row for each person in each family. By CPF; a CPF that nobody here has by
 * employee id with birth date, then by folded name with birth date, which one person of the list has and one person here, who is not listed otherwise.
 */

/** The people and products that a list is about; null: all. */
export interface RosterScope {
  readonly costCenters: readonly string[] | null
  readonly employerTaxIds: readonly string[] | null
  readonly productIds: readonly string[] | null
}

/** SQL: the primary `$alias` is of the people of the list: by the cost center ($3) and the employer ($4) that are stored. */
const isWithin = (alias: string): string => `(($3::text[] is null or ${alias}.cost_center = any($3::text[]))
  and ($4::text[] is null or coalesce(${alias}.details->>'employee-company-tax-id', company.tax_id) = any($4::text[])))`

/** SQL: a field of the registration data of `line`. */
const stated = (field: string): string => `line.data->'profile'->>'${field}'`

/**
 * The people found by a key that one person of the list and one person here have, of whom neither is found already.
 * @param key a column of `stated_person` and `here`, beside the birth date.
 */
const foundBy = (by: string, key: string, before: string | null): string => {
  const isLeft = (of: string, column: string) =>
    before === null ? '' : `and not exists (select 1 from ${before} where ${before}.${column} = ${of}.${column})`
  const alone = (of: string, column: string) => `select min(${column}::text) as one, ${key}, date_of_birth from ${of}
    where ${key} <> '' and date_of_birth is not null ${isLeft(of, column)} group by ${key}, date_of_birth
    having count(*) = 1 and bool_and(is_open)`
  return `select theirs.one::bpchar as tax_id, ours.one::uuid as member_id, '${by}' as matched_by
    from (${alone('stated_person', 'tax_id')}) theirs join (${alone('here', 'member_id')}) ours
    on ours.${key} = theirs.${key} and ours.date_of_birth = theirs.date_of_birth`
}

const match = `with line as materialized (
    select roster_line.*, array_length(roster_line.offenses, 1) is null as is_usable from roster_line where company_id = $1 and sync_id = $2
  ), held as materialized (
    -- the roles in force of everybody
    select benefit.member_id, benefit.type as role, coalesce(benefit.primary_member_id, benefit.member_id) as primary_id,
      bool_or($5::uuid[] is null or benefit.product_id = any($5::uuid[])) as is_covered
    from benefit where benefit.company_id = $1 and benefit.status in ('pending', 'active')
    group by 1, 2, 3
  ), listed as materialized (
    select line.tax_id, member.id as member_id from (select distinct tax_id from line where tax_id is not null) line
    left join member on member.company_id = $1 and member.tax_id = line.tax_id
  ), stated_person as materialized (
    select line.tax_id, bool_and(listed.member_id is null) as is_open, min(${stated('date-of-birth')}) as date_of_birth, coalesce(min(fold_name(${stated('name')})), '') as name_key,
      coalesce(min(${stated('employee-id')}) filter (where line.data->>'role' is distinct from 'dependent'), '') as employee_id
    from line join listed on listed.tax_id = line.tax_id
    where line.is_usable group by line.tax_id
  ), here as materialized (
    select member.id as member_id, listed.member_id is null as is_open, member.date_of_birth::text, fold_name(member.name) as name_key, coalesce(member.employee_id, '') as employee_id
    from member left join listed on listed.member_id = member.id
    where member.company_id = $1 and member.id in (select member_id from held)
  ), by_number as materialized (${foundBy('employee-id', 'employee_id', null)}
  ), by_name as materialized (${foundBy('name', 'name_key', 'by_number')}
  ), person as materialized (
    select listed.tax_id, coalesce(listed.member_id, found.member_id) as member_id,
      case when listed.member_id is not null then 'tax-id' else found.matched_by end as matched_by
    from listed left join (select * from by_number union all select * from by_name) found on found.tax_id = listed.tax_id
  ), has_role as materialized (
    select member_id, bool_or(role = 'primary') as is_primary from held group by member_id
  ), roled as materialized (
    -- who states no role has that which the person has here
    select line.position, line.tax_id, person.member_id, person.matched_by,
      coalesce(line.data->>'role', case when has_role.is_primary = false then 'dependent' else 'primary' end) as role,
      coalesce(listed_primary.member_id, known_primary.id) as stated_primary_id, line.data->>'primaryTaxId' as stated_primary_tax_id,
      ${stated('cost-center')} as cost_center, ${stated('employee-company-tax-id')} as employer
    from line left join person on person.tax_id = line.tax_id
    left join has_role on has_role.member_id = person.member_id
    left join person listed_primary on listed_primary.tax_id = (line.data->>'primaryTaxId')::bpchar
    left join member known_primary on known_primary.company_id = $1 and known_primary.tax_id = (line.data->>'primaryTaxId')::bpchar
  ), placed as materialized (
    -- of a dependent the primary that is stated; where the person depends on others only, or none is stated, those here
    select roled.*, case
        when roled.tax_id is null then 'line ' || roled.position
        when roled.role = 'primary' then coalesce(roled.member_id::text, 'cpf ' || roled.tax_id)
        else coalesce(same.primary_id::text, own.primary_id::text, roled.stated_primary_id::text, 'cpf ' || coalesce(roled.stated_primary_tax_id, roled.tax_id))
        end as family
    from roled
    left join held same on same.role = 'dependent' and roled.role = 'dependent' and same.member_id = roled.member_id
      and same.primary_id = roled.stated_primary_id
    left join held own on own.role = 'dependent' and roled.role = 'dependent' and own.member_id = roled.member_id and same.member_id is null
  ), family as materialized (
    -- whether the primary is of the list: who is new, or was here, as stated
    select placed.family, bool_and(case
        when has_role.member_id is not null then ${isWithin('primary_member')}
        else ($3::text[] is null or coalesce(placed.cost_center, primary_member.cost_center, ($3::text[])[1]) = any($3::text[]))
          and ($4::text[] is null or coalesce(placed.employer, primary_member.details->>'employee-company-tax-id', ($4::text[])[1]) = any($4::text[]))
        end) as is_within
    from placed join company on company.id = $1
    left join member primary_member on primary_member.company_id = $1 and primary_member.id::text = placed.family
    left join has_role on has_role.member_id = primary_member.id
    where placed.role = 'primary' or primary_member.id is not null
    group by placed.family
  ), listed_row as (
    select placed.family, placed.role, placed.member_id, min(placed.matched_by) as matched_by, placed.tax_id::text as tax_id,
      not coalesce(bool_and(family.is_within), true) as is_outside, array_agg(placed.position order by placed.position) as lines
    from placed left join family on family.family = placed.family
    group by placed.family, placed.role, placed.member_id, placed.tax_id
  ), absent_row as (
    select held.primary_id::text as family, held.role, held.member_id, null::text as matched_by, member.tax_id::text as tax_id, false as is_outside,
      '{}'::integer[] as lines
    from held join company on company.id = $1
    join member on member.company_id = $1 and member.id = held.member_id
    join member primary_member on primary_member.company_id = $1 and primary_member.id = held.primary_id
    where held.is_covered and ${isWithin('primary_member')}
      and not exists (select 1 from listed_row where listed_row.member_id = held.member_id and listed_row.family = held.primary_id::text
        and listed_row.role = held.role)
  )
  insert into roster_person (company_id, sync_id, family, position, role, member_id, matched_by, is_outside, lines)
  select $1, $2, family, row_number() over (partition by family order by role = 'dependent', tax_id), role, member_id, matched_by, is_outside, lines
  from (select * from listed_row union all select * from absent_row) everybody`

/** It is planned for as many rows as a list may have. */
const maxRows = 200_000

/** A family is compared at once: one with more people and lines is a mistake of the list. */
const MAX_OF_FAMILY = 1_000

/** Finds who the lines are, and adds who is of the scope and has no line. @returns how many people there are to compare; null: a family has too many. */
export async function matchPeople(
  sql: Sql,
  companyId: string,
  syncId: string,
  scope: RosterScope,
): Promise<number | null> {
  const values = [companyId, syncId, scope.costCenters, scope.employerTaxIds, scope.productIds]
  await withoutNestedLoops(sql, () => sql.query(match, values, maxRows))
  const [row] = await sql.query<{ people: number; most: number }>(
    `select coalesce(sum(people), 0)::int as people, coalesce(max(greatest(people, lines)), 0)::int as most from (
       select count(*) as people, sum(cardinality(lines)) as lines from roster_person where company_id = $1 and sync_id = $2 group by family) family`,
    [companyId, syncId],
  )
  const { people, most } = row ?? { people: 0, most: 0 }
  return most > MAX_OF_FAMILY ? null : people
}
