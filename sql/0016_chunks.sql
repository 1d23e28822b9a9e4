-- How many of a chunk's people were members of the company already when it was accepted: told ahead, a step that brings none
-- need not look for them.
alter table inclusion_chunk add column known integer not null default 0;
update inclusion_chunk set known = people;

-- Kept as the bytes that were written, and read as JSON by the step that needs them: to look a text over that the service wrote itself
-- would be a third of the time that its acceptance takes in the database.
alter table inclusion_chunk
  alter column members type bytea using convert_to(members::text, 'UTF8'),
  alter column entries type bytea using convert_to(entries::text, 'UTF8');
alter table inclusion_chunk alter column members set storage external, alter column entries set storage external;

-- The parts that are still to be processed are those of the chunks that are left.
alter table request drop column parts;
