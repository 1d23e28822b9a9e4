-- A request is the intake, an enrollment is one movement of one member in one product.

create table request (
  company_id uuid not null references company (id),
  id uuid not null,
  client_id text not null references client (id),
  -- the client's own name for it
  reference text check (length(reference) between 1 and 100),
  request_type text not null check (request_type in ('inclusion', 'exclusion', 'alteration')),
  -- an act of an operator; its client is the operator
  alteration_kind text check (alteration_kind in ('second-card', 'contract-transfer')),
  status text not null check (status in ('processing', 'completed', 'partial-failure', 'failed')),
  -- the movement draft that it was made of
  draft_id uuid,
  -- staging only: resolve the movements at once
  resolution text check (resolution in ('approve', 'reject')),
  -- parts that did not become enrollments: [{ "tax-id", "product-name", "offenses" }]
  failures jsonb not null default '[]',
  -- an alteration's registration data apply once, at the first completion of one of its enrollments
  applied_at timestamptz,
  -- the business day: an exclusion extends only a benefit that had not ended by then
  accepted_on date not null default (now() at time zone 'America/Sao_Paulo')::date,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (company_id, id),
  check ((status = 'processing') = (finished_at is null)),
  check (alteration_kind is null or request_type = 'alteration')
);

create index request_id on request (id);

-- How a request of an operator came; of acts with `alteration_kind` there is none.
create table request_intake (
  company_id uuid not null,
  request_id uuid not null,
  -- `draft`: the request was made of one
  medium text not null check (medium in ('email', 'phone', 'message', 'in-person', 'letter', 'carrier-portal', 'draft')),
  received_at timestamptz not null,
  requester_name text check (length(requester_name) between 1 and 200),
  -- an e-mail address or a phone number
  requester_contact text check (length(requester_contact) between 1 and 200),
  -- the evidence: documents of the request that belong to none of its movements
  documents uuid[] not null default '{}' check (cardinality(documents) <= 20),
  primary key (company_id, request_id),
  foreign key (company_id, request_id) references request (company_id, id),
  check (requester_name is not null or medium in ('carrier-portal', 'draft'))
);

-- Lists and `updated-since`. Led by what they select: see docs/decisions/0002-indexes-led-by-what-selects.md.
create index request_created on request (created_at, id, company_id);
create index request_finished on request (finished_at, company_id);
create index request_reference on request (reference, company_id) where reference is not null;

-- The cut-off day of a month; in a shorter month its last day.
create function cut_off_in(month timestamp, cut_off_day smallint) returns date
  language sql immutable parallel safe
  return least(month::date + cut_off_day - 1, (month + interval '1 month')::date - 1);

-- The last cut-off day before a billing day. The expressions of both functions are inlined.
create function cut_off_before(billing_date date, cut_off_day smallint) returns date
  language sql immutable parallel safe
  return case when cut_off_in(date_trunc('month', (billing_date - 1)::timestamp), cut_off_day) < billing_date
    then cut_off_in(date_trunc('month', (billing_date - 1)::timestamp), cut_off_day)
    else cut_off_in(date_trunc('month', (billing_date - 1)::timestamp) - interval '1 month', cut_off_day) end;

