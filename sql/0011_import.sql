-- Imports of members by the operator: how far each got, and what it rejected.

create table member_import (
  id uuid primary key,
  actor text not null,
  dry_run boolean not null,
  -- as the client named the file; it may have the name of a company, never of a person
  file_name text check (length(file_name) between 1 and 200),
  -- whose file it is, where the client says so
  company_tax_id char(14) references company (tax_id),
  status text not null check (status in ('running', 'done', 'broken')),
  -- judged and stored so far, together with the rows that they became
  lines integer not null default 0,
  accepted integer not null default 0,
  rejected integer not null default 0,
  -- [{ "line", "warning", "field", "start-date" }], the first ones
  warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
  -- the header of a table as a line of CSV, after a byte order mark where the file is a spreadsheet's; null: NDJSON
  csv_header text,
  unknown_columns text[] not null default '{}',
  -- of a workbook: { "read": [{ "sheet", "from-line" }], "notRead": [names] }; null: another file
  sheets jsonb check (jsonb_typeof(sheets) = 'object'),
  -- of cells and rows of the file, the first 100 of each kind: [{ warning, field, line, cell }]
  file_warnings jsonb not null default '[]',
  -- the headings that a column profile has given a column: { "company-tax-id", "columns": [{ "heading", "field" }] }; null: none
  column_profile jsonb check (jsonb_typeof(column_profile) = 'object'),
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'running') = (finished_at is null)),
  check (lines = accepted + rejected)
);

-- What the headings and words of a company's files stand for that no table has.
create table column_profile (
  company_id uuid primary key references company (id),
  -- [{ "heading", "field" }]
  columns jsonb not null check (jsonb_typeof(columns) = 'array'),
  -- [{ "field", "value", "as" }]
  words jsonb not null default '[]' check (jsonb_typeof(words) = 'array'),
  updated_at timestamptz not null
);

create table member_import_error (
  import_id uuid not null references member_import (id),
  line integer not null,
  offenses text[] not null,
  -- as it came; null: longer than a line may be
  content text,
  primary key (import_id, line)
);

-- The benefits that the lines of a dry run would have made, for the lines after them; deleted at its end. Worth nothing after a crash.
create unlogged table member_import_dry_run_benefit (
  company_id uuid not null,
  import_id uuid not null,
  tax_id char(11) not null,
  benefit_id uuid not null,
  product_id uuid not null,
  type text not null check (type in ('primary', 'dependent')),
  status text not null check (status in ('pending', 'active', 'inactive')),
  start_date date not null,
  end_date date,
  primary key (company_id, import_id, tax_id, benefit_id)
);
