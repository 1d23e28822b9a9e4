-- How many of a chunk's people were members of the company already when it was accepted: told ahead, a step that brings none
-- need not look for them.
alter table inclusion_chunk add column known integer not null default 0;
update inclusion_chunk set known = people;

-- The parts that are still to be processed are those of the chunks that are left.
alter table request drop column parts;
