-- The outbox: events are written in the transaction of what happened. No CPF and no names in them.

create table event (
  -- no foreign key: written at every step, and only with a company that was just read
  company_id uuid not null,
  id uuid not null,
  type text not null check (type in ('request.completed', 'request.partial_failure', 'request.failed', 'enrollment.created',
    'enrollment.updated', 'enrollment.pending', 'enrollment.completed', 'enrollment.rejected', 'enrollment.cancelled',
    'benefit.activated', 'benefit.updated', 'benefit.deactivated', 'benefit.ending', 'deadline.approaching', 'movement-draft.opened', 'movement-draft.closed', 'invoice.issued', 'invoice.overdue', 'invoice.paid')),
  at timestamptz not null,
  data jsonb not null,
  primary key (company_id, id)
);

-- Events that are not dispatched yet, one row for all that one statement wrote: it is visible when they are, whatever the order of
-- commits.
create table event_batch (
  id uuid primary key,
  company_id uuid not null,
  first_id uuid not null,
  last_id uuid not null,
  events integer not null
);
