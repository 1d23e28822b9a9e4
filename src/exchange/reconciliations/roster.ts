import { candidates, isSameName } from '../carrier-files/match.ts'
import type { Sql } from '#platform/core/database.ts'
import { withoutNestedLoops } from '#platform/core/nested-loops.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { SAME_RELATIONSHIPS } from '../rules/relationship.ts'
import { byKind } from '#coverage/enrollments/kind.ts'
import type { RosterClass } from '#kernel/reconciliation.ts'

/** What a roster is compared by. */
interface RosterComparison {
  readonly companyId: string
  readonly reconciliationId: string
  readonly contractId: string
  readonly fileId: string
  readonly asOf: LocalDate
  /** Movements that were completed later cannot be in the roster; null: the contract has no calendar. */
  readonly cutOff: LocalDate | null
  /** Characters to which the layout cuts names; null: it does not. */
  readonly nameLength: number | null
  readonly at: Date
}

interface Comparison {
  /** Over `compared`: the first line of a benefit, and the benefit. */
  readonly when: string
  readonly expected: string
  readonly found: string
  readonly days?: string
}

/** The lines that say what differs for a person who is in both lists. */
const comparisons = {
  'active-at-carrier-ended-here': {
    when: `is_active_there and has_ended`,
    expected: 'end_date',
    found: 'line_end_date',
    days: '$3::date - end_date',
  },
  'ended-at-carrier-active-here': {
    when: `not is_active_there and covers`,
    expected: 'end_date',
    found: 'line_end_date',
    days: '$3::date - line_end_date',
  },
  'plan-differs': {
    when: 'is_compared and plan_code <> line_plan_code',
    expected: 'plan_code',
    found: 'line_plan_code',
  },
  'start-date-differs': {
    when: 'is_compared and start_date <> line_start_date',
    expected: 'start_date',
    found: 'line_start_date',
  },
  'relationship-differs': {
    when: `is_compared and (member_type <> line_member_type
      or line_dependent_type || ':' || dependent_type <> all ($8::text[]))`,
    expected: 'coalesce(dependent_type, member_type)',
    found: 'coalesce(line_dependent_type, line_member_type)',
  },
  'name-differs': {
    when: `is_compared and name <> line_name and not ${isSameName('name', 'line_name', '$6')}`,
    expected: 'name',
    found: 'line_name',
  },
  'date-of-birth-differs': {
    when: 'is_compared and date_of_birth <> line_date_of_birth',
    expected: 'date_of_birth',
    found: 'line_date_of_birth',
  },
  // Carriers write the primary's CPF on the lines of dependents.
  'tax-id-differs': {
    when: `is_compared and tax_id <> line_tax_id and line_tax_id is distinct from primary_tax_id and matched_by <> 'family'`,
    expected: 'tax_id',
    found: 'line_tax_id',
  },
  'card-number-missing-here': {
    when: `is_compared and card_number is null and line_card_number is not null and matched_by <> 'family'`,
    expected: 'null',
    found: 'line_card_number',
  },
} as const satisfies Partial<Record<RosterClass, Comparison>>

const compared = Object.entries(comparisons).map(
  ([name, { when, expected, found, ...more }]) =>
    `select '${name}' as class, benefit_id, line_number, (${expected})::text as expected, (${found})::text as found,
       ${'days' in more ? `(${more.days})::integer` : 'null::integer'} as days
     from compared where ${when}`,
)

/** Classes that a correction of data explains; the others are explained by what begins, ends or changes a cover. */
const ofData = `('relationship-differs', 'name-differs', 'date-of-birth-differs', 'tax-id-differs')`
const ofCover = (movement: string): string =>
  byKind(`${movement}.enrollment_type`, {
    inclusion: 'true',
    exclusion: 'true',
    alteration: `${movement}.new_benefit_id is not null`,
  })

/** Classes that no movement explains: they are about the file, or are filled at once. */
const unexplained = `('duplicate-in-file', 'ambiguous', 'card-number-missing-here')`

/**
 * Compares the lines of a roster with the benefits of its contract, and stores what differs. What an operator did with a discrepancy stays; one
 * that no one changed and that is none any more is deleted.
 */
