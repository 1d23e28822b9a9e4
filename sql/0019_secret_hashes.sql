-- A secret that the service made is kept as an HMAC under a key derived from the master key; scrypt is for one that a person chose.
alter table client_secret add constraint client_secret_hash_check
  check (hash ~ '^(hmac-sha256\$[A-Za-z0-9_-]{43}|scrypt\$[0-9]+\$[0-9]+\$[0-9]+\$[A-Za-z0-9_-]+\$[A-Za-z0-9_-]+)$');

-- Failed attempts are counted in a fixed number of buckets, by a hash of client id and address: however many ids are tried, the table
-- stays small. Two pairs in one bucket do no harm: a right secret is never refused for the count.
drop table authentication_failure;
create unlogged table authentication_failure (
  bucket integer primary key check (bucket between 0 and 1048575),
  window_started_at timestamptz not null,
  failures integer not null
);
