-- Retention and erasure of personal data (LGPD arts. 15, 16 and 18 VI).

-- An order not to delete, as of a court: of one person in all companies, or of all people of a company.
create table legal_hold (
  id uuid primary key,
  company_id uuid references company (id),
  -- null, as the reasons, once the person is erased: the row stays, without who it was
  tax_id char(11) check (tax_id ~ '^[0-9]{11}$'),
  reason text check (length(reason) between 1 and 500),
  created_by text not null references client (id),
  created_at timestamptz not null,
  release_reason text check (length(release_reason) between 1 and 500),
  released_by text references client (id),
  released_at timestamptz,
  -- the rows of the person whose CPF a company corrected, then or later: the hold is on them too
  member_ids uuid[] not null default '{}',
  -- in force: one of a company, and of a person
  held_company_id uuid generated always as (case when released_at is null then company_id end) stored,
  held_tax_id char(11) generated always as (case when released_at is null then tax_id end) stored,
  unique (held_company_id),
  unique (held_tax_id),
  check (num_nonnulls(company_id, tax_id) = 1 or reason is null and released_at is not null),
  check (num_nulls(released_by, released_at) in (0, 2))
);

-- The erasure that a request asks for: its plan, and the two admins.
create table erasure (
  subject_request_id uuid primary key references subject_request (id),
  -- [{ "class", "company-tax-id", "company-name", "action", "rows", "ground", "until" }]
  plan jsonb not null check (jsonb_typeof(plan) = 'array'),
  -- free text of others that names the person, as it will be: [{ "record", "record-id", "company-tax-id", "field", "text", ... }]; without `text` once it is done
  mentions jsonb not null check (jsonb_typeof(mentions) = 'array'),
  -- what stayed, as `plan`
  remaining jsonb not null default '[]' check (jsonb_typeof(remaining) = 'array'),
  planned_by text not null references client (id),
  planned_at timestamptz not null,
  approved_by text references client (id),
  approved_at timestamptz,
  -- of attempts that failed since an admin last asked for one; the next one is null after the last
  attempts smallint not null default 0 check (attempts >= 0),
  failure text check (length(failure) between 1 and 60),
  failed_at timestamptz,
  next_attempt_at timestamptz,
  check (num_nulls(failure, failed_at) in (0, 2)),
  check (approved_by <> planned_by),
  check (num_nulls(approved_by, approved_at) in (0, 2))
);
