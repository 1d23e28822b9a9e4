-- Companies are the tenants: every table of a company leads its keys with company_id.

create function iso(instant timestamptz) returns text
  language sql stable parallel safe
  return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The form in which texts are compared: lower case, without accents; letters with strokes, ligatures, apostrophes, hyphens and blanks of any kind are
-- the plain ones. src/kernel/name.ts has the same, test/http/platform/name-folding.test.ts compares the two.
create function fold(value text) returns text
  language sql immutable parallel safe
  return lower(replace(replace(replace(replace(replace(replace(replace(translate(regexp_replace(regexp_replace(normalize(value, nfd),
      '[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]', '', 'g'), '[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'),
    U&'\0141\0142\0110\0111\00d0\00f0\00d8\00f8\0126\0127\0166\0167\0131\2018\2019\201b\02bc\02bb\02b9\0060\00b4\2032\ff07\2010\2011\2012\2013\2014\2212\ff0d',
    U&'LlDdDdOoHhTti\0027\0027\0027\0027\0027\0027\0027\0027\0027\0027-------'),
    U&'\00df', 'ss'), U&'\00c6', 'ae'), U&'\00e6', 'ae'), U&'\0152', 'oe'), U&'\0153', 'oe'), U&'\00de', 'th'), U&'\00fe', 'th'));

-- The form in which names are compared: of "D’Ávila", "D AVILA" and "Davila" the same. Line feeds stay: they divide what is searched at once.
create function fold_name(value text) returns text
  language sql immutable parallel safe
  return regexp_replace(fold(value), '[ .,''-]', '', 'g');

-- Whether two names are the same, one of them perhaps cut: the shorter has at least what the first characters of the longer have.
-- The names as `fold_name` makes them, and their first characters likewise.
create function same_name(one text, one_cut text, other text, other_cut text) returns boolean
  language sql immutable parallel safe
  return one = other and one <> '' or starts_with(one, other) and starts_with(other, one_cut) and one_cut <> ''
    or starts_with(other, one) and starts_with(one, other_cut) and other_cut <> '';

-- Easter Sunday (Meeus, Jones and Butcher), as in src/kernel/business-days.ts: a test compares both.
create function easter(year integer) returns date
  language plpgsql immutable strict parallel safe as $$
declare
  golden integer := year % 19;
  century integer := year / 100;
  year_of_century integer := year % 100;
  correction integer := (century - (century + 8) / 25 + 1) / 3;
  moon integer := (19 * golden + century - century / 4 - correction + 15) % 30;
  weekday integer := (32 + 2 * (century % 4) + 2 * (year_of_century / 4) - moon - year_of_century % 4) % 7;
  shift integer := (golden + 11 * moon + 22 * weekday) / 451;
begin
  return make_date(year, 3, 1) + moon + weekday - 7 * shift + 21;
end $$;

-- The day itself when it is a business day in the whole country, else the next one: the last day of a person's term (Civil Code, art. 132 § 1).
create function next_business_day(day date) returns date
  language plpgsql immutable strict parallel safe as $$
declare
  month_day integer;
begin
  loop
    month_day := extract(month from day) * 100 + extract(day from day);
    exit when extract(isodow from day) < 6 and month_day not in (101, 421, 501, 907, 1012, 1102, 1115, 1225)
      and not (month_day = 1120 and extract(year from day) >= 2024) and day <> easter(extract(year from day)::integer) - 2;
    day := day + 1;
  end loop;
  return day;
end $$;

-- A closed set that columns of several tables take. Not a domain: the driver would read an array of one as text.
create function dependent_types() returns text[]
  language sql immutable parallel safe
  return array['spouse', 'partner', 'child', 'stepchild', 'adopted-child', 'ward', 'parent', 'parent-in-law', 'sibling',
    'sibling-in-law', 'grandchild', 'grandparent', 'nephew-niece', 'uncle-aunt', 'other'];

create table company (
  id uuid primary key,
  tax_id char(14) not null unique check (tax_id ~ '^[0-9A-Z]{12}[0-9]{2}$'),
  name text not null check (length(name) between 1 and 200),
  -- lower case, without accents: what a search compares
  search_name text not null,
  -- whom the broker talks to: [{ "name", "email", "phone" }]
  contacts jsonb not null default '[]' check (jsonb_typeof(contacts) = 'array'),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table product (
  company_id uuid not null references company (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  -- trimmed, case- and accent-insensitive: what an inclusion's product name is compared with
  name_key text not null check (name_key <> ''),
  carrier_name text not null check (length(carrier_name) between 1 and 200),
  carrier_key text generated always as (fold(btrim(carrier_name))) stored,
  -- an open set: a company may have a type that the contract does not name
  product_type text not null check (product_type ~ '^[a-z][a-z0-9-]{0,49}$'),
  allowed_dependent_types text[] not null check (allowed_dependent_types <@ dependent_types()),
  allowed_start_options text[] not null check (allowed_start_options <@ array['on-inclusion-date', 'on-admission-date', 'on-next-billing-period']),
  -- until what age dependents are covered, in wire keys: see src/registry/rules/age-limit.ts
  age_limits jsonb not null default '[]' check (jsonb_typeof(age_limits) = 'array'),
  billing_day smallint check (billing_day between 1 and 28),
  cut_off_day smallint check (cut_off_day between 1 and 31),
  position smallint not null,
  retired_at timestamptz,
  -- when the name, the carrier or the type changed: benefits and movements show them
  updated_at timestamptz not null default '-infinity',
  primary key (company_id, id)
);

-- status-by-tax-id is keyed by product names, so a company has each name once.
create unique index product_name on product (company_id, name_key) where retired_at is null;
