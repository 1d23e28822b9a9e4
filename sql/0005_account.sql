-- What happened: for whoever listens (events) and for whoever asks later (audit). No CPF, no names in either.

create table event (
  -- no foreign key: an outbox is written at every step, and only ever with a company that was just read
  company_id uuid not null,
  id uuid not null,
  type text not null,
  at timestamptz not null,
  data jsonb not null,
  primary key (company_id, id)
);

create table audit (
  id uuid primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  target text not null,
  company_id uuid references company (id),
  address text,
  request_trace_id text
);

create index audit_at on audit (at, id);
