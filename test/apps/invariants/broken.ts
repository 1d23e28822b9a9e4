/*
 * For each rule what breaks it, and it alone, on the data of `invariants.test.ts`; run in a transaction that is rolled back, without
 * triggers and foreign keys. `first` picks one row of a table for an update or a delete.
 */
const first = (table: string, condition: string): string =>
  `ctid = (select t.ctid from ${table} t where ${condition} limit 1)`

const person = (name: string): string => `(select m.id from member m where m.name = '${name}')`
const requestOf = (type: string): string =>
  `(select r.id from request r where r.request_type = '${type}' order by r.id limit 1)`
const inactiveHistory = `t.status = 'inactive' and t.member_id = ${person('Com História')}`
const transferAhead = `select n.replaces_id from benefit n where n.status = 'pending' and n.replaces_id is not null`
const newId = 'gen_random_uuid()'
const someCompany = '(select c.id from company c order by c.id limit 1)'
const somePartner = `(select k.id from client k where k.api = 'partner' limit 1)`
const oldId = `'01900000-0000-7000-8000-000000000000'`

const newerId = `'01900000-0000-7000-8000-000000000001'`

/** The draft of a list that was compared. */
const listDraft = (id: string, status: 'open' | 'closed', day: string): string[] => [
  `insert into roster_sync (company_id, id, created_by, states, within, scope_key, as_of, defaults, accept_doubts, automatic, status, format, sha256,
     size, created_at, finished_at)
   values (${someCompany}, ${id}, ${somePartner}, '{}', '{}', 'all', '${day}', '{}', '{}', false, 'compared', 'csv', sha256('x'), 1, '${day}', '${day}')`,
  `insert into movement_draft (company_id, id, source, created_by, status, closed_because, closed_at, guard, scope_key, expires_on, created_at)
   values (${someCompany}, ${id}, 'roster-sync', ${somePartner}, '${status}', ${status === 'open' ? 'null, null' : `'done', '${day}'`}, '[]', 'all',
     '2099-01-01', '${day}')`,
]

/** An exclusion's request as if it were still processing. */
export const processing = `with told as (delete from event where type = 'request.completed' and data ->> 'request-id' = ${requestOf('exclusion')}::text)
  update request set status = 'processing', finished_at = null where id = ${requestOf('exclusion')}`
/** Renames the event of a request's end, as the status that follows names it. */
const eventOfEnd = (from: string, to: string, condition: string): string =>
  `update event set type = 'request.${to}' where type = 'request.${from}' and data ->> 'request-id' in (select r.id::text from request r where ${condition})`
export const workFor = (target: string, createdAt = 'now()'): string =>
  `insert into work (id, kind, client_id, company_id, target_id, run_at, created_at)
   select ${newId}, 'inclusion', ${somePartner}, ${someCompany}, ${target}, ${createdAt}, ${createdAt}`
const delivery = (endpoint: string, nextAttemptAt: string): string =>
  `insert into webhook_delivery (event_id, endpoint_id, attempt, id, status, step, started_at, next_attempt_at)
   select ${newId}, ${endpoint}, 1, ${newId}, 'pending', 1, ${nextAttemptAt}, ${nextAttemptAt}`
const mail = (status: string, leasedUntil: string, secret: string): string =>
  `insert into mail (id, kind, company_id, invitation_id, secret, status, next_attempt_at, leased_until, created_at, expires_at)
   select ${newId}, 'onboarding-link', ${someCompany}, ${newId}, ${secret}, '${status}', now(), ${leasedUntil}, now(), now() + interval '1 day'`
const jobOf = (status: string, accepted: number): string =>
  `insert into decision_job (id, actor, address, request_trace_id, dry_run, status, lines, accepted, created_at, finished_at)
   select ${oldId}, 'x', 'x', 'x', false, '${status}', 1, ${accepted}, now(), case '${status}' when 'done' then now() end`
const auditRow = `insert into audit (id, at, actor, action, target) values (${newId}, now(), 'x', 'x', 'x')`

/** One of the shipments of the data: the open one, one that was closed or one that was sent. */
const shipmentIn = (status: string): string =>
  `(select s.id from shipment s where s.status = '${status}' order by s.id limit 1)`
const workForShipment = (id: string): string =>
  `insert into work (id, kind, client_id, company_id, target_id, run_at, created_at)
   select ${newId}, 'shipment', ${somePartner}, s.company_id, s.id, now(), now() from shipment s where s.id = ${id}`
