-- Invoices of the carriers and their files. Statuses are derived at reading; a row stores what they are derived from.

-- An invoice's id is the operator's own and unique over all companies, so the ids are outside the companies' tables; the row also says
-- which company the invoice belongs to.
create table invoice_owner (
  id text primary key check (length(id) between 1 and 100),
  company_id uuid not null references company (id),
  unique (company_id, id),
  -- `GET /v1/invoices/pending-payment` is the list of the invoices to pay
  constraint invoice_owner_id_not_a_path check (id <> 'pending-payment')
);

-- The config of a company and carrier, for invoices put without one of their own.
create table invoice_config (
  company_id uuid not null references company (id),
  -- the carrier's name, trimmed, case- and accent-insensitive
  carrier_key text not null check (carrier_key <> ''),
  id uuid not null,
  primary key (company_id, carrier_key)
);

create table invoice (
  company_id uuid not null references company (id),
  id text not null,
  invoice_config_id uuid not null,
  carrier_name text not null check (length(carrier_name) between 1 and 200),
  -- cents, whole in every JSON reader
  amount bigint not null check (amount between 0 and 9007199254740991),
  due_date date not null,
  reference_period_start date not null,
  reference_period_end date not null,
  -- when the next payment is due: of the slips neither paid nor cancelled the earliest day, without slips `due_date`. Null when
  -- nothing is left to pay, which is all-paid and cancelled. Only writes change it; what is overdue follows from it and today.
  unpaid_due_date date,
  -- whether `invoice.overdue` was written since it fell overdue
  overdue_event_written boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, id) references invoice_owner (company_id, id),
  check (reference_period_end >= reference_period_start),
  check (unpaid_due_date is not null or not overdue_event_written)
);

-- The list by company, for a client of few companies, and by day, for one of many (docs/decisions/0017-lists-are-counted-by-ordinary-statements.md).
create index invoice_by_due_date on invoice (due_date, id collate "C", company_id);
create index invoice_overdue_event_due on invoice (unpaid_due_date) where unpaid_due_date is not null and not overdue_event_written;

create table invoice_file (
  company_id uuid not null,
  invoice_id text not null,
  file_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  type text not null check (type in ('payment-slip', 'invoice', 'service-invoice', 'detailed-statement', 'coparticipation-statement', 'other')),
  content_type text not null check (length(content_type) between 3 and 200),
  size integer not null check (size between 1 and 104857600),
  -- of the bytes: a ZIP states it before them
  crc32 bigint not null check (crc32 between 0 and 4294967295),
  storage_key text not null,
  -- of a slip; overdue is derived, not stored
  status text check (status in ('pending', 'paid', 'cancelled')),
  payment_slip_due_date date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, invoice_id, file_id),
  foreign key (company_id, invoice_id) references invoice (company_id, id),
  unique (company_id, storage_key),
  check ((type = 'payment-slip') = (status is not null)),
  check ((type = 'payment-slip') = (payment_slip_due_date is not null))
);
