-- Lists of proposed movements, which somebody else has to confirm: alterations that a company asks its broker for, and exclusions of many people
-- that an operator sent and another one confirms, and what follows from a list of who should be covered.

create table movement_draft (
  company_id uuid not null references company (id),
  id uuid not null,
  -- `batch`: a list of entries as those of a batch; `roster-sync`: the comparison with the same id
  source text not null check (source in ('batch', 'roster-sync')),
  -- of a batch
  movement text check (movement in ('exclusion', 'alteration')),
  -- the client that sent it
  created_by text not null references client (id),
  -- the client's own name for it
  reference text check (length(reference) between 1 and 100),
  comment text check (length(comment) between 1 and 500),
  -- how an operator's batch came, in wire keys; its request has it
  intake jsonb check (jsonb_typeof(intake) = 'object'),
  -- `requesting` while items are confirmed that are no movements yet
  status text not null check (status in ('open', 'requesting', 'closed')),
  closed_because text check (closed_because in ('done', 'discarded', 'superseded', 'expired')),
  -- of a list: [{ "product-id", "product-name", "covered" }], how many people of the list's scope each product covered
  guard jsonb check (jsonb_typeof(guard) = 'array'),
  -- why many people leave, as those said who confirmed it
  guard_reasons text[] not null default '{}',
  -- of a list: what it was about, to find the newer one of the same
  scope_key text,
  -- why confirmed items were not requested: whoever confirmed them may not request them any more
  broken_reason text check (broken_reason in ('client-revoked', 'role-not-allowed', 'not-entitled')),
  -- the last day on which it can be confirmed
  expires_on date not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company
  unique (id, company_id),
  check ((source = 'batch') = (movement is not null)),
  check ((source = 'roster-sync') = (guard is not null)),
  check ((source = 'roster-sync') = (scope_key is not null)),
  check ((status = 'closed') = (closed_because is not null)),
  check ((closed_because is null) = (closed_at is null))
);

-- One proposed act for one person, or why there is none.
create table movement_draft_item (
  company_id uuid not null,
  draft_id uuid not null,
  -- from 1, in the order of the entries
  number integer not null check (number >= 1),
  class text not null check (class in ('inclusion', 'exclusion', 'leaver', 'plan-change', 'correction', 'tax-id-correction', 'company-data',
    'held', 'refused')),
  -- null: it becomes no movement
  movement text check (movement in ('inclusion', 'exclusion', 'alteration')),
  status text not null check (status in ('proposed', 'approval', 'confirmed', 'requested', 'refused', 'discarded', 'superseded', 'expired', 'held')),
  -- who else has to confirm it, until it is requested
  approval text check (approval in ('broker', 'second-operator')),
  -- of an erased person the item is deleted; null: the line of a list has none that can be read
  tax_id char(11) check (tax_id ~ '^[0-9]{11}$'),
  -- null: nobody who is here
  member_id uuid,
  -- the primary of the person, or the person, by id or CPF: a family is requested together
  family text not null,
  -- of somebody who is not here, as the list states them
  name text,
  employee_id text,
  member_type text check (member_type in ('primary', 'dependent')),
  -- of an exclusion of a list: the product that ends
  product_id uuid,
  product_name text,
  -- of the list
  lines integer[] not null default '{}',
  -- what a batch would be sent, in wire keys
  entry jsonb check (jsonb_typeof(entry) = 'object'),
  -- [{ "field", "here", "stated" }]
  differences jsonb check (jsonb_typeof(differences) = 'array'),
  -- why nothing is done, or why it is confirmed by its number only
  explanation text check (explanation in ('open-movement', 'waits-for-approval', 'under-continuation', 'ends-already', 'future-start', 'newer-than-list',
    'product-not-stated', 'unknown-product', 'identity-conflict', 'doubtful-list', 'outside-scope', 'follows-primary', 'other-primary',
    'carrier-only-field', 'not-alterable', 'may-have-moved', 'dependents-listed')),
  -- the movements that explain it
  enrollment_ids uuid[] not null default '{}',
  by_number_only boolean not null default false,
  -- how many dependents lose the product too
  also_ends integer not null default 0 check (also_ends >= 0),
  -- what has to be given when it is confirmed
  needs text[] not null default '{}',
  -- [code], of a proposed item those that its movement would have
  offenses jsonb check (jsonb_typeof(offenses) = 'array'),
  request_id uuid,
  -- who sent it, or was the last to confirm or discard it; null: the clock
  decided_by text references client (id),
  -- the call of a confirmation, for the audit of the movement
  address text,
  request_trace_id text,
  -- why it was discarded
  reason text check (length(reason) between 1 and 500),
  search_text text generated always as (fold_name(coalesce(name, '') || coalesce(chr(10) || employee_id, ''))) stored,
  primary key (company_id, draft_id, number),
  foreign key (company_id, draft_id) references movement_draft (company_id, id),
  foreign key (company_id, request_id) references request (company_id, id),
  check ((entry is not null) = (status in ('proposed', 'approval', 'confirmed'))),
  check ((differences is null) = (status = 'requested')),
  check (status <> 'refused' or offenses is not null),
  check ((request_id is not null) = (status = 'requested' and class <> 'company-data')),
  check (status <> 'held' or explanation is not null),
  check (class <> 'held' or status = 'held'),
  check (class <> 'refused' or status = 'refused'),
  check ((movement is null) = (class in ('company-data', 'held', 'refused'))),
  check (tax_id is not null or class = 'refused'),
  check (status <> 'approval' or approval is not null),
  check (approval is null or status in ('approval', 'confirmed')),
  check (reason is null or status = 'discarded'),
  check (status <> 'confirmed' or num_nulls(decided_by, address, request_trace_id) = 0)
);
create index movement_draft_item_class on movement_draft_item (company_id, draft_id, class, status, number);
create index movement_draft_item_person on movement_draft_item (tax_id, company_id);
