-- Bytes of the stored responses of a client, so that its bound is one row's check: changed by the statement that stores or deletes them.
create table stored_response_usage (
  client_id text primary key,
  bytes bigint not null check (bytes >= 0)
) with (fillfactor = 50);

insert into stored_response_usage (client_id, bytes)
select client_id, sum(octet_length(encrypted_response)) from idempotency_key where encrypted_response is not null group by client_id;

-- What a client has that no movement has used: counted and summed before another one is taken.
create index document_unused on document (client_id) include (size) where used_at is null;
