-- What people ask of their personal data (LGPD arts. 18 and 19). A request is about one CPF, in all companies: it belongs to none of them.
create table subject_request (
  id uuid primary key,
  kind text not null check (kind in ('access', 'erasure')),
  -- null once the person is erased: the row stays, without who it was
  tax_id char(11) check (tax_id ~ '^[0-9]{11}$'),
  -- of an erasure: `planned`, its plan was made; `approved` by a second admin; `partly-fulfilled`, some of the data had to stay
  status text not null check (status in ('open', 'planned', 'approved', 'partly-fulfilled', 'fulfilled', 'cancelled')),
  -- the person while nothing is decided: one request of a kind at a time
  open_tax_id char(11) generated always as (case when status not in ('partly-fulfilled', 'fulfilled', 'cancelled') then tax_id end) stored,
  received_on date not null,
  -- LGPD art. 19 II
  due_date date not null generated always as (received_on + 15) stored,
  -- both may hold personal data: they are emptied with the CPF
  note text check (length(note) between 1 and 2000),
  cancel_reason text check (length(cancel_reason) between 1 and 500),
  -- the copy of the data, of an access: it was asked for, made, and deleted when it expired
  file_requested_at timestamptz,
  file_made_at timestamptz,
  file_expires_at timestamptz,
  file_key text unique,
  file_size bigint,
  created_by text not null references client (id),
  created_at timestamptz not null,
  closed_at timestamptz,
  unique (open_tax_id, kind),
  check (kind = 'erasure' or status not in ('planned', 'approved', 'partly-fulfilled')),
  check (tax_id is not null or status in ('partly-fulfilled', 'fulfilled', 'cancelled')),
  check ((closed_at is null) = (status not in ('partly-fulfilled', 'fulfilled', 'cancelled'))),
  check (cancel_reason is null or status = 'cancelled'),
  check (file_requested_at is null or kind = 'access'),
  check ((file_made_at is null) = (file_expires_at is null) and file_made_at >= file_requested_at),
  check ((file_key is null) = (file_size is null)),
  check (file_key is null or file_made_at is not null)
);
