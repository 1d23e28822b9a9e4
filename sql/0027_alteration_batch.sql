-- Alterations in batches.

-- The entries of an accepted batch that still have to become enrollments, one row each; as staged_exclusion.
create table staged_alteration (
  company_id uuid not null,
  request_id uuid not null,
  chunk smallint not null,
  -- the entry's place in the request; an entry is altered as a whole
  member_index integer not null,
  member_id uuid not null,
  tax_id char(11) not null,
  destination_company_id uuid not null,
  reference text check (length(reference) between 1 and 100),
  -- the alteration in normal form
  alteration jsonb not null,
  -- the enrollments that it is to become: [{ "type", "product-name" }]
  parts jsonb not null,
  primary key (company_id, request_id, chunk, member_index)
);

alter table work drop constraint work_kind_check;
alter table work add constraint work_kind_check check (kind in ('inclusion', 'exclusion', 'alteration', 'decision'));
