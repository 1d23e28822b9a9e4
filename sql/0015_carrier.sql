-- Carriers, and the contracts that companies have with them. Products name their carrier.

create table carrier (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  -- one name, one carrier: compared without case and accents
  key text generated always as (fold(btrim(name))) stored unique,
  ans_registration char(6) check (ans_registration ~ '^[0-9]{6}$'),
  tax_id char(14) check (tax_id ~ '^[0-9A-Z]{12}[0-9]{2}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

alter table product add foreign key (carrier_key) references carrier (key);

create table contract (
  company_id uuid not null references company (id),
  id uuid not null,
  carrier_id uuid not null references carrier (id),
  contract_number text not null check (length(contract_number) between 1 and 30),
  -- subfatura, subestipulante; '' where the carrier has none
  sub_contract text not null check (length(sub_contract) <= 20),
  carrier_company_code text check (length(carrier_company_code) between 1 and 30),
  -- of this contract, where they are not those of the carrier
  ans_registration char(6) check (ans_registration ~ '^[0-9]{6}$'),
  carrier_tax_id char(14) check (carrier_tax_id ~ '^[0-9A-Z]{12}[0-9]{2}$'),
  lives text check (lives in ('up-to-29', '30-or-more')),
  contract_start date,
  anniversary_month smallint check (anniversary_month between 1 and 12),
  contributory boolean,
  coparticipation boolean,
  -- paid by what is used
  post_paid boolean,
  -- of a retired person's contribution: see src/coverage/rules/continuation.ts
  retirement_remainder text check (retirement_remainder in ('whole-years', 'proportional')),
  -- how its prices are calculated: see src/money/rules/premium.ts
  age_on text check (age_on in ('first-day-of-reference-month', 'month-after-birthday', 'birthday-month', 'contract-anniversary')),
  proration text check (proration in ('none', 'daily-30', 'daily-calendar', 'full-if-started-until-day')),
  proration_day smallint check (proration_day between 1 and 31),
  -- cents by which an amount may differ from the expected one
  tolerance integer not null default 0 check (tolerance between 0 and 100000),
  -- what its invoices may have of nobody, in wire keys (src/registry/rules/contract-fee.ts)
  fees jsonb not null default '[]' check (jsonb_typeof(fees) = 'array'),
  channel text check (channel in ('portal', 'file', 'email', 'sftp', 'connector')),
  -- in wire keys (src/registry/rules/cut-off.ts)
  calendar jsonb,
  -- [{ "name", "email", "phone" }]
  contacts jsonb not null check (jsonb_typeof(contacts) = 'array'),
  answer_within_business_days smallint not null check (answer_within_business_days between 1 and 90),
  status text not null check (status in ('active', 'ended')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, carrier_id, contract_number, sub_contract),
  check ((proration is not distinct from 'full-if-started-until-day') = (proration_day is not null)),
  -- what its plans refer to; by the id first, because the id of a URL names no company
  unique (id, company_id, status)
);

-- The products of a contract, with the names that the carrier has for them.
create table contract_plan (
  company_id uuid not null,
  contract_id uuid not null,
  -- that of the contract
  status text not null check (status in ('active', 'ended')),
  product_id uuid not null,
  -- the product while the contract is active: it is in one active contract at most
  active_product_id uuid generated always as (case when status = 'active' then product_id end) stored,
  carrier_plan_code text check (length(carrier_plan_code) between 1 and 30),
  ans_plan_number char(9) check (ans_plan_number ~ '^[0-9]{9}$'),
  plan_version text check (length(plan_version) between 1 and 20),
  position smallint not null,
  primary key (company_id, contract_id, product_id),
  unique (company_id, active_product_id),
  foreign key (company_id, contract_id, status) references contract (company_id, id, status),
  foreign key (company_id, product_id) references product (company_id, id)
);
