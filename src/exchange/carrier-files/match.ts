import type { Sql } from '#platform/core/database.ts'
import { withoutNestedLoops } from '#platform/core/nested-loops.ts'
import { MIN_NAME_CUT } from '#kernel/name.ts'
import type { MatchedBy } from '#kernel/reconciliation.ts'

/*
 * Which benefit each line is of. The keys are tried in the order of MATCHED_BY; a key that several benefits share finds none, and later keys
 * are not tried: the line is ambiguous. What else the line says is weighed: carriers write the primary's CPF on the lines of dependents. Only the
 * contract's products count. The lines do not affect each other, so that their order does not matter.
 */

/** SQL of a number as it is compared: carriers write it with zeros before it. */
const numberKey = (number: string): string => `ltrim(${number}, '0')`
const cardKey = (card: string): string => `upper(regexp_replace(${card}, '[^0-9A-Za-z]', '', 'g'))`

/** SQL: a name as `same_name` takes it. @param cut the parameter with the characters to which the layout cuts names; null: it does not. */
const nameKeys = (name: string, cut: string): string =>
  `nullif(fold_name(${name}), '') as name_key, fold_name(left(${name}, least(coalesce(${cut}::integer, ${MIN_NAME_CUT}), ${MIN_NAME_CUT}))) as name_cut`

/** SQL: whether two names are the same, one of them perhaps cut. @param cut as of `nameKeys`. */
export function isSameName(a: string, b: string, cut: string): string {
  const first = (name: string) => `left(${name}, least(coalesce(${cut}::integer, ${MIN_NAME_CUT}), ${MIN_NAME_CUT}))`
  return `same_name(fold_name(${a}), fold_name(${first(a)}), fold_name(${b}), fold_name(${first(b)}))`
}

/**
 * SQL of the benefits that lines may be of, for companies $1 and contracts $2: of each person, product and role the one in force on the last
 * day $3 of the month, else the latest.
 */
export const candidates = `select distinct on (benefit.member_id, benefit.product_id, benefit.type)
    benefit.id, benefit.member_id, coalesce(benefit.primary_member_id, benefit.member_id) as family_id, benefit.type, benefit.product_id,
    coalesce(benefit.carrier_plan_code, contract_plan.carrier_plan_code) as plan_code, benefit.card_number,
    benefit.carrier_certificate, benefit.carrier_dependent_code, member.tax_id, member.employee_id, member.name, member.date_of_birth,
    primary_member.employee_id as primary_employee_id
  from contract_plan
  join benefit on benefit.company_id = contract_plan.company_id and benefit.product_id = contract_plan.product_id
  join member on member.company_id = benefit.company_id and member.id = benefit.member_id
  left join member primary_member on primary_member.company_id = benefit.company_id and primary_member.id = benefit.primary_member_id
  where contract_plan.company_id = $1 and contract_plan.contract_id = $2
    and (benefit.end_date is null or benefit.end_date >= benefit.start_date)
  order by benefit.member_id, benefit.product_id, benefit.type,
    benefit.start_date <= $3::date and coalesce(benefit.end_date >= $3::date, true) desc, benefit.start_date desc, benefit.id`

/** PostgreSQL 18 compares all rows whose first of several keys is null with each other: in a hash join they are in one bucket. */
const bothHave = (key: string) => `candidate.${key} is not null and line.${key} is not null`
const sameName = `same_name(candidate.name_key, candidate.name_cut, line.name_key, line.name_cut)`
const sameBirth = `candidate.date_of_birth = line.date_of_birth`

/** The keys in their order, each with its condition over `line` and `candidate`. */
const ladder: readonly (readonly [by: Exclude<MatchedBy, 'hand' | 'family'>, condition: string])[] = [
  [
    'certificate',
    `candidate.certificate_key = line.certificate_key and candidate.dependent_key = line.dependent_key and ${bothHave('certificate_key')}`,
  ],
  ['card-number', `candidate.card_key = line.card_key`],
  // Spreadsheets drop the zeros.
  [
    'card-number',
    `candidate.bare_card = line.bare_card and candidate.card_key <> line.card_key and candidate.has_bare_card_alone`,
  ],
  ['tax-id', `candidate.tax_id = line.tax_id`],
  // That of a dependent is its primary's.
  ['employee-id', `candidate.employee_key = line.employee_key and ${sameName} and ${bothHave('employee_key')}`],
  ['name', `${sameBirth} and ${sameName}`],
]

/** How well a benefit fits beside its key: first the plan, then the role; who has both roles is found in the one that the line has. */
const misfit = `(line.plan_code is not null and candidate.plan_code is distinct from line.plan_code)::integer * 2
  + (line.member_type is distinct from candidate.type)::integer`

/** Whether the name and the birth date of a line are those of a benefit's person, as far as the line has them. */
const agrees = `(line.name_key is null or ${sameName}) and (line.date_of_birth is null or ${sameBirth})`

/**
 * Finds the benefits of the lines of a file that are not linked by hand.
 * @param nameLength characters to which the layout cuts names; null: it does not.
 */
