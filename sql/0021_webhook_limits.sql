-- One live endpoint for a URL of a client. SHA-256 of the normalized URL, which may be longer than an index takes.
-- null: an endpoint from before this rule whose URL an older one of its client has as well.
alter table webhook_endpoint add column url_hash bytea check (length(url_hash) = 32);

update webhook_endpoint e set url_hash = sha256(convert_to(e.url, 'UTF8'))
where e.deleted_at is null and not exists (
  select from webhook_endpoint o
  where o.client_id = e.client_id and o.deleted_at is null and o.url = e.url and (o.created_at, o.id) < (e.created_at, e.id));

create unique index webhook_endpoint_url on webhook_endpoint (client_id, url_hash) where deleted_at is null;

-- Events still to be fanned out to one client's endpoints: a row for each batch and client, so that one client's backlog does not
-- delay another's. The range gets shorter from statement to statement.
create table webhook_fan_out (
  client_id text not null references client (id),
  -- of the batch
  id uuid not null,
  company_id uuid not null,
  next_id uuid not null,
  last_id uuid not null,
  events integer not null check (events >= 0),
  primary key (client_id, id)
);

alter table rate_limit_usage drop constraint rate_limit_usage_class_check;
alter table rate_limit_usage add constraint rate_limit_usage_class_check
  check (class in ('reads', 'writes', 'authenticate', 'members', 'redeliveries'));

-- What came to be while an endpoint was deleted.
delete from webhook_delivery d using webhook_endpoint e
where e.id = d.endpoint_id and e.deleted_at is not null and d.status = 'pending';
