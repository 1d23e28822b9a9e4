-- The enrollments that an accepted inclusion still has to become, one row each. A step of the worker processes a chunk of them and deletes it.
-- No foreign key, which would cost a check a row: the statement that inserts the request inserts these rows.
drop table inclusion_chunk;

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
  dependent_type text,
  product_id uuid not null,
  product_name text not null,
  start_date date not null,
  scheduled_action_date date,
  scheduled_reason text,
  -- registration data and documents, in wire keys
  data jsonb not null,
  primary key (company_id, request_id, chunk, enrollment_id)
);
