import { hasRule } from '../enrollments/kind.ts'
import { importLockKey } from '../imports/queries.ts'
import { isOpen } from '../enrollments/open-movement.ts'
import type { Invariant } from './rule.ts'

/** Nothing is stuck: what is due is done, and waiting work is processed in time. */
export const progressRules: readonly Invariant[] = [
  {
    name: 'request-work',
    description: 'A request that is processing has one row of work, and work has a request that is processing.',
    violations: `select coalesce(r.id, w.target_id) as id
      from (select r.id from request r where r.status = 'processing') r full join (select * from work where kind <> 'decision') w
        on w.target_id = r.id
      group by r.id, w.target_id having r.id is null or count(w.id) <> 1`,
  },
  {
    name: 'movement-items',
    description: 'The items of batches belong to a request that is processing.',
    violations: `select distinct s.request_id as id from movement_item s
      left join request r on r.company_id = s.company_id and r.id = s.request_id and r.status = 'processing'
      where r.id is null`,
  },
  {
    name: 'decision-job-work',
    description:
      'A job of decisions that has not ended has one row of work and lines to decide, and work has such a job.',
    violations: `select coalesce(j.id, w.target_id) as id
      from (select id from decision_job where finished_at is null) j
      full join (select target_id from work where kind = 'decision') w on w.target_id = j.id
      group by j.id, w.target_id
      having j.id is null or count(w.target_id) <> 1
        or not exists (select from decision_job_line l where l.job_id = j.id and l.outcome is null)`,
  },
  {
    name: 'work-client',
    description: 'The client of a row of work is one that the workers serve.',
    violations: `select w.id from work w where not exists (select from work_client t where t.client_id = w.client_id)`,
  },
  {
    name: 'work-waiting',
    description: 'No work waits longer than the age given.',
    violations: `select w.id from work w, given where w.created_at < given.since`,
  },
  {
    name: 'scheduled-due',
    description: 'No scheduled movement waits beyond its day.',
    violations: `select e.id from enrollment e, given where e.status = 'scheduled' and e.scheduled_action_date <= given.day`,
  },
  {
    name: 'transfer-due',
    description: 'No plan or company change waits beyond its day, unless an open exclusion decides first.',
    violations: `with due as materialized (
        select n.id, n.type, n.replaces_company_id, n.replaces_id, exists (
          select from benefit p where p.company_id = n.company_id and p.member_id = n.primary_member_id
            and p.product_id = n.product_id and p.type = 'primary' and p.status = 'active') as is_primary_active
        from benefit n, given
        where n.status = 'pending' and n.replaces_id is not null and n.start_date <= given.day
      )
      select id from due where case type
        when 'primary' then id not in (
          select d.id from due d join enrollment e on e.company_id = d.replaces_company_id and e.benefit_id = d.replaces_id
            and ${hasRule('e.enrollment_type', 'endsBenefit')} and ${isOpen('e')})
        else is_primary_active end`,
  },
  {
    name: 'ending-due',
    description: 'No benefit stays active beyond its last day, unless a pending benefit replaces it.',
    violations: `with due as materialized (
        select b.company_id, b.id from benefit b, given where b.status = 'active' and b.end_date <= given.day
      )
      select id from due where id not in (
        select d.id from due d
        join benefit n on n.replaces_company_id = d.company_id and n.replaces_id = d.id and n.status = 'pending')`,
  },
  {
    name: 'invoice-overdue-due',
    description: 'Every invoice that is overdue has had its event.',
    violations: `select i.id from invoice i, given where i.unpaid_due_date < given.day and not i.overdue_event_written`,
  },
  {
    name: 'import-running',
    description: 'An import that is running has a process that runs it.',
    violations: `select i.id from member_import i, given
      where i.status = 'running' and i.created_at < given.since and ${importLockKey('i.id')} <> all(given.held)`,
  },
  {
    name: 'import-claims',
    description: 'Only a running import has notes of a dry run.',
    violations: `select distinct k.import_id as id from member_import_dry_run_benefit k
      where k.import_id not in (select i.id from member_import i where i.status = 'running')`,
  },
  {
    name: 'outbox-waiting',
    description: 'No event waits in the outbox longer than the age given.',
    violations: `select b.id from event_batch b, given where b.id < given.since_id`,
  },
  {
    name: 'delivery-waiting',
    description: 'No delivery to an enabled endpoint is due, without a lease, longer than the age given.',
    violations: `select d.id from webhook_delivery d
      join webhook_endpoint p on p.id = d.endpoint_id and p.status = 'enabled' and p.deleted_at is null
      cross join given
      where d.status = 'pending' and (d.next_attempt_at is null or d.next_attempt_at < given.since)
        and (d.leased_until is null or d.leased_until < given.since)`,
  },
  {
    name: 'delivery-endpoint',
    description: 'A pending delivery has an endpoint that is not deleted.',
    violations: `select d.id from webhook_delivery d
      left join webhook_endpoint p on p.id = d.endpoint_id and p.deleted_at is null
      where d.status = 'pending' and p.id is null`,
  },
  {
    name: 'audit-waiting',
    description: 'No audit row is pending for longer than the age given.',
    violations: `select u.id from audit_pending u, given where u.at < given.since`,
  },
  {
    name: 'orphan-waiting',
    description: 'No file that nothing refers to stays longer than the sweep leaves it.',
    violations: `select l.key as id from orphan_file l, given where l.delete_after < given.since - interval '2 hours'`,
  },
  {
    name: 'document-unused',
    description: 'No document that was never used stays longer than the sweep leaves it.',
    violations: `select d.id from document d, given
      where d.used_at is null and d.created_at < given.since - interval '7 days 2 hours'`,
  },
]
