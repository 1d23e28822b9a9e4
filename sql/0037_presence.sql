-- Which operator has which movement open in the console, for a minute after the console last said so. Lost in a crash, and in no backup of value.
create unlogged table enrollment_presence (
  company_id uuid not null,
  enrollment_id uuid not null,
  operator_id text not null references client (id),
  seen_at timestamptz not null,
  primary key (company_id, enrollment_id, operator_id),
  foreign key (company_id, enrollment_id) references enrollment (company_id, id)
);
