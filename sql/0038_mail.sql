-- E-mails to people: an outbox, written in the transaction of what it tells, and its record. No name, no address, no CPF is in it.
create table mail (
  id uuid primary key,
  kind text not null check (kind in ('invitation', 'password-link', 'onboarding-link', 'pending-items', 'deadlines', 'failed-deliveries', 'drafts',
    'second-admin')),
  -- whose address it goes to; null: an employee whom the HR of a company invited
  recipient_id text references person (client_id),
  -- of an onboarding link: the invitation
  company_id uuid,
  invitation_id uuid,
  -- a link, and the address of who is no person of the service, encrypted under the master key; deleted once they are of no use
  secret bytea check (length(secret) <= 4096),
  -- how many there are of what a digest tells, by what they are
  counts jsonb check (jsonb_typeof(counts) = 'object'),
  -- of a digest: the day, and of one that is sent at once the quarter of the hour
  period text check (length(period) between 10 and 40),
  status text not null check (status in ('queued', 'sending', 'sent', 'failed', 'doubtful', 'cancelled')),
  -- tells an attempt from an earlier one that is recorded late
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null,
  leased_until timestamptz,
  -- the code of the SMTP server or of the connection: no text, which may name a person
  error text check (error ~ '^[A-Za-z0-9_-]{1,40}$'),
  created_at timestamptz not null,
  -- it is not sent later
  expires_at timestamptz not null check (expires_at > created_at),
  finished_at timestamptz,
  -- a digest of a kind is written once a period
  unique (recipient_id, kind, period),
  check ((period is null) = (counts is null)),
  check ((kind in ('invitation', 'password-link', 'onboarding-link')) = (period is null)),
  check ((kind = 'onboarding-link') = (recipient_id is null)),
  check (num_nulls(company_id, invitation_id) = case when recipient_id is null then 0 else 2 end),
  check (secret is null or (period is null and status not in ('sent', 'cancelled'))),
  check ((status = 'sending') = (leased_until is not null)),
  check ((status in ('queued', 'sending')) = (finished_at is null))
);
create index mail_due on mail (next_attempt_at, id) where status = 'queued';
create index mail_sending on mail (leased_until) where status = 'sending';
create index mail_created on mail (created_at, id);

-- What a person wants of e-mails; without a row: Portuguese, and the frequency that each kind has by default.
create table mail_preference (
  client_id text primary key references person (client_id),
  language text not null check (language in ('en', 'pt-BR')),
  -- by kind, where it is not that by default
  frequencies jsonb not null check (jsonb_typeof(frequencies) = 'object'),
  updated_at timestamptz not null
);
