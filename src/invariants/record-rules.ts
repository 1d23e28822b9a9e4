import { hasRule } from '../enrollments/kind.ts'
import { ENROLLMENT_STATUSES } from '../domain/enums.ts'
import type { Invariant } from './rule.ts'

/** The audit actions of the steps of a history; an assignment and a note of a movement are none. */
const stepActions = ENROLLMENT_STATUSES.map((status) => `'enrollment.${status}'`).join(', ')

/** What is recorded beside the movements: events, audit, invoices, documents, imports, clients. */
export const recordRules: readonly Invariant[] = [
  {
    name: 'request-audit',
    description: 'A request has exactly one audit row of its acceptance.',
    violations: `select r.id::text as id from request r
      full join (
        select a.target, min(a.action) as action, count(*) as rows from audit a
        where a.action in ('inclusion.requested', 'exclusion.requested', 'alteration.requested') group by a.target) a
        on a.target = r.id::text
      where r.id is null or (a.rows, a.action) is distinct from (1, r.request_type || '.requested')`,
  },
  {
    name: 'movement-audit',
    description: 'Each step of a history has an audit row of its own.',
    violations: `select coalesce(h.id, a.id) as id
      from (select enrollment_id::text as id, status, count(*) as steps from enrollment_history group by 1, 2) h
      full join (
        select target as id, substr(action, 12) as status, count(*) as rows from audit where action in (${stepActions}) group by 1, 2) a
        on a.id = h.id and a.status = h.status
      where h.steps is distinct from a.rows`,
  },
  {
    name: 'request-events',
    description: 'A request has one event of its end, once it is finished, and none before.',
    violations: `select coalesce(r.id::text, v.id) as id
      from (select r.id, r.finished_at, r.status, given.events_since from request r, given) r
      full join (
        select v.data ->> 'request-id' as id, count(*) as events, min(v.type) as type from event v
        where v.type like 'request.%' group by 1) v on v.id = r.id::text
      where r.id is null or case when r.status = 'processing' then v.id is not null
        else r.finished_at >= r.events_since and (v.events, v.type) is distinct from (1, 'request.' || replace(r.status, '-', '_')) end`,
  },
  {
    name: 'movement-events',
    description:
      'A movement has one event of its creation, one of each step, and one of each correction without a step.',
    violations: `select coalesce(n.id, v.id) as id
      from (
        select n.id, count(*) as happened from (
          select e.id::text as id, e.created_at as at from enrollment e
          union all
          select h.enrollment_id::text, h.at from enrollment_history h
          union all
          select a.target, a.at from audit a where a.action in ('enrollment-data.corrected', 'enrollment-data.start-moved')) n, given
        where n.at >= given.events_since group by n.id) n
      full join (
        select v.data ->> 'enrollment-id' as id, count(*) as events from event v, given
        where v.type like 'enrollment.%' and v.at >= given.events_since group by 1) v on v.id = n.id
      where n.happened is distinct from v.events`,
  },
  {
    name: 'activation-event',
    description: 'A completed inclusion has one event of the activation of its benefit.',
    violations: `select e.id from enrollment e
      join enrollment_history h on h.company_id = e.company_id and h.enrollment_id = e.id and h.status = 'completed'
      join given on h.at >= given.events_since
      left join (
        select v.data ->> 'benefit-id' as benefit_id, v.at, count(*) as events from event v
        where v.type = 'benefit.activated' group by 1, 2) v on v.benefit_id = e.benefit_id::text and v.at = h.at
      where ${hasRule('e.enrollment_type', 'createsBenefit')} and e.status = 'completed' and v.events is distinct from 1`,
  },
  {
    name: 'audit-chain',
    description: 'The blocks of the audit chain follow each other without a gap, and the head is the last one.',
    violations: `select b.position::text as id from (
        select s.position, s.previous, row_number() over in_order as n,
          lag(s.hash, 1, decode(repeat('00', 32), 'hex')) over in_order as before
        from audit_block s window in_order as (order by s.position)) b
      where b.position <> b.n or b.previous <> b.before
      union all
      select 'head' from (select s.position, s.hash from audit_block s order by s.position desc limit 1) s
      full join audit_head h on h.position = s.position and h.hash = s.hash
      where h.position is null or s.position is null
      group by 1`,
  },
  {
    name: 'audit-rows',
    description: 'Every audit row is in the chain or pending, and no row of either is missing.',
    violations: `select coalesce(a.id, c.id) as id from audit a
      full join (
        select unnest(s.row_ids) as id from audit_block s union all select u.id from audit_pending u) c on c.id = a.id
      group by a.id, c.id having a.id is null or count(c.id) <> 1`,
  },
  {
    name: 'invoice-unpaid-day',
    description: 'The stored day on which the next payment of an invoice is due is that of its slips.',
    violations: `select i.id from invoice i
      left join (
        select f.company_id, f.invoice_id, min(f.payment_slip_due_date) filter (where f.status = 'pending') as day
        from invoice_file f where f.status is not null group by f.company_id, f.invoice_id) s
        on s.company_id = i.company_id and s.invoice_id = i.id
      where i.unpaid_due_date is distinct from case when s.invoice_id is null then i.due_date else s.day end`,
  },
  {
    name: 'stored-response-usage',
    description: "The counted bytes of a client's stored responses equal the bytes that are stored.",
    violations: `select coalesce(n.client_id, u.client_id) as id
      from (select client_id, sum(octet_length(encrypted_response)) as bytes from idempotency_key where encrypted_response is not null group by client_id) n
      full join (select client_id, bytes from stored_response_usage where bytes > 0) u on u.client_id = n.client_id
      where n.bytes is distinct from u.bytes`,
  },
  {
    name: 'invoice-owner',
    description: 'An invoice id that a company owns has its invoice there.',
    violations: `select o.id from invoice_owner o
      left join invoice i on i.company_id = o.company_id and i.id = o.id where i.id is null`,
  },
  {
    name: 'document-request',
    // Of any client: another client of the company may answer the movement.
    description: 'A used document has a request.',
    violations: `select d.id from document d
      left join request r on r.company_id = d.company_id and r.id = d.request_id
      where d.request_id is not null and r.id is null`,
  },
  {
    name: 'document-once',
    description: 'A document that a movement names was used by the request of that movement, and by no other.',
    violations: `select sent.item ->> 'document-id' as id from enrollment e
      cross join lateral jsonb_array_elements(
        case jsonb_typeof(e.data -> 'documents') when 'array' then e.data -> 'documents' else '[]' end) sent(item)
      left join document d on d.id::text = sent.item ->> 'document-id' and d.company_id = e.company_id and d.request_id = e.request_id
      where d.id is null`,
  },
  {
    name: 'file-removal',
    description: 'No file that something refers to is noted for removal.',
    violations: `select l.key as id from orphan_file l
      where l.key in (select d.storage_key from document d) or l.key in (select f.storage_key from invoice_file f)`,
  },
  {
    name: 'import-errors',
    description: 'An import has as many errors stored as it counted rejected lines.',
    violations: `select i.id from member_import i left join member_import_error e on e.import_id = i.id
      group by i.id having count(e.line) <> i.rejected`,
  },
  {
    name: 'client-kind',
    description: 'Only clients of the partner API have entitlements, requests, documents and webhook endpoints.',
    violations: `select k.id from client k where k.api <> 'partner' and (
      k.id in (select t.client_id from entitlement t) or k.id in (select r.client_id from request r)
      or k.id in (select d.client_id from document d) or k.id in (select p.client_id from webhook_endpoint p))`,
  },
  {
    name: 'client-secret',
    description:
      'A client that is not revoked has a secret without an end, unless it signs in at the identity provider.',
    violations: `select k.id from client k
      where k.revoked_at is null and k.id not like 'oidc-%' and not exists (select from client_secret s where s.client_id = k.id and s.ends_at is null)`,
  },
  {
    name: 'active-admin',
    description: 'Of the operators at least one admin is not revoked.',
    violations: `select 'none' as id from client k where k.api = 'operator'
      having count(*) > 0 and count(*) filter (where k.role = 'admin' and k.revoked_at is null) = 0`,
  },
  {
    name: 'endpoint-secret',
    description: 'A webhook endpoint has one present secret, a deleted one has none at all.',
    violations: `select p.id from webhook_endpoint p left join webhook_secret s on s.endpoint_id = p.id
      group by p.id having case when p.deleted_at is null then count(*) filter (where s.id is not null and s.expires_at is null) <> 1
        else count(s.id) > 0 end`,
  },
  {
    name: 'decision-job-lines',
    description: 'The counters of a job of decisions are those of its lines; a job that has ended keeps no decision.',
    violations: `select j.id from decision_job j left join decision_job_line l on l.job_id = j.id
      group by j.id having count(l.line) <> j.lines or count(*) filter (where l.outcome ->> 'code' is not null) <> j.rejected
        or count(*) filter (where l.outcome is not null and l.outcome ->> 'code' is null) <> j.accepted
        or (j.finished_at is not null and count(l.decision) > 0)`,
  },
  {
    name: 'reference',
    description: 'Events, work and deliveries refer to companies and clients that exist; they have no foreign key.',
    violations: `select n.id from (
        select v.id, v.company_id, null as client_id from event v
        union all select b.id, b.company_id, null from event_batch b
        union all select w.id, w.company_id, w.client_id from work w
        union all select d.id, d.company_id, null from webhook_delivery d) n
      where (n.company_id is not null and not exists (select from company c where c.id = n.company_id))
        or (n.client_id is not null and not exists (select from client k where k.id = n.client_id))`,
  },
]
