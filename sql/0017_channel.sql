-- How the shipments of a contract come to its carrier, and their deliveries.

create table contract_channel (
  company_id uuid not null,
  contract_id uuid not null,
  -- in wire keys (src/exchange/channels/schema.ts), without secrets
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  -- encrypted
  sftp_password bytea,
  sftp_private_key bytea,
  connector_secret bytea,
  -- its folder of answers was read
  polled_at timestamptz,
  updated_at timestamptz not null,
  primary key (company_id, contract_id),
  foreign key (company_id, contract_id) references contract (company_id, id),
  check ((connector_secret is null) = (settings -> 'connector' is null or settings -> 'connector' = 'null'))
);

-- An attempt to take the file of a closed shipment to its carrier.
create table shipment_delivery (
  company_id uuid not null,
  shipment_id uuid not null,
  attempt integer not null check (attempt >= 1),
  -- the number of the attempt in its schedule
  step integer not null check (step >= 1),
  channel text not null check (channel in ('sftp', 'connector')),
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  pending_shipment_id uuid generated always as (case when status = 'pending' then shipment_id end) stored,
  -- who requested it, and where from: the shipment is sent by them
  requested_by text not null,
  requested_address text not null,
  requested_trace_id text not null,
  next_attempt_at timestamptz,
  -- a process makes the attempt until then
  leased_until timestamptz,
  attempted_at timestamptz,
  response_status integer,
  error text check (length(error) between 1 and 60),
  created_at timestamptz not null,
  primary key (company_id, shipment_id, attempt),
  -- by the shipment first, because those that are due are read in all companies
  unique (pending_shipment_id, company_id),
  foreign key (company_id, shipment_id) references shipment (company_id, id),
  check (leased_until is null or status = 'pending'),
  check (next_attempt_at is not null or status <> 'pending')
);

-- A file of a carrier's folder of answers that was read: it is not read again.
create table shipment_answer_file (
  company_id uuid not null,
  contract_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  size bigint not null check (size >= 0),
  -- as the server has it, in milliseconds
  modified bigint not null,
  shipment_id uuid not null,
  -- null: it was read
  error text check (length(error) between 1 and 60),
  read_at timestamptz not null,
  primary key (company_id, contract_id, name, size, modified),
  foreign key (company_id, contract_id) references contract (company_id, id),
  foreign key (company_id, shipment_id) references shipment (company_id, id)
);
