-- Files that no row refers to: being written, or to be deleted. What a crash leaves behind is found here. A key may be
-- taken up only before `delete_after`, and deleted only after it.
create table orphan_file (
  key text primary key,
  delete_after timestamptz not null
);

-- Documents come before the movement that uses them, so they belong to a client, outside the companies' tables. One row is the
-- upload slot, then the file, then its one use: nothing else can use it twice.
create table document (
  id uuid primary key,
  client_id text not null references client (id),
  created_at timestamptz not null,
  -- until when the upload address takes a file
  expires_at timestamptz not null check (expires_at > created_at),
  uploaded_at timestamptz,
  storage_key text unique,
  content_type text check (content_type in ('application/pdf', 'image/jpeg', 'image/png', 'image/tiff', 'image/heic', 'image/webp')),
  size integer check (size between 1 and 20971520),
  -- for display only: never a path, never a log line
  name text check (length(name) between 1 and 200),
  used_at timestamptz,
  company_id uuid,
  request_id uuid,
  check (num_nulls(uploaded_at, storage_key, content_type, size, name) in (0, 5)),
  check (num_nulls(used_at, company_id, request_id) in (0, 3)),
  check (used_at is null or uploaded_at is not null)
);

-- Counted and summed before a client gets another one; the sweep of those that were never used reads all.
create index document_unused on document (client_id) include (size) where used_at is null;
