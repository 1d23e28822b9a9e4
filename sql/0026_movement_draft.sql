-- Lists of proposed movements, which somebody else has to confirm: alterations that a company asks its broker for, and exclusions of many people
-- that an operator sent and another one confirms.

create table movement_draft (
  company_id uuid not null references company (id),
  id uuid not null,
  -- `batch`: a list of entries as those of a batch
  source text not null check (source in ('batch')),
  movement text not null check (movement in ('exclusion', 'alteration')),
  -- the client that sent it
  created_by text not null references client (id),
  -- the client's own name for it
  reference text check (length(reference) between 1 and 100),
  comment text check (length(comment) between 1 and 500),
  -- how an operator's batch came, in wire keys; its request has it
  intake jsonb check (jsonb_typeof(intake) = 'object'),
  -- `requesting` while items are confirmed that are no movements yet
  status text not null check (status in ('open', 'requesting', 'closed')),
  closed_because text check (closed_because in ('done', 'discarded', 'expired')),
  -- why confirmed items were not requested: whoever confirmed them may not request them any more
  broken_reason text check (broken_reason in ('client-revoked', 'role-not-allowed', 'not-entitled')),
  -- the last day on which it can be confirmed
  expires_on date not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company
  unique (id, company_id),
  check ((status = 'closed') = (closed_because is not null)),
  check ((closed_because is null) = (closed_at is null))
);

-- One proposed act for one person.
create table movement_draft_item (
  company_id uuid not null,
  draft_id uuid not null,
  -- from 1, in the order of the entries
  number integer not null check (number >= 1),
  class text not null check (class in ('exclusion', 'plan-change', 'correction')),
  status text not null check (status in ('proposed', 'approval', 'confirmed', 'requested', 'refused', 'discarded', 'expired')),
  -- who else has to confirm it, until it is requested
  approval text check (approval in ('broker', 'second-operator')),
  -- of an erased person the item is deleted
  tax_id char(11) not null check (tax_id ~ '^[0-9]{11}$'),
  member_id uuid not null,
  -- the primary of the person, or the person: a family is requested together
  family uuid not null,
  -- what a batch would be sent, in wire keys
  entry jsonb check (jsonb_typeof(entry) = 'object'),
  -- [{ "field", "here", "stated" }]
  differences jsonb check (jsonb_typeof(differences) = 'array'),
  -- [code]
  offenses jsonb check (jsonb_typeof(offenses) = 'array'),
  request_id uuid,
  -- who sent it, or was the last to confirm or discard it; null: the clock
  decided_by text references client (id),
  -- the call of a confirmation, for the audit of the movement
  address text,
  request_trace_id text,
  -- why it was discarded
  reason text check (length(reason) between 1 and 500),
  primary key (company_id, draft_id, number),
  foreign key (company_id, draft_id) references movement_draft (company_id, id),
  foreign key (company_id, request_id) references request (company_id, id),
  check ((entry is not null) = (status in ('proposed', 'approval', 'confirmed'))),
  check ((differences is null) = (status = 'requested')),
  check ((offenses is not null) = (status = 'refused')),
  check ((request_id is not null) = (status = 'requested')),
  check (status <> 'approval' or approval is not null),
  check (approval is null or status in ('approval', 'confirmed')),
  check (reason is null or status = 'discarded'),
  check (status <> 'confirmed' or num_nulls(decided_by, address, request_trace_id) = 0)
);
