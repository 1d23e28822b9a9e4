import { hasRule } from '#coverage/enrollments/kind.ts'
import { mayTransition } from '#coverage/rules/enrollment-status.ts'
import { ENROLLMENT_STATUSES } from '#kernel/enums.ts'
import { canExtend } from '#movements/transition/extension-queries.ts'
import { isChange, isOpen, openMovementColumns } from '#coverage/enrollments/open-movement.ts'
import type { Invariant } from './rule.ts'

/** Every legal transition as SQL values, from the rule that transitions are judged by. */
const legal = ENROLLMENT_STATUSES.flatMap((from) =>
  ENROLLMENT_STATUSES.filter((to) => mayTransition(from, to, false)).map((to) => `('${from}', '${to}')`),
).join(', ')

/** Movements, their histories, and the requests that they belong to. */
export const movementRules: readonly Invariant[] = [
  {
    name: 'history-start',
    description: 'A movement starts as created or as scheduled.',
    violations: `select id from enrollment where initial_status not in ('created', 'scheduled')`,
  },
  {
    name: 'history-steps',
    description: 'The steps of a history are numbered from 1 without a gap.',
    violations: `select enrollment_id as id from enrollment_history
      group by company_id, enrollment_id having min(step) <> 1 or max(step) <> count(*)`,
  },
  {
    name: 'history-transitions',
    description: 'Each step of a history is a legal transition; nothing follows a terminal status.',
    violations: `select distinct step.enrollment_id as id from (
        select company_id, enrollment_id, status, lag(status) over earlier as previous,
          coalesce(bool_or(status = 'carrier-processing') over earlier, false) and status = 'cancelled' as too_late
        from enrollment_history
        window earlier as (partition by company_id, enrollment_id order by step)) step
      join enrollment on enrollment.company_id = step.company_id and enrollment.id = step.enrollment_id
      where step.too_late or (coalesce(step.previous, enrollment.initial_status), step.status) not in (values ${legal})`,
  },
  {
    name: 'history-end',
    description: 'The status of a movement is the last one of its history.',
    violations: `select enrollment.id from enrollment
      left join (
        select distinct on (company_id, enrollment_id) company_id, enrollment_id, status
        from enrollment_history order by company_id, enrollment_id, step desc) last_step
        on last_step.company_id = enrollment.company_id and last_step.enrollment_id = enrollment.id
      where enrollment.status <> coalesce(last_step.status, enrollment.initial_status)`,
  },
  {
    name: 'carrier-reached',
    description: 'A movement is marked as having reached the carrier exactly when its history says so.',
    violations: `select enrollment.id from enrollment
      left join (
        select distinct company_id, enrollment_id from enrollment_history where status = 'carrier-processing') reached
        on reached.company_id = enrollment.company_id and reached.enrollment_id = enrollment.id
      where enrollment.reached_carrier <> (reached.enrollment_id is not null)`,
  },
  {
    name: 'one-open-ending',
    description: 'A benefit has at most one open exclusion, plan change or company change.',
    violations: `select enrollment.benefit_id as id from enrollment
      where ${isChange('enrollment')} and ${isOpen('enrollment')}
      group by enrollment.company_id, enrollment.benefit_id having count(*) > 1`,
  },
  {
    name: 'open-movements',
    description: 'The open movements are those whose enrollment is open, each once and with its values.',
    violations: `select id from (
        select ${openMovementColumns} from enrollment where ${isOpen('enrollment')}
        union all
        select ${openMovementColumns} from open_movement) movement
      group by ${openMovementColumns} having count(*) <> 2`,
  },
  {
    name: 'movement-benefit',
    description: 'The benefit of an exclusion or alteration exists and has its member, product and role.',
    violations: `select enrollment.id from enrollment
      left join benefit on benefit.company_id = enrollment.company_id and benefit.id = enrollment.benefit_id
      where not ${hasRule('enrollment.enrollment_type', 'createsBenefit')}
        and (benefit.id is null or (benefit.member_id, benefit.product_id, benefit.type)
          is distinct from (enrollment.member_id, enrollment.product_id, enrollment.member_type))`,
  },
  {
    name: 'inclusion-benefit',
    description:
      'A completed inclusion has its benefit, an open one has it pending, a rejected or cancelled one leaves none.',
    violations: `select enrollment.id from enrollment
      left join benefit on benefit.company_id = enrollment.company_id and benefit.id = enrollment.benefit_id
      where ${hasRule('enrollment.enrollment_type', 'createsBenefit')} and case
        when enrollment.status in ('rejected', 'cancelled') then benefit.id is not null
        when enrollment.status = 'completed' then benefit.id is null or benefit.status = 'pending'
        else benefit.status is distinct from 'pending' end`,
  },
  {
    name: 'benefit-inclusion',
    description: 'A benefit comes from at most one inclusion, which names its member, product and role.',
    violations: `select benefit.id from benefit
      join enrollment on enrollment.company_id = benefit.company_id and enrollment.benefit_id = benefit.id
        and ${hasRule('enrollment.enrollment_type', 'createsBenefit')}
      group by benefit.company_id, benefit.id
      having count(*) > 1 or bool_or((benefit.member_id, benefit.product_id, benefit.type)
        is distinct from (enrollment.member_id, enrollment.product_id, enrollment.member_type))`,
  },
  {
    name: 'movement-effect',
    description:
      'No plan change, company change or exclusion of an ended benefit is open, unless the exclusion can extend it, or goes with another.',
    // The exclusion of a dependent whose primary's benefit was replaced is completed with the primary's.
    violations: `with ended as materialized (
        select enrollment.id, enrollment.enrollment_type, ${canExtend} as can_extend, enrollment.primary_enrollment_id, benefit.company_id,
          benefit.id as benefit_id, primary_benefit.id as primary_id
        from enrollment
        join request on request.company_id = enrollment.company_id and request.id = enrollment.request_id
        join benefit on benefit.company_id = enrollment.company_id and benefit.id = enrollment.benefit_id and benefit.status = 'inactive'
        left join benefit primary_benefit on primary_benefit.company_id = benefit.company_id
          and primary_benefit.member_id = benefit.primary_member_id and primary_benefit.product_id = benefit.product_id
          and primary_benefit.type = 'primary'
        where ${isChange('enrollment')} and ${isOpen('enrollment')}
      )
      select distinct id from ended where primary_enrollment_id is null
        and not (${hasRule('enrollment_type', 'endsBenefit')} and (can_extend or id in (
        select ended.id from ended join benefit replacement on replacement.replaces_company_id = ended.company_id
          and replacement.replaces_id in (ended.benefit_id, ended.primary_id))))`,
  },
  {
    name: 'exclusion-family',
    description: "An exclusion that is part of a primary's refers to one of the company, and is not open after it.",
    violations: `select dependent_enrollment.id from enrollment dependent_enrollment
      left join enrollment primary_enrollment on primary_enrollment.company_id = dependent_enrollment.company_id
        and primary_enrollment.id = dependent_enrollment.primary_enrollment_id
        and ${hasRule('primary_enrollment.enrollment_type', 'endsBenefit')} and primary_enrollment.member_type = 'primary'
      where dependent_enrollment.primary_enrollment_id is not null
        and (primary_enrollment.id is null or (${isOpen('dependent_enrollment')} and not ${isOpen('primary_enrollment')}))`,
  },
  {
    name: 'request-status',
    description:
      'A finished request is completed, partial-failure or failed as its parts became, and has no other parts.',
    violations: `select request.id from request
      left join (
        select company_id, request_id, min(enrollment_type) as first_type, max(enrollment_type) as last_type
        from enrollment group by company_id, request_id) parts on parts.company_id = request.company_id and parts.request_id = request.id
      where parts.first_type <> request.request_type or parts.last_type <> request.request_type
        or request.status <> 'processing' and request.status <> case
          when parts.request_id is null then 'failed' when request.failures = '[]' then 'completed' else 'partial-failure' end`,
  },
  {
    name: 'request-parts',
    description: 'Each part of a request is one enrollment or one failure, once.',
    violations: `select item.id from (
        select request_id as id, member_tax_id::text as part, product_name as product from enrollment
        where ${hasRule('enrollment_type', 'createsBenefit')}
        union all
        select request_id, benefit_id::text, '' from enrollment where not ${hasRule('enrollment_type', 'createsBenefit')}
        union all
        select request.id, failure.part ->> 'tax-id', failure.part ->> 'product-name' from request
        cross join lateral jsonb_array_elements(request.failures) failure(part)) item
      group by item.id, item.part, item.product having count(*) > 1`,
  },
]
