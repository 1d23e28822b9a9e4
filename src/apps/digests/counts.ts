import type { Digest } from '#kernel/mail.ts'

/*
 * SQL of what each digest counts: rows (client_id, name, count, newest) of the people who get it. $1 is the business day, $2 the days before a
 * deadline in which it is near. No row names a person, a company or a plan.
 */

const operators = (
  roles: string,
) => `person join client reader on reader.id = person.client_id and reader.api = 'operator'
  and reader.revoked_at is null and reader.role in (${roles})`

const workers = operators(`'admin', 'analyst'`)

/** The people of the companies of rows (company_id, name, count, newest). */
const ofCompanies = (
  rows: string,
) => `select person.client_id, found.name, sum(found.count) as count, max(found.newest) as newest
  from (${rows}) found join entitlement on entitlement.company_id = found.company_id
  join person on person.client_id = entitlement.client_id
  join client reader on reader.id = person.client_id and reader.api = 'partner' and reader.revoked_at is null
  group by person.client_id, found.name`

/** All who work at the broker get the same. @param rows (name, count, newest) */
const ofBroker = (rows: string) =>
  `select person.client_id, found.name, found.count, found.newest from (${rows}) found cross join ${workers}`

/** A list that waits for the broker, or for another operator than the reader. */
const isForOperator = `movement_draft_item.status = 'approval'
  and (movement_draft_item.approval = 'broker' or movement_draft_item.decided_by is distinct from person.client_id)`

const drafts = `select person.client_id, 'drafts', count(*), max(movement_draft.created_at)
  from movement_draft cross join ${workers}
  where movement_draft.status <> 'closed' and exists (select 1 from movement_draft_item
    where movement_draft_item.company_id = movement_draft.company_id and movement_draft_item.draft_id = movement_draft.id and ${isForOperator})
  group by person.client_id
  union all
  ${ofCompanies(`select movement_draft.company_id, 'drafts' as name, count(*) as count, max(movement_draft.created_at) as newest
    from movement_draft where movement_draft.status = 'open' and (movement_draft.source = 'roster-sync'
      or exists (select 1 from client sender where sender.id = movement_draft.created_by and sender.api = 'partner'))
    and exists (select 1 from movement_draft_item where movement_draft_item.company_id = movement_draft.company_id
      and movement_draft_item.draft_id = movement_draft.id and movement_draft_item.status = 'proposed')
    group by movement_draft.company_id`)}`

/** What the broker waits for, and did not get yet. */
const pending =
  ofCompanies(`select open_movement.company_id, open_movement.status as name, count(*) as count, max(open_movement.updated_at) as newest
  from open_movement where open_movement.status in ('pending-documents', 'pending-correction') and open_movement.answered_at is null
  group by open_movement.company_id, open_movement.status
  union all
  select onboarding_invitation.company_id, 'submissions', count(*), max(onboarding_invitation.submitted_at)
  from onboarding_invitation where onboarding_invitation.status = 'submitted' group by onboarding_invitation.company_id`)

const deadlines = (isOverdue: string) =>
  ofBroker(`select 'due' as name, count(*) as count, now() as newest from open_movement where open_movement.due_date <= $1::date + $2::int
  union all
  select 'overdue-answers', count(*), now() from open_movement enrollment where ${isOverdue}`)

/** What was put aside, or needs an act of an operator. */
const failures =
  ofBroker(`select 'shipments' as name, count(*) as count, max(last_attempt.attempted_at) as newest from shipment
    cross join lateral (select status, attempted_at from shipment_delivery where shipment_delivery.company_id = shipment.company_id
      and shipment_delivery.shipment_id = shipment.id order by shipment_delivery.attempt desc limit 1) last_attempt
    where shipment.status = 'closed' and last_attempt.status = 'failed'
  union all
  select 'webhooks', count(*), max(webhook_endpoint.failing_since) from webhook_endpoint
    join client on client.id = webhook_endpoint.client_id and client.revoked_at is null
    where webhook_endpoint.deleted_at is null and webhook_endpoint.failing_since is not null
  union all
  select 'steps', count(*), max(work.failed_at) from work where work.run_at = 'infinity'
  union all
  select 'mails', count(*), max(mail.finished_at) from mail where mail.status in ('failed', 'doubtful') and mail.period is null`)

/** A plan of an erasure that another admin made. */
const plans = `select person.client_id, 'plans', count(*), max(erasure.planned_at)
  from erasure join subject_request on subject_request.id = erasure.subject_request_id and subject_request.status = 'planned'
  join (${operators(`'admin'`)}) on person.client_id <> erasure.planned_by group by person.client_id`

/** @param isOverdue SQL: the carrier of the open `enrollment` should have answered before the day. */
export const digestCounts = (isOverdue: string): Readonly<Record<Digest, string>> => ({
  'pending-items': pending,
  deadlines: deadlines(isOverdue),
  'failed-deliveries': failures,
  drafts,
  'second-admin': plans,
})
