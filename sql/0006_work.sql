-- Accepted work, one row a request, held by a row lock while a step runs: a killed worker's row is free at once.

create table work (
  id uuid primary key,
  kind text not null check (kind in ('inclusion')),
  client_id text not null,
  company_id uuid not null,
  target_id uuid not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  created_at timestamptz not null
);

create index work_of_client on work (client_id, created_at, id);

-- Fair turns: the client served longest ago comes next, however much it has sent.
create table work_client (
  client_id text primary key,
  last_served_at timestamptz not null
);
