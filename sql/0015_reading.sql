-- The whole list of members comes by CPF, company by company, without a sort; of many companies the keys alone are sorted. As in 0008 the
-- condition is true of every row, so that only a statement that repeats it can use the index; it is another one than there, because
-- the planner takes either index for the other's work.

create index member_by_tax_id on member (company_id, tax_id, id) where tax_id < 'A';

-- Years are counted too: what is due from a day on, or ever, adds up to a few rows of each company.
alter table invoice_count
  drop constraint invoice_count_grain_check,
  drop constraint invoice_count_check,
  add constraint invoice_count_grain_check check (grain in ('year', 'month', 'day')),
  add constraint invoice_count_starts_on_check check (starts_on = date_trunc(grain, starts_on::timestamp)::date);

insert into invoice_count (company_id, grain, starts_on, unpaid)
select company_id, 'year', date_trunc('year', starts_on::timestamp)::date, sum(unpaid) from invoice_count
where grain = 'month' group by company_id, date_trunc('year', starts_on::timestamp);
