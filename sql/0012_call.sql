-- What is kept of calls: their responses and their number. These tables belong to clients, outside the companies' tables.

-- Stored responses of calls with an Idempotency-Key, for a day.
create table idempotency_key (
  client_id text not null,
  -- keyed hashes: paths and bodies hold CPFs, and keys may hold anything
  key_hash bytea not null,
  fingerprint bytea not null,
  -- without a status: the call that handles the key, and the advisory lock that its process holds until it ends
  claim_id uuid not null,
  claimed_by integer not null,
  claimed_at timestamptz not null,
  -- the response, once there is one: encrypted, since it may hold CPFs
  status smallint check (status between 200 and 499),
  company_ids uuid[],
  encrypted_response bytea,
  primary key (client_id, key_hash),
  -- after the erasure of a person whom it names, the response is null
  check ((status is null) = (company_ids is null) and (encrypted_response is null or status is not null))
);

-- compressed before it was encrypted
alter table idempotency_key alter column encrypted_response set storage external;

create index idempotency_key_claimed_at on idempotency_key (claimed_at);

-- Bytes of the stored responses of a client, so that the limit is checked in one row: changed by the statements that store or delete them.
create table stored_response_usage (
  client_id text primary key,
  bytes bigint not null check (bytes >= 0)
) with (fillfactor = 50);

-- What all processes have leased of a client's quota in its present window of a minute, which starts with its first call. A crash loses it,
-- which costs nobody anything.
create unlogged table rate_limit_usage (
  client_id text not null,
  class text not null check (class in ('reads', 'writes', 'authenticate', 'members', 'redeliveries')),
  window_started_at timestamptz not null,
  leased integer not null,
  primary key (client_id, class)
) with (fillfactor = 50);
