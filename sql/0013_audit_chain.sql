-- The chain that shows whether the audit was changed. Whoever writes an audit row also leaves its id in audit_pending, in the same
-- statement; a worker takes those rows, some seconds later and one worker at a time, into a seal that is chained to the one before.
-- So no writer waits for another, and a row whose transaction commits late goes into a later seal.
-- There is no foreign key from here to audit: a row that is gone must be reported, not refused.

create table audit_pending (
  id uuid primary key,
  at timestamptz not null
);

insert into audit_pending (id, at) select id, at from audit;

create table audit_block (
  -- 1, 2, 3 ...: a gap is a seal that was removed, or a head that was not to be trusted
  position bigint primary key,
  created_at timestamptz not null,
  -- the rows in the order of their ids, and a keyed digest of each at the same place
  row_ids uuid[] not null,
  digests bytea[] not null,
  -- the hash of the seal before; 32 zero bytes in the first
  previous bytea not null,
  -- keyed, over all of the above: the key is not in the database in the clear
  hash bytea not null
);

-- One row: where the chain ends, so that its last seals cannot be cut off unnoticed.
create table audit_head (
  singleton boolean primary key default true check (singleton),
  position bigint not null,
  hash bytea not null,
  mac bytea not null
);
