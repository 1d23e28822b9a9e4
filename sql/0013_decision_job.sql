-- Decisions of an operator on many enrollments: a job of the workers, a row for each line. A line is done once: its result is written by the
-- transaction that decides.

create table decision_job (
  id uuid primary key,
  -- the operator that sent it, and where from, for the audit rows of the decisions
  actor text not null,
  address text not null,
  request_trace_id text not null,
  dry_run boolean not null,
  status text not null check (status in ('waiting', 'running', 'done', 'broken', 'undone')),
  -- why it is broken
  reason text check (reason in ('operator-removed', 'role-not-allowed')),
  lines integer not null,
  accepted integer not null default 0,
  rejected integer not null default 0,
  -- of an acknowledgement: the lines by which the carrier refuses, and those by which it decides nothing
  refused integer not null default 0,
  in_analysis integer not null default 0,
  -- of all lines that have none of their own
  decision jsonb,
  -- of an acknowledgement
  shipment_id uuid,
  -- the headings and sheets of its file that were not read
  unknown_columns text[] not null default '{}',
  sheets_not_read text[] not null default '{}',
  created_at timestamptz not null,
  -- when it begins; until then the operator can undo it. null: at once
  undo_until timestamptz,
  finished_at timestamptz,
  check ((status in ('done', 'broken', 'undone')) = (finished_at is not null)),
  check ((status = 'broken') = (reason is not null)),
  check (status <> 'undone' or undo_until is not null),
  check (accepted + refused + in_analysis + rejected <= lines),
  check (status not in ('done', 'undone') or accepted + refused + in_analysis + rejected = lines),
  -- reasons and card numbers are kept as long as they are needed
  check (finished_at is null or decision is null),
  check (shipment_id is null or decision is null)
);

create table decision_job_line (
  job_id uuid not null references decision_job (id),
  -- in the file, or the place in the body
  line integer not null,
  -- null: the line has none
  enrollment_id uuid,
  -- lines that one transaction decides; families are in one chunk. null: the line was refused when the job was made
  chunk integer,
  -- of an acknowledgement: what the carrier says (src/registry/rules/acknowledgement.ts)
  decision jsonb,
  -- in wire format; null: not decided yet
  result json,
  primary key (job_id, line),
  check (chunk is not null or result is not null),
  check (result is null or decision is null)
);

create index decision_job_line_open on decision_job_line (job_id, chunk) where result is null;

-- The decision on a movement that can still be undone; deleted when it is made or undone.
create table held_decision (
  enrollment_id uuid primary key,
  job_id uuid not null references decision_job (id),
  status text not null check (status in ('created', 'broker-processing', 'carrier-processing', 'pending-documents', 'pending-correction', 'completed',
    'rejected', 'cancelled'))
);
