-- Who may call, and for which companies. Operators are clients of the other door.

create table client (
  id text primary key check (length(id) between 1 and 100),
  api text not null check (api in ('partner', 'operator')),
  name text not null check (length(name) between 1 and 200),
  role text check (role in ('admin', 'analyst', 'finance', 'auditor')),
  created_at timestamptz not null,
  revoked_at timestamptz,
  check ((api = 'operator') = (role is not null))
);

create index client_list on client (api, created_at, id) where revoked_at is null;

-- At most two live secrets per client, each only as a hash; the slot makes a third impossible.
create table client_secret (
  client_id text not null references client (id),
  slot smallint not null check (slot in (1, 2)),
  hash text not null,
  created_at timestamptz not null,
  primary key (client_id, slot)
);

create table entitlement (
  company_id uuid not null references company (id),
  client_id text not null references client (id),
  created_at timestamptz not null,
  primary key (company_id, client_id)
);

create index entitlement_of_client on entitlement (client_id, company_id);

-- Private halves are encrypted under the master key.
create table signing_key (
  id text primary key,
  algorithm text not null check (algorithm in ('ES256', 'EdDSA')),
  public_key jsonb not null,
  private_key bytea not null,
  created_at timestamptz not null,
  -- published before it signs, verified until every token that it signed has expired
  active_from timestamptz not null,
  retired_at timestamptz
);

create table encrypted_key (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null
);

create table service_metadata (
  name text primary key,
  value text not null
);

-- Guesses at a secret, counted per client id and address (both hashed together). Losing it in a crash costs nobody anything.
create unlogged table authentication_failure (
  pair char(64) primary key,
  window_started_at timestamptz not null,
  failures integer not null
);