-- A transition changes no indexed column, so that it writes no index: PostgreSQL stores the new version of the row in the page of the former
-- one (HOT update), in the room that `fillfactor` leaves. What is read by status, by due date or by the time of a change is in `open_movement`
-- and `enrollment_history`.
create table enrollment (
  company_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  -- the client's own name for it
  reference text check (length(reference) between 1 and 100),
  enrollment_type text not null check (enrollment_type in ('inclusion', 'exclusion', 'alteration')),
  -- that of the request
  alteration_kind text check (alteration_kind in ('second-card', 'contract-transfer')),
  status text not null check (status in ('created', 'broker-processing', 'carrier-processing', 'scheduled', 'pending-documents',
    'pending-correction', 'completed', 'rejected', 'cancelled')),
  reason text,
  -- what a pending movement waits for, until the pending status ends: [{ "kind", "document-type" or "field", "message" }]
  pending_items jsonb not null default '[]' check (jsonb_typeof(pending_items) = 'array'),
  -- the operator who works on it
  assignee text references client (id),
  member_id uuid not null,
  member_tax_id char(11) not null,
  member_type text not null check (member_type in ('primary', 'dependent')),
  primary_member_id uuid,
  product_id uuid not null,
  -- the product's name when the request was accepted: the key in status-by-tax-id
  product_name text not null,
  benefit_id uuid not null,
  -- an inclusion's start as it was accepted: a rejected one has no benefit any more
  start_date date,
  -- of an inclusion: a corrected admission date moves the start of those that start on it
  start_option text check (start_option in ('on-inclusion-date', 'on-admission-date', 'on-next-billing-period')),
  -- an exclusion's end-date, an alteration's requested-start-date
  effective_date date,
  -- an exclusion that completes with its primary's: the primary's enrollment
  primary_enrollment_id uuid,
  -- a plan or company change: where to, and the id that the new benefit will have
  destination_company_id uuid,
  destination_product_id uuid,
  new_benefit_id uuid,
  scheduled_action_date date,
  scheduled_reason text check (scheduled_reason in ('future-admission-date', 'future-end-date', 'future-requested-start-date', 'next-billing-period')),
  -- of the product, when a movement for the next billing period was accepted
  cut_off_day smallint check (cut_off_day between 1 and 31),
  -- the cut-off by which the carrier must hear of a movement for a coming day: see src/registry/contracts/carrier-cut-off.ts
  cut_off_date date,
  -- the business day, of the request
  accepted_on date not null default (now() at time zone 'America/Sao_Paulo')::date,
  -- from here to `proof_until` what the clocks of norms start from: see src/coverage/rules/deadline.ts
  -- of an inclusion: the latest of admission, start of the dependency and birth; and of a child: its birth or adoption
  event_date date,
  newborn_date date,
  -- of an exclusion that the beneficiary requested: the day on which
  requested_on date,
  -- of an exclusion whose person may keep the plan and has not answered: the employer's notice
  notice_date date,
  -- of an exclusion that asked for an extension plan: why it keeps nothing, and `data` asks for none any more
  continuation_refusal text check (continuation_refusal in ('declined', 'no-contribution', 'with-cause', 'resignation', 'mutual-agreement',
    'post-paid-plan', 'less-than-a-year')),
  -- of an exclusion that the beneficiary requested: when the carrier heard of it, and by when it must prove it
  informed_on date,
  proof_until date,
  -- the earliest day on which something is due: the same deadlines as in src/coverage/enrollments/deadlines.ts
  due_date date generated always as (least(
    case when not reached_carrier then cut_off_date end,
    -- the last day of cover: each day after it is charged until the carrier knows
    case when enrollment_type = 'exclusion' and not reached_carrier
      and data->'exclusion-details'->>'extension-plan' is distinct from 'true' then effective_date end,
    case when scheduled_reason = 'next-billing-period' and cut_off_day is not null
      then cut_off_before(scheduled_action_date, cut_off_day) else scheduled_action_date end,
    case when not reached_carrier and event_date + 30 >= accepted_on then event_date + 30 end,
    case when not reached_carrier and newborn_date + 30 >= accepted_on then newborn_date + 30 end,
    case when not reached_carrier then requested_on + 30 end,
    proof_until,
    next_business_day(notice_date + 30))) stored,
  -- the request's data, in wire keys
  data jsonb not null,
  initial_status text not null check (initial_status in ('created', 'broker-processing', 'carrier-processing', 'scheduled',
    'pending-documents', 'pending-correction', 'completed', 'rejected', 'cancelled')),
  initial_actor text not null default 'partner' check (initial_actor in ('partner', 'operator', 'service')),
  -- an inclusion of somebody who was a member already: completing it updates the profile
  updates_profile boolean not null default false,
  reached_carrier boolean not null default false,
  -- of the latest transition to carrier-processing that had one
  carrier_protocol text check (length(carrier_protocol) between 1 and 60),
  -- when the partner answered what it waited for; null again from the next transition on
  answered_at timestamptz,
  -- what answers changed of it, the oldest first: [{ "at", "changes": [{ "field", "old", "new" }] }]; null: nothing
  answers jsonb check (jsonb_typeof(answers) = 'array'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, request_id) references request (company_id, id),
  foreign key (company_id, product_id) references product (company_id, id),
  foreign key (destination_company_id, destination_product_id) references product (company_id, id),
  check ((enrollment_type = 'inclusion') = (effective_date is null)),
  check (num_nonnulls(destination_company_id, destination_product_id, new_benefit_id) in (0, 3)),
  check (destination_company_id is null or enrollment_type = 'alteration'),
  check (alteration_kind is null or enrollment_type = 'alteration' and destination_company_id is null),
  check ((scheduled_action_date is null) = (scheduled_reason is null)),
  check (status <> 'scheduled' or scheduled_action_date is not null),
  check (start_date is null or enrollment_type = 'inclusion'),
  check (start_option is null or enrollment_type = 'inclusion'),
  check (status not in ('rejected', 'pending-documents', 'pending-correction') or reason is not null),
  check (pending_items = '[]' or status in ('pending-documents', 'pending-correction')),
  check ((informed_on is null) = (proof_until is null)),
  check (informed_on is null or requested_on is not null and reached_carrier)
) with (fillfactor = 80, autovacuum_analyze_scale_factor = 0.01);

