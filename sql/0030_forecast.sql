-- The next invoice of a contract before it comes, as it was expected on a day after the cut-off; and how far back carriers recognize movements.

alter table contract
  -- { "unit", "count" }; null: not known
  add retroactive_exclusion jsonb check (jsonb_typeof(retroactive_exclusion) = 'object'),
  add retroactive_inclusion jsonb check (jsonb_typeof(retroactive_inclusion) = 'object');

create table forecast (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  reference_month char(7) not null check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  as_of date not null,
  -- benefits whose plan has no price table: they have no line
  without_price integer not null check (without_price >= 0),
  frozen_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, contract_id, reference_month),
  foreign key (company_id, contract_id) references contract (company_id, id)
);

-- What is forecast, in cents: a forecast is the sum of its lines. The benefit may be gone.
create table forecast_line (
  company_id uuid not null,
  forecast_id uuid not null,
  benefit_id uuid not null,
  -- of the last invoice, for its own month
  last_amount bigint not null,
  firm bigint not null,
  scheduled bigint not null,
  at_carrier bigint not null,
  requested bigint not null,
  -- by cause
  causes jsonb not null check (jsonb_typeof(causes) = 'object'),
  -- by the month of the invoice that can have it
  later jsonb not null check (jsonb_typeof(later) = 'object'),
  lost bigint not null,
  primary key (company_id, forecast_id, benefit_id),
  foreign key (company_id, forecast_id) references forecast (company_id, id)
);

-- What it costs when an open movement misses the next cut-off, as of a day: for people, no rule reads it.
create table movement_money (
  company_id uuid not null,
  enrollment_id uuid not null,
  contract_id uuid not null,
  -- cents; null: not known, or not of the kind of the movement
  per_month bigint,
  charged_beyond_end bigint,
  cut_off_date date not null,
  if_missed bigint,
  lost bigint,
  lost_if_missed bigint,
  uncovered_days_if_missed integer check (uncovered_days_if_missed >= 0),
  window_until date,
  missing_settings text[] not null,
  as_of date not null,
  calculated_at timestamptz not null,
  primary key (company_id, enrollment_id),
  foreign key (company_id, enrollment_id) references enrollment (company_id, id)
);
