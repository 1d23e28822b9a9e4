import type { Invariant } from '#platform/core/invariant.ts'
import { hasRule } from './enrollments/kind.ts'
import { isOpen } from './enrollments/open-movement.ts'

/** SQL: the benefit over the alias covered at least one day; a void one ends on the day before its start. */
const isNotVoid = (alias: string): string => `(${alias}.end_date is null or ${alias}.end_date >= ${alias}.start_date)`

/** What must always hold of the rows of this district. */
export const invariants: readonly Invariant[] = [
  {
    name: 'one-benefit-in-force',
    description: 'A person has at most one pending or active benefit of a product in a role, in one company.',
    violations: `select member_id as id from benefit where status in ('pending', 'active')
      group by company_id, member_id, product_id, type having count(*) > 1`,
  },
  {
    name: 'benefit-periods',
    description: 'Two periods of a person in a product and role do not overlap, in one company.',
    violations: `select distinct benefit.id from benefit
      join benefit other on other.company_id = benefit.company_id and other.member_id = benefit.member_id and other.product_id = benefit.product_id
        and other.type = benefit.type and (other.created_at, other.id) < (benefit.created_at, benefit.id)
        and coalesce(other.end_date, 'infinity') >= benefit.start_date and coalesce(benefit.end_date, 'infinity') >= other.start_date
      where ${isNotVoid('benefit')} and ${isNotVoid('other')}`,
  },
  {
    name: 'void-benefit',
    description:
      'A benefit without a covered day ends on the day before its start and is inactive, unless another one is to replace it.',
    violations: `with void as materialized (
        select company_id, id, status, start_date, end_date from benefit where end_date < start_date
      )
      select id from void
      where end_date <> start_date - 1 or status = 'pending' or status = 'active' and id not in (
        select void.id from void
        join benefit replacement on replacement.replaces_company_id = void.company_id and replacement.replaces_id = void.id
          and replacement.status = 'pending')`,
  },
  {
    name: 'inactive-benefit',
    // Today may be the day after the given one.
    description:
      'A benefit that has ended has its last day, which does not lie ahead unless it is void or was replaced.',
    violations: `with ended as materialized (
        select benefit.company_id, benefit.id from benefit, given
        where benefit.status = 'inactive' and (benefit.end_date is null or given.day > '-infinity' and benefit.end_date > given.day + 1
          and ${isNotVoid('benefit')})
      )
      select id from ended where id not in (
        select ended.id from ended join benefit replacement on replacement.replaces_company_id = ended.company_id
          and replacement.replaces_id = ended.id)`,
  },
  {
    name: 'pending-benefit',
    description: 'A pending benefit belongs to an open inclusion, or replaces an active benefit.',
    violations: `with pending as materialized (
        select benefit.id, benefit.replaces_company_id, benefit.replaces_id, exists (
          select 1 from enrollment where enrollment.company_id = benefit.company_id and enrollment.member_id = benefit.member_id
            and enrollment.benefit_id = benefit.id
            and ${hasRule('enrollment.enrollment_type', 'createsBenefit')} and ${isOpen('enrollment')}) as is_included
        from benefit where benefit.status = 'pending'
      )
      select id from pending where not case when replaces_id is null then is_included else id in (
        select pending.id from pending
        join benefit replaced on replaced.company_id = pending.replaces_company_id and replaced.id = pending.replaces_id
          and replaced.status = 'active') end`,
  },
  {
    name: 'benefit-transfer',
    description:
      'A benefit that replaces another starts on the day after the end of that one, or later, on the day after former cover in its product.',
    violations: `with replacement as materialized (
        select benefit.id, benefit.replaces_company_id, benefit.replaces_id, benefit.start_date, exists (
          select 1 from benefit former where former.company_id = benefit.company_id and former.member_id = benefit.member_id
            and former.product_id = benefit.product_id
            and former.type = benefit.type and ${isNotVoid('former')} and former.end_date + 1 = benefit.start_date) as follows_former
        from benefit where benefit.replaces_id is not null
      )
      select id from replacement where id not in (
        select replacement.id from replacement
        join benefit replaced on replaced.company_id = replacement.replaces_company_id and replaced.id = replacement.replaces_id
          and replaced.end_date + 1 <= replacement.start_date
        where replaced.end_date + 1 = replacement.start_date or replacement.follows_former)`,
  },
  {
    name: 'dependent-in-force',
    description: "A dependent's active benefit has an active one of its primary in the same product.",
    violations: `select dependent_benefit.id from benefit dependent_benefit
      where dependent_benefit.type = 'dependent' and dependent_benefit.status = 'active' and not dependent_benefit.outlives_primary
        and ${isNotVoid('dependent_benefit')} and not exists (
        select 1 from benefit primary_benefit where primary_benefit.company_id = dependent_benefit.company_id
          and primary_benefit.member_id = dependent_benefit.primary_member_id
          and primary_benefit.product_id = dependent_benefit.product_id and primary_benefit.type = 'primary' and primary_benefit.status = 'active')`,
  },
  {
    name: 'dependent-period',
    description: "A dependent's benefit never starts before, nor ends after, its primary's of the product.",
    // The first of the primary's unbroken periods that ends after the start of the dependent's. A pending one may wait for its primary's.
    violations: `select dependent_benefit.id from benefit dependent_benefit
      left join lateral (
        select run.period from (
          select unnest(range_agg(daterange(primary_benefit.start_date, primary_benefit.end_date, '[]'))) as period from benefit primary_benefit
          where primary_benefit.company_id = dependent_benefit.company_id and primary_benefit.member_id = dependent_benefit.primary_member_id
            and primary_benefit.product_id = dependent_benefit.product_id
            and primary_benefit.type = 'primary' and ${isNotVoid('primary_benefit')}) run
        where upper_inf(run.period) or upper(run.period) > dependent_benefit.start_date
        order by lower(run.period) limit 1) cover on true
      where dependent_benefit.type = 'dependent' and dependent_benefit.status <> 'pending' and not dependent_benefit.outlives_primary
        and ${isNotVoid('dependent_benefit')}
        and (cover.period is null or dependent_benefit.start_date < lower(cover.period)
          or not upper_inf(cover.period) and coalesce(dependent_benefit.end_date, 'infinity') >= upper(cover.period))`,
  },
  {
    name: 'dependent-extension',
    description: "An extension plan keeps a dependent's benefit only while it keeps the primary's of the product.",
    violations: `select dependent_benefit.id from benefit dependent_benefit
      where dependent_benefit.type = 'dependent' and dependent_benefit.status = 'active' and dependent_benefit.extension_plan and exists (
        select 1 from benefit primary_benefit where primary_benefit.company_id = dependent_benefit.company_id
          and primary_benefit.member_id = dependent_benefit.primary_member_id
          and primary_benefit.product_id = dependent_benefit.product_id and primary_benefit.type = 'primary' and primary_benefit.status = 'active'
          and not primary_benefit.extension_plan)`,
  },
  {
    name: 'member-benefit',
    description:
      'Every member has, or had, a benefit in the company, or is in the figures of a closed month or in an export of payroll.',
    violations: `select member.id from member where not exists (
        select 1 from benefit where company_id = member.company_id and member_id = member.id
      ) and not exists (select 1 from closing_expected where company_id = member.company_id and member_id = member.id)
      and not exists (select 1 from closing_charge where company_id = member.company_id and member.id in (member_id, employee_member_id))
      and not exists (select 1 from payroll_export_line where company_id = member.company_id and member_id = member.id)`,
  },
  {
    name: 'ending-due',
    description: 'No benefit stays active beyond its last day, unless a pending benefit replaces it.',
    violations: `with due as materialized (
        select benefit.company_id, benefit.id from benefit, given where benefit.status = 'active' and benefit.end_date <= given.day
      )
      select id from due where id not in (
        select due.id from due
        join benefit replacement on replacement.replaces_company_id = due.company_id and replacement.replaces_id = due.id
          and replacement.status = 'pending')`,
  },
  {
    name: 'activation-event',
    description: 'A completed inclusion has one event of the activation of its benefit.',
    violations: `select enrollment.id from enrollment
      join enrollment_history on enrollment_history.company_id = enrollment.company_id and enrollment_history.enrollment_id = enrollment.id
        and enrollment_history.status = 'completed'
      join given on enrollment_history.at >= given.events_since
      left join (
        select event.data ->> 'benefit-id' as benefit_id, event.at, count(*) as events from event
        where event.type = 'benefit.activated' group by 1, 2) event on event.benefit_id = enrollment.benefit_id::text
          and event.at = enrollment_history.at
      where ${hasRule('enrollment.enrollment_type', 'createsBenefit')} and enrollment.status = 'completed' and event.events is distinct from 1`,
  },
]
