-- Accepted work, a row for each request, claimed by a row lock for as long as a step runs: a killed worker's row is free at once.

create table work (
  id uuid primary key,
  kind text not null check (kind in ('inclusion', 'exclusion', 'alteration', 'decision')),
  client_id text not null,
  -- null: the companies of a job of decisions are those of its lines
  company_id uuid,
  target_id uuid not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  created_at timestamptz not null,
  check ((kind = 'decision') = (company_id is null))
);

create index work_next on work (client_id, created_at, id);

-- Round robin: the client that was served longest ago comes next, however much it has sent.
create table work_client (
  client_id text primary key,
  last_served_at timestamptz not null
);

-- The enrollments that an accepted inclusion still has to become, one row each. A step of the worker processes a chunk of them and deletes it.
-- No foreign key, which would cost a check a row: the statement that inserts the request inserts these rows.
create table staged_enrollment (
  company_id uuid not null,
  request_id uuid not null,
  -- primaries come in the chunks before their dependents
  chunk smallint not null,
  enrollment_id uuid not null,
  benefit_id uuid not null,
  -- the member's place in the request
  member_index integer not null,
  tax_id char(11) not null,
  type text not null check (type in ('primary', 'dependent')),
  primary_tax_id char(11),
  dependent_type text check (dependent_type = any (dependent_types())),
  product_id uuid not null,
  product_name text not null,
  start_date date not null,
  scheduled_action_date date,
  scheduled_reason text check (scheduled_reason in ('future-admission-date', 'future-end-date', 'future-requested-start-date', 'next-billing-period')),
  start_option text check (start_option in ('on-inclusion-date', 'on-admission-date', 'on-next-billing-period')),
  reference text check (length(reference) between 1 and 100),
  -- registration data and documents, in wire keys
  data jsonb not null,
  primary key (company_id, request_id, chunk, enrollment_id)
);

create index staged_enrollment_reference on staged_enrollment (reference, company_id) where reference is not null;

-- The exclusions that an accepted batch still has to become, one row each; as staged_enrollment for an inclusion.
create table staged_exclusion (
  company_id uuid not null,
  request_id uuid not null,
  -- a family is in one chunk
  chunk smallint not null,
  enrollment_id uuid not null,
  -- of a dependent who is excluded with the primary: the primary's row
  primary_enrollment_id uuid,
  -- the entry's place in the request; an entry is excluded as a whole
  member_index integer not null,
  tax_id char(11) not null,
  type text not null check (type in ('primary', 'dependent')),
  product_name text not null,
  benefit_id uuid not null,
  end_date date not null,
  scheduled_action_date date,
  reference text check (length(reference) between 1 and 100),
  -- exclusion-details and documents, in wire keys
  data jsonb not null,
  primary key (company_id, request_id, chunk, enrollment_id)
);

-- The entries of an accepted batch that still have to become enrollments, one row each; as staged_exclusion.
create table staged_alteration (
  company_id uuid not null,
  request_id uuid not null,
  chunk smallint not null,
  -- the entry's place in the request; an entry is altered as a whole
  member_index integer not null,
  member_id uuid not null,
  tax_id char(11) not null,
  destination_company_id uuid not null,
  reference text check (length(reference) between 1 and 100),
  -- the alteration in normal form
  alteration jsonb not null,
  -- the enrollments that it is to become: [{ "type", "product-name" }]
  parts jsonb not null,
  primary key (company_id, request_id, chunk, member_index)
);
