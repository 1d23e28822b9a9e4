-- Layouts describe the files of carriers. A shipment is what is sent to a carrier at once: the movements of a contract, and their file.

-- Those of the installation; the built-in ones are in the code (src/registry/layouts/built-in). A version that a shipment used does not change.
create table layout (
  id text not null check (id ~ '^[0-9a-f-]{36}$'),
  version integer not null check (version >= 1),
  name text not null check (length(name) between 1 and 200),
  direction text not null check (direction in ('movement', 'acknowledgement', 'roster', 'invoice', 'coparticipation', 'payroll')),
  format text not null check (format in ('csv', 'fixed-width', 'xlsx', 'ndjson')),
  -- in wire keys (src/registry/layouts/definition.ts)
  definition jsonb not null,
  -- where the description of the file was found
  source text check (length(source) between 1 and 500),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, version)
);

-- The layout of each direction: { "movement": "<id>", "acknowledgement": "<id>", ... }
alter table contract add layouts jsonb not null default '{}' check (jsonb_typeof(layouts) = 'object');
-- What the codes of the carrier's refusals mean, and how its spreadsheets are read, in wire keys (src/registry/contracts/acknowledgement-schema.ts).
alter table contract add code_map jsonb not null default '[]' check (jsonb_typeof(code_map) = 'array');
alter table contract add acknowledgement_mapping jsonb check (jsonb_typeof(acknowledgement_mapping) = 'object');

-- An active contract has one open shipment. Movements join it by a query over `open_movement`; `close` makes them items.
create table shipment (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  number integer not null check (number >= 1),
  status text not null check (status in ('open', 'closed', 'sent', 'partly-acknowledged', 'acknowledged', 'finished', 'cancelled')),
  open_contract_id uuid generated always as (case when status = 'open' then contract_id end) stored,
  -- from here on null while it is open
  cut_off_date date,
  coverage_start date,
  -- a built-in layout has version 1
  layout_id text,
  layout_version integer,
  carrier_protocol text check (length(carrier_protocol) between 1 and 60),
  sent_at timestamptz,
  -- the operator, and where from, for the history and the audit of its movements
  sent_by text,
  sent_address text,
  sent_trace_id text,
  -- by when the carrier should have acknowledged it
  answer_until date,
  closed_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company
  unique (id, company_id),
  unique (company_id, contract_id, number),
  unique (company_id, open_contract_id),
  foreign key (company_id, contract_id) references contract (company_id, id),
  check ((closed_at is null) = (status in ('open', 'cancelled') and layout_id is null)),
  check (num_nonnulls(sent_at, sent_by, sent_address, sent_trace_id, answer_until)
    = case when status in ('open', 'closed', 'cancelled') then 0 else 5 end)
);

-- The bytes of a closed shipment: each download is the same.
create table shipment_file (
  company_id uuid not null,
  shipment_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  media_type text not null,
  sha256 bytea not null check (length(sha256) = 32),
  -- null: somebody of whom it has lines was erased, or it was kept for long enough
  content bytea,
  primary key (company_id, shipment_id),
  foreign key (company_id, shipment_id) references shipment (company_id, id)
);

create table shipment_item (
  company_id uuid not null,
  shipment_id uuid not null,
  -- the company of the movement: another one where a change of company joins the contract of its destination
  movement_company_id uuid not null,
  enrollment_id uuid not null,
  -- in the file, from 1; families are together, the primary first
  position integer not null check (position >= 1),
  status text not null check (status in ('ready', 'sent', 'accepted', 'refused', 'unanswered', 'cancelled')),
  -- why it is cancelled
  reason text check (reason in ('shipment-cancelled', 'movement-cancelled', 'movement-changed')),
  -- of a change of company, or of plan to another contract: the new one's, or the former one's; each is in one unfinished shipment at most
  side text check (side in ('joining', 'leaving')),
  unfinished_enrollment_id uuid generated always as (case when status in ('ready', 'sent') then enrollment_id end) stored,
  unfinished_side text generated always as (case when status in ('ready', 'sent') then coalesce(side, 'both') end) stored,
  -- of the file, from 1
  line_numbers integer[] not null,
  -- of such a side: the former benefits of the dependents who are in its lines
  dependent_benefit_ids uuid[] not null default '{}',
  -- of a workbook the sheet of each line
  sheets text[] not null default '{}',
  -- of the latest acknowledgement
  carrier_protocol text check (length(carrier_protocol) between 1 and 60),
  carrier_code text check (length(carrier_code) between 1 and 30),
  carrier_message text check (length(carrier_message) between 1 and 500),
  -- what the latest acknowledgement said (src/registry/rules/acknowledgement.ts); of an item without an answer: it waits until its primary is active
  acknowledgement jsonb check (jsonb_typeof(acknowledgement) = 'object'),
  waiting_enrollment_id uuid generated always as (
    case when status in ('sent', 'unanswered') and acknowledgement is not null then enrollment_id end) stored,
  updated_at timestamptz not null,
  primary key (company_id, shipment_id, position),
  unique (company_id, enrollment_id, shipment_id),
  unique (company_id, unfinished_enrollment_id, unfinished_side),
  -- by the enrollment first, because those that wait are read in all companies
  unique (waiting_enrollment_id, company_id),
  foreign key (company_id, shipment_id) references shipment (company_id, id),
  check ((reason is null) = (status <> 'cancelled')),
  check (movement_company_id = company_id or side is not distinct from 'joining')
);

-- The shipments of other companies that a movement is, or was, in.
create index shipment_item_elsewhere on shipment_item (enrollment_id, movement_company_id) where movement_company_id <> company_id;

-- Changes of plan and company that the new carrier has, and of which the former one must hear: they join the open shipment of its contract.
create table leaving_movement (
  company_id uuid not null,
  enrollment_id uuid not null,
  -- that the person leaves
  product_id uuid not null,
  -- the former benefits of the dependents who leave with the primary
  dependent_benefit_ids uuid[] not null default '{}',
  created_at timestamptz not null,
  primary key (company_id, enrollment_id),
  foreign key (company_id, enrollment_id) references enrollment (company_id, id)
);
