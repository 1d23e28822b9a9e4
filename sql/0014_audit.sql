-- Who did what, and when. No CPF and no names.

create table audit (
  id uuid primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  target text not null,
  company_id uuid references company (id),
  address text,
  request_trace_id text
);

create index audit_at on audit (at, id);

-- The hash chain that shows whether the audit was changed. The statement that writes an audit row also writes its id into
-- audit_pending; a worker moves those rows, some seconds later and one worker at a time, into a block that is chained to the one before.
-- So no writer waits for another, and a row whose transaction commits late goes into a later block.
-- There is no foreign key from here to audit: a row that is gone must be reported, not refused.

create table audit_pending (
  id uuid primary key,
  at timestamptz not null
);

create table audit_block (
  -- 1, 2, 3 ...: a gap is a block that was removed, or a head that was not to be trusted
  position bigint primary key,
  created_at timestamptz not null,
  -- the rows in the order of their ids, and an HMAC of each at the same place
  row_ids uuid[] not null,
  digests bytea[] not null,
  -- the hash of the block before; 32 zero bytes in the first
  previous bytea not null,
  -- HMAC over all of the above: the key is in the database only encrypted
  hash bytea not null
);

-- One row: where the chain ends, so that its last blocks cannot be cut off unnoticed.
create table audit_head (
  singleton boolean primary key default true check (singleton),
  position bigint not null,
  hash bytea not null,
  mac bytea not null
);