-- An enrollment by the id of a URL, which names no company.
create index enrollment_id on enrollment (id);
-- The enrollments of a request: its response. With the last column the parts of the exclusion of a family, at each transition of it.
create index enrollment_of_request on enrollment (request_id, company_id, primary_enrollment_id);
-- Those of a person, and of a benefit, which is one of few of the person: history, family, facts of a movement.
create index enrollment_of_member on enrollment (member_id, company_id);
-- Those of a CPF in any company, also of people who did not become members: history, the queue by CPF.
create index enrollment_member_tax_id on enrollment (member_tax_id);
-- All of the queue in its order, and the movements created on a day: the queue without a status or with a terminal one, statistics.
create index enrollment_created on enrollment (created_at, id);
-- Requests by the reference of a movement.
create index enrollment_reference on enrollment (reference, company_id) where reference is not null;

-- The open ones of `enrollment`, with the same values: what operators and the clock have to do, and what excludes another movement. A row is
-- inserted with its enrollment, updated with it, and deleted with the transition to a terminal status: see
-- docs/decisions/0050-open-movements-are-a-table.md. No foreign key, which would lock each enrollment when it is inserted.
create table open_movement (
  company_id uuid not null,
  id uuid not null,
  enrollment_type text not null,
  alteration_kind text,
  status text not null check (status not in ('completed', 'rejected', 'cancelled')),
  assignee text,
  member_id uuid not null,
  member_tax_id char(11) not null,
  member_type text not null,
  primary_member_id uuid,
  product_id uuid not null,
  benefit_id uuid not null,
  destination_company_id uuid,
  destination_product_id uuid,
  new_benefit_id uuid,
  scheduled_action_date date,
  cut_off_date date,
  due_date date,
  carrier_protocol text,
  answered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  -- one open second card and one open transfer per benefit; any number of other movements, which have no kind
  unique (company_id, benefit_id, alteration_kind),
  -- the queue in its order: a page far down would sort all of them on disk
  unique (due_date, created_at, id, company_id)
) with (fillfactor = 80, autovacuum_analyze_scale_factor = 0.01);

-- One open inclusion per company, member, product and role; one open exclusion, plan or company change per benefit.
create unique index open_movement_inclusion on open_movement (company_id, member_id, product_id, member_type)
  where enrollment_type = 'inclusion';
create unique index open_movement_benefit_change on open_movement (company_id, benefit_id)
  where enrollment_type = 'exclusion' or new_benefit_id is not null;
-- `updated-since`, in all companies of a client. The clock and the filters of the queue have none: they read the whole table, which is small.
create index open_movement_updated on open_movement (updated_at, company_id);
-- Open movements of a primary's dependents, at each transition of the primary's. The order of the columns as in `benefit_of_primary`.
create index open_movement_of_primary on open_movement (primary_member_id, company_id, product_id) where primary_member_id is not null;
-- Open plan and company changes into a company: for each inclusion and import of the person there, and for its shipments.
create index open_movement_transfer on open_movement (destination_company_id, member_tax_id) where new_benefit_id is not null;

