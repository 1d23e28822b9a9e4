-- How many of a chunk's people were members of the company already when it was accepted: told ahead, a step that brings none
-- need not look for them.
alter table inclusion_chunk add column known integer not null default 0;

-- The parts that are still to be processed are those of the chunks that are left; each entry brings the id of its event.
update inclusion_chunk set known = people, entries = (
  select json_agg(e.entry || jsonb_build_object('event-id', gen_random_uuid()) order by e.place)
  from jsonb_array_elements(entries::jsonb) with ordinality as e(entry, place));
alter table request drop column parts;
