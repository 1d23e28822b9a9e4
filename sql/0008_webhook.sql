-- Webhook endpoints and the deliveries to them. These tables are a queue and its record: they belong to clients, outside the companies' tables.

create table webhook_endpoint (
  id uuid primary key,
  client_id text not null references client (id),
  url text not null check (length(url) between 1 and 2000),
  -- empty: all
  event_types text[] not null check (event_types <@ array['request.completed', 'request.partial_failure', 'request.failed',
    'enrollment.created', 'enrollment.updated', 'enrollment.pending', 'enrollment.completed', 'enrollment.rejected',
    'enrollment.cancelled', 'benefit.activated', 'benefit.updated', 'benefit.deactivated', 'benefit.ending', 'deadline.approaching', 'movement-draft.opened', 'movement-draft.closed', 'invoice.issued', 'invoice.overdue', 'invoice.paid',
    'webhook.test']),
  status text not null check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- earlier events are not delivered
  enabled_at timestamptz not null,
  -- the first failed attempt since the last that succeeded
  failing_since timestamptz,
  -- gone for the client; its deliveries are deleted in batches
  deleted_at timestamptz,
  -- SHA-256 of the normalized URL, which may be longer than an index takes
  url_hash bytea not null check (length(url_hash) = 32),
  check ((status = 'disabled') = (disabled_reason is not null))
);

-- A client has one endpoint for a URL.
create unique index webhook_endpoint_url on webhook_endpoint (client_id, url_hash) where deleted_at is null;

-- Encrypted under the master key: signing needs the secret itself. One without an end, and at most one that was rotated out.
create table webhook_secret (
  endpoint_id uuid not null references webhook_endpoint (id),
  id uuid not null,
  encrypted_secret bytea not null,
  expires_at timestamptz,
  primary key (endpoint_id, id)
);

create unique index webhook_secret_current on webhook_secret (endpoint_id) where expires_at is null;

-- Test events have no company; of another type than `webhook.test` their data is made up.
create table webhook_test_event (
  client_id text not null references client (id),
  id uuid not null,
  endpoint_id uuid not null references webhook_endpoint (id),
  type text not null,
  data jsonb not null,
  at timestamptz not null,
  primary key (client_id, id)
);

-- Events still to be fanned out to one client's endpoints: a row for each batch and client, so that one client's backlog does not
-- delay another's. The range gets shorter from statement to statement.
create table webhook_fan_out (
  client_id text not null references client (id),
  -- of the batch
  id uuid not null,
  company_id uuid not null,
  next_id uuid not null,
  last_id uuid not null,
  events integer not null check (events >= 0),
  primary key (client_id, id)
);

-- One row an attempt. A pending one is the attempt to come, held by a lease while it is made: no transaction stays open for a
-- receiver, and a killed worker's attempt is made again when its lease is over.
create table webhook_delivery (
  event_id uuid not null,
  -- no foreign key: written by the thousand, and only with an endpoint that was just read
  endpoint_id uuid not null,
  attempt integer not null check (attempt >= 1),
  id uuid not null,
  -- of the event; null for a test
  company_id uuid,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- position in the retry schedule; a redelivery starts the schedule again
  step integer not null check (step >= 1),
  started_at timestamptz not null,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  attempted_at timestamptz,
  response_status integer,
  error text,
  primary key (event_id, endpoint_id, attempt)
) with (fillfactor = 80);

create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at) where status = 'pending';
-- The last success and the last error of an endpoint, and its deliveries by status, for operators.
create index webhook_delivery_result on webhook_delivery (endpoint_id, status, attempted_at) where status <> 'pending';
