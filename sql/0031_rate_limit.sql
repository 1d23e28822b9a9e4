-- What all processes have leased of a client's quota in its present window of a minute, which starts with its first call. A crash loses it,
-- which costs nobody anything.
drop table rate_limit_usage;
create unlogged table rate_limit_usage (
  client_id text not null,
  class text not null check (class in ('reads', 'writes', 'authenticate', 'members', 'redeliveries')),
  window_started_at timestamptz not null,
  leased integer not null,
  primary key (client_id, class)
) with (fillfactor = 50);
