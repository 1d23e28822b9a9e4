-- Accepted work, a row for each request, claimed by a row lock for as long as a step runs: a killed worker's row is free at once.

create table work (
  id uuid primary key,
  kind text not null,
  -- null: a step that runs by the clock, and was begun or has failed
  client_id text,
  -- null: the companies of a job of decisions are those of its lines, those of a person are all
  company_id uuid,
  target_id uuid not null,
  -- infinity: it is put aside, until an operator tries it again or deletes it
  run_at timestamptz not null,
  -- begun without success; each is counted before the step
  attempts integer not null default 0,
  created_at timestamptz not null,
  -- why the last attempt failed
  reason text check (reason in ('interrupted', 'time-limit', 'database', 'storage', 'carrier-server', 'waits-for-earlier-request', 'unexpected-error')),
  -- the code of the error or its class: no text, which may name a person
  error text check (length(error) <= 100),
  failed_at timestamptz,
  check (run_at < 'infinity' or reason is not null),
  check (client_id is null or kind in ('inclusion', 'exclusion', 'alteration', 'movement-draft', 'roster-sync', 'decision', 'shipment', 'acknowledgement',
    'carrier-file', 'reconciliation', 'subject-request')),
  check (client_id is null or (kind in ('decision', 'acknowledgement', 'subject-request')) = (company_id is null))
);

create index work_next on work (client_id, created_at, id);

-- Round robin: the client that was served longest ago comes next, however much it has sent.
create table work_client (
  client_id text primary key,
  last_served_at timestamptz not null
);

-- The enrollments that accepted batches still have to become, one row each. A step of the worker processes a chunk of them and deletes it.
-- No foreign key, which would cost a check a row: the transaction that inserts the request inserts these rows.
create table movement_item (
  company_id uuid not null,
  request_id uuid not null,
  -- a family is in one chunk
  chunk smallint not null,
  position integer not null,
  kind text not null check (kind in ('inclusion', 'exclusion', 'alteration')),
  -- what it changes: a person, product and role, a benefit or a member. Of two batches with one subject the earlier one is processed first.
  subject text not null,
  -- the subject that must exist: of a dependent's inclusion that of the primary
  requires text,
  tax_id char(11) not null,
  type text not null check (type in ('primary', 'dependent')),
  reference text check (length(reference) between 1 and 100),
  -- what the statements of the kind read, with the data of the enrollment in wire keys
  payload jsonb not null,
  primary key (company_id, request_id, chunk, position)
);
