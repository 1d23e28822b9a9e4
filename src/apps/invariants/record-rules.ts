import { hasRule } from '#coverage/enrollments/kind.ts'
import { ENROLLMENT_STATUSES } from '#kernel/enums.ts'
import type { Invariant } from './rule.ts'

/** The audit actions of the steps of a history; an assignment and a note of a movement are none. */
const stepActions = ENROLLMENT_STATUSES.map((status) => `'enrollment.${status}'`).join(', ')

/** SQL: a request of an operator. */
const ofOperators = `(alteration_kind is not null or id in (select request_id from draft_exclusion where request_id is not null)
  or id in (select request_id from discrepancy where request_id is not null))`

/** What is recorded beside the movements: events, audit, invoices, documents, imports, clients. */
export const recordRules: readonly Invariant[] = [
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
  {
    name: 'audit-chain',
    description: 'The blocks of the audit chain follow each other without a gap, and the head is the last one.',
    violations: `select block.position::text as id from (
        select position, previous, row_number() over in_order as n,
          lag(hash, 1, decode(repeat('00', 32), 'hex')) over in_order as before
        from audit_block window in_order as (order by position)) block
      where block.position <> block.n or block.previous <> block.before
      union all
      select 'head' from (select audit_block.position, audit_block.hash from audit_block order by audit_block.position desc limit 1) audit_block
      full join audit_head on audit_head.position = audit_block.position and audit_head.hash = audit_block.hash
      where audit_head.position is null or audit_block.position is null
      group by 1`,
  },
  {
    name: 'audit-rows',
    description: 'Every audit row is in the chain or pending, and no row of either is missing.',
    violations: `select coalesce(audit.id, kept.id) as id from audit
      full join (
        select unnest(row_ids) as id from audit_block union all select id from audit_pending) kept on kept.id = audit.id
      group by audit.id, kept.id having audit.id is null or count(kept.id) <> 1`,
  },
  {
    name: 'invoice-unpaid-day',
    description: 'The stored day on which the next payment of an invoice is due is that of its slips.',
    violations: `select invoice.id from invoice
      left join (
        select company_id, invoice_id, min(payment_slip_due_date) filter (where status = 'pending') as day
        from invoice_file where status is not null group by company_id, invoice_id) slip
        on slip.company_id = invoice.company_id and slip.invoice_id = invoice.id
      where invoice.unpaid_due_date is distinct from case when slip.invoice_id is null then invoice.due_date else slip.day end`,
  },
  {
    name: 'stored-response-usage',
    description: "The counted bytes of a client's stored responses equal the bytes that are stored.",
    violations: `select coalesce(stored.client_id, usage.client_id) as id
      from (select client_id, sum(octet_length(encrypted_response)) as bytes from idempotency_key where encrypted_response is not null
        group by client_id) stored
      full join (select client_id, bytes from stored_response_usage where bytes > 0) usage on usage.client_id = stored.client_id
      where stored.bytes is distinct from usage.bytes`,
  },
  {
    name: 'invoice-owner',
    description: 'An invoice id that a company owns has its invoice there.',
    violations: `select invoice_owner.id from invoice_owner
      left join invoice on invoice.company_id = invoice_owner.company_id and invoice.id = invoice_owner.id where invoice.id is null`,
  },
  {
    name: 'document-request',
    // Of any client: another client of the company may answer the movement.
    description: 'A used document has a request.',
    violations: `select document.id from document
      left join request on request.company_id = document.company_id and request.id = document.request_id
      where document.request_id is not null and request.id is null`,
  },
  {
    name: 'document-once',
    description: 'A document that a movement names was used by the request of that movement, and by no other.',
    violations: `select sent.item ->> 'document-id' as id from enrollment
      cross join lateral jsonb_array_elements(
        case jsonb_typeof(enrollment.data -> 'documents') when 'array' then enrollment.data -> 'documents' else '[]' end) sent(item)
      left join document on document.id::text = sent.item ->> 'document-id' and document.company_id = enrollment.company_id
        and document.request_id = enrollment.request_id
      where document.id is null`,
  },
  {
    name: 'file-removal',
    description: 'No file that something refers to is noted for removal.',
    violations: `select orphan_file.key as id from orphan_file
      where orphan_file.key in (select storage_key from document) or orphan_file.key in (select storage_key from invoice_file)
        or orphan_file.key in (select storage_key from onboarding_document)`,
  },
  {
    name: 'import-errors',
    description: 'An import has as many errors stored as it counted rejected lines.',
    violations: `select member_import.id from member_import left join member_import_error on member_import_error.import_id = member_import.id
      group by member_import.id having count(member_import_error.line) <> member_import.rejected`,
  },
  {
    name: 'client-kind',
    description:
      'Only clients of the partner API have entitlements, documents, webhook endpoints, and requests but those of an alteration kind, of drafts and of corrected discrepancies, which operators have.',
    violations: `select client.id from client where client.api = 'partner' and client.id in (
      select client_id from request where ${ofOperators})
    union
    select client.id from client where client.api <> 'partner' and (
      client.id in (select client_id from entitlement) or client.id in (select client_id from request where not ${ofOperators})
      or client.id in (select client_id from document) or client.id in (select client_id from webhook_endpoint))`,
  },
  {
    name: 'client-secret',
    description:
      'A client that is not revoked has a secret without an end, unless it is a person or signs in at the identity provider.',
    violations: `select client.id from client
      where client.revoked_at is null and client.id not like 'oidc-%'
        and not exists (select from person where person.client_id = client.id)
        and not exists (select from client_secret where client_id = client.id and ends_at is null)`,
  },
  {
    name: 'contract-carrier',
    description: 'A product of an active contract names the carrier of the contract.',
    violations: `select contract.id from contract join carrier on carrier.id = contract.carrier_id
      join contract_plan on contract_plan.company_id = contract.company_id and contract_plan.contract_id = contract.id
      join product on product.company_id = contract.company_id and product.id = contract_plan.active_product_id
      where product.carrier_key <> carrier.key`,
  },
  {
    name: 'active-admin',
    description: 'Of the operators at least one admin is not revoked.',
    violations: `select 'none' as id from client where api = 'operator'
      having count(*) > 0 and count(*) filter (where role = 'admin' and revoked_at is null) = 0`,
  },
  {
    name: 'endpoint-secret',
    description: 'A webhook endpoint has one present secret, a deleted one has none at all.',
    violations: `select webhook_endpoint.id from webhook_endpoint left join webhook_secret on webhook_secret.endpoint_id = webhook_endpoint.id
      group by webhook_endpoint.id having case when webhook_endpoint.deleted_at is null then count(*) filter (where webhook_secret.id is not null
        and webhook_secret.expires_at is null) <> 1
        else count(webhook_secret.id) > 0 end`,
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
      where (referring.company_id is not null and not exists (select from company where id = referring.company_id))
        or (referring.client_id is not null and not exists (select from client where id = referring.client_id))`,
  },
]
