-- Sessions of operators in a browser: the cookie holds 32 random bytes, the table their hash only.

create table operator_session (
  id uuid primary key,
  -- SHA-256 of the value of the cookie
  token_hash bytea not null unique check (length(token_hash) = 32),
  client_id text not null references client (id),
  signed_in_with text not null check (signed_in_with in ('secret', 'identity-provider')),
  created_at timestamptz not null,
  -- written at most once a minute
  last_used_at timestamptz not null,
  -- whatever its use
  expires_at timestamptz not null check (expires_at > created_at)
);

create index operator_session_client on operator_session (client_id);

-- Sign-ins at the identity provider that came back to the service: each ends one cookie, which is valid for ten minutes.
create table completed_sign_in (
  -- SHA-256 of the state
  state_hash bytea primary key check (length(state_hash) = 32),
  -- after this the cookie is refused for its age
  expires_at timestamptz not null
);
