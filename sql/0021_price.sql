-- What carriers should charge and employees pay: prices and contributions by contract. What is claimed back, and months that are closed. Money
-- is in cents.

create table price_table (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  -- null: of the plans that have no table of their own
  carrier_plan_code text check (length(carrier_plan_code) between 1 and 30),
  valid_from date not null,
  kind text not null check (kind in ('age-band-10', 'age-band-7', 'per-person', 'per-role')),
  -- [{ "category", "amount" }], the youngest first
  prices jsonb not null check (jsonb_array_length(prices) between 1 and 10),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company
  unique (id, company_id),
  unique nulls not distinct (company_id, contract_id, carrier_plan_code, valid_from),
  foreign key (company_id, contract_id) references contract (company_id, id)
);

create table contribution_rule (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  -- null: of every product of the contract
  product_id uuid,
  valid_from date not null,
  -- { "basis-points" } or { "amount" }
  primary_share jsonb not null check (jsonb_typeof(primary_share) = 'object'),
  dependent_share jsonb not null check (jsonb_typeof(dependent_share) = 'object'),
  coparticipation_share jsonb check (jsonb_typeof(coparticipation_share) = 'object'),
  -- of the primary; empty: any
  cost_centers text[] not null,
  job_titles text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  unique (id, company_id),
  foreign key (company_id, contract_id) references contract (company_id, id),
  foreign key (company_id, product_id) references product (company_id, id)
);

-- The months of a company that were closed. While one is closed nothing that its figures follow from is written.
create table closing (
  company_id uuid not null references company (id),
  id uuid not null,
  -- yyyy-mm
  reference_month char(7) not null check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  status text not null check (status in ('open', 'closed', 'exported')),
  -- what was done, the first first: [{ "act", "at", "by", "reason" }]
  acts jsonb not null check (jsonb_array_length(acts) >= 1),
  -- while it is closed: the contracts as the checklist had them, and what their prices lacked
  figures jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  unique (id, company_id),
  unique (company_id, reference_month),
  check ((status = 'open') = (figures is null))
);

-- What is expected of each person in a month while it is closed. People have the names of now.
create table closing_expected (
  company_id uuid not null,
  closing_id uuid not null,
  contract_id uuid not null,
  benefit_id uuid not null,
  member_id uuid not null,
  -- in wire keys
  line jsonb not null check (jsonb_typeof(line) = 'object'),
  primary key (company_id, closing_id, contract_id, benefit_id),
  foreign key (company_id, closing_id) references closing (company_id, id)
);

-- What the files of a month charge while it is closed, by contract, person and source, with the part of the employee.
create table closing_charge (
  company_id uuid not null,
  closing_id uuid not null,
  -- from 1
  number integer not null check (number >= 1),
  contract_id uuid not null,
  source text not null check (source in ('premium', 'coparticipation', 'coparticipation-statement')),
  amount bigint not null,
  -- as the file has it
  employee_amount bigint,
  -- what the employee pays, or why it is not known
  share bigint,
  missing_share text check (missing_share in ('no-contribution-rule', 'no-coparticipation-share')),
  is_unmatched boolean not null,
  member_id uuid,
  member_type text check (member_type in ('primary', 'dependent')),
  -- the employee
  employee_member_id uuid,
  cost_center text,
  product_id uuid,
  primary key (company_id, closing_id, number),
  foreign key (company_id, closing_id) references closing (company_id, id),
  check (num_nulls(member_id, member_type, employee_member_id, product_id) in (0, 4)),
  check (num_nonnulls(share, missing_share) = num_nonnulls(member_id))
);

-- What a carrier is asked to pay back of an invoice. It is credited when later invoices have a credit of each line, to the cent.
create table claim (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  reconciliation_id uuid not null,
  -- of the invoice
  reference_month char(7) not null check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- `credited` follows from the lines
  status text not null check (status in ('draft', 'sent', 'accepted', 'refused')),
  carrier_protocol text check (length(carrier_protocol) between 1 and 60),
  note text check (length(note) between 1 and 2000),
  sent_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company
  unique (id, company_id),
  foreign key (company_id, contract_id) references contract (company_id, id),
  foreign key (company_id, reconciliation_id) references reconciliation (company_id, id),
  check ((status = 'draft') = (sent_at is null))
);

create table claim_line (
  company_id uuid not null,
  claim_id uuid not null,
  discrepancy_id uuid not null,
  amount bigint not null check (amount > 0),
  -- the line of a later invoice that credits it
  credited_file_id uuid,
  credited_line integer,
  primary key (company_id, claim_id, discrepancy_id),
  -- a credit is of one claim
  unique (company_id, credited_file_id, credited_line),
  foreign key (company_id, claim_id) references claim (company_id, id),
  foreign key (company_id, discrepancy_id) references discrepancy (company_id, id),
  foreign key (company_id, credited_file_id, credited_line) references carrier_line (company_id, file_id, line_number),
  check ((credited_file_id is null) = (credited_line is null))
);