export async function compareRoster(sql: Sql, comparison: RosterComparison): Promise<void> {
  const { companyId, contractId, asOf, fileId, reconciliationId, nameLength, cutOff, at } = comparison
  const compare = `with candidate as materialized (${candidates}), line as materialized (
       select carrier_line.*, coalesce(carrier_line.end_date >= $3::date, true) as is_active from carrier_line
       where carrier_line.company_id = $1 and carrier_line.file_id = $4 and carrier_line.problems is null and carrier_line.kind <> 'total'
     ), numbered as (
       -- the rosters of some carriers have also the former covers of a person; the order of the lines does not matter
       select line.*, row_number() over (partition by line.benefit_id order by line.is_active desc, line.end_date desc nulls first,
         line.start_date desc nulls last, line.plan_code, line.card_number, line.tax_id, line.name, line.date_of_birth, line.member_type,
         line.dependent_type, line.line_number) as place from line
       where line.benefit_id is not null
     ), compared as materialized (
       select benefit.id as benefit_id, benefit.start_date, benefit.end_date, benefit.type as member_type, benefit.dependent_type,
         benefit.card_number, member.name, member.date_of_birth, member.tax_id, contract_plan.carrier_plan_code as plan_code,
         benefit.status <> 'pending' and coalesce(benefit.end_date < $3::date, false) as has_ended,
         benefit.status <> 'pending' and benefit.start_date <= $3::date and coalesce(benefit.end_date >= $3::date, true) as covers,
         numbered.is_active and benefit.status <> 'pending' and coalesce(benefit.end_date >= $3::date, true) as is_compared,
         numbered.line_number, numbered.is_active as is_active_there, numbered.end_date as line_end_date,
         numbered.plan_code as line_plan_code, numbered.start_date as line_start_date, numbered.member_type as line_member_type,
         numbered.dependent_type as line_dependent_type, numbered.name as line_name, numbered.date_of_birth as line_date_of_birth,
         numbered.tax_id as line_tax_id, numbered.card_number as line_card_number, numbered.matched_by, primary_member.tax_id as primary_tax_id, benefit.status
       from numbered
       join benefit on benefit.company_id = $1 and benefit.id = numbered.benefit_id
       join member on member.company_id = $1 and member.id = benefit.member_id
       left join member primary_member on primary_member.company_id = $1 and primary_member.id = benefit.primary_member_id
       left join contract_plan on contract_plan.company_id = $1 and contract_plan.contract_id = $2
         and contract_plan.product_id = benefit.product_id
       where numbered.place = 1
     ), found as (
       select 'missing-at-carrier' as class, candidate.id as benefit_id, null::integer as line_number, benefit.start_date::text as expected,
         null as found, null::integer as days
       from candidate join benefit on benefit.company_id = $1 and benefit.id = candidate.id
       where benefit.status <> 'pending' and benefit.start_date <= $3::date and coalesce(benefit.end_date >= $3::date, true)
         and not exists (select 1 from numbered where numbered.benefit_id = candidate.id)
       union all
       select 'unknown-here', null, line_number, null, null, null from line
       where benefit_id is null and not is_ambiguous and is_active
       union all
       select 'unknown-here', benefit_id, line_number, null, null, null from compared where status = 'pending' and is_active_there
       union all
       select 'ambiguous', null, line_number, null, null, null from line where is_ambiguous and is_active
       union all
       select 'duplicate-in-file', benefit_id, line_number, null, null, null from numbered where place > 1 and is_active
       union all
       ${compared.join('\n union all ')}
     ), explained as (
       select found.*, case
         when found.class in ${unexplained} then null
         when open_benefit.benefit_id is not null or open_person.tax_id is not null then 'open-movement'
         when late.benefit_id is not null then 'within-cut-off'
         end as explanation
       from found
       left join (
         select distinct unnest(array[enrollment.benefit_id, enrollment.new_benefit_id]) as benefit_id, ${ofCover('enrollment')} as is_of_cover
         from enrollment
         join enrollment_history on enrollment_history.company_id = enrollment.company_id and enrollment_history.enrollment_id = enrollment.id
         where enrollment.company_id = $1 and enrollment.status = 'completed' and enrollment_history.status = 'completed'
           and (enrollment_history.at at time zone 'America/Sao_Paulo')::date > $7::date
       ) late on late.benefit_id = found.benefit_id and late.is_of_cover = (found.class not in ${ofData})
       left join line on line.line_number = found.line_number
       left join (select distinct benefit_id, ${ofCover('open_movement')} as is_of_cover from open_movement where company_id = $1) open_benefit
         on open_benefit.benefit_id = found.benefit_id and open_benefit.is_of_cover = (found.class not in ${ofData})
       left join (
         select distinct open_movement.member_tax_id as tax_id from open_movement
         join contract_plan on contract_plan.company_id = $1 and contract_plan.contract_id = $2
           and contract_plan.product_id in (open_movement.product_id, open_movement.destination_product_id)
         where open_movement.company_id = $1
       ) open_person on open_person.tax_id = line.tax_id and found.class = 'unknown-here'
     ), gone as (
       delete from discrepancy where discrepancy.company_id = $1 and discrepancy.reconciliation_id = $5 and discrepancy.status in ('open', 'explained')
         and not exists (select 1 from found where found.class = discrepancy.class
           and coalesce(found.benefit_id::text, '') = coalesce(discrepancy.benefit_id::text, '')
           and coalesce(found.line_number, 0) = coalesce(discrepancy.line_number, 0))
     )
     insert into discrepancy (company_id, id, reconciliation_id, class, benefit_id, line_number, expected, found, days, explanation, status,
       created_at, updated_at)
     select $1, gen_random_uuid(), $5, class, benefit_id, line_number, expected, found, days, explanation,
       case when explanation is null then 'open' else 'explained' end, $9, $9
     from explained
     on conflict (company_id, reconciliation_id, class, benefit_id, line_number, cover_month) do update
     set expected = excluded.expected, found = excluded.found, days = excluded.days, updated_at = excluded.updated_at,
       explanation = ${kept('explanation')}, status = ${kept('status')}
     where (discrepancy.expected, discrepancy.found, discrepancy.days, discrepancy.explanation, discrepancy.status)
       is distinct from (excluded.expected, excluded.found, excluded.days, ${kept('explanation')}, ${kept('status')})`
  const values = [companyId, contractId, asOf, fileId, reconciliationId, nameLength, cutOff, SAME_RELATIONSHIPS, at]
  await withoutNestedLoops(sql, () => sql.query(compare, values, maxRows))
}

/** It is planned for as many rows as a file may have. */
const maxRows = 100_000

/** SQL of a column that is as an operator left it, and else as it is found. */
export function kept(column: 'explanation' | 'status'): string {
  return `case when discrepancy.status = 'open' or discrepancy.status = 'explained' and discrepancy.explanation <> 'by-hand'
    then excluded.${column} else discrepancy.${column} end`
}
