import { hasRule } from '#coverage/enrollments/kind.ts'
import { importLockKey } from '#movements/imports/queries.ts'
import { isOpen } from '#coverage/enrollments/open-movement.ts'
import type { Invariant } from './rule.ts'

/** Nothing is stuck: what is due is done, and waiting work is processed in time. */
export const progressRules: readonly Invariant[] = [
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
        or not exists (select from decision_job_line where decision_job_line.job_id = decision_job.id and decision_job_line.result is null)`,
  },
  {
    name: 'held-decision',
    description: 'A decision that is held belongs to a job that can be undone and has not ended.',
    violations: `select held_decision.enrollment_id as id from held_decision join decision_job on decision_job.id = held_decision.job_id
      where decision_job.finished_at is not null or decision_job.undo_until is null`,
  },
  {
    name: 'work-client',
    description: 'The client of a row of work is one that the workers serve.',
    violations: `select work.id from work where client_id is not null and not exists (select from work_client where client_id = work.client_id)`,
  },
  {
    name: 'work-waiting',
    description: 'No work waits longer than the age given, unless it is put aside with its reason.',
    violations: `select work.id from work, given where work.client_id is not null and work.created_at < given.since and work.run_at < 'infinity'`,
  },
  {
    name: 'step-reason',
    description: 'No step that was begun is older than an hour without a reason.',
    violations: `select work.id from work where attempts > 0 and reason is null and created_at < now() - interval '1 hour'`,
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
          select from benefit primary_benefit where primary_benefit.company_id = benefit.company_id
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
    name: 'invoice-overdue-due',
    description: 'Every invoice that is overdue has had its event.',
    violations: `select invoice.id from invoice, given where invoice.unpaid_due_date < given.day and not invoice.overdue_event_written`,
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
    name: 'outbox-waiting',
    description: 'No event waits in the outbox longer than the age given.',
    violations: `select event_batch.id from event_batch, given where event_batch.id < given.since_id`,
  },
  {
    name: 'delivery-waiting',
    description: 'No delivery to an enabled endpoint is due, without a lease, longer than the age given.',
    violations: `select webhook_delivery.id from webhook_delivery
      join webhook_endpoint on webhook_endpoint.id = webhook_delivery.endpoint_id and webhook_endpoint.status = 'enabled'
        and webhook_endpoint.deleted_at is null
      cross join given
      where webhook_delivery.status = 'pending' and (webhook_delivery.next_attempt_at is null or webhook_delivery.next_attempt_at < given.since)
        and (webhook_delivery.leased_until is null or webhook_delivery.leased_until < given.since)`,
  },
  {
    name: 'delivery-endpoint',
    description: 'A pending delivery has an endpoint that is not deleted.',
    violations: `select webhook_delivery.id from webhook_delivery
      left join webhook_endpoint on webhook_endpoint.id = webhook_delivery.endpoint_id and webhook_endpoint.deleted_at is null
      where webhook_delivery.status = 'pending' and webhook_endpoint.id is null`,
  },
  {
    name: 'audit-waiting',
    description: 'No audit row is pending for longer than the age given.',
    violations: `select audit_pending.id from audit_pending, given where audit_pending.at < given.since`,
  },
  {
    name: 'orphan-waiting',
    description: 'No file that nothing refers to stays longer than the sweep leaves it.',
    violations: `select orphan_file.key as id from orphan_file, given where orphan_file.delete_after < given.since - interval '2 hours'`,
  },
  {
    name: 'document-unused',
    description: 'No document that was never used stays longer than the sweep leaves it.',
    violations: `select document.id from document, given
      where document.used_at is null and document.created_at < given.since - interval '7 days 2 hours'`,
  },
]
