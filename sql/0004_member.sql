-- A member is a person as one company knows them; a benefit is that person's cover in one product.

create table member (
  company_id uuid not null references company (id),
  id uuid not null,
  -- of an erased person what stands for it: see src/privacy/erasures
  tax_id char(11) not null check (tax_id ~ '^([0-9]{11}|erased[0-9a-z]{5})$'),
  name text not null,
  mothers_name text not null,
  date_of_birth date not null,
  gender text not null check (gender in ('male', 'female')),
  marital_status text check (marital_status in ('single', 'married', 'divorced', 'widowed', 'others')),
  admission_date date,
  employee_id text,
  cost_center text,
  salary bigint check (salary >= 0),
  -- what no rule and no filter reads: job-title, work-contract-type, e-mails, phone, address, bank; in wire keys
  details jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- when the company's CPF of the person was last corrected
  tax_id_corrected_at timestamptz,
  search_text text generated always as (fold_name(name || coalesce(chr(10) || employee_id, ''))) stored,
  search_email text generated always as (
    fold(coalesce(details->>'email-corporate', '') || chr(10) || coalesce(details->>'email-private', ''))) stored,
  primary key (company_id, id),
  -- Led by the CPF, which is also looked for in all companies: see docs/decisions/0002-indexes-led-by-what-selects.md.
  unique (tax_id, company_id)
);

create index member_employee_id on member (company_id, employee_id) where employee_id is not null;
-- Lists of members: people whose id has several CPFs.
create index member_corrected on member (company_id) where tax_id_corrected_at is not null;
-- `updated-since`, in all companies of a client.
create index member_updated on member (updated_at, company_id);
-- The id of a URL of the operator API.
create index member_id on member (id);

-- Former cost centers: a month's cost goes to the cost center that its first day had. The current one is the member's.
create table member_cost_center (
  company_id uuid not null,
  member_id uuid not null,
  -- until when the member had it
  changed_at timestamptz not null,
  -- null: none
  cost_center text,
  primary key (company_id, member_id, changed_at),
  foreign key (company_id, member_id) references member (company_id, id)
);

-- What the lists no longer show of a person in a company, for `updated-since`: a pending benefit that was deleted, a CPF that was corrected.
create table member_removal (
  company_id uuid not null references company (id),
  tax_id char(11) not null,
  removed_at timestamptz not null,
  primary key (company_id, tax_id)
);

-- Analyzed sooner than by default, for the first dependents of a company: see `enrollment`.
create table benefit (
  company_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  product_id uuid not null,
  type text not null check (type in ('primary', 'dependent')),
  primary_member_id uuid,
  dependent_type text check (dependent_type = any (dependent_types())),
  status text not null check (status in ('pending', 'active', 'inactive')),
  start_date date not null,
  end_date date,
  extension_plan boolean not null default false,
  -- of a dependent who keeps the plan after the primary's death (Lei 9.656 art. 30 § 3): it does not end with the primary's
  outlives_primary boolean not null default false check (not outlives_primary or type = 'dependent'),
  card_number text,
  -- what the carrier calls it, of the first line of a carrier's file that was matched
  carrier_certificate text check (length(carrier_certificate) between 1 and 60),
  carrier_dependent_code text check (length(carrier_dependent_code) between 1 and 10),
  -- of the line that an operator linked: two benefits may have one certificate
  carrier_plan_code text check (length(carrier_plan_code) between 1 and 200),
  -- why the operator ended what an extension plan kept
  end_reason text check (length(end_reason) between 1 and 200),
  -- the benefit that this one takes the place of, by a plan or company change
  replaces_company_id uuid,
  replaces_id uuid,
  -- the card of an active benefit as cards are compared: an acknowledgement gives no card that another person has
  card_key text generated always as (
    case when status = 'active' then upper(regexp_replace(card_number, '[^0-9A-Za-z]', '', 'g')) end) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  unique (card_key, company_id, id),
  foreign key (company_id, member_id) references member (company_id, id),
  foreign key (company_id, product_id) references product (company_id, id),
  foreign key (company_id, primary_member_id) references member (company_id, id),
  check ((replaces_company_id is null) = (replaces_id is null)),
  check ((type = 'dependent') = (primary_member_id is not null)),
  check ((type = 'dependent') = (dependent_type is not null)),
  -- a void benefit ends the day before its start
  check (end_date >= start_date - 1),
  check (status <> 'inactive' or end_date is not null)
) with (autovacuum_analyze_scale_factor = 0.01);

-- Never two benefits in force, or on the way, of one member, product and role.
create unique index benefit_in_force on benefit (company_id, member_id, product_id, type) where status in ('pending', 'active');

-- Led by what they select: see docs/decisions/0002-indexes-led-by-what-selects.md.
create index benefit_of_member on benefit (member_id, company_id);
create index benefit_updated on benefit (updated_at, company_id);
-- Look-ups by primary and company, with and without the product. With `product_id` between the two, PostgreSQL 18 estimates a skip scan over
-- all products, and reads the whole company instead. Each comparison with a primary's id implies the condition, also that of the foreign key
-- when a member is deleted: the dependents of an excluded or transferred primary, members without a benefit.
create index benefit_of_primary on benefit (primary_member_id, company_id, product_id) where primary_member_id is not null;
create index benefit_replaces on benefit (replaces_company_id, replaces_id) where replaces_id is not null;

-- For statements about all companies: an id of a URL, and due work.
create index benefit_id on benefit (id);
create index benefit_due on benefit (status, end_date)
  where status = 'pending' and replaces_id is not null or status = 'active' and end_date is not null;
