-- The files that carriers send of a contract: whom they cover, and what they charge; and what differs from what is known here. Money is in cents.

create table carrier_file (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  kind text not null check (kind in ('roster', 'invoice', 'coparticipation')),
  -- yyyy-mm
  reference_month char(7) not null check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- a built-in layout has version 1
  layout_id text not null,
  layout_version integer not null check (layout_version >= 1),
  sha256 bytea not null check (length(sha256) = 32),
  size integer not null check (size >= 1),
  name text check (length(name) between 1 and 200),
  -- of the bytes as they came; a file of co-participation is not kept
  storage_key text,
  -- lines are inserted at once when the file has been read; it is `read` when they are matched too
  status text not null check (status in ('reading', 'read', 'failed')),
  -- why it failed: details as an error response has them
  problems jsonb check (jsonb_typeof(problems) = 'array'),
  -- lines of persons and entries, with the refused ones; null until it has been read
  lines integer check (lines between 0 and 100000),
  refused_lines integer,
  -- of another sub-contract: they are not stored
  other_lines integer,
  -- of its trailer; null: it has none
  declared_total bigint,
  -- of the lines that are not refused
  computed_total bigint,
  created_by text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company
  unique (id, company_id),
  unique (company_id, storage_key),
  -- the same bytes are the same file
  unique (company_id, contract_id, kind, reference_month, sha256),
  foreign key (company_id, contract_id) references contract (company_id, id),
  check (kind <> 'coparticipation' or storage_key is null),
  check ((status = 'failed') = (problems is not null)),
  check ((status = 'reading') = (read_at is null)),
  check (num_nulls(lines, refused_lines, other_lines) in (0, 3)),
  check (lines is not null or status <> 'read'),
  check (refused_lines between 0 and lines)
);

-- A line of a file: a person, or an entry of an invoice. What identifies a person is in the form in which it is compared.
create table carrier_line (
  company_id uuid not null,
  file_id uuid not null,
  -- in the file, from 1
  line_number integer not null check (line_number >= 1),
  -- of the layout; null: the line is of none
  record text,
  -- a `person`; an `entry` of nobody, such as a fee; or a `total` of other lines, which is no charge
  kind text not null default 'person' check (kind in ('person', 'entry', 'total')),
  -- why it is refused: [{ "column", "target", "code" }], without what stands there; null: it was read
  problems jsonb check (jsonb_typeof(problems) = 'array'),
  -- what of a line that was read names somebody and cannot be read, in the same form
  unread jsonb check (jsonb_typeof(unread) = 'array'),
  card_number text,
  certificate text,
  dependent_code text,
  tax_id char(11) check (tax_id ~ '^[0-9]{11}$'),
  -- its zeros at the beginning were missing
  tax_id_repaired boolean not null default false,
  employee_id text,
  name text,
  date_of_birth date,
  -- what the carrier's code of the relationship means
  member_type text check (member_type in ('primary', 'dependent')),
  dependent_type text check (dependent_type = any (dependent_types())),
  plan_code text,
  start_date date,
  end_date date,
  amount bigint,
  employee_amount bigint,
  -- of a total: what it says, and the sum of the lines that it is of
  stated_total bigint,
  summed_total bigint,
  entry_type text check (entry_type in ('monthly', 'inclusion', 'inclusion-retroactive', 'reactivation', 'reactivation-retroactive', 'transfer',
    'transfer-retroactive', 'alteration', 'alteration-retroactive', 'cancellation', 'cancellation-retroactive', 'adjustment-debit',
    'adjustment-credit', 'claims-recovery', 'coparticipation', 'fee', 'tax', 'discount', 'other')),
  -- as the carrier has it
  entry_code text,
  entry_period char(7) check (entry_period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- further fields that a correction needs, such as the mother's name, in wire keys
  details jsonb,
  benefit_id uuid,
  matched_by text check (matched_by in ('certificate', 'card-number', 'tax-id', 'family', 'employee-id', 'name', 'hand')),
  -- several benefits have its key: it is nobody's
  is_ambiguous boolean not null default false,
  primary key (company_id, file_id, line_number),
  foreign key (company_id, file_id) references carrier_file (company_id, id),
  check ((benefit_id is null) = (matched_by is null)),
  check (benefit_id is null or not is_ambiguous),
  check (problems is null or benefit_id is null and amount is null),
  -- a total is nobody's, and no sum of amounts has it
  check (kind <> 'total' or num_nonnulls(amount, employee_amount, benefit_id, problems) = 0),
  check (kind = 'total' or num_nonnulls(stated_total, summed_total) = 0)
) with (autovacuum_analyze_scale_factor = 0.01);

create table reconciliation (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  kind text not null check (kind in ('roster', 'invoice')),
  reference_month char(7) not null check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  carrier_file_id uuid not null,
  -- the day on which both lists are compared
  as_of date not null,
  status text not null check (status in ('computing', 'open', 'closed')),
  -- of an invoice, once it is computed
  carrier_total bigint,
  expected_total bigint,
  discrepancy bigint,
  created_by text not null,
  created_at timestamptz not null,
  computed_at timestamptz,
  primary key (company_id, id),
  unique (id, company_id),
  -- a file is compared once; again is a new run of the same reconciliation
  unique (company_id, carrier_file_id),
  foreign key (company_id, contract_id) references contract (company_id, id),
  foreign key (company_id, carrier_file_id) references carrier_file (company_id, id),
  check (status = 'computing' or computed_at is not null),
  check (num_nulls(carrier_total, expected_total, discrepancy) in (0, 3)),
  check (discrepancy = carrier_total - expected_total)
);

create table discrepancy (
  company_id uuid not null,
  id uuid not null,
  reconciliation_id uuid not null,
  class text not null check (class in (
    -- of rosters
    'missing-at-carrier', 'unknown-here', 'active-at-carrier-ended-here', 'ended-at-carrier-active-here', 'plan-differs',
    'start-date-differs', 'relationship-differs', 'name-differs', 'date-of-birth-differs', 'tax-id-differs', 'card-number-missing-here',
    'duplicate-in-file', 'ambiguous',
    -- of invoices
    'charged-unknown', 'charged-after-end', 'charged-before-start', 'not-charged', 'amount-differs', 'duplicate-charge',
    'retroactive-without-movement', 'credit-expected-missing', 'price-missing', 'fee-unknown', 'line-refused', 'total-differs')),
  benefit_id uuid,
  line_number integer,
  -- here
  expected text,
  -- at the carrier
  found text,
  -- what is charged too much; negative: too little
  amount bigint,
  -- between the two ends of a cover
  days integer,
  explanation text check (explanation in ('open-movement', 'within-cut-off', 'new-age-band', 'pro-rata', 'annual-adjustment', 'tolerated',
    'by-hand')),
  status text not null check (status in ('open', 'explained', 'claimed', 'corrected', 'accepted')),
  assignee text references client (id),
  note text check (length(note) between 1 and 2000),
  -- of the movement that corrects it
  request_id uuid,
  claim_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  unique (id, company_id),
  -- a new run finds the same ones again
  unique nulls not distinct (company_id, reconciliation_id, class, benefit_id, line_number),
  foreign key (company_id, reconciliation_id) references reconciliation (company_id, id),
  check (status <> 'explained' or explanation is not null),
  check ((status = 'claimed') <= (claim_id is not null))
);
