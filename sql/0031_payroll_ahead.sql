-- What payroll deducts before the invoice: by month of cover, and how each company's payroll takes it. Money is in cents.

alter table payroll_profile
  -- by effective date the part of an employee is deducted in the month of its cover, and the invoice corrects it
  add basis text not null default 'closed-month' check (basis in ('closed-month', 'effective-date')),
  -- the first month of cover that is deducted by effective date
  add first_month char(7) check (first_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  add payroll_day smallint check (payroll_day between 1 and 31),
  -- of negative amounts, which are written positive under it; null: they are written negative
  add refund_event text check (length(refund_event) between 1 and 20),
  -- { product type: { primary, dependent, coparticipation } }, in place of the others
  add product_events jsonb not null default '{}' check (jsonb_typeof(product_events) = 'object'),
  -- null: not known
  add unpaid_leave text check (unpaid_leave in ('bill', 'defer')),
  add tax_figures_by text check (tax_figures_by in ('charge', 'deduction')),
  add check ((basis = 'effective-date') = (first_month is not null));

alter table payroll_export
  -- of the client: the same one is the same export
  add run_id text check (length(run_id) between 1 and 100),
  add kind text not null default 'period' check (kind in ('period', 'leavers')),
  add refund_event text check (length(refund_event) between 1 and 20),
  add unique (company_id, run_id);

alter table payroll_export_line
  -- the month of cover of a premium; the month of the file of co-participation
  add origin_month char(7) check (origin_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  add product_type text,
  add destination text not null default 'payroll' check (destination in ('payroll', 'bill'));
-- Exports by closed month had no product type: they stay as they were made.
update payroll_export_line set origin_month = payroll_export.reference_month, product_type = 'health-insurance' from payroll_export
  where payroll_export.company_id = payroll_export_line.company_id and payroll_export.id = payroll_export_line.export_id;
alter table payroll_export_line
  alter origin_month set not null,
  alter product_type set not null,
  drop constraint payroll_export_line_pkey,
  add primary key (company_id, export_id, member_id, kind, product_type, origin_month, destination);
