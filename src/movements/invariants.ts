import type { Invariant } from '#platform/core/invariant.ts'
import { hasRule } from '#coverage/enrollments/kind.ts'
import { isChange, isOpen, openMovementColumns } from '#coverage/enrollments/open-movement.ts'
import { mayTransition } from '#coverage/rules/enrollment-status.ts'
import { ENROLLMENT_STATUSES } from '#kernel/enums.ts'
import { invariants as ofDrafts } from './drafts/invariants.ts'
import { invariants as ofIntake } from './intake/invariants.ts'
import { invariants as ofRosters } from './rosters/invariants.ts'
import { importLockKey } from './imports/queries.ts'
import { canExtend } from './transition/extension-queries.ts'

/** Every legal transition as SQL values, from the rule that transitions are judged by. */
const legal = ENROLLMENT_STATUSES.flatMap((from) =>
  ENROLLMENT_STATUSES.filter((to) => mayTransition(from, to, false)).map((to) => `('${from}', '${to}')`),
).join(', ')

/** The audit actions of the steps of a history; an assignment and a note of a movement are none. */
const stepActions = ENROLLMENT_STATUSES.map((status) => `'enrollment.${status}'`).join(', ')

/** What must always hold of the rows of this district. */
export const invariants: readonly Invariant[] = [
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
  {
    name: 'request-work',
    description: 'A request that is processing has one row of work, and work has a request that is processing.',
    violations: `select coalesce(request.id, work.target_id) as id
      from (select request.id from request where request.status = 'processing') request full join (select * from work where kind in ('inclusion', 'exclusion', 'alteration')) work
        on work.target_id = request.id
      group by request.id, work.target_id having request.id is null or count(work.id) <> 1`,
  },
  {
    name: 'movement-items',
    description: 'The items of batches belong to a request that is processing.',
    violations: `select distinct movement_item.request_id as id from movement_item
      left join request on request.company_id = movement_item.company_id and request.id = movement_item.request_id and request.status = 'processing'
      where request.id is null`,
  },
  {
    name: 'decision-job-work',
    description:
      'A job of decisions that has not ended has one row of work and lines to decide, and work has such a job.',
    violations: `select coalesce(decision_job.id, work.target_id) as id
      from (select id from decision_job where finished_at is null) decision_job
      full join (select target_id from work where kind in ('decision', 'acknowledgement')) work on work.target_id = decision_job.id
      group by decision_job.id, work.target_id
      having decision_job.id is null or count(work.target_id) <> 1
        or not exists (select 1 from decision_job_line where decision_job_line.job_id = decision_job.id and decision_job_line.result is null)`,
  },
  ...ofDrafts,
  ...ofIntake,
  ...ofRosters,
  {
    name: 'held-decision',
    description: 'A decision that is held belongs to a job that can be undone and has not ended.',
    violations: `select held_decision.enrollment_id as id from held_decision join decision_job on decision_job.id = held_decision.job_id
      where decision_job.finished_at is not null or decision_job.undo_until is null`,
  },
  {
    name: 'scheduled-due',
    description: 'No scheduled movement waits beyond its day.',
    violations: `select enrollment.id from enrollment, given where enrollment.status = 'scheduled' and enrollment.scheduled_action_date <= given.day`,
  },
  {
    name: 'transfer-due',
    description: 'No plan or company change waits beyond its day, unless an open exclusion decides first.',
    violations: `with due as materialized (
        select benefit.id, benefit.type, benefit.replaces_company_id, benefit.replaces_id, exists (
          select 1 from benefit primary_benefit where primary_benefit.company_id = benefit.company_id
            and primary_benefit.member_id = benefit.primary_member_id
            and primary_benefit.product_id = benefit.product_id and primary_benefit.type = 'primary'
            and primary_benefit.status = 'active') as is_primary_active
        from benefit, given
        where benefit.status = 'pending' and benefit.replaces_id is not null and benefit.start_date <= given.day
      )
      select id from due where case type
        when 'primary' then id not in (
          select due.id from due join enrollment on enrollment.company_id = due.replaces_company_id and enrollment.benefit_id = due.replaces_id
            and ${hasRule('enrollment.enrollment_type', 'endsBenefit')} and ${isOpen('enrollment')})
        else is_primary_active end`,
  },
  {
    name: 'import-running',
    description: 'An import that is running has a process that runs it.',
    violations: `select member_import.id from member_import, given
      where member_import.status = 'running' and member_import.created_at < given.since and ${importLockKey('member_import.id')} <> all(given.held)`,
  },
  {
    name: 'import-claims',
    description: 'Only a running import has notes of a dry run.',
    violations: `select distinct member_import_dry_run_benefit.import_id as id from member_import_dry_run_benefit
      where member_import_dry_run_benefit.import_id not in (select id from member_import where status = 'running')`,
  },
  {
    name: 'request-audit',
    description: 'A request has exactly one audit row of its acceptance.',
    violations: `select request.id::text as id from request
      full join (
        select audit.target, min(audit.action) as action, count(*) as rows from audit
        where audit.action in ('inclusion.requested', 'exclusion.requested', 'alteration.requested') group by audit.target) audit
        on audit.target = request.id::text
      where request.id is null or (audit.rows, audit.action) is distinct from (1, request.request_type || '.requested')`,
  },
  {
    name: 'movement-audit',
    description: 'Each step of a history has an audit row of its own.',
    violations: `select coalesce(history.id, audited.id) as id
      from (select enrollment_id::text as id, status, count(*) as steps from enrollment_history group by 1, 2) history
      full join (
        select target as id, substr(action, 12) as status, count(*) as rows from audit where action in (${stepActions}) group by 1, 2) audited
        on audited.id = history.id and audited.status = history.status
      where history.steps is distinct from audited.rows`,
  },
  {
    name: 'request-events',
    description: 'A request has one event of its end, once it is finished, and none before.',
    violations: `select coalesce(request.id::text, event.id) as id
      from (select request.id, request.finished_at, request.status, given.events_since from request, given) request
      full join (
        select event.data ->> 'request-id' as id, count(*) as events, min(event.type) as type from event
        where event.type like 'request.%' group by 1) event on event.id = request.id::text
      where request.id is null or case when request.status = 'processing' then event.id is not null
        else request.finished_at >= request.events_since
          and (event.events, event.type) is distinct from (1, 'request.' || replace(request.status, '-', '_')) end`,
  },
  {
    name: 'movement-events',
    description:
      'A movement has one event of its creation, one of each step, and one of each correction without a step.',
    violations: `select coalesce(movement.id, event.id) as id
      from (
        select movement.id, count(*) as happened from (
          select id::text as id, created_at as at from enrollment
          union all
          select enrollment_id::text, at from enrollment_history
          union all
          select target, at from audit where action in ('enrollment-data.corrected', 'enrollment-data.start-moved', 'enrollment-data.cut-off-missed')) movement, given
        where movement.at >= given.events_since group by movement.id) movement
      full join (
        select event.data ->> 'enrollment-id' as id, count(*) as events from event, given
        where event.type like 'enrollment.%' and event.at >= given.events_since group by 1) event on event.id = movement.id
      where movement.happened is distinct from event.events`,
  },
  {
    name: 'import-errors',
    description: 'An import has as many errors stored as it counted rejected lines.',
    violations: `select member_import.id from member_import left join member_import_error on member_import_error.import_id = member_import.id
      group by member_import.id having count(member_import_error.line) <> member_import.rejected`,
  },
  {
    name: 'decision-job-lines',
    description: 'The counters of a job of decisions are those of its lines; a job that has ended keeps no decision.',
    violations: `select decision_job.id from decision_job left join decision_job_line on decision_job_line.job_id = decision_job.id
      group by decision_job.id having count(decision_job_line.line) <> decision_job.lines
        or count(*) filter (where decision_job_line.result ->> 'code' is not null) <> decision_job.rejected
        or count(*) filter (where decision_job_line.result is not null and decision_job_line.result ->> 'code' is null)
          <> decision_job.accepted + decision_job.refused + decision_job.in_analysis
        or count(*) filter (where decision_job_line.result ->> 'code' is null and decision_job_line.result ->> 'outcome' = 'refused')
          <> decision_job.refused
        or (decision_job.finished_at is not null and count(decision_job_line.decision) > 0)`,
  },
  {
    name: 'reference',
    description: 'Events, work and deliveries refer to companies and clients that exist; they have no foreign key.',
    violations: `select referring.id from (
        select id, company_id, null as client_id from event
        union all select id, company_id, null from event_batch
        union all select id, company_id, client_id from work
        union all select id, company_id, null from webhook_delivery) referring
      where (referring.company_id is not null and not exists (select 1 from company where id = referring.company_id))
        or (referring.client_id is not null and not exists (select 1 from client where id = referring.client_id))`,
  },
]
