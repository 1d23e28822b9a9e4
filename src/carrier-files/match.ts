import type { Sql } from '../core/database.ts'
import { withoutNestedLoops } from '../core/nested-loops.ts'
import type { MatchedBy } from '../domain/reconciliation.ts'

/*
 * Which benefit each line is of. The keys are tried in the order of MATCHED_BY; a key that several benefits share is of nobody, and later keys
 * are not tried: the line is ambiguous. Only the contract's products count. The lines do not affect each other, so that their order does not
 * matter.
 */

/** SQL of a name as names are compared: upper case, no accents, single spaces. */
export const nameKey = (name: string): string => `upper(regexp_replace(btrim(fold(${name})), '\\s+', ' ', 'g'))`
/** SQL of a number as it is compared: carriers write it with zeros before it. */
const numberKey = (number: string): string => `ltrim(${number}, '0')`
const cardKey = (card: string): string => `upper(regexp_replace(${card}, '[^0-9A-Za-z]', '', 'g'))`

/**
 * SQL of the benefits that lines may be of, for companies $1 and contracts $2: of each person, product and role the one in force on the last
 * day $3 of the month, else the latest.
 */
export const candidates = `select distinct on (benefit.member_id, benefit.product_id, benefit.type)
    benefit.id, benefit.member_id, benefit.type, benefit.product_id, contract_plan.carrier_plan_code as plan_code, benefit.card_number,
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

/** The condition of each key over `line` and `candidate`. */
const keys: Readonly<Record<Exclude<MatchedBy, 'hand'>, string>> = {
  'card-number': `candidate.card_key = line.card_key`,
  'tax-id': `candidate.tax_id = line.tax_id and candidate.plan_code = line.plan_code`,
  certificate: `candidate.certificate_key = line.certificate_key and candidate.dependent_key = line.dependent_key
    and ${bothHave('certificate_key')}`,
  // That of a dependent is its primary's.
  'employee-id': `candidate.employee_key = line.employee_key and candidate.name_key = line.name_key and ${bothHave('employee_key')}`,
  name: `candidate.name_key = line.name_key and candidate.date_of_birth = line.date_of_birth`,
}

/** The keys in their order; a CPF without its plan comes after that with it: the carrier may have another plan. */
const ladder: readonly (readonly [step: number, by: Exclude<MatchedBy, 'hand'>, condition: string])[] = [
  [1, 'card-number', keys['card-number']],
  [2, 'tax-id', keys['tax-id']],
  [3, 'tax-id', 'candidate.tax_id = line.tax_id'],
  [4, 'certificate', keys.certificate],
  [5, 'employee-id', keys['employee-id']],
  [6, 'name', keys.name],
]

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
    // Who has both roles is found in the one that the line has.
    ([
      step,
      by,
      condition,
    ]) => `select line.line_number, ${step * 2} + (line.member_type is distinct from candidate.type)::integer as step,
        '${by}' as matched_by, candidate.id
      from line join candidate on ${condition}`,
  )
  const match = `with candidate as materialized (
       select candidate.id, candidate.type, candidate.tax_id, candidate.plan_code, candidate.date_of_birth,
         nullif(${cardKey('candidate.card_number')}, '') as card_key, ${numberKey('candidate.carrier_certificate')} as certificate_key,
         ${numberKey('candidate.carrier_dependent_code')} as dependent_key,
         nullif(${numberKey('coalesce(candidate.primary_employee_id, candidate.employee_id)')}, '') as employee_key,
         left(${nameKey('candidate.name')}, coalesce($5::integer, 200)) as name_key
       from (${candidates}) candidate
     ), line as materialized (
       select line_number, member_type, tax_id, plan_code, date_of_birth, nullif(${cardKey('card_number')}, '') as card_key,
         ${numberKey('certificate')} as certificate_key, ${numberKey('dependent_code')} as dependent_key,
         nullif(${numberKey('employee_id')}, '') as employee_key, left(${nameKey('name')}, coalesce($5::integer, 200)) as name_key
       from carrier_line where company_id = $1 and file_id = $4 and problems is null and matched_by is distinct from 'hand'
     ), found as (
       ${found.join('\n union all ')}
     ), first_key as (
       select distinct on (keyed.line_number) keyed.line_number, keyed.matched_by, keyed.benefits, keyed.id
       from (select line_number, step, matched_by, count(*) as benefits, min(id::text)::uuid as id from found
         group by line_number, step, matched_by) keyed
       order by keyed.line_number, keyed.step
     )
     update carrier_line set benefit_id = case when first_key.benefits = 1 then first_key.id end,
       matched_by = case when first_key.benefits = 1 then first_key.matched_by end, is_ambiguous = coalesce(first_key.benefits > 1, false)
     from line left join first_key on first_key.line_number = line.line_number
     where carrier_line.company_id = $1 and carrier_line.file_id = $4 and carrier_line.line_number = line.line_number`
  await withoutNestedLoops(sql, () => sql.query(match, [companyId, contractId, lastDay, fileId, nameLength], maxRows))
}

/** It is planned for as many rows as a file may have. */
const maxRows = 100_000