export async function matchLines(
  sql: Sql,
  {
    companyId,
    contractId,
    fileId,
  }: { readonly companyId: string; readonly contractId: string; readonly fileId: string },
  lastDay: string,
  nameLength: number | null,
): Promise<void> {
  const found = ladder.map(
    (
      [by, condition],
      rung,
    ) => `select line.line_number, ${rung} * 4 + ${misfit} as step, '${by}' as matched_by, candidate.id,
        candidate.member_id, candidate.family_id, ${agrees} as agrees, ${sameName} or ${sameBirth} as agrees_partly,
        line.member_type = 'dependent' and candidate.type = 'primary' as is_of_other_role
      from line join candidate on ${condition}`,
  )
  const match = `with candidate as materialized (
       select candidate.id, candidate.member_id, candidate.family_id, candidate.type, candidate.tax_id, candidate.plan_code,
         candidate.date_of_birth, candidate.card_key, ltrim(candidate.card_key, '0') as bare_card,
         count(*) over (partition by ltrim(candidate.card_key, '0')) = 1 as has_bare_card_alone,
         ${numberKey('candidate.carrier_certificate')} as certificate_key, ${numberKey('candidate.carrier_dependent_code')} as dependent_key,
         nullif(${numberKey('coalesce(candidate.primary_employee_id, candidate.employee_id)')}, '') as employee_key,
         ${nameKeys('candidate.name', '$5')}
       from (select candidate.*, nullif(${cardKey('candidate.card_number')}, '') as card_key from (${candidates}) candidate) candidate
     ), line as materialized (
       select line_number, member_type, tax_id, plan_code, date_of_birth, nullif(${cardKey('card_number')}, '') as card_key,
         nullif(ltrim(${cardKey('card_number')}, '0'), '') as bare_card,
         ${numberKey('certificate')} as certificate_key, ${numberKey('dependent_code')} as dependent_key,
         nullif(${numberKey('employee_id')}, '') as employee_key, ${nameKeys('name', '$5')}
       from carrier_line where company_id = $1 and file_id = $4 and problems is null and kind <> 'total' and matched_by is distinct from 'hand'
     ), found as materialized (
       ${found.join('\n union all ')}
     ), first_key as materialized (
       select distinct on (keyed.line_number) keyed.* from (
         select line_number, step, matched_by, count(*) as benefits, min(id::text)::uuid as id, min(member_id::text)::uuid as member_id,
           min(family_id::text)::uuid as family_id, count(distinct family_id) as families, bool_or(agrees) as agrees,
           bool_or(agrees_partly) as agrees_partly, bool_and(is_of_other_role) as is_of_other_role
         from found group by line_number, step, matched_by) keyed
       order by keyed.line_number, keyed.step
     ), mate as (
       -- of the family, who has the name and the birth date of the line
       select distinct on (ranked.line_number) ranked.* from (
         select line.line_number, ${misfit} as step, count(*) as benefits, min(candidate.id::text)::uuid as id
         from first_key join line on line.line_number = first_key.line_number
         join candidate on candidate.family_id = first_key.family_id and ${agrees}
         where not first_key.agrees and first_key.families = 1 and first_key.matched_by in ('certificate', 'card-number', 'tax-id')
           and num_nonnulls(line.name_key, line.date_of_birth) > 0
         group by line.line_number, 2) ranked
       order by ranked.line_number, ranked.step
     ), contradiction as (
       -- another key, or name and birth date, point to a person outside of the family
       select found.line_number from found join first_key on first_key.line_number = found.line_number
       where found.matched_by <> 'employee-id' and found.matched_by <> first_key.matched_by
       group by found.line_number, found.matched_by
       having not bool_or(found.member_id = first_key.member_id or found.family_id = first_key.family_id)
     ), judged as (
       select line.line_number, case
           when first_key.line_number is null then null
           when first_key.families > 1 or contradiction.line_number is not null then 'ambiguous'
           when mate.benefits = 1 then 'family'
           when mate.benefits > 1 or first_key.benefits > 1 then 'ambiguous'
           when first_key.matched_by not in ('certificate', 'card-number', 'tax-id') then first_key.matched_by
           when num_nonnulls(line.name_key, line.date_of_birth) = 2 and not first_key.agrees_partly then 'ambiguous'
           when num_nonnulls(line.name_key, line.date_of_birth) = 0 and first_key.matched_by = 'tax-id' and first_key.is_of_other_role
             then 'ambiguous'
           else first_key.matched_by end as verdict,
         case when mate.benefits = 1 then mate.id else first_key.id end as benefit_id
       from line left join first_key on first_key.line_number = line.line_number
       left join mate on mate.line_number = line.line_number
       left join (select distinct line_number from contradiction) contradiction on contradiction.line_number = line.line_number
     )
     update carrier_line set benefit_id = case when judged.verdict <> 'ambiguous' then judged.benefit_id end,
       matched_by = nullif(judged.verdict, 'ambiguous'), is_ambiguous = coalesce(judged.verdict = 'ambiguous', false)
     from judged
     where carrier_line.company_id = $1 and carrier_line.file_id = $4 and carrier_line.line_number = judged.line_number`
  await withoutNestedLoops(sql, () => sql.query(match, [companyId, contractId, lastDay, fileId, nameLength], maxRows))
}

/** It is planned for as many rows as a file may have. */
const maxRows = 100_000
