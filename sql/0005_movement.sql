-- A request is the intake, an enrollment is one movement of one member in one product.

create table request (
  company_id uuid not null references company (id),
  id uuid not null,
  client_id text not null references client (id),
  request_type text not null check (request_type in ('inclusion', 'exclusion', 'alteration')),
  status text not null check (status in ('processing', 'completed', 'partial-failure', 'failed')),
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
  check ((status = 'processing') = (finished_at is null))
);

create index request_id on request (id);

-- The enrollments that an accepted inclusion still has to become, one row each. A step of the worker processes a chunk of them and deletes it.
-- No foreign key, which would cost a check a row: the statement that inserts the request inserts these rows.
create table staged_enrollment (
  company_id uuid not null,
  request_id uuid not null,
  -- primaries come in the chunks before their dependents
  chunk smallint not null,
  enrollment_id uuid not null,
  benefit_id uuid not null,
  -- the member's place in the request
  member_index integer not null,
  tax_id char(11) not null,
  type text not null check (type in ('primary', 'dependent')),
  primary_tax_id char(11),
  dependent_type text check (dependent_type in ('spouse', 'partner', 'child', 'stepchild', 'adopted-child', 'ward', 'parent',
    'parent-in-law', 'sibling', 'sibling-in-law', 'grandchild', 'grandparent', 'nephew-niece', 'uncle-aunt', 'other')),
  product_id uuid not null,
  product_name text not null,
  start_date date not null,
  scheduled_action_date date,
  scheduled_reason text check (scheduled_reason in ('future-admission-date', 'future-end-date', 'future-requested-start-date', 'next-billing-period')),
  -- registration data and documents, in wire keys
  data jsonb not null,
  primary key (company_id, request_id, chunk, enrollment_id)
);

create table enrollment (
  company_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  enrollment_type text not null check (enrollment_type in ('inclusion', 'exclusion', 'alteration')),
  status text not null check (status in ('created', 'broker-processing', 'carrier-processing', 'scheduled', 'pending-documents',
    'pending-correction', 'completed', 'rejected', 'cancelled')),
  reason text,
  member_id uuid not null,
  member_tax_id char(11) not null,
  member_type text not null check (member_type in ('primary', 'dependent')),
  primary_member_id uuid,
  product_id uuid not null,
  -- the product's name when the request was accepted: the key in status-by-tax-id
  product_name text not null,
  benefit_id uuid not null,
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
  -- the request's data, in wire keys
  data jsonb not null,
  initial_status text not null check (initial_status in ('created', 'broker-processing', 'carrier-processing', 'scheduled',
    'pending-documents', 'pending-correction', 'completed', 'rejected', 'cancelled')),
  initial_actor text not null default 'partner' check (initial_actor in ('partner', 'service')),
  -- an inclusion of somebody who was a member already: completing it updates the profile
  updates_profile boolean not null default false,
  reached_carrier boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, request_id) references request (company_id, id),
  foreign key (company_id, product_id) references product (company_id, id),
  foreign key (destination_company_id, destination_product_id) references product (company_id, id),
  check ((enrollment_type = 'inclusion') = (effective_date is null)),
  check (num_nonnulls(destination_company_id, destination_product_id, new_benefit_id) in (0, 3)),
  check (destination_company_id is null or enrollment_type = 'alteration'),
  check ((scheduled_action_date is null) = (scheduled_reason is null)),
  check (status not in ('rejected', 'pending-documents', 'pending-correction') or reason is not null)
);

-- One open inclusion per company, member, product and role; one open exclusion, plan or company change per benefit.
create unique index enrollment_open_inclusion on enrollment (company_id, member_id, product_id, member_type)
  where enrollment_type = 'inclusion' and status not in ('completed', 'rejected', 'cancelled');
create unique index enrollment_open_benefit_change on enrollment (company_id, benefit_id)
  where (enrollment_type = 'exclusion' or new_benefit_id is not null) and status not in ('completed', 'rejected', 'cancelled');
create index enrollment_primary_enrollment on enrollment (company_id, primary_enrollment_id) where primary_enrollment_id is not null;
create index enrollment_new_benefit on enrollment (company_id, new_benefit_id) where new_benefit_id is not null;
create index enrollment_open_transfer on enrollment (destination_company_id, member_tax_id)
  where new_benefit_id is not null and status not in ('completed', 'rejected', 'cancelled');

-- Led by what they select: see docs/decisions/0002-indexes-led-by-what-selects.md.
create index enrollment_of_request on enrollment (request_id, company_id);
create index enrollment_of_member on enrollment (member_id, company_id);
create index enrollment_of_benefit on enrollment (benefit_id, company_id);
create index enrollment_open_of_primary on enrollment (primary_member_id, product_id, company_id)
  where primary_member_id is not null and status not in ('completed', 'rejected', 'cancelled');

-- For statements about all companies: an id of a URL, the operator's queue, due work, a CPF in any company.
create index enrollment_id on enrollment (id);
create index enrollment_member_tax_id on enrollment (member_tax_id, created_at, id);
create index enrollment_queue on enrollment (created_at, id);
create index enrollment_queue_open on enrollment (status, created_at, id) where status not in ('completed', 'rejected', 'cancelled');
create index enrollment_due on enrollment (scheduled_action_date) where status = 'scheduled';

-- Every transition after the creation; the creation itself is in the enrollment's row.
create table enrollment_history (
  company_id uuid not null,
  enrollment_id uuid not null,
  step smallint not null,
  status text not null check (status in ('created', 'broker-processing', 'carrier-processing', 'scheduled', 'pending-documents',
    'pending-correction', 'completed', 'rejected', 'cancelled')),
  at timestamptz not null,
  actor text not null check (actor in ('partner', 'operator', 'resolution', 'clock', 'service')),
  actor_id text,
  reason text,
  primary key (company_id, enrollment_id, step),
  foreign key (company_id, enrollment_id) references enrollment (company_id, id)
);
