-- Quota that all processes together have used in a client's present minute. It may be lost in a crash.
create unlogged table rate_limit_usage (
  client_id text not null,
  class text not null check (class in ('reads', 'writes', 'authenticate', 'members', 'redeliveries')),
  -- minutes since 1970, shifted by client
  minute bigint not null,
  quota integer not null,
  -- what the last statement requested and got; negative when it gave back
  asked integer not null,
  granted integer not null,
  drawn integer not null,
  primary key (client_id, class)
) with (fillfactor = 50);
