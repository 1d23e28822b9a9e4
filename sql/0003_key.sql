-- Keys of the service, and what it notes about itself.

-- The private key is encrypted under the master key.
create table signing_key (
  id text primary key,
  algorithm text not null check (algorithm in ('ES256')),
  public_key jsonb not null,
  private_key bytea not null,
  created_at timestamptz not null,
  -- published before it signs, verified until every token that it signed has expired
  active_from timestamptz not null,
  retired_at timestamptz
);

-- Random keys, each encrypted under the master key.
create table encrypted_key (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null
);

create table service_metadata (
  name text primary key,
  value text not null
);
