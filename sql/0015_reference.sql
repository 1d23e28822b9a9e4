-- The client's own name for a request or for one of its movements.

alter table request add reference text check (length(reference) between 1 and 100);
alter table staged_enrollment add reference text check (length(reference) between 1 and 100);
alter table enrollment add reference text check (length(reference) between 1 and 100);
