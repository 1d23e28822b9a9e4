-- Plans that are kept after a dismissal or a retirement (Lei 9.656/1998 arts. 30 and 31). One is about a family: the primary's benefit and those of
-- its dependents in the product.

create table continuation (
  company_id uuid not null references company (id),
  id uuid not null,
  -- the primary's; after a plan or company change its replacement
  benefit_id uuid not null,
  ground text not null check (ground in ('dismissal', 'retirement')),
  -- empty: not known, of one that nothing became of
  contribution_months smallint check (contribution_months between 0 and 720),
  -- the last day of the cover as an employee
  leaving_date date not null,
  notice_date date,
  option_until date generated always as (next_business_day(notice_date + 30)) stored,
  option_date date,
  status text not null
    check (status in ('notice-pending', 'offered', 'accepted', 'active', 'declined', 'expired', 'ended', 'no-right')),
  not_eligible_reason text check (not_eligible_reason in ('no-contribution', 'with-cause', 'resignation', 'mutual-agreement', 'post-paid-plan',
    'less-than-a-year')),
  -- both empty: a setting of the contract is missing
  months smallint check (months between 1 and 119),
  without_end boolean not null,
  term_end date,
  end_date date,
  end_reason text check (end_reason in ('term', 'new-job', 'request', 'company-plan-ended', 'death-of-all')),
  -- the family goes on
  primary_death_date date,
  -- [{ "age-band", "amount" }], as the company gave them
  prices jsonb not null default '[]' check (jsonb_typeof(prices) = 'array'),
  -- the benefit while nothing has ended: it has one continuation at a time
  open_benefit_id uuid generated always as (
    case when status in ('notice-pending', 'offered', 'accepted', 'active') then benefit_id end) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company
  unique (id, company_id),
  unique (company_id, open_benefit_id),
  foreign key (company_id, benefit_id) references benefit (company_id, id),
  check (status in ('declined', 'no-right') or contribution_months is not null and contribution_months > 0),
  check ((status = 'no-right') = (not_eligible_reason is not null)),
  check (not (without_end and months is not null)),
  check ((months is null) = (term_end is null)),
  check ((status = 'notice-pending') <= (notice_date is null)),
  check (status not in ('offered', 'expired') or notice_date is not null),
  check ((status = 'ended') = (end_reason is not null and end_date is not null)),
  check (status <> 'active' or without_end or months is not null)
);
