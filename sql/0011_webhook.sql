-- Who is told of events, and what became of the telling. These tables are a queue and its record: they belong to clients, outside the companies' tables.

create table webhook_endpoint (
  id uuid primary key,
  client_id text not null references client (id),
  url text not null check (length(url) between 1 and 2000),
  -- empty: all
  event_types text[] not null,
  status text not null check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- what happened earlier is not told
  enabled_at timestamptz not null,
  -- the first failed attempt since the last that succeeded
  failing_since timestamptz,
  -- gone for the client; its deliveries are removed bit by bit
  deleted_at timestamptz,
  check ((status = 'disabled') = (disabled_reason is not null))
);

create index webhook_endpoint_of_client on webhook_endpoint (client_id, created_at, id) where deleted_at is null;

-- Sealed under the master key: signing needs the secret itself. One without an end, and at most one that was rotated out.
create table webhook_secret (
  endpoint_id uuid not null references webhook_endpoint (id),
  id uuid not null,
  encrypted_secret bytea not null,
  expires_at timestamptz,
  primary key (endpoint_id, id)
);

create unique index webhook_secret_present on webhook_secret (endpoint_id) where expires_at is null;

-- Test events have no company.
create table webhook_test_event (
  client_id text not null references client (id),
  id uuid not null,
  endpoint_id uuid not null references webhook_endpoint (id),
  at timestamptz not null,
  primary key (client_id, id)
);

-- Events that nobody was told of yet, one row for all that one statement wrote: visible when they are, whatever the order of commits.
create table event_batch (
  id uuid primary key,
  company_id uuid not null,
  first_id uuid not null,
  last_id uuid not null,
  events integer not null
);

-- One row an attempt. A pending one is the attempt to come, held by a lease while it is made: no transaction stays open for a
-- receiver, and a killed worker's attempt is taken up again when its lease is over.
create table webhook_delivery (
  event_id uuid not null,
  -- no foreign key: written by the thousand, and only ever with an endpoint that was just read
  endpoint_id uuid not null,
  attempt integer not null check (attempt >= 1),
  id uuid not null,
  -- of the event; null for a test
  company_id uuid,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- where it stands in the schedule; a redelivery begins it anew
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
