-- What payroll deducts from employees. Money is in cents.

create table payroll_profile (
  company_id uuid primary key references company (id),
  -- of the direction `payroll`; the latest version counts
  layout_id text not null,
  -- the numbers that the company's payroll has for the deductions, by kind
  primary_event text not null check (length(primary_event) between 1 and 20),
  dependent_event text not null check (length(dependent_event) between 1 and 20),
  coparticipation_event text not null check (length(coparticipation_event) between 1 and 20),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- A second export of a month, after it was reopened, has the difference only.
create table payroll_export (
  company_id uuid not null references company (id),
  id uuid not null,
  reference_month char(7) not null check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- in the month, from 1
  number integer not null check (number >= 1),
  layout_id text not null,
  layout_version integer not null check (layout_version >= 1),
  created_by text not null,
  created_at timestamptz not null,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company
  unique (id, company_id),
  unique (company_id, reference_month, number)
);

create table payroll_export_line (
  company_id uuid not null,
  export_id uuid not null,
  -- the employee
  member_id uuid not null,
  kind text not null check (kind in ('primary', 'dependent', 'coparticipation')),
  event text not null check (length(event) between 1 and 20),
  amount bigint not null check (amount <> 0),
  primary key (company_id, export_id, member_id, kind),
  foreign key (company_id, export_id) references payroll_export (company_id, id)
);
