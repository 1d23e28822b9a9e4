-- Lists of who should be covered, which are compared with who is. What differs becomes a movement draft with the same id.

create table roster_sync (
  company_id uuid not null references company (id),
  id uuid not null,
  -- the client that sent it
  created_by text not null references client (id),
  -- what the list is complete in
  states text[] not null check (states <@ array['people', 'dependents', 'products']),
  -- in wire keys; {}: all people and products of the company
  within jsonb not null check (jsonb_typeof(within) = 'object'),
  -- of the same `within`
  scope_key text not null,
  -- the day that the list shows
  as_of date not null,
  -- how many lines the sender counted
  people_count integer check (people_count >= 0),
  -- in wire keys
  defaults jsonb not null check (jsonb_typeof(defaults) = 'object'),
  -- the doubts that the sender answers for
  accept_doubts text[] not null,
  -- whether the classes that the company allows are confirmed without anybody
  automatic boolean not null,
  reference text check (length(reference) between 1 and 100),
  -- how it came to an operator, as in movement_draft, until that has it
  intake jsonb check (jsonb_typeof(intake) = 'object'),
  status text not null check (status in ('open', 'reading', 'comparing', 'compared', 'failed', 'cancelled')),
  -- until it is compared
  storage_key text,
  format text check (format in ('csv', 'ndjson', 'json', 'xlsx')),
  file_name text check (length(file_name) between 1 and 200),
  sheet text,
  sha256 bytea check (length(sha256) = 32),
  size bigint check (size >= 0),
  -- the call that sent the list, for the audit of what is confirmed without anybody
  address text,
  request_trace_id text,
  lines integer check (lines >= 0),
  refused_lines integer check (refused_lines >= 0),
  -- lines with signs of a wrong encoding in a name
  suspicious_lines integer check (suspicious_lines >= 0),
  -- whether the last line of the file is whole
  is_complete boolean,
  -- whether a workbook has rows of movements
  has_movement_sheets boolean,
  -- how many people are compared, of how many
  compared integer not null default 0 check (compared >= 0),
  of integer check (of >= 0),
  unchanged integer check (unchanged >= 0),
  -- the last family that was compared
  compared_through text,
  -- sums over the families that were compared
  tally jsonb not null default '{}' check (jsonb_typeof(tally) = 'object'),
  -- [{ "doubt", "found", "limit" }]
  doubts jsonb not null default '[]' check (jsonb_typeof(doubts) = 'array'),
  -- [{ "problem", "field", "line" }]
  problems jsonb not null default '[]' check (jsonb_typeof(problems) = 'array'),
  -- as those of an import
  warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
  sheets_not_read text[] not null default '{}',
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company
  unique (id, company_id),
  check ((status = 'failed') = (problems <> '[]')),
  check ((status in ('compared', 'failed', 'cancelled')) = (finished_at is not null)),
  check ((storage_key is not null) = (status in ('reading', 'comparing'))),
  check ((sha256 is null) <= (status in ('open', 'cancelled'))),
  check (num_nulls(sha256, size, format) in (0, 3))
);
create index roster_sync_scope on roster_sync (company_id, scope_key, created_at);

-- The lines of a list until it is compared. They are read again from the file when the database lost them.
create unlogged table roster_line (
  company_id uuid not null,
  sync_id uuid not null,
  -- from 1
  position integer not null,
  -- of the file
  line integer not null,
  tax_id char(11),
  -- { "role", "primaryTaxId", "dependentType", "profile", "productName", "startOption", "exclusion", "carrier", "reference" }
  data jsonb not null,
  -- a line with any is not used
  offenses text[] not null,
  primary key (company_id, sync_id, position)
);

-- The people of the lines and of the scope, family by family, until the list is compared.
create unlogged table roster_person (
  company_id uuid not null,
  sync_id uuid not null,
  -- the primary, by id or CPF
  family text not null,
  -- in the family: the primary is the first
  position integer not null,
  role text not null check (role in ('primary', 'dependent')),
  -- null: nobody who is here
  member_id uuid,
  matched_by text check (matched_by in ('tax-id', 'employee-id', 'name')),
  -- known, but not of the scope
  is_outside boolean not null,
  -- positions of its lines; none: not listed
  lines integer[] not null,
  primary key (company_id, sync_id, family, position)
);

-- What follows from families that were compared, until all are.
create unlogged table roster_item (
  company_id uuid not null,
  sync_id uuid not null,
  family text not null,
  position integer not null,
  -- the columns of movement_draft_item, in camel case
  item jsonb not null,
  primary key (company_id, sync_id, family, position)
);

-- What may happen of a company's lists without anybody, and what asks before many people leave.
create table roster_policy (
  company_id uuid primary key references company (id),
  automatic text[] not null check (automatic <@ array['inclusion', 'leaver', 'plan-change', 'correction', 'company-data']),
  guard_people integer not null check (guard_people between 1 and 200000),
  guard_percent integer not null check (guard_percent between 1 and 100),
  min_presence_percent integer not null check (min_presence_percent between 0 and 100),
  updated_at timestamptz not null
);
