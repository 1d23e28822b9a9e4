-- Onboarding links: the HR of a company invites an employee, who fills in the own data; the HR approves them, and they become an inclusion.

create table onboarding_invitation (
  company_id uuid not null references company (id),
  id uuid not null,
  created_by text not null references client (id),
  -- SHA-256 of the token, 32 random bytes, that only the link holds
  token_hash bytea not null check (length(token_hash) = 32),
  status text not null
    check (status in ('sent', 'opened', 'submitted', 'returned', 'approved', 'expired', 'revoked', 'blocked')),
  name text not null check (length(name) between 1 and 200),
  tax_id char(11) not null,
  date_of_birth date not null,
  admission_date date,
  employee_id text check (length(employee_id) between 1 and 200),
  cost_center text check (length(cost_center) between 1 and 200),
  job_title text check (length(job_title) between 1 and 200),
  -- [{ "product-id", "start-option" }]
  products jsonb not null check (jsonb_array_length(products) between 1 and 20),
  -- wrong second factors since the last right one
  attempts smallint not null default 0 check (attempts between 0 and 5),
  -- SHA-256 of what the page gets for the second factor, as the token
  session_hash bytea check (length(session_hash) = 32),
  session_expires_at timestamptz,
  -- what the employee sent: { "member", "dependents", "choices" } (src/movements/rules/onboarding.ts); of an approved one the choices stay
  submission jsonb check (jsonb_typeof(submission) = 'object'),
  return_message text check (length(return_message) between 1 and 500),
  -- the inclusion; null of an approved one: the employee waived every product
  request_id uuid,
  created_at timestamptz not null,
  -- until when the link works
  expires_at timestamptz not null check (expires_at > created_at),
  opened_at timestamptz,
  submitted_at timestamptz,
  -- one that is not approved is deleted then: the days of the setting for drafts after it was made, or submitted
  delete_after timestamptz not null check (delete_after >= expires_at),
  updated_at timestamptz not null,
  -- a person has one open invitation in a company
  open_tax_id char(11) generated always as (
    case when status in ('sent', 'opened', 'submitted', 'returned') then tax_id end) stored,
  primary key (company_id, id),
  -- by the id first, because the id of a URL names no company; by the token, which names none either
  unique (id, company_id),
  unique (token_hash, company_id),
  unique (company_id, open_tax_id),
  foreign key (company_id, request_id) references request (company_id, id),
  check (status <> 'sent' or opened_at is null),
  check (status not in ('opened', 'submitted', 'returned', 'approved') or opened_at is not null),
  check ((submission is null) = (submitted_at is null)),
  check (status not in ('submitted', 'returned', 'approved') or submission is not null),
  check (status <> 'returned' or return_message is not null),
  check (status <> 'blocked' or attempts = 5),
  check (request_id is null or status = 'approved'),
  check (status <> 'approved' or request_id is not null or not jsonb_path_exists(submission, '$.choices[*] ? (@.choice == "enroll")')),
  check (status <> 'approved' or not submission ?| array['member', 'dependents']),
  check ((session_hash is null) = (session_expires_at is null))
);

-- Files that an employee uploaded; approving moves them to `document`.
create table onboarding_document (
  company_id uuid not null,
  invitation_id uuid not null,
  id uuid not null,
  storage_key text not null,
  content_type text not null
    check (content_type in ('application/pdf', 'image/jpeg', 'image/png', 'image/tiff', 'image/heic', 'image/webp')),
  size integer not null check (size between 1 and 20971520),
  -- for display only: never a path, never a log line
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null,
  primary key (company_id, invitation_id, id),
  foreign key (company_id, invitation_id) references onboarding_invitation (company_id, id)
);