-- Every transition after the creation; the creation itself is in the enrollment's row.
create table enrollment_history (
  company_id uuid not null,
  enrollment_id uuid not null,
  step smallint not null,
  status text not null check (status in ('created', 'broker-processing', 'carrier-processing', 'scheduled', 'pending-documents',
    'pending-correction', 'completed', 'rejected', 'cancelled')),
  at timestamptz not null,
  actor text not null check (actor in ('partner', 'operator', 'carrier', 'resolution', 'clock', 'service')),
  actor_id text,
  reason text,
  primary key (company_id, enrollment_id, step),
  foreign key (company_id, enrollment_id) references enrollment (company_id, id)
);

-- Movements resolved since an instant or on a day: `updated-since`, statistics and the counts of the queue, which read the index only.
create index enrollment_history_resolved on enrollment_history (at) include (company_id, enrollment_id, status)
  where status in ('completed', 'rejected', 'cancelled');

-- Staging only: what becomes of an enrollment on a day. It is deleted when it is applied.
create table sandbox_outcome (
  company_id uuid not null,
  enrollment_id uuid not null,
  outcome text not null check (outcome in ('completed', 'rejected', 'pending-documents', 'pending-correction', 'no-answer')),
  due_date date not null,
  reason text,
  card_number text,
  primary key (company_id, enrollment_id),
  foreign key (company_id, enrollment_id) references enrollment (company_id, id)
);

-- Deadlines of movements that clients were told of, once each; `cut-off`: a cut-off of the carrier that the movement missed.
create table deadline_event (
  company_id uuid not null,
  enrollment_id uuid not null,
  kind text not null check (kind in ('inclusion-window', 'newborn', 'carrier-notice', 'proof-of-exclusion', 'continuation-option', 'cut-off')),
  until date not null,
  primary key (company_id, enrollment_id, kind, until),
  foreign key (company_id, enrollment_id) references enrollment (company_id, id)
);

-- What operators note on an enrollment; never shown to partners.
create table enrollment_note (
  company_id uuid not null,
  enrollment_id uuid not null,
  id uuid not null,
  text text not null check (length(text) between 1 and 2000),
  author text not null references client (id),
  created_at timestamptz not null,
  primary key (company_id, enrollment_id, id),
  foreign key (company_id, enrollment_id) references enrollment (company_id, id)
);

-- Filters of a list of the console that the operators share, under a name.
create table saved_view (
  id uuid primary key,
  area text not null check (area in ('queue')),
  name text not null check (length(name) between 1 and 60),
  name_key text not null generated always as (fold(name)) stored,
  -- as in the address of the list, without a search text and a person
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  created_by text not null references client (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (area, name_key)
);

-- What an operator corrected of a benefit once it was completed, one row for each field.
create table benefit_correction (
  company_id uuid not null,
  benefit_id uuid not null,
  id uuid not null,
  field text not null check (field in ('card-number', 'start-date', 'end-date')),
  old_value text,
  new_value text not null,
  reason text not null check (length(reason) between 1 and 200),
  author text not null,
  created_at timestamptz not null,
  primary key (company_id, benefit_id, id),
  foreign key (company_id, benefit_id) references benefit (company_id, id)
);

-- Ends of benefits that clients were told of, once each.
create table benefit_ending (
  company_id uuid not null,
  benefit_id uuid not null,
  cause text not null check (cause in ('age-limit', 'continuation')),
  end_date date not null,
  created_at timestamptz not null,
  primary key (company_id, benefit_id, cause, end_date),
  foreign key (company_id, benefit_id) references benefit (company_id, id)
);

-- Exclusions that the clock proposes: without effect until a person confirms one.
create table draft_exclusion (
  company_id uuid not null,
  id uuid not null,
  benefit_id uuid not null,
  cause text not null check (cause in ('age-limit', 'continuation')),
  exclusion_reason text not null,
  end_date date not null,
  status text not null check (status in ('open', 'confirmed', 'discarded')),
  -- the operator; null of a discarded one: the clock
  decided_by text references client (id),
  -- why an operator discarded it
  discard_reason text check (length(discard_reason) between 1 and 500),
  -- the exclusion
  request_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  -- the id of a URL names no company
  unique (id, company_id),
  -- an end is proposed once, also after it was discarded
  unique (company_id, benefit_id, cause, end_date),
  foreign key (company_id, benefit_id) references benefit (company_id, id),
  foreign key (company_id, request_id) references request (company_id, id),
  check ((status = 'confirmed') = (request_id is not null))
);
