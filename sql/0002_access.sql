-- Clients of both APIs, their secrets, the companies that a partner may access, people, and their sessions.

create table client (
  id text primary key check (length(id) between 1 and 100),
  api text not null check (api in ('partner', 'operator')),
  name text not null check (length(name) between 1 and 200),
  role text check (role in ('admin', 'analyst', 'finance', 'auditor')),
  created_at timestamptz not null,
  revoked_at timestamptz,
  -- its role at the identity provider ended: a sign-in with a role revives the operator; one that an admin removed stays removed
  revoked_by_provider boolean not null default false,
  check (not revoked_by_provider or (api = 'operator' and revoked_at is not null)),
  check ((api = 'operator') = (role is not null))
);

-- At most two secrets of a client are valid; the slot makes a third impossible. A secret that the service made is stored as an HMAC
-- under a key derived from the master key; scrypt is for one that a person chose.
create table client_secret (
  client_id text not null references client (id),
  slot smallint not null check (slot in (1, 2)),
  hash text not null
    check (hash ~ '^(hmac-sha256\$[A-Za-z0-9_-]{43}|scrypt\$[0-9]+\$[0-9]+\$[0-9]+\$[A-Za-z0-9_-]+\$[A-Za-z0-9_-]+)$'),
  created_at timestamptz not null,
  -- of the former secret, after its owner has rotated it; null: at the next rotation
  ends_at timestamptz check (ends_at > created_at),
  primary key (client_id, slot)
);

create table entitlement (
  company_id uuid not null references company (id),
  client_id text not null references client (id),
  created_at timestamptz not null,
  -- whether it also includes the invoices of the company
  see_money boolean not null default true,
  primary key (company_id, client_id)
);

create index entitlement_client on entitlement (client_id, company_id);

-- Attempts, counted in a fixed number of buckets by an HMAC of client id or e-mail address and network: however many are tried, the table
-- stays small. The key is the installation's: nobody can find a pair that shares the bucket of somebody else.
create unlogged table authentication_failure (
  bucket integer primary key check (bucket between 0 and 1048575),
  window_started_at timestamptz not null,
  failures integer not null
);

-- People, who sign in with an e-mail address and a password. Each is a client without a secret: an operator, or, with the role `company-hr`, a
-- client of the partner API. The audit and the histories name a person by the client's id, never by the e-mail address.
create table person (
  client_id text primary key references client (id),
  -- in lower case
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  -- null until the person has accepted the invitation
  password_hash text check (password_hash ~ '^scrypt\$[0-9]+\$[0-9]+\$[0-9]+\$[A-Za-z0-9_-]+\$[A-Za-z0-9_-]+$'),
  -- SHA-256 of the token of the link that sets a password; null once it was used
  link_hash bytea unique check (length(link_hash) = 32),
  link_expires_at timestamptz,
  last_sign_in_at timestamptz,
  -- HMAC of the networks of the last ten that the person signed in from: there others' guesses do not delay a right password
  sign_in_networks bytea[] not null default '{}' check (cardinality(sign_in_networks) <= 10),
  check ((link_hash is null) = (link_expires_at is null))
);

-- Passkeys of people: credentials of WebAuthn, which sign in beside the password.
create table passkey (
  client_id text not null references person (client_id),
  id uuid not null,
  -- made by the authenticator
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  -- in the format of COSE
  public_key bytea not null check (length(public_key) <= 4096),
  -- signatures so far; 0: the authenticator does not count
  sign_count bigint not null check (sign_count between 0 and 4294967295),
  -- how a browser reaches the authenticator, as it said
  transports text[] not null,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (client_id, id)
);

-- Sessions of operators and people in a browser: the cookie holds 32 random bytes, the table their hash only.
create table operator_session (
  id uuid primary key,
  -- SHA-256 of the value of the cookie
  token_hash bytea not null unique check (length(token_hash) = 32),
  client_id text not null references client (id),
  signed_in_with text not null check (signed_in_with in ('secret', 'identity-provider', 'password', 'passkey')),
  created_at timestamptz not null,
  -- written at most once a minute
  last_used_at timestamptz not null,
  -- whatever its use
  expires_at timestamptz not null check (expires_at > created_at)
);

-- What counts once and was used: the state of a sign-in at the identity provider, whose cookie is valid for ten minutes, and the challenge of a
-- passkey, which is valid for five.
create table completed_sign_in (
  -- SHA-256 of the state or the challenge
  state_hash bytea primary key check (length(state_hash) = 32),
  -- after this it is refused for its age
  expires_at timestamptz not null
);
