-- First answers under an Idempotency-Key, kept for a day, and the counts behind rate limits. Both belong to clients, outside the
-- companies' tables.

create table idempotency_key (
  client_id text not null,
  -- keyed hashes: paths and bodies hold CPFs, and keys may hold anything
  scope bytea not null,
  digest bytea not null,
  -- whose turn it is; a process that died loses it when the time is over
  claim_id uuid not null,
  claimed_at timestamptz not null,
  claimed_until timestamptz not null,
  -- the answer, once there is one: encrypted, since it may hold CPFs
  status smallint check (status between 200 and 499),
  company_ids uuid[],
  encrypted_response bytea,
  primary key (client_id, scope),
  check (num_nulls(status, company_ids, encrypted_response) in (0, 3))
);

-- compressed before it was encrypted
alter table idempotency_key alter column encrypted_response set storage external;

create index idempotency_key_due on idempotency_key (claimed_at);

-- Permits drawn by all processes in a client's present minute. Losing it in a crash costs nobody anything.
create unlogged table rate_limit_usage (
  client_id text not null,
  class text not null check (class in ('reads', 'writes', 'authenticate', 'members')),
  -- minutes since 1970, shifted by client
  minute bigint not null,
  quota integer not null,
  -- what the last draw asked for and got; negative when it gave back
  asked integer not null,
  granted integer not null,
  drawn integer not null,
  primary key (client_id, class)
) with (fillfactor = 50);
