-- Who is on unpaid leave, and what is deducted from employees who leave.

create table unpaid_leave (
  company_id uuid not null,
  member_id uuid not null,
  first_day date not null,
  -- null: not known yet
  last_day date check (last_day >= first_day),
  updated_at timestamptz not null,
  primary key (company_id, member_id, first_day),
  foreign key (company_id, member_id) references member (company_id, id)
);

-- until how many months after the end of a cover its co-participation may still come; null: not known
alter table contract add coparticipation_delay_months smallint check (coparticipation_delay_months between 0 and 24);

-- `remuneration`: an employee who leaves is deducted at most one month's remuneration (CLT art. 477 § 5); null: everything
alter table payroll_profile add final_limit text check (final_limit = 'remuneration');
