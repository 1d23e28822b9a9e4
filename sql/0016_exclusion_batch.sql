-- Exclusions in batches.

-- The exclusions that an accepted batch still has to become, one row each; as staged_enrollment for an inclusion.
create table staged_exclusion (
  company_id uuid not null,
  request_id uuid not null,
  -- a family is in one chunk
  chunk smallint not null,
  enrollment_id uuid not null,
  -- of a dependent who is excluded with the primary: the primary's row
  primary_enrollment_id uuid,
  -- the entry's place in the request; an entry is excluded as a whole
  member_index integer not null,
  tax_id char(11) not null,
  type text not null check (type in ('primary', 'dependent')),
  product_name text not null,
  benefit_id uuid not null,
  end_date date not null,
  scheduled_action_date date,
  reference text check (length(reference) between 1 and 100),
  -- exclusion-details and documents, in wire keys
  data jsonb not null,
  primary key (company_id, request_id, chunk, enrollment_id)
);

alter table work drop constraint work_kind_check;
alter table work add constraint work_kind_check check (kind in ('inclusion', 'exclusion'));