/** An attempt that waits. */
const deliveryOf = (id: string): string =>
  `insert into shipment_delivery (company_id, shipment_id, attempt, step, channel, status, requested_by, requested_address,
     requested_trace_id, next_attempt_at, created_at)
   select s.company_id, s.id, 1, 1, 'sftp', 'pending', 'x', 'x', 'x', now(), now() from shipment s where s.id = ${id}`

/** A line without a forecast. */
const insertForecastLine = (firm: number, causes: object): string =>
  `insert into forecast_line (company_id, forecast_id, benefit_id, last_amount, firm, scheduled, at_carrier, requested, causes, later, lost)
   values (${someCompany}, ${newId}, ${newId}, 0, ${firm}, 0, 0, 0, '${JSON.stringify(causes)}', '{}', 0)`

export const broken: readonly (readonly [rule: string, ...statements: string[]])[] = [
  [
    'history-start',
    `update enrollment set initial_status = 'broker-processing' where ${first('enrollment', "t.status = 'completed'")}`,
  ],
  [
    'history-steps',
    `update enrollment_history set step = 7 where ${first('enrollment_history', "t.step = 1 and t.status = 'completed'")}`,
  ],
  [
    'history-transitions',
    `update enrollment_history h set status = case h.status when 'broker-processing' then 'carrier-processing' else 'broker-processing' end
     where h.status in ('broker-processing', 'carrier-processing') and h.enrollment_id not in (select i.enrollment_id from shipment_item i)`,
  ],
  [
    'history-transitions',
    `update enrollment_history h set status = 'cancelled' where h.status = 'rejected' and h.step = 3`,
    `update audit set action = 'enrollment.cancelled' where action = 'enrollment.rejected'
       and target in (select enrollment_id::text from enrollment_history where status = 'cancelled' and step = 3)`,
    `update enrollment set status = 'cancelled' where id in (
       select enrollment_id from enrollment_history where status = 'cancelled' and step = 3)`,
  ],
  [
    'history-end',
    `update enrollment set status = 'broker-processing' where ${first('enrollment', "t.status = 'created'")}`,
  ],
  [
    'carrier-reached',
    `update enrollment set reached_carrier = true where ${first('enrollment', "t.status = 'created'")}`,
  ],
  [
    'one-open-ending',
    'drop index open_movement_benefit_change',
    `update enrollment set destination_company_id = company_id, destination_product_id = product_id, new_benefit_id = ${newId}
     where status = 'created' and enrollment_type = 'alteration' and new_benefit_id is null`,
  ],
  ['open-movements', `update open_movement set due_date = '2019-01-01' where ${first('open_movement', 'true')}`],
  ['open-movements', `delete from open_movement where ${first('open_movement', 'true')}`],
  [
    'open-movements',
    `insert into open_movement select company_id, id, enrollment_type, null, 'created', assignee, member_id, member_tax_id, member_type,
       primary_member_id, product_id, benefit_id, null, null, null, null, null, null, null, null, created_at, updated_at from enrollment where ${first('enrollment', "t.status = 'completed'")}`,
  ],
  [
    'movement-benefit',
    `update enrollment set benefit_id = ${newId} where ${first('enrollment', "t.enrollment_type = 'alteration' and t.status = 'created'")}`,
  ],
  [
    'movement-benefit',
    `update enrollment set product_id = ${newId} where ${first('enrollment', "t.enrollment_type = 'alteration' and t.status = 'created'")}`,
  ],
  [
    'inclusion-benefit',
    `update enrollment set benefit_id = (select t.id from benefit t where ${inactiveHistory})
     where member_id = ${person('Com História')} and status = 'rejected'`,
  ],
  [
    'benefit-inclusion',
    `update enrollment set product_id = ${newId} where ${first('enrollment', "t.enrollment_type = 'inclusion' and t.status = 'completed'")}`,
  ],
  [
    'exclusion-family',
    `update enrollment set primary_enrollment_id = ${newId} where ${first('enrollment', 't.primary_enrollment_id is not null')}`,
  ],
  [
    'request-status',
    eventOfEnd('completed', 'partial_failure', `r.id = ${requestOf('exclusion')}`),
    `update request set status = 'partial-failure' where id = ${requestOf('exclusion')}`,
  ],
  [
    'request-status',
    eventOfEnd('failed', 'completed', "r.status = 'failed'"),
    `update request set status = 'completed' where status = 'failed'`,
  ],
  ['draft-status', `update movement_draft set status = 'closed', closed_because = 'done', closed_at = now()`],
  [
    'draft-work',
    `update movement_draft_item set status = 'confirmed', decided_by = ${somePartner}, address = 'x', request_trace_id = 'x'
     where status in ('proposed', 'approval')`,
    `update movement_draft set status = 'requesting'`,
  ],
  [
    'draft-requests',
    `update movement_draft_item set status = 'refused', request_id = null, offenses = '[]', differences = '[]' where status = 'requested'`,
  ],
  ['draft-needs', `update movement_draft_item set needs = '{end-date}' where status = 'requested'`],
  [
    'draft-data',
    ...listDraft(oldId, 'closed', '2026-11-01'),
    `insert into movement_draft_item (company_id, draft_id, number, class, status, tax_id, member_id, family)
     values (${someCompany}, ${oldId}, 1, 'company-data', 'requested', '52998224725', ${newId}, 'x')`,
  ],
  [
    'draft-scope',
    ...listDraft(oldId, 'open', '2026-11-01'),
    ...listDraft(newerId, 'open', '2026-11-02'),
    ...[oldId, newerId].map(
      (
        id,
      ) => `insert into movement_draft_item (company_id, draft_id, number, class, movement, status, tax_id, family, entry, differences)
       values (${someCompany}, ${id}, 1, 'inclusion', 'inclusion', 'proposed', '52998224725', 'x', '{}', '[]')`,
    ),
  ],
  [
    'roster-work',
    `insert into roster_sync (company_id, id, created_by, states, within, scope_key, as_of, defaults, accept_doubts, automatic, status,
       storage_key, format, sha256, size, created_at)
     values (${someCompany}, ${newId}, ${somePartner}, '{}', '{}', 'x', '2026-11-23', '{}', '{}', false, 'reading', 'roster/x', 'csv',
       decode(repeat('00', 32), 'hex'), 1, now())`,
  ],
  ['roster-staged', `insert into roster_line values (${someCompany}, ${newId}, 1, 1, null, '{}', '{}')`],
  [
    'roster-draft',
    `insert into movement_draft (company_id, id, source, created_by, status, closed_because, closed_at, guard, scope_key, expires_on, created_at)
     values (${someCompany}, ${newId}, 'roster-sync', ${somePartner}, 'closed', 'done', now(), '[]', 'x', '2026-12-23', now())`,
  ],
  ['request-intake', 'delete from request_intake'],
  [
    'request-intake',
    `insert into request_intake (company_id, request_id, medium, received_at)
     select r.company_id, r.id, 'carrier-portal', r.created_at from request r where r.id = ${requestOf('exclusion')}`,
  ],
  ['request-intake', `update request set alteration_kind = 'second-card' where id = ${requestOf('alteration')}`],
  ['request-intake', `update request_intake set received_at = now() + interval '30 days'`],
  ['request-intake', `update request_intake set documents = array[${newId}]`],
  [
    'request-parts',
    `update enrollment e set member_tax_id = s.member_tax_id from enrollment s
     where e.request_id = s.request_id and e.product_name = s.product_name and e.enrollment_type = 'inclusion'
       and e.member_type = 'dependent' and s.member_type = 'primary'`,
  ],
  [
    'one-benefit-in-force',
    'drop index benefit_in_force',
    // Ahead, and the other one ends before.
    `update benefit set end_date = '2026-12-31' where status <> 'inactive' and (member_id, product_id) in (
       select t.member_id, t.product_id from benefit t where ${inactiveHistory})`,
    `update benefit set status = 'active', start_date = '2027-01-01', end_date = null where ${first('benefit', inactiveHistory)}`,
  ],
  ['benefit-periods', `update benefit set end_date = '2026-11-01' where ${first('benefit', inactiveHistory)}`],
  [
    'void-benefit',
    `delete from benefit where status <> 'inactive' and member_id = ${person('Com História')}`,
    `update benefit set status = 'active', start_date = '2027-01-01', end_date = '2026-12-31' where ${first('benefit', inactiveHistory)}`,
  ],
  [
    'void-benefit',
    'alter table benefit drop constraint benefit_check4',
    `update benefit set end_date = start_date - 2 where ${first('benefit', inactiveHistory)}`,
  ],
  ['inactive-benefit', `update benefit set end_date = '2027-11-23' where member_id = ${person('Mãe Excluída')}`],
  [
    'movement-effect',
    `update benefit set status = 'inactive', start_date = '2026-11-02', end_date = '2026-11-20' where id in (
       select t.benefit_id from enrollment t where t.enrollment_type = 'exclusion' and t.status not in ('completed', 'rejected', 'cancelled'))`,
  ],
  ['pending-benefit', `update benefit set status = 'inactive' where id in (${transferAhead})`],
  [
    'benefit-transfer',
    `update benefit set start_date = start_date + 1 where ${first('benefit', "t.status = 'active' and t.replaces_id is not null")}`,
  ],
  [
    'dependent-in-force',
    `update benefit set end_date = '2026-11-24' where member_id = ${person('Filho de Família')}`,
    `update benefit set status = 'inactive', end_date = '2026-11-24' where member_id = ${person('Mãe de Família')}`,
  ],
  [
    'dependent-period',
    `update benefit d set start_date = p.start_date - 1 from benefit p
     where d.member_id = ${person('Filho de Família')} and p.member_id = d.primary_member_id and p.product_id = d.product_id`,
  ],
  ['dependent-period', `update benefit set end_date = end_date + 1 where member_id = ${person('Filha Excluída')}`],
  [
    'dependent-period',
    `update benefit set start_date = end_date + 1, end_date = end_date + 1 where member_id = ${person('Filha Excluída')}`,
  ],
  ['dependent-extension', `update benefit set extension_plan = true where member_id = ${person('Filho de Família')}`],
  [
    'member-benefit',
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, created_at, updated_at)
     values (${someCompany}, ${newId}, '00000000191', 'x', 'x', '2000-01-01', 'female', now(), now())`,
  ],
  ['request-work', processing],
  ['request-work', workFor(newId)],
  [
    'movement-items',
    `insert into movement_item (company_id, request_id, chunk, position, kind, subject, tax_id, type, payload)
     select company_id, id, 0, 1, 'inclusion', 'x', '00000000191', 'primary', '{}' from request where id = ${requestOf('inclusion')}`,
  ],
  ['work-client', processing, workFor(requestOf('exclusion')), 'delete from work_client'],
  ['work-waiting', processing, workFor(requestOf('exclusion'), `now() - interval '1 hour'`)],
  [
    'step-reason',
    `insert into work (id, kind, target_id, run_at, attempts, created_at)
     select ${newId}, 'scheduled-movements', ${someCompany}, now(), 1, now() - interval '61 minutes'`,
  ],
  ['scheduled-due', `update enrollment set scheduled_action_date = '2026-11-23' where status = 'scheduled'`],
  [
    'transfer-due',
    `update benefit set end_date = '2026-11-22' where id in (${transferAhead})`,
    `update benefit set start_date = '2026-11-23' where status = 'pending' and replaces_id is not null`,
  ],
  [
    'ending-due',
    `update benefit set end_date = '2026-11-23' where ${first('benefit', `t.member_id = ${person('Com História')} and t.status = 'active'`)}`,
  ],
  [
    'invoice-overdue-due',
    `update invoice_file set payment_slip_due_date = '2026-11-02'`,
    `update invoice set unpaid_due_date = '2026-11-02' where exists (select from invoice_file f where f.invoice_id = invoice.id)`,
  ],
  [
    'import-running',
    `insert into member_import (id, actor, dry_run, status, created_at)
     values (${newId}, 'x', false, 'running', now() - interval '1 hour')`,
  ],
  [
    'import-claims',
    `insert into member_import_dry_run_benefit (company_id, import_id, tax_id, benefit_id, product_id, type, status, start_date)
     values (${someCompany}, ${newId}, '00000000191', ${newId}, ${newId}, 'primary', 'active', now())`,
  ],
  [
    'outbox-waiting',
    `insert into event_batch (id, company_id, first_id, last_id, events) values (${oldId}, ${someCompany}, ${oldId}, ${oldId}, 1)`,
  ],
  ['delivery-waiting', delivery('(select p.id from webhook_endpoint p)', `now() - interval '1 hour'`)],
  ['delivery-endpoint', delivery(newId, 'now()')],
  ['mail-waiting', mail('sending', `now() - interval '1 hour'`, `'\\x00'`)],
  ['mail-secret', mail('queued', 'null', 'null')],
  [
    'delivery-endpoint',
    delivery('(select p.id from webhook_endpoint p)', 'now()'),
    'delete from webhook_secret',
    'update webhook_endpoint set deleted_at = now()',
  ],
  [
    'audit-waiting',
    auditRow,
    `insert into audit_pending (id, at) select id, now() - interval '1 hour' from audit where actor = 'x'`,
  ],
  ['orphan-waiting', `insert into orphan_file (key, delete_after) values ('x', now() - interval '1 day')`],
  ['document-unused', `update document set created_at = now() - interval '8 days' where used_at is null`],
  ['request-audit', `update audit set action = 'x' where ${first('audit', "t.action = 'exclusion.requested'")}`],
  ['movement-audit', `update audit set action = 'x' where ${first('audit', "t.action = 'enrollment.completed'")}`],
  ['request-events', `delete from event where ${first('event', "t.type = 'request.completed'")}`],
  [
    'request-events',
    `update event set type = 'request.failed' where ${first('event', "t.type = 'request.completed'")}`,
  ],
  ['movement-events', `delete from event where ${first('event', "t.type = 'enrollment.created'")}`],
  [
    'activation-event',
    `delete from event where type = 'benefit.activated' and data ->> 'benefit-id' = (
    select e.benefit_id::text from enrollment e where e.enrollment_type = 'inclusion' and e.status = 'completed' limit 1)`,
  ],
  ['audit-chain', `update audit_block set previous = hash where ${first('audit_block', 'true')}`],
  [
    'audit-chain',
    'update audit_block set position = position + 1000',
    'update audit_head set position = position + 1000',
  ],
  ['audit-chain', 'delete from audit_head'],
  ['audit-rows', auditRow],
  ['audit-rows', `delete from audit where ${first('audit', "t.action = 'company.created'")}`],
  ['invoice-unpaid-day', `update invoice set unpaid_due_date = unpaid_due_date + 1`],
  ['stored-response-usage', `insert into stored_response_usage (client_id, bytes) values ('x', 1)`],
  ['invoice-owner', `insert into invoice_owner (id, company_id) values ('x', ${someCompany})`],
  [
    'document-request',
    `insert into document (id, client_id, created_at, expires_at, uploaded_at, storage_key, content_type, size, name, used_at, company_id, request_id)
     select ${newId}, ${somePartner}, now(), now() + interval '1 hour', now(), 'x', 'application/pdf', 1, 'x', now(), ${someCompany}, ${newId}`,
  ],
  [
    'document-once',
    `update enrollment set data = jsonb_set(data, '{documents,0,document-id}', '"x"') where data #> '{documents,0}' is not null`,
  ],
  [
    'file-removal',
    `insert into orphan_file (key, delete_after) select storage_key, now() from document where storage_key is not null`,
  ],
  ['file-removal', `insert into orphan_file (key, delete_after) select storage_key, now() from invoice_file`],
  ['import-errors', 'delete from member_import_error'],
  [
    'decision-job-work',
    jobOf('waiting', 0),
    `insert into decision_job_line (job_id, line, chunk, decision) values (${oldId}, 1, 0, '{}')`,
  ],
  [
    'held-decision',
    jobOf('done', 1),
    `insert into decision_job_line (job_id, line, result) values (${oldId}, 1, '{"status":"completed"}')`,
    `insert into held_decision (enrollment_id, job_id, status) values (${newId}, ${oldId}, 'completed')`,
  ],
  ['decision-job-lines', jobOf('done', 1)],
  [
    'client-kind',
    `insert into entitlement (company_id, client_id, created_at) select ${someCompany}, id, now() from client where api = 'operator'`,
  ],
  ['client-secret', `delete from client_secret where client_id = ${somePartner}`],
  [
    'contract-carrier',
    `update contract set carrier_id = (select other.id from carrier other where other.id <> contract.carrier_id limit 1)`,
  ],
  ['active-admin', `update client set revoked_at = now() where api = 'operator'`],
  ['endpoint-secret', 'delete from webhook_secret'],
  [
    'reference',
    `insert into event (company_id, id, type, at, data) values (${newId}, ${newId}, 'benefit.deactivated', now(), '{}')`,
  ],
  [
    'reference',
    processing,
    workFor(requestOf('exclusion')),
    `update work set client_id = 'x'`,
    `update work_client set client_id = 'x' where client_id = (select k.client_id from work_client k order by k.client_id limit 1)`,
  ],
  ['open-shipment', `delete from shipment where status = 'open'`],
  ['open-shipment', `update contract set status = 'ended'`],
  ['shipment-numbers', `update shipment set number = 100 where status = 'open'`],
  [
    'shipment-once',
    'alter table shipment_item drop column unfinished_enrollment_id',
    `insert into shipment_item (company_id, shipment_id, movement_company_id, enrollment_id, position, status, line_numbers, updated_at)
     select t.company_id, t.shipment_id, t.company_id, (select e.enrollment_id from shipment_item e where e.shipment_id = ${shipmentIn('sent')} limit 1),
       2, 'ready', '{3}', now() from shipment_item t where t.shipment_id = ${shipmentIn('closed')}`,
  ],
  [
    'shipment-items',
    `update shipment_item set status = 'cancelled', reason = 'movement-changed' where shipment_id = ${shipmentIn('closed')}`,
  ],
  ['shipment-items', `update shipment_item set position = 2 where shipment_id = ${shipmentIn('closed')}`],
  ['shipment-items', `update shipment_item set status = 'unanswered' where shipment_id = ${shipmentIn('sent')}`],
  ['shipment-items', `update shipment set status = 'acknowledged' where status = 'sent'`],
  ['shipment-file', `update shipment_file set content = 'x' where shipment_id = ${shipmentIn('closed')}`],
  ['shipment-file', `delete from shipment_file where shipment_id = ${shipmentIn('sent')}`],
  [
    'shipment-reached-carrier',
    `update shipment_item set enrollment_id = (select t.id from enrollment t where not t.reached_carrier limit 1)
     where shipment_id = ${shipmentIn('sent')}`,
  ],
  ['shipment-work', workForShipment(shipmentIn('closed'))],
  [
    'shipment-answers',
    `update shipment_item set status = 'accepted' where shipment_id = ${shipmentIn('sent')}`,
    `update shipment set status = 'acknowledged' where status = 'sent'`,
  ],
  [
    'shipment-partly-acknowledged',
    `update shipment_item set status = 'refused' where shipment_id = ${shipmentIn('sent')}`,
  ],
  ['shipment-partly-acknowledged', `update shipment set status = 'partly-acknowledged' where status = 'sent'`],
  ['shipment-work', `update shipment_item set status = 'ready' where shipment_id = ${shipmentIn('sent')}`],
  ['shipment-delivery', deliveryOf(shipmentIn('sent'))],
  ['shipment-delivery', deliveryOf(shipmentIn('open'))],
  ['carrier-file-lines', `update carrier_file set refused_lines = lines`],
  ['carrier-file-work', `update carrier_file set status = 'reading', read_at = null where kind = 'roster'`],
  ['reconciliation-work', `update reconciliation set status = 'computing' where kind = 'roster'`],
  ['discrepancy-line', `update discrepancy set line_number = line_number + 999 where line_number is not null`],
  [
    'carrier-total',
    `update reconciliation set carrier_total = carrier_total + 1, discrepancy = discrepancy + 1 where kind = 'invoice'`,
  ],
  ['claim-lines', 'delete from claim_line', `update discrepancy set status = 'open' where status = 'claimed'`],
  [
    'claim-lines',
    `update claim set reconciliation_id = (select r.id from reconciliation r where r.kind = 'roster' limit 1)`,
  ],
  ['claimed-discrepancy', `update discrepancy set status = 'accepted' where status = 'claimed'`],
  ['claimed-discrepancy', `update discrepancy set claim_id = ${newId} where status = 'claimed'`],
  ['claim-credit', `update claim_line set amount = amount + 1 where credited_line is not null`],
  ['claim-credit', `update claim set reference_month = '2026-11'`],
  ['claim-credit', `update claim set status = 'draft', sent_at = null`],
  ['closing-acts', `update closing set acts = acts || '[{"act": "reopened"}]'`],
  ['closed-reconciliations', `update reconciliation set status = 'open' where status = 'closed'`],
  ['closed-reconciliations', `update reconciliation set status = 'closed' where status = 'open'`],
  [
    'closed-without-open-items',
    `update closing set acts = jsonb_set(acts, '{0,open-items}', '[]')`,
    `update discrepancy set status = 'open' where status = 'accepted'`,
  ],
  ['closed-figures', 'update closing_charge set amount = amount + 1'],
  ['forecast-sum', insertForecastLine(2, { entry: 1 })],
  ['forecast-sum', insertForecastLine(0, { entry: 1 })],
  ['payroll-exports', 'update payroll_export set number = 2'],
  ['payroll-exports', 'delete from payroll_export'],
  [
    'retroactive-limit',
    `update enrollment set retroactive_until = '2026-12-31' where ${first('enrollment', "t.status = 'created' and t.enrollment_type = 'inclusion'")}`,
  ],
  ['payroll-due', `update payroll_export_line set due = due - 1`],
  ['payroll-people', `update payroll_export_line set people = jsonb_set(people, '{0,amount}', '1')`],
  ['payroll-lines', `update payroll_export_line set origin_month = '9999-12'`],
]
