-- What `updated-since` compares, and the filters of the lists of requests and invoices.

-- when the name, the carrier or the type changed: benefits and movements show them
alter table product add updated_at timestamptz not null default '-infinity';

-- an inclusion's start as it was accepted: a rejected one has no benefit any more
alter table enrollment add start_date date check (start_date is null or enrollment_type = 'inclusion');

-- What the lists no longer show of a person in a company: a pending benefit that was deleted, a CPF that was corrected.
create table member_removal (
  company_id uuid not null references company (id),
  tax_id char(11) not null,
  removed_at timestamptz not null,
  primary key (company_id, tax_id)
);

-- Led by what they select: see docs/decisions/0002-indexes-led-by-what-selects.md.
create index member_updated on member (updated_at, company_id);
create index member_removed on member_removal (removed_at, company_id);
create index benefit_updated on benefit (updated_at, company_id);
create index enrollment_updated on enrollment (updated_at, company_id);
create index request_finished on request (finished_at, company_id);
create index request_created on request (created_at, id, company_id);
create index request_reference on request (reference, company_id) where reference is not null;
create index enrollment_reference on enrollment (reference, company_id) where reference is not null;
create index staged_enrollment_reference on staged_enrollment (reference, company_id) where reference is not null;
create index invoice_by_due_date on invoice (due_date, id collate "C", company_id);

-- `GET /v1/invoices/pending-payment` is the list of the invoices to pay.
alter table invoice_owner add constraint invoice_owner_id_not_a_path check (id <> 'pending-payment') not valid;
