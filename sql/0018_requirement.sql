-- Which documents carriers want with a movement: rules of the installation, written by operators.

create table requirement_rule (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  active boolean not null,
  valid_from date,
  -- in wire keys, each condition present: see src/registry/rules/requirement.ts
  conditions jsonb not null check (jsonb_typeof(conditions) = 'object'),
  -- [{ "any-of": [...], "of", "message" }]
  require jsonb not null check (jsonb_array_length(require) between 1 and 20),
  enforcement text not null check (enforcement in ('warning', 'pending', 'offense')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
