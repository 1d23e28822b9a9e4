-- The operators' queue: search, due dates, assignees and notes.

-- The form in which texts are searched, and names of carriers compared: lower case, without accents.
create function fold(value text) returns text
  language sql immutable parallel safe
  return lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g'));

alter table member
  add search_text text generated always as (fold(name || coalesce(chr(10) || employee_id, ''))) stored,
  add search_email text generated always as (
    fold(coalesce(details->>'email-corporate', '') || chr(10) || coalesce(details->>'email-private', ''))) stored;

alter table product add carrier_key text generated always as (fold(btrim(carrier_name))) stored;

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

alter table enrollment
  -- of the product, when a movement for the next billing period was accepted
  add cut_off_day smallint check (cut_off_day between 1 and 31),
  -- the operator who works on it
  add assignee text references client (id);

update enrollment e set cut_off_day = p.cut_off_day from product p
where e.scheduled_reason = 'next-billing-period' and p.company_id = e.company_id and p.id = e.product_id;

alter table enrollment
  -- by when the carrier must hear of it; 30 days for an exclusion that the beneficiary requested (RN 561)
  add due_date date generated always as (
    case
      when scheduled_reason = 'next-billing-period' and cut_off_day is not null then cut_off_before(scheduled_action_date, cut_off_day)
      when scheduled_action_date is not null then scheduled_action_date
      when enrollment_type = 'exclusion' and data->'exclusion-details'->>'exclusion-reason' = 'requested-by-beneficiary'
        then (created_at at time zone 'America/Sao_Paulo')::date + 30
    end) stored;

create index enrollment_queue_due on enrollment (status, due_date, created_at, id)
  where status not in ('completed', 'rejected', 'cancelled');
create index enrollment_assignee on enrollment (assignee, created_at, id) where assignee is not null;
-- The id of a URL of the operator API.
create index member_id on member (id);

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
