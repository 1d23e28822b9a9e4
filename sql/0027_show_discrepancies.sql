-- What carriers' files differ in may be read by the company of the contract and its partners, and is reported by events.

alter table contract add column show_discrepancies boolean not null default false;

alter table event drop constraint event_type_check, add constraint event_type_check check (type in (
  'request.completed', 'request.partial_failure', 'request.failed', 'enrollment.created', 'enrollment.updated', 'enrollment.pending',
  'enrollment.completed', 'enrollment.rejected', 'enrollment.cancelled', 'benefit.activated', 'benefit.updated', 'benefit.deactivated',
  'benefit.ending', 'deadline.approaching', 'movement-draft.opened', 'movement-draft.closed', 'reconciliation.opened',
  'discrepancy.corrected', 'roster-sync.compared', 'roster-sync.failed', 'invoice.issued', 'invoice.overdue', 'invoice.paid'));

alter table webhook_endpoint drop constraint webhook_endpoint_event_types_check,
  add constraint webhook_endpoint_event_types_check check (event_types <@ array['request.completed', 'request.partial_failure',
    'request.failed', 'enrollment.created', 'enrollment.updated', 'enrollment.pending', 'enrollment.completed', 'enrollment.rejected',
    'enrollment.cancelled', 'benefit.activated', 'benefit.updated', 'benefit.deactivated', 'benefit.ending', 'deadline.approaching',
    'movement-draft.opened', 'movement-draft.closed', 'reconciliation.opened', 'discrepancy.corrected', 'roster-sync.compared', 'roster-sync.failed', 'invoice.issued',
    'invoice.overdue', 'invoice.paid', 'webhook.test']);
