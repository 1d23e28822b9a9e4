-- What the migrations of this folder make together. Made by `npm run schema`; read it, never run it.

CREATE OR REPLACE FUNCTION cut_off_before(billing_date date, cut_off_day smallint)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (cut_off_in(date_trunc('month'::text, ((billing_date - 1))::timestamp without time zone), cut_off_day) < billing_date) THEN cut_off_in(date_trunc('month'::text, ((billing_date - 1))::timestamp without time zone), cut_off_day) ELSE cut_off_in((date_trunc('month'::text, ((billing_date - 1))::timestamp without time zone) - '1 mon'::interval), cut_off_day) END;
CREATE OR REPLACE FUNCTION cut_off_in(month timestamp without time zone, cut_off_day smallint)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN LEAST((((month)::date + (cut_off_day)::integer) - 1), (((month + '1 mon'::interval))::date - 1));
CREATE OR REPLACE FUNCTION dependent_types()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY['spouse'::text, 'partner'::text, 'child'::text, 'stepchild'::text, 'adopted-child'::text, 'ward'::text, 'parent'::text, 'parent-in-law'::text, 'sibling'::text, 'sibling-in-law'::text, 'grandchild'::text, 'grandparent'::text, 'nephew-niece'::text, 'uncle-aunt'::text, 'other'::text];
CREATE OR REPLACE FUNCTION easter(year integer)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION fold(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower(replace(replace(replace(replace(replace(replace(replace(translate(regexp_replace(regexp_replace(NORMALIZE(value, NFD), '[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]'::text, ''::text, 'g'::text), '[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]+'::text, ' '::text, 'g'::text), 'ŁłĐđÐðØøĦħŦŧı‘’‛ʼʻʹ`´′＇‐‑‒–—−－'::text, 'LlDdDdOoHhTti''''''''''''''''''''-------'::text), 'ß'::text, 'ss'::text), 'Æ'::text, 'ae'::text), 'æ'::text, 'ae'::text), 'Œ'::text, 'oe'::text), 'œ'::text, 'oe'::text), 'Þ'::text, 'th'::text), 'þ'::text, 'th'::text));
CREATE OR REPLACE FUNCTION fold_name(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(fold(value), '[ .,''-]'::text, ''::text, 'g'::text);
CREATE OR REPLACE FUNCTION iso(instant timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((instant AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);
CREATE OR REPLACE FUNCTION next_business_day(day date)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION same_name(one text, one_cut text, other text, other_cut text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((one = other) AND (one <> ''::text)) OR (starts_with(one, other) AND starts_with(other, one_cut) AND (one_cut <> ''::text)) OR (starts_with(other, one) AND starts_with(one, other_cut) AND (other_cut <> ''::text)));

create table audit (
  id uuid not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  target text not null,
  company_id uuid,
  address text,
  request_trace_id text,
  constraint audit_pkey primary key (id),
  constraint audit_company_id_fkey foreign key (company_id) references company(id)
);
create index audit_at on audit (at, id);

create table audit_block (
  "position" bigint not null,
  created_at timestamptz not null,
  row_ids uuid[] not null,
  digests bytea[] not null,
  previous bytea not null,
  hash bytea not null,
  constraint audit_block_pkey primary key ("position")
);

create table audit_head (
  singleton boolean not null default true,
  "position" bigint not null,
  hash bytea not null,
  mac bytea not null,
  constraint audit_head_pkey primary key (singleton),
  constraint audit_head_singleton_check check (singleton)
);

create table audit_pending (
  id uuid not null,
  at timestamptz not null,
  constraint audit_pending_pkey primary key (id)
);

create unlogged table authentication_failure (
  bucket integer not null,
  window_started_at timestamptz not null,
  failures integer not null,
  constraint authentication_failure_pkey primary key (bucket),
  constraint authentication_failure_bucket_check check (bucket >= 0 and bucket <= 1048575)
);

create table benefit (
  company_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  product_id uuid not null,
  type text not null,
  primary_member_id uuid,
  dependent_type text,
  status text not null,
  start_date date not null,
  end_date date,
  extension_plan boolean not null default false,
  outlives_primary boolean not null default false,
  card_number text,
  carrier_certificate text,
  carrier_dependent_code text,
  carrier_plan_code text,
  end_reason text,
  replaces_company_id uuid,
  replaces_id uuid,
  card_key text generated always as (
CASE
    WHEN status = 'active' THEN upper(regexp_replace(card_number, '[^0-9A-Za-z]', '', 'g'))
    ELSE null::text
END) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint benefit_pkey primary key (company_id, id),
  constraint benefit_card_key_company_id_id_key unique (card_key, company_id, id),
  constraint benefit_company_id_member_id_fkey foreign key (company_id, member_id) references member(company_id, id),
  constraint benefit_company_id_primary_member_id_fkey foreign key (company_id, primary_member_id) references member(company_id, id),
  constraint benefit_company_id_product_id_fkey foreign key (company_id, product_id) references product(company_id, id),
  constraint benefit_carrier_certificate_check check (length(carrier_certificate) >= 1 and length(carrier_certificate) <= 60),
  constraint benefit_carrier_dependent_code_check check (length(carrier_dependent_code) >= 1 and length(carrier_dependent_code) <= 10),
  constraint benefit_carrier_plan_code_check check (length(carrier_plan_code) >= 1 and length(carrier_plan_code) <= 200),
  constraint benefit_check check (not outlives_primary or type = 'dependent'),
  constraint benefit_check1 check ((replaces_company_id is null) = (replaces_id is null)),
  constraint benefit_check2 check ((type = 'dependent') = (primary_member_id is not null)),
  constraint benefit_check3 check ((type = 'dependent') = (dependent_type is not null)),
  constraint benefit_check4 check (end_date >= (start_date - 1)),
  constraint benefit_check5 check (status <> 'inactive' or end_date is not null),
  constraint benefit_dependent_type_check check (dependent_type = ANY (dependent_types())),
  constraint benefit_end_reason_check check (length(end_reason) >= 1 and length(end_reason) <= 200),
  constraint benefit_status_check check (status in ('pending', 'active', 'inactive')),
  constraint benefit_type_check check (type in ('primary', 'dependent'))
) with (autovacuum_analyze_scale_factor=0.01);
create index benefit_due on benefit (status, end_date) where status = 'pending' and replaces_id is not null or status = 'active' and end_date is not null;
create index benefit_id on benefit (id);
create unique index benefit_in_force on benefit (company_id, member_id, product_id, type) where status in ('pending', 'active');
create index benefit_of_member on benefit (member_id, company_id);
create index benefit_of_primary on benefit (primary_member_id, company_id, product_id) where primary_member_id is not null;
create index benefit_replaces on benefit (replaces_company_id, replaces_id) where replaces_id is not null;
create index benefit_updated on benefit (updated_at, company_id);

create table benefit_correction (
  company_id uuid not null,
  benefit_id uuid not null,
  id uuid not null,
  field text not null,
  old_value text,
  new_value text not null,
  reason text not null,
  author text not null,
  created_at timestamptz not null,
  constraint benefit_correction_pkey primary key (company_id, benefit_id, id),
  constraint benefit_correction_company_id_benefit_id_fkey foreign key (company_id, benefit_id) references benefit(company_id, id),
  constraint benefit_correction_field_check check (field in ('card-number', 'start-date', 'end-date')),
  constraint benefit_correction_reason_check check (length(reason) >= 1 and length(reason) <= 200)
);

create table benefit_ending (
  company_id uuid not null,
  benefit_id uuid not null,
  cause text not null,
  end_date date not null,
  created_at timestamptz not null,
  constraint benefit_ending_pkey primary key (company_id, benefit_id, cause, end_date),
  constraint benefit_ending_company_id_benefit_id_fkey foreign key (company_id, benefit_id) references benefit(company_id, id),
  constraint benefit_ending_cause_check check (cause in ('age-limit', 'continuation'))
);

create table broker_setting (
  id boolean not null default true,
  broker_name text,
  logo bytea,
  logo_type text,
  reason_templates jsonb,
  updated_at timestamptz not null,
  constraint broker_setting_pkey primary key (id),
  constraint broker_setting_broker_name_check check (length(broker_name) >= 1 and length(broker_name) <= 100),
  constraint broker_setting_check check ((logo is null) = (logo_type is null)),
  constraint broker_setting_id_check check (id),
  constraint broker_setting_logo_check check (octet_length(logo) >= 1 and octet_length(logo) <= 99999),
  constraint broker_setting_logo_type_check check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint broker_setting_reason_templates_check check (jsonb_array_length(reason_templates) <= 60)
);

create table carrier (
  id uuid not null,
  name text not null,
  key text generated always as (fold(btrim(name))) stored,
  ans_registration char(6),
  tax_id char(14),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint carrier_pkey primary key (id),
  constraint carrier_key_key unique (key),
  constraint carrier_ans_registration_check check (ans_registration ~ '^[0-9]{6}$'),
  constraint carrier_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint carrier_tax_id_check check (tax_id ~ '^[0-9A-Z]{12}[0-9]{2}$')
);

create table carrier_file (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  kind text not null,
  reference_month char(7) not null,
  layout_id text not null,
  layout_version integer not null,
  sha256 bytea not null,
  size integer not null,
  name text,
  storage_key text,
  status text not null,
  problems jsonb,
  lines integer,
  refused_lines integer,
  other_lines integer,
  declared_total bigint,
  computed_total bigint,
  created_by text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  invoice_kind text not null default 'main',
  constraint carrier_file_pkey primary key (company_id, id),
  constraint carrier_file_company_id_contract_id_kind_reference_month_sh_key unique (company_id, contract_id, kind, reference_month, sha256),
  constraint carrier_file_company_id_storage_key_key unique (company_id, storage_key),
  constraint carrier_file_id_company_id_key unique (id, company_id),
  constraint carrier_file_company_id_contract_id_fkey foreign key (company_id, contract_id) references contract(company_id, id),
  constraint carrier_file_check check (kind <> 'coparticipation' or storage_key is null),
  constraint carrier_file_check1 check ((status = 'failed') = (problems is not null)),
  constraint carrier_file_check2 check ((status = 'reading') = (read_at is null)),
  constraint carrier_file_check3 check (num_nulls(lines, refused_lines, other_lines) in (0, 3)),
  constraint carrier_file_check4 check (lines is not null or status <> 'read'),
  constraint carrier_file_check5 check (refused_lines >= 0 and refused_lines <= lines),
  constraint carrier_file_check6 check (invoice_kind = 'main' or kind = 'invoice'),
  constraint carrier_file_invoice_kind_check check (invoice_kind in ('main', 'supplementary')),
  constraint carrier_file_kind_check check (kind in ('roster', 'invoice', 'coparticipation')),
  constraint carrier_file_layout_version_check check (layout_version >= 1),
  constraint carrier_file_lines_check check (lines >= 0 and lines <= 100000),
  constraint carrier_file_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint carrier_file_problems_check check (jsonb_typeof(problems) = 'array'),
  constraint carrier_file_reference_month_check check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint carrier_file_sha256_check check (length(sha256) = 32),
  constraint carrier_file_size_check check (size >= 1),
  constraint carrier_file_status_check check (status in ('reading', 'read', 'failed'))
);

create table carrier_line (
  company_id uuid not null,
  file_id uuid not null,
  line_number integer not null,
  record text,
  kind text not null default 'person',
  problems jsonb,
  unread jsonb,
  card_number text,
  certificate text,
  dependent_code text,
  tax_id char(11),
  tax_id_repaired boolean not null default false,
  employee_id text,
  name text,
  date_of_birth date,
  member_type text,
  dependent_type text,
  plan_code text,
  start_date date,
  end_date date,
  amount bigint,
  employee_amount bigint,
  stated_total bigint,
  summed_total bigint,
  entry_type text,
  entry_code text,
  entry_period char(7),
  details jsonb,
  benefit_id uuid,
  matched_by text,
  is_ambiguous boolean not null default false,
  constraint carrier_line_pkey primary key (company_id, file_id, line_number),
  constraint carrier_line_company_id_file_id_fkey foreign key (company_id, file_id) references carrier_file(company_id, id),
  constraint carrier_line_check check ((benefit_id is null) = (matched_by is null)),
  constraint carrier_line_check1 check (benefit_id is null or not is_ambiguous),
  constraint carrier_line_check2 check (problems is null or benefit_id is null and amount is null),
  constraint carrier_line_check3 check (kind <> 'total' or num_nonnulls(amount, employee_amount, benefit_id, problems) = 0),
  constraint carrier_line_check4 check (kind = 'total' or num_nonnulls(stated_total, summed_total) = 0),
  constraint carrier_line_dependent_type_check check (dependent_type = ANY (dependent_types())),
  constraint carrier_line_entry_period_check check (entry_period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint carrier_line_entry_type_check check (entry_type in ('monthly', 'inclusion', 'inclusion-retroactive', 'reactivation', 'reactivation-retroactive', 'transfer', 'transfer-retroactive', 'alteration', 'alteration-retroactive', 'cancellation', 'cancellation-retroactive', 'adjustment-debit', 'adjustment-credit', 'claims-recovery', 'coparticipation', 'fee', 'tax', 'discount', 'other')),
  constraint carrier_line_kind_check check (kind in ('person', 'entry', 'total')),
  constraint carrier_line_line_number_check check (line_number >= 1),
  constraint carrier_line_matched_by_check check (matched_by in ('certificate', 'card-number', 'tax-id', 'family', 'employee-id', 'name', 'hand')),
  constraint carrier_line_member_type_check check (member_type in ('primary', 'dependent')),
  constraint carrier_line_problems_check check (jsonb_typeof(problems) = 'array'),
  constraint carrier_line_tax_id_check check (tax_id ~ '^[0-9]{11}$'),
  constraint carrier_line_unread_check check (jsonb_typeof(unread) = 'array')
) with (autovacuum_analyze_scale_factor=0.01);
create index carrier_line_of_benefit on carrier_line (company_id, benefit_id) where benefit_id is not null and amount is not null;

create table claim (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  reconciliation_id uuid not null,
  reference_month char(7) not null,
  status text not null,
  carrier_protocol text,
  note text,
  sent_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint claim_pkey primary key (company_id, id),
  constraint claim_id_company_id_key unique (id, company_id),
  constraint claim_company_id_contract_id_fkey foreign key (company_id, contract_id) references contract(company_id, id),
  constraint claim_company_id_reconciliation_id_fkey foreign key (company_id, reconciliation_id) references reconciliation(company_id, id),
  constraint claim_carrier_protocol_check check (length(carrier_protocol) >= 1 and length(carrier_protocol) <= 60),
  constraint claim_check check ((status = 'draft') = (sent_at is null)),
  constraint claim_note_check check (length(note) >= 1 and length(note) <= 2000),
  constraint claim_reference_month_check check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint claim_status_check check (status in ('draft', 'sent', 'accepted', 'refused'))
);

create table claim_line (
  company_id uuid not null,
  claim_id uuid not null,
  discrepancy_id uuid not null,
  amount bigint not null,
  credited_file_id uuid,
  credited_line integer,
  constraint claim_line_pkey primary key (company_id, claim_id, discrepancy_id),
  constraint claim_line_company_id_credited_file_id_credited_line_key unique (company_id, credited_file_id, credited_line),
  constraint claim_line_company_id_claim_id_fkey foreign key (company_id, claim_id) references claim(company_id, id),
  constraint claim_line_company_id_credited_file_id_credited_line_fkey foreign key (company_id, credited_file_id, credited_line) references carrier_line(company_id, file_id, line_number),
  constraint claim_line_company_id_discrepancy_id_fkey foreign key (company_id, discrepancy_id) references discrepancy(company_id, id),
  constraint claim_line_amount_check check (amount > 0),
  constraint claim_line_check check ((credited_file_id is null) = (credited_line is null))
);

create table client (
  id text not null,
  api text not null,
  name text not null,
  role text,
  created_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by_provider boolean not null default false,
  constraint client_pkey primary key (id),
  constraint client_api_check check (api in ('partner', 'operator')),
  constraint client_check check (not revoked_by_provider or api = 'operator' and revoked_at is not null),
  constraint client_check1 check ((api = 'operator') = (role is not null)),
  constraint client_id_check check (length(id) >= 1 and length(id) <= 100),
  constraint client_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint client_role_check check (role in ('admin', 'analyst', 'finance', 'auditor'))
);

create table client_secret (
  client_id text not null,
  slot smallint not null,
  hash text not null,
  created_at timestamptz not null,
  ends_at timestamptz,
  constraint client_secret_pkey primary key (client_id, slot),
  constraint client_secret_client_id_fkey foreign key (client_id) references client(id),
  constraint client_secret_check check (ends_at > created_at),
  constraint client_secret_hash_check check (hash ~ '^(hmac-sha256\$[A-Za-z0-9_-]{43}|scrypt\$[0-9]+\$[0-9]+\$[0-9]+\$[A-Za-z0-9_-]+\$[A-Za-z0-9_-]+)$'),
  constraint client_secret_slot_check check (slot in (1, 2))
);

create table closing (
  company_id uuid not null,
  id uuid not null,
  reference_month char(7) not null,
  status text not null,
  acts jsonb not null,
  figures jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint closing_pkey primary key (company_id, id),
  constraint closing_company_id_reference_month_key unique (company_id, reference_month),
  constraint closing_id_company_id_key unique (id, company_id),
  constraint closing_company_id_fkey foreign key (company_id) references company(id),
  constraint closing_acts_check check (jsonb_array_length(acts) >= 1),
  constraint closing_check check ((status = 'open') = (figures is null)),
  constraint closing_reference_month_check check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint closing_status_check check (status in ('open', 'closed', 'exported'))
);

create table closing_charge (
  company_id uuid not null,
  closing_id uuid not null,
  number integer not null,
  contract_id uuid not null,
  source text not null,
  amount bigint not null,
  employee_amount bigint,
  share bigint,
  missing_share text,
  is_unmatched boolean not null,
  member_id uuid,
  member_type text,
  employee_member_id uuid,
  cost_center text,
  product_id uuid,
  benefit_id uuid,
  entry_period char(7) not null,
  constraint closing_charge_pkey primary key (company_id, closing_id, number),
  constraint closing_charge_company_id_closing_id_fkey foreign key (company_id, closing_id) references closing(company_id, id),
  constraint closing_charge_check check (num_nulls(member_id, member_type, employee_member_id, product_id) in (0, 4)),
  constraint closing_charge_check1 check (num_nonnulls(share, missing_share) = num_nonnulls(member_id)),
  constraint closing_charge_entry_period_check check (entry_period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint closing_charge_member_type_check check (member_type in ('primary', 'dependent')),
  constraint closing_charge_missing_share_check check (missing_share in ('no-contribution-rule', 'no-coparticipation-share')),
  constraint closing_charge_number_check check (number >= 1),
  constraint closing_charge_source_check check (source in ('premium', 'coparticipation', 'coparticipation-statement'))
);

create table closing_expected (
  company_id uuid not null,
  closing_id uuid not null,
  contract_id uuid not null,
  benefit_id uuid not null,
  member_id uuid not null,
  line jsonb not null,
  constraint closing_expected_pkey primary key (company_id, closing_id, contract_id, benefit_id),
  constraint closing_expected_company_id_closing_id_fkey foreign key (company_id, closing_id) references closing(company_id, id),
  constraint closing_expected_line_check check (jsonb_typeof(line) = 'object')
);

create table column_profile (
  company_id uuid not null,
  columns jsonb not null,
  words jsonb not null default '[]',
  updated_at timestamptz not null,
  constraint column_profile_pkey primary key (company_id),
  constraint column_profile_company_id_fkey foreign key (company_id) references company(id),
  constraint column_profile_columns_check check (jsonb_typeof(columns) = 'array'),
  constraint column_profile_words_check check (jsonb_typeof(words) = 'array')
);

create table company (
  id uuid not null,
  tax_id char(14) not null,
  name text not null,
  search_name text not null,
  contacts jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint company_pkey primary key (id),
  constraint company_tax_id_key unique (tax_id),
  constraint company_contacts_check check (jsonb_typeof(contacts) = 'array'),
  constraint company_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint company_tax_id_check check (tax_id ~ '^[0-9A-Z]{12}[0-9]{2}$')
);

create table completed_sign_in (
  state_hash bytea not null,
  expires_at timestamptz not null,
  constraint completed_sign_in_pkey primary key (state_hash),
  constraint completed_sign_in_state_hash_check check (length(state_hash) = 32)
);

create table continuation (
  company_id uuid not null,
  id uuid not null,
  benefit_id uuid not null,
  ground text not null,
  contribution_months smallint,
  leaving_date date not null,
  notice_date date,
  option_until date generated always as (next_business_day(notice_date + 30)) stored,
  option_date date,
  status text not null,
  not_eligible_reason text,
  months smallint,
  without_end boolean not null,
  term_end date,
  end_date date,
  end_reason text,
  primary_death_date date,
  prices jsonb not null default '[]',
  open_benefit_id uuid generated always as (
CASE
    WHEN status in ('notice-pending', 'offered', 'accepted', 'active') THEN benefit_id
    ELSE null::uuid
END) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint continuation_pkey primary key (company_id, id),
  constraint continuation_company_id_open_benefit_id_key unique (company_id, open_benefit_id),
  constraint continuation_id_company_id_key unique (id, company_id),
  constraint continuation_company_id_benefit_id_fkey foreign key (company_id, benefit_id) references benefit(company_id, id),
  constraint continuation_company_id_fkey foreign key (company_id) references company(id),
  constraint continuation_check check ((status in ('declined', 'no-right')) or contribution_months is not null and contribution_months > 0),
  constraint continuation_check1 check ((status = 'no-right') = (not_eligible_reason is not null)),
  constraint continuation_check2 check (not (without_end and months is not null)),
  constraint continuation_check3 check ((months is null) = (term_end is null)),
  constraint continuation_check4 check ((status = 'notice-pending') <= (notice_date is null)),
  constraint continuation_check5 check ((status not in ('offered', 'expired')) or notice_date is not null),
  constraint continuation_check6 check ((status = 'ended') = (end_reason is not null and end_date is not null)),
  constraint continuation_check7 check (status <> 'active' or without_end or months is not null),
  constraint continuation_contribution_months_check check (contribution_months >= 0 and contribution_months <= 720),
  constraint continuation_end_reason_check check (end_reason in ('term', 'new-job', 'request', 'company-plan-ended', 'death-of-all')),
  constraint continuation_ground_check check (ground in ('dismissal', 'retirement')),
  constraint continuation_months_check check (months >= 1 and months <= 119),
  constraint continuation_not_eligible_reason_check check (not_eligible_reason in ('no-contribution', 'with-cause', 'resignation', 'mutual-agreement', 'post-paid-plan', 'less-than-a-year')),
  constraint continuation_prices_check check (jsonb_typeof(prices) = 'array'),
  constraint continuation_status_check check (status in ('notice-pending', 'offered', 'accepted', 'active', 'declined', 'expired', 'ended', 'no-right'))
);

create table contract (
  company_id uuid not null,
  id uuid not null,
  carrier_id uuid not null,
  contract_number text not null,
  sub_contract text not null,
  carrier_company_code text,
  ans_registration char(6),
  carrier_tax_id char(14),
  lives text,
  contract_start date,
  anniversary_month smallint,
  contributory boolean,
  coparticipation boolean,
  post_paid boolean,
  retirement_remainder text,
  age_on text,
  proration text,
  proration_day smallint,
  tolerance integer not null default 0,
  fees jsonb not null default '[]',
  channel text,
  calendar jsonb,
  contacts jsonb not null,
  answer_within_business_days smallint not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  layouts jsonb not null default '{}',
  code_map jsonb not null default '[]',
  acknowledgement_mapping jsonb,
  show_discrepancies boolean not null default false,
  retroactive_exclusion jsonb,
  retroactive_inclusion jsonb,
  coparticipation_delay_months smallint,
  constraint contract_pkey primary key (company_id, id),
  constraint contract_company_id_carrier_id_contract_number_sub_contract_key unique (company_id, carrier_id, contract_number, sub_contract),
  constraint contract_id_company_id_status_key unique (id, company_id, status),
  constraint contract_carrier_id_fkey foreign key (carrier_id) references carrier(id),
  constraint contract_company_id_fkey foreign key (company_id) references company(id),
  constraint contract_acknowledgement_mapping_check check (jsonb_typeof(acknowledgement_mapping) = 'object'),
  constraint contract_age_on_check check (age_on in ('first-day-of-reference-month', 'month-after-birthday', 'birthday-month', 'contract-anniversary')),
  constraint contract_anniversary_month_check check (anniversary_month >= 1 and anniversary_month <= 12),
  constraint contract_ans_registration_check check (ans_registration ~ '^[0-9]{6}$'),
  constraint contract_answer_within_business_days_check check (answer_within_business_days >= 1 and answer_within_business_days <= 90),
  constraint contract_carrier_company_code_check check (length(carrier_company_code) >= 1 and length(carrier_company_code) <= 30),
  constraint contract_carrier_tax_id_check check (carrier_tax_id ~ '^[0-9A-Z]{12}[0-9]{2}$'),
  constraint contract_channel_check check (channel in ('portal', 'file', 'email', 'sftp', 'connector')),
  constraint contract_check check ((not proration is DISTINCT FROM 'full-if-started-until-day') = (proration_day is not null)),
  constraint contract_code_map_check check (jsonb_typeof(code_map) = 'array'),
  constraint contract_contacts_check check (jsonb_typeof(contacts) = 'array'),
  constraint contract_contract_number_check check (length(contract_number) >= 1 and length(contract_number) <= 30),
  constraint contract_coparticipation_delay_months_check check (coparticipation_delay_months >= 0 and coparticipation_delay_months <= 24),
  constraint contract_fees_check check (jsonb_typeof(fees) = 'array'),
  constraint contract_layouts_check check (jsonb_typeof(layouts) = 'object'),
  constraint contract_lives_check check (lives in ('up-to-29', '30-or-more')),
  constraint contract_proration_check check (proration in ('none', 'daily-30', 'daily-calendar', 'full-if-started-until-day')),
  constraint contract_proration_day_check check (proration_day >= 1 and proration_day <= 31),
  constraint contract_retirement_remainder_check check (retirement_remainder in ('whole-years', 'proportional')),
  constraint contract_retroactive_exclusion_check check (jsonb_typeof(retroactive_exclusion) = 'object'),
  constraint contract_retroactive_inclusion_check check (jsonb_typeof(retroactive_inclusion) = 'object'),
  constraint contract_status_check check (status in ('active', 'ended')),
  constraint contract_sub_contract_check check (length(sub_contract) <= 20),
  constraint contract_tolerance_check check (tolerance >= 0 and tolerance <= 100000)
);

create table contract_channel (
  company_id uuid not null,
  contract_id uuid not null,
  settings jsonb not null,
  sftp_password bytea,
  sftp_private_key bytea,
  connector_secret bytea,
  polled_at timestamptz,
  updated_at timestamptz not null,
  constraint contract_channel_pkey primary key (company_id, contract_id),
  constraint contract_channel_company_id_contract_id_fkey foreign key (company_id, contract_id) references contract(company_id, id),
  constraint contract_channel_check1 check ((connector_secret is null) = ((settings -> 'connector') is null or (settings -> 'connector') = 'null')),
  constraint contract_channel_settings_check check (jsonb_typeof(settings) = 'object')
);

create table contract_plan (
  company_id uuid not null,
  contract_id uuid not null,
  status text not null,
  product_id uuid not null,
  active_product_id uuid generated always as (
CASE
    WHEN status = 'active' THEN product_id
    ELSE null::uuid
END) stored,
  carrier_plan_code text,
  ans_plan_number char(9),
  plan_version text,
  "position" smallint not null,
  constraint contract_plan_pkey primary key (company_id, contract_id, product_id),
  constraint contract_plan_company_id_active_product_id_key unique (company_id, active_product_id),
  constraint contract_plan_company_id_contract_id_status_fkey foreign key (company_id, contract_id, status) references contract(company_id, id, status),
  constraint contract_plan_company_id_product_id_fkey foreign key (company_id, product_id) references product(company_id, id),
  constraint contract_plan_ans_plan_number_check check (ans_plan_number ~ '^[0-9]{9}$'),
  constraint contract_plan_carrier_plan_code_check check (length(carrier_plan_code) >= 1 and length(carrier_plan_code) <= 30),
  constraint contract_plan_plan_version_check check (length(plan_version) >= 1 and length(plan_version) <= 20),
  constraint contract_plan_status_check check (status in ('active', 'ended'))
);

create table contribution_rule (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  product_id uuid,
  valid_from date not null,
  primary_share jsonb not null,
  dependent_share jsonb not null,
  coparticipation_share jsonb,
  cost_centers text[] not null,
  job_titles text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint contribution_rule_pkey primary key (company_id, id),
  constraint contribution_rule_id_company_id_key unique (id, company_id),
  constraint contribution_rule_company_id_contract_id_fkey foreign key (company_id, contract_id) references contract(company_id, id),
  constraint contribution_rule_company_id_product_id_fkey foreign key (company_id, product_id) references product(company_id, id),
  constraint contribution_rule_coparticipation_share_check check (jsonb_typeof(coparticipation_share) = 'object'),
  constraint contribution_rule_dependent_share_check check (jsonb_typeof(dependent_share) = 'object'),
  constraint contribution_rule_primary_share_check check (jsonb_typeof(primary_share) = 'object')
);

create table deadline_event (
  company_id uuid not null,
  enrollment_id uuid not null,
  kind text not null,
  until date not null,
  constraint deadline_event_pkey primary key (company_id, enrollment_id, kind, until),
  constraint deadline_event_company_id_enrollment_id_fkey foreign key (company_id, enrollment_id) references enrollment(company_id, id),
  constraint deadline_event_kind_check check (kind in ('inclusion-window', 'newborn', 'carrier-notice', 'retroactive-limit', 'proof-of-exclusion', 'continuation-option', 'cut-off'))
);

create table decision_job (
  id uuid not null,
  actor text not null,
  address text not null,
  request_trace_id text not null,
  dry_run boolean not null,
  status text not null,
  reason text,
  lines integer not null,
  accepted integer not null default 0,
  rejected integer not null default 0,
  refused integer not null default 0,
  in_analysis integer not null default 0,
  decision jsonb,
  shipment_id uuid,
  unknown_columns text[] not null default '{}'[],
  sheets_not_read text[] not null default '{}'[],
  created_at timestamptz not null,
  undo_until timestamptz,
  finished_at timestamptz,
  constraint decision_job_pkey primary key (id),
  constraint decision_job_check check ((status in ('done', 'broken', 'undone')) = (finished_at is not null)),
  constraint decision_job_check1 check ((status = 'broken') = (reason is not null)),
  constraint decision_job_check2 check (status <> 'undone' or undo_until is not null),
  constraint decision_job_check3 check ((accepted + refused + in_analysis + rejected) <= lines),
  constraint decision_job_check4 check ((status not in ('done', 'undone')) or (accepted + refused + in_analysis + rejected) = lines),
  constraint decision_job_check5 check (finished_at is null or decision is null),
  constraint decision_job_check6 check (shipment_id is null or decision is null),
  constraint decision_job_reason_check check (reason in ('operator-removed', 'role-not-allowed')),
  constraint decision_job_status_check check (status in ('waiting', 'running', 'done', 'broken', 'undone'))
);

create table decision_job_line (
  job_id uuid not null,
  line integer not null,
  enrollment_id uuid,
  chunk integer,
  decision jsonb,
  result json,
  constraint decision_job_line_pkey primary key (job_id, line),
  constraint decision_job_line_job_id_fkey foreign key (job_id) references decision_job(id),
  constraint decision_job_line_check check (chunk is not null or result is not null),
  constraint decision_job_line_check1 check (result is null or decision is null)
);
create index decision_job_line_open on decision_job_line (job_id, chunk) where result is null;

create table discrepancy (
  company_id uuid not null,
  id uuid not null,
  reconciliation_id uuid not null,
  class text not null,
  benefit_id uuid,
  line_number integer,
  expected text,
  found text,
  amount bigint,
  days integer,
  explanation text,
  status text not null,
  assignee text,
  note text,
  request_id uuid,
  claim_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  cover_month char(7),
  constraint discrepancy_pkey primary key (company_id, id),
  constraint discrepancy_id_company_id_key unique (id, company_id),
  constraint discrepancy_of_line unique NULLS not DISTINCT (company_id, reconciliation_id, class, benefit_id, line_number, cover_month),
  constraint discrepancy_assignee_fkey foreign key (assignee) references client(id),
  constraint discrepancy_company_id_reconciliation_id_fkey foreign key (company_id, reconciliation_id) references reconciliation(company_id, id),
  constraint discrepancy_check check (status <> 'explained' or explanation is not null),
  constraint discrepancy_check1 check ((status = 'claimed') <= (claim_id is not null)),
  constraint discrepancy_class_check check (class in ('missing-at-carrier', 'unknown-here', 'active-at-carrier-ended-here', 'ended-at-carrier-active-here', 'plan-differs', 'start-date-differs', 'relationship-differs', 'name-differs', 'date-of-birth-differs', 'tax-id-differs', 'card-number-missing-here', 'duplicate-in-file', 'ambiguous', 'charged-unknown', 'charged-after-end', 'charged-before-start', 'not-charged', 'amount-differs', 'duplicate-charge', 'retroactive-without-movement', 'credit-expected-missing', 'price-missing', 'fee-unknown', 'line-refused', 'total-differs')),
  constraint discrepancy_cover_month_check check (cover_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint discrepancy_explanation_check check (explanation in ('open-movement', 'within-cut-off', 'new-age-band', 'pro-rata', 'annual-adjustment', 'tolerated', 'by-hand')),
  constraint discrepancy_note_check check (length(note) >= 1 and length(note) <= 2000),
  constraint discrepancy_status_check check (status in ('open', 'explained', 'claimed', 'corrected', 'accepted'))
);

create table document (
  id uuid not null,
  client_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  uploaded_at timestamptz,
  storage_key text,
  content_type text,
  size integer,
  name text,
  used_at timestamptz,
  company_id uuid,
  request_id uuid,
  constraint document_pkey primary key (id),
  constraint document_storage_key_key unique (storage_key),
  constraint document_client_id_fkey foreign key (client_id) references client(id),
  constraint document_check check (expires_at > created_at),
  constraint document_check1 check (num_nulls(uploaded_at, storage_key, content_type, size, name) in (0, 5)),
  constraint document_check2 check (num_nulls(used_at, company_id, request_id) in (0, 3)),
  constraint document_check3 check (used_at is null or uploaded_at is not null),
  constraint document_content_type_check check (content_type in ('application/pdf', 'image/jpeg', 'image/png', 'image/tiff', 'image/heic', 'image/webp')),
  constraint document_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint document_size_check check (size >= 1 and size <= 20971520)
);
create index document_unused on document (client_id) INCLUDE (size) where used_at is null;

create table draft_exclusion (
  company_id uuid not null,
  id uuid not null,
  benefit_id uuid not null,
  cause text not null,
  exclusion_reason text not null,
  end_date date not null,
  status text not null,
  decided_by text,
  discard_reason text,
  request_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint draft_exclusion_pkey primary key (company_id, id),
  constraint draft_exclusion_company_id_benefit_id_cause_end_date_key unique (company_id, benefit_id, cause, end_date),
  constraint draft_exclusion_id_company_id_key unique (id, company_id),
  constraint draft_exclusion_company_id_benefit_id_fkey foreign key (company_id, benefit_id) references benefit(company_id, id),
  constraint draft_exclusion_company_id_request_id_fkey foreign key (company_id, request_id) references request(company_id, id),
  constraint draft_exclusion_decided_by_fkey foreign key (decided_by) references client(id),
  constraint draft_exclusion_cause_check check (cause in ('age-limit', 'continuation')),
  constraint draft_exclusion_check check ((status = 'confirmed') = (request_id is not null)),
  constraint draft_exclusion_discard_reason_check check (length(discard_reason) >= 1 and length(discard_reason) <= 500),
  constraint draft_exclusion_status_check check (status in ('open', 'confirmed', 'discarded'))
);

create table encrypted_key (
  name text not null,
  value bytea not null,
  created_at timestamptz not null,
  constraint encrypted_key_pkey primary key (name)
);

create table enrollment (
  company_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  reference text,
  enrollment_type text not null,
  alteration_kind text,
  status text not null,
  reason text,
  pending_items jsonb not null default '[]',
  assignee text,
  member_id uuid not null,
  member_tax_id char(11) not null,
  member_type text not null,
  primary_member_id uuid,
  product_id uuid not null,
  product_name text not null,
  benefit_id uuid not null,
  start_date date,
  start_option text,
  effective_date date,
  primary_enrollment_id uuid,
  destination_company_id uuid,
  destination_product_id uuid,
  new_benefit_id uuid,
  scheduled_action_date date,
  scheduled_reason text,
  cut_off_day smallint,
  cut_off_date date,
  accepted_on date not null default (now() AT TIME ZONE 'America/Sao_Paulo')::date,
  event_date date,
  newborn_date date,
  requested_on date,
  notice_date date,
  continuation_refusal text,
  informed_on date,
  proof_until date,
  data jsonb not null,
  initial_status text not null,
  initial_actor text not null default 'partner',
  updates_profile boolean not null default false,
  reached_carrier boolean not null default false,
  carrier_protocol text,
  answered_at timestamptz,
  answers jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  retroactive_until date,
  due_date date generated always as (LEAST(
CASE
    WHEN not reached_carrier THEN cut_off_date
    ELSE null::date
END,
CASE
    WHEN enrollment_type = 'exclusion' and not reached_carrier and ((data -> 'exclusion-details') ->> 'extension-plan') is DISTINCT FROM 'true' THEN effective_date
    ELSE null::date
END,
CASE
    WHEN scheduled_reason = 'next-billing-period' and cut_off_day is not null THEN cut_off_before(scheduled_action_date, cut_off_day)
    ELSE scheduled_action_date
END,
CASE
    WHEN not reached_carrier and (event_date + 30) >= accepted_on THEN event_date + 30
    ELSE null::date
END,
CASE
    WHEN not reached_carrier and (newborn_date + 30) >= accepted_on THEN newborn_date + 30
    ELSE null::date
END,
CASE
    WHEN not reached_carrier THEN requested_on + 30
    ELSE null::date
END,
CASE
    WHEN not reached_carrier and retroactive_until >= accepted_on and ((data -> 'exclusion-details') ->> 'extension-plan') is DISTINCT FROM 'true' THEN retroactive_until
    ELSE null::date
END, proof_until, next_business_day(notice_date + 30))) stored,
  constraint enrollment_pkey primary key (company_id, id),
  constraint enrollment_assignee_fkey foreign key (assignee) references client(id),
  constraint enrollment_company_id_product_id_fkey foreign key (company_id, product_id) references product(company_id, id),
  constraint enrollment_company_id_request_id_fkey foreign key (company_id, request_id) references request(company_id, id),
  constraint enrollment_destination_company_id_destination_product_id_fkey foreign key (destination_company_id, destination_product_id) references product(company_id, id),
  constraint enrollment_alteration_kind_check check (alteration_kind in ('second-card', 'contract-transfer')),
  constraint enrollment_answers_check check (jsonb_typeof(answers) = 'array'),
  constraint enrollment_carrier_protocol_check check (length(carrier_protocol) >= 1 and length(carrier_protocol) <= 60),
  constraint enrollment_check check ((enrollment_type = 'inclusion') = (effective_date is null)),
  constraint enrollment_check1 check (num_nonnulls(destination_company_id, destination_product_id, new_benefit_id) in (0, 3)),
  constraint enrollment_check10 check ((informed_on is null) = (proof_until is null)),
  constraint enrollment_check11 check (informed_on is null or requested_on is not null and reached_carrier),
  constraint enrollment_check12 check (retroactive_until is null or (enrollment_type in ('inclusion', 'exclusion'))),
  constraint enrollment_check2 check (destination_company_id is null or enrollment_type = 'alteration'),
  constraint enrollment_check3 check (alteration_kind is null or enrollment_type = 'alteration' and destination_company_id is null),
  constraint enrollment_check4 check ((scheduled_action_date is null) = (scheduled_reason is null)),
  constraint enrollment_check5 check (status <> 'scheduled' or scheduled_action_date is not null),
  constraint enrollment_check6 check (start_date is null or enrollment_type = 'inclusion'),
  constraint enrollment_check7 check (start_option is null or enrollment_type = 'inclusion'),
  constraint enrollment_check8 check ((status not in ('rejected', 'pending-documents', 'pending-correction')) or reason is not null),
  constraint enrollment_check9 check (pending_items = '[]' or (status in ('pending-documents', 'pending-correction'))),
  constraint enrollment_continuation_refusal_check check (continuation_refusal in ('declined', 'no-contribution', 'with-cause', 'resignation', 'mutual-agreement', 'post-paid-plan', 'less-than-a-year')),
  constraint enrollment_cut_off_day_check check (cut_off_day >= 1 and cut_off_day <= 31),
  constraint enrollment_enrollment_type_check check (enrollment_type in ('inclusion', 'exclusion', 'alteration')),
  constraint enrollment_initial_actor_check check (initial_actor in ('partner', 'operator', 'service')),
  constraint enrollment_initial_status_check check (initial_status in ('created', 'broker-processing', 'carrier-processing', 'scheduled', 'pending-documents', 'pending-correction', 'completed', 'rejected', 'cancelled')),
  constraint enrollment_member_type_check check (member_type in ('primary', 'dependent')),
  constraint enrollment_pending_items_check check (jsonb_typeof(pending_items) = 'array'),
  constraint enrollment_reference_check check (length(reference) >= 1 and length(reference) <= 100),
  constraint enrollment_scheduled_reason_check check (scheduled_reason in ('future-admission-date', 'future-end-date', 'future-requested-start-date', 'next-billing-period')),
  constraint enrollment_start_option_check check (start_option in ('on-inclusion-date', 'on-admission-date', 'on-next-billing-period')),
  constraint enrollment_status_check check (status in ('created', 'broker-processing', 'carrier-processing', 'scheduled', 'pending-documents', 'pending-correction', 'completed', 'rejected', 'cancelled'))
) with (fillfactor=80, autovacuum_analyze_scale_factor=0.01);
create index enrollment_created on enrollment (created_at, id);
create index enrollment_id on enrollment (id);
create index enrollment_member_tax_id on enrollment (member_tax_id);
create index enrollment_of_member on enrollment (member_id, company_id);
create index enrollment_of_request on enrollment (request_id, company_id, primary_enrollment_id);
create index enrollment_reference on enrollment (reference, company_id) where reference is not null;

create table enrollment_history (
  company_id uuid not null,
  enrollment_id uuid not null,
  step smallint not null,
  status text not null,
  at timestamptz not null,
  actor text not null,
  actor_id text,
  reason text,
  constraint enrollment_history_pkey primary key (company_id, enrollment_id, step),
  constraint enrollment_history_company_id_enrollment_id_fkey foreign key (company_id, enrollment_id) references enrollment(company_id, id),
  constraint enrollment_history_actor_check check (actor in ('partner', 'operator', 'carrier', 'resolution', 'clock', 'service')),
  constraint enrollment_history_status_check check (status in ('created', 'broker-processing', 'carrier-processing', 'scheduled', 'pending-documents', 'pending-correction', 'completed', 'rejected', 'cancelled'))
);
create index enrollment_history_resolved on enrollment_history (at) INCLUDE (company_id, enrollment_id, status) where status in ('completed', 'rejected', 'cancelled');

create table enrollment_note (
  company_id uuid not null,
  enrollment_id uuid not null,
  id uuid not null,
  text text not null,
  author text not null,
  created_at timestamptz not null,
  constraint enrollment_note_pkey primary key (company_id, enrollment_id, id),
  constraint enrollment_note_author_fkey foreign key (author) references client(id),
  constraint enrollment_note_company_id_enrollment_id_fkey foreign key (company_id, enrollment_id) references enrollment(company_id, id),
  constraint enrollment_note_text_check check (length(text) >= 1 and length(text) <= 2000)
);

create unlogged table enrollment_presence (
  company_id uuid not null,
  enrollment_id uuid not null,
  operator_id text not null,
  seen_at timestamptz not null,
  constraint enrollment_presence_pkey primary key (company_id, enrollment_id, operator_id),
  constraint enrollment_presence_company_id_enrollment_id_fkey foreign key (company_id, enrollment_id) references enrollment(company_id, id),
  constraint enrollment_presence_operator_id_fkey foreign key (operator_id) references client(id)
);

create table entitlement (
  company_id uuid not null,
  client_id text not null,
  created_at timestamptz not null,
  see_money boolean not null default true,
  constraint entitlement_pkey primary key (company_id, client_id),
  constraint entitlement_client_id_fkey foreign key (client_id) references client(id),
  constraint entitlement_company_id_fkey foreign key (company_id) references company(id)
);
create index entitlement_client on entitlement (client_id, company_id);

create table erasure (
  subject_request_id uuid not null,
  plan jsonb not null,
  mentions jsonb not null,
  remaining jsonb not null default '[]',
  planned_by text not null,
  planned_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  attempts smallint not null default 0,
  failure text,
  failed_at timestamptz,
  next_attempt_at timestamptz,
  constraint erasure_pkey primary key (subject_request_id),
  constraint erasure_approved_by_fkey foreign key (approved_by) references client(id),
  constraint erasure_planned_by_fkey foreign key (planned_by) references client(id),
  constraint erasure_subject_request_id_fkey foreign key (subject_request_id) references subject_request(id),
  constraint erasure_attempts_check check (attempts >= 0),
  constraint erasure_check check (num_nulls(failure, failed_at) in (0, 2)),
  constraint erasure_check1 check (approved_by <> planned_by),
  constraint erasure_check2 check (num_nulls(approved_by, approved_at) in (0, 2)),
  constraint erasure_failure_check check (length(failure) >= 1 and length(failure) <= 60),
  constraint erasure_mentions_check check (jsonb_typeof(mentions) = 'array'),
  constraint erasure_plan_check check (jsonb_typeof(plan) = 'array'),
  constraint erasure_remaining_check check (jsonb_typeof(remaining) = 'array')
);

create table event (
  company_id uuid not null,
  id uuid not null,
  type text not null,
  at timestamptz not null,
  data jsonb not null,
  constraint event_pkey primary key (company_id, id),
  constraint event_type_check check (type in ('request.completed', 'request.partial_failure', 'request.failed', 'enrollment.created', 'enrollment.updated', 'enrollment.pending', 'enrollment.completed', 'enrollment.rejected', 'enrollment.cancelled', 'benefit.activated', 'benefit.updated', 'benefit.deactivated', 'benefit.ending', 'deadline.approaching', 'movement-draft.opened', 'movement-draft.closed', 'reconciliation.opened', 'discrepancy.corrected', 'roster-sync.compared', 'roster-sync.failed', 'invoice.issued', 'invoice.overdue', 'invoice.paid'))
);

create table event_batch (
  id uuid not null,
  company_id uuid not null,
  first_id uuid not null,
  last_id uuid not null,
  events integer not null,
  constraint event_batch_pkey primary key (id)
);

create table forecast (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  reference_month char(7) not null,
  as_of date not null,
  without_price integer not null,
  frozen_at timestamptz not null,
  constraint forecast_pkey primary key (company_id, id),
  constraint forecast_company_id_contract_id_reference_month_key unique (company_id, contract_id, reference_month),
  constraint forecast_company_id_contract_id_fkey foreign key (company_id, contract_id) references contract(company_id, id),
  constraint forecast_reference_month_check check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint forecast_without_price_check check (without_price >= 0)
);

create table forecast_line (
  company_id uuid not null,
  forecast_id uuid not null,
  benefit_id uuid not null,
  last_amount bigint not null,
  firm bigint not null,
  scheduled bigint not null,
  at_carrier bigint not null,
  requested bigint not null,
  causes jsonb not null,
  later jsonb not null,
  lost bigint not null,
  constraint forecast_line_pkey primary key (company_id, forecast_id, benefit_id),
  constraint forecast_line_company_id_forecast_id_fkey foreign key (company_id, forecast_id) references forecast(company_id, id),
  constraint forecast_line_causes_check check (jsonb_typeof(causes) = 'object'),
  constraint forecast_line_later_check check (jsonb_typeof(later) = 'object')
);

create table held_decision (
  enrollment_id uuid not null,
  job_id uuid not null,
  status text not null,
  constraint held_decision_pkey primary key (enrollment_id),
  constraint held_decision_job_id_fkey foreign key (job_id) references decision_job(id),
  constraint held_decision_status_check check (status in ('created', 'broker-processing', 'carrier-processing', 'pending-documents', 'pending-correction', 'completed', 'rejected', 'cancelled'))
);

create table idempotency_key (
  client_id text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  claim_id uuid not null,
  claimed_by integer not null,
  claimed_at timestamptz not null,
  status smallint,
  company_ids uuid[],
  encrypted_response bytea storage external,
  constraint idempotency_key_pkey primary key (client_id, key_hash),
  constraint idempotency_key_check check ((status is null) = (company_ids is null) and (encrypted_response is null or status is not null)),
  constraint idempotency_key_status_check check (status >= 200 and status <= 499)
);
create index idempotency_key_claimed_at on idempotency_key (claimed_at);

create table invoice (
  company_id uuid not null,
  id text not null,
  invoice_config_id uuid not null,
  carrier_name text not null,
  amount bigint not null,
  due_date date not null,
  reference_period_start date not null,
  reference_period_end date not null,
  unpaid_due_date date,
  overdue_event_written boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint invoice_pkey primary key (company_id, id),
  constraint invoice_company_id_fkey foreign key (company_id) references company(id),
  constraint invoice_company_id_id_fkey foreign key (company_id, id) references invoice_owner(company_id, id),
  constraint invoice_amount_check check (amount >= 0 and amount <= '9007199254740991'::bigint),
  constraint invoice_carrier_name_check check (length(carrier_name) >= 1 and length(carrier_name) <= 200),
  constraint invoice_check check (reference_period_end >= reference_period_start),
  constraint invoice_check1 check (unpaid_due_date is not null or not overdue_event_written)
);
create index invoice_by_due_date on invoice (due_date, id COLLATE "C", company_id);
create index invoice_overdue_event_due on invoice (unpaid_due_date) where unpaid_due_date is not null and not overdue_event_written;

create table invoice_config (
  company_id uuid not null,
  carrier_key text not null,
  id uuid not null,
  constraint invoice_config_pkey primary key (company_id, carrier_key),
  constraint invoice_config_company_id_fkey foreign key (company_id) references company(id),
  constraint invoice_config_carrier_key_check check (carrier_key <> '')
);

create table invoice_file (
  company_id uuid not null,
  invoice_id text not null,
  file_id uuid not null,
  name text not null,
  type text not null,
  content_type text not null,
  size integer not null,
  crc32 bigint not null,
  storage_key text not null,
  status text,
  payment_slip_due_date date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint invoice_file_pkey primary key (company_id, invoice_id, file_id),
  constraint invoice_file_company_id_storage_key_key unique (company_id, storage_key),
  constraint invoice_file_company_id_invoice_id_fkey foreign key (company_id, invoice_id) references invoice(company_id, id),
  constraint invoice_file_check check ((type = 'payment-slip') = (status is not null)),
  constraint invoice_file_check1 check ((type = 'payment-slip') = (payment_slip_due_date is not null)),
  constraint invoice_file_content_type_check check (length(content_type) >= 3 and length(content_type) <= 200),
  constraint invoice_file_crc32_check check (crc32 >= 0 and crc32 <= '4294967295'::bigint),
  constraint invoice_file_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint invoice_file_size_check check (size >= 1 and size <= 104857600),
  constraint invoice_file_status_check check (status in ('pending', 'paid', 'cancelled')),
  constraint invoice_file_type_check check (type in ('payment-slip', 'invoice', 'service-invoice', 'detailed-statement', 'coparticipation-statement', 'other'))
);

create table invoice_owner (
  id text not null,
  company_id uuid not null,
  constraint invoice_owner_pkey primary key (id),
  constraint invoice_owner_company_id_id_key unique (company_id, id),
  constraint invoice_owner_company_id_fkey foreign key (company_id) references company(id),
  constraint invoice_owner_id_check check (length(id) >= 1 and length(id) <= 100),
  constraint invoice_owner_id_not_a_path check (id <> 'pending-payment')
);

create table layout (
  id text not null,
  version integer not null,
  name text not null,
  direction text not null,
  format text not null,
  definition jsonb not null,
  source text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint layout_pkey primary key (id, version),
  constraint layout_direction_check check (direction in ('movement', 'acknowledgement', 'roster', 'invoice', 'coparticipation', 'payroll')),
  constraint layout_format_check check (format in ('csv', 'fixed-width', 'xlsx', 'ndjson')),
  constraint layout_id_check check (id ~ '^[0-9a-f-]{36}$'),
  constraint layout_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint layout_source_check check (length(source) >= 1 and length(source) <= 500),
  constraint layout_version_check check (version >= 1)
);

create table leaving_movement (
  company_id uuid not null,
  enrollment_id uuid not null,
  product_id uuid not null,
  dependent_benefit_ids uuid[] not null default '{}'::uuid[],
  created_at timestamptz not null,
  constraint leaving_movement_pkey primary key (company_id, enrollment_id),
  constraint leaving_movement_company_id_enrollment_id_fkey foreign key (company_id, enrollment_id) references enrollment(company_id, id)
);

create table legal_hold (
  id uuid not null,
  company_id uuid,
  tax_id char(11),
  reason text,
  created_by text not null,
  created_at timestamptz not null,
  release_reason text,
  released_by text,
  released_at timestamptz,
  member_ids uuid[] not null default '{}'::uuid[],
  held_company_id uuid generated always as (
CASE
    WHEN released_at is null THEN company_id
    ELSE null::uuid
END) stored,
  held_tax_id char(11) generated always as (
CASE
    WHEN released_at is null THEN tax_id
    ELSE null::bpchar
END) stored,
  constraint legal_hold_pkey primary key (id),
  constraint legal_hold_held_company_id_key unique (held_company_id),
  constraint legal_hold_held_tax_id_key unique (held_tax_id),
  constraint legal_hold_company_id_fkey foreign key (company_id) references company(id),
  constraint legal_hold_created_by_fkey foreign key (created_by) references client(id),
  constraint legal_hold_released_by_fkey foreign key (released_by) references client(id),
  constraint legal_hold_check check (num_nonnulls(company_id, tax_id) = 1 or reason is null and released_at is not null),
  constraint legal_hold_check1 check (num_nulls(released_by, released_at) in (0, 2)),
  constraint legal_hold_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint legal_hold_release_reason_check check (length(release_reason) >= 1 and length(release_reason) <= 500),
  constraint legal_hold_tax_id_check check (tax_id ~ '^[0-9]{11}$')
);

create table mail (
  id uuid not null,
  kind text not null,
  recipient_id text,
  company_id uuid,
  invitation_id uuid,
  secret bytea,
  counts jsonb,
  period text,
  status text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  leased_until timestamptz,
  error text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  finished_at timestamptz,
  constraint mail_pkey primary key (id),
  constraint mail_recipient_id_kind_period_key unique (recipient_id, kind, period),
  constraint mail_recipient_id_fkey foreign key (recipient_id) references person(client_id),
  constraint mail_attempts_check check (attempts >= 0),
  constraint mail_check check (expires_at > created_at),
  constraint mail_check1 check ((period is null) = (counts is null)),
  constraint mail_check2 check ((kind in ('invitation', 'password-link', 'onboarding-link')) = (period is null)),
  constraint mail_check3 check ((kind = 'onboarding-link') = (recipient_id is null)),
  constraint mail_check4 check (num_nulls(company_id, invitation_id) =
CASE
    WHEN recipient_id is null THEN 0
    ELSE 2
END),
  constraint mail_check5 check (secret is null or period is null and (status not in ('sent', 'cancelled'))),
  constraint mail_check6 check ((status = 'sending') = (leased_until is not null)),
  constraint mail_check7 check ((status in ('queued', 'sending')) = (finished_at is null)),
  constraint mail_counts_check check (jsonb_typeof(counts) = 'object'),
  constraint mail_error_check check (error ~ '^[A-Za-z0-9_-]{1,40}$'),
  constraint mail_kind_check check (kind in ('invitation', 'password-link', 'onboarding-link', 'pending-items', 'deadlines', 'failed-deliveries', 'drafts', 'second-admin')),
  constraint mail_period_check check (length(period) >= 10 and length(period) <= 40),
  constraint mail_secret_check check (length(secret) <= 4096),
  constraint mail_status_check check (status in ('queued', 'sending', 'sent', 'failed', 'doubtful', 'cancelled'))
);
create index mail_created on mail (created_at, id);
create index mail_due on mail (next_attempt_at, id) where status = 'queued';
create index mail_sending on mail (leased_until) where status = 'sending';

create table mail_preference (
  client_id text not null,
  language text not null,
  frequencies jsonb not null,
  updated_at timestamptz not null,
  constraint mail_preference_pkey primary key (client_id),
  constraint mail_preference_client_id_fkey foreign key (client_id) references person(client_id),
  constraint mail_preference_frequencies_check check (jsonb_typeof(frequencies) = 'object'),
  constraint mail_preference_language_check check (language in ('en', 'pt-BR'))
);

create table member (
  company_id uuid not null,
  id uuid not null,
  tax_id char(11) not null,
  name text not null,
  mothers_name text not null,
  date_of_birth date not null,
  gender text not null,
  marital_status text,
  admission_date date,
  employee_id text,
  cost_center text,
  salary bigint,
  details jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  tax_id_corrected_at timestamptz,
  search_text text generated always as (fold_name(name || COALESCE(chr(10) || employee_id, ''))) stored,
  search_email text generated always as (fold((COALESCE(details ->> 'email-corporate', '') || chr(10)) || COALESCE(details ->> 'email-private', ''))) stored,
  constraint member_pkey primary key (company_id, id),
  constraint member_tax_id_company_id_key unique (tax_id, company_id),
  constraint member_company_id_fkey foreign key (company_id) references company(id),
  constraint member_gender_check check (gender in ('male', 'female')),
  constraint member_marital_status_check check (marital_status in ('single', 'married', 'divorced', 'widowed', 'others')),
  constraint member_salary_check check (salary >= 0),
  constraint member_tax_id_check check (tax_id ~ '^([0-9]{11}|erased[0-9a-z]{5})$')
);
create index member_corrected on member (company_id) where tax_id_corrected_at is not null;
create index member_employee_id on member (company_id, employee_id) where employee_id is not null;
create index member_id on member (id);
create index member_updated on member (updated_at, company_id);

create table member_cost_center (
  company_id uuid not null,
  member_id uuid not null,
  changed_at timestamptz not null,
  cost_center text,
  constraint member_cost_center_pkey primary key (company_id, member_id, changed_at),
  constraint member_cost_center_company_id_member_id_fkey foreign key (company_id, member_id) references member(company_id, id)
);

create table member_import (
  id uuid not null,
  actor text not null,
  dry_run boolean not null,
  file_name text,
  company_tax_id char(14),
  status text not null,
  lines integer not null default 0,
  accepted integer not null default 0,
  rejected integer not null default 0,
  warnings jsonb not null default '[]',
  csv_header text,
  unknown_columns text[] not null default '{}'[],
  sheets jsonb,
  file_warnings jsonb not null default '[]',
  column_profile jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint member_import_pkey primary key (id),
  constraint member_import_company_tax_id_fkey foreign key (company_tax_id) references company(tax_id),
  constraint member_import_check check ((status = 'running') = (finished_at is null)),
  constraint member_import_check1 check (lines = (accepted + rejected)),
  constraint member_import_column_profile_check check (jsonb_typeof(column_profile) = 'object'),
  constraint member_import_file_name_check check (length(file_name) >= 1 and length(file_name) <= 200),
  constraint member_import_sheets_check check (jsonb_typeof(sheets) = 'object'),
  constraint member_import_status_check check (status in ('running', 'done', 'broken')),
  constraint member_import_warnings_check check (jsonb_typeof(warnings) = 'array')
);

create unlogged table member_import_dry_run_benefit (
  company_id uuid not null,
  import_id uuid not null,
  tax_id char(11) not null,
  benefit_id uuid not null,
  product_id uuid not null,
  type text not null,
  status text not null,
  start_date date not null,
  end_date date,
  constraint member_import_dry_run_benefit_pkey primary key (company_id, import_id, tax_id, benefit_id),
  constraint member_import_dry_run_benefit_status_check check (status in ('pending', 'active', 'inactive')),
  constraint member_import_dry_run_benefit_type_check check (type in ('primary', 'dependent'))
);

create table member_import_error (
  import_id uuid not null,
  line integer not null,
  offenses text[] not null,
  content text,
  constraint member_import_error_pkey primary key (import_id, line),
  constraint member_import_error_import_id_fkey foreign key (import_id) references member_import(id)
);

create table member_removal (
  company_id uuid not null,
  tax_id char(11) not null,
  removed_at timestamptz not null,
  constraint member_removal_pkey primary key (company_id, tax_id),
  constraint member_removal_company_id_fkey foreign key (company_id) references company(id)
);

create table migration (
  name text not null,
  digest char(64) not null,
  applied_at timestamptz not null,
  constraint migration_pkey primary key (name)
);

create table movement_draft (
  company_id uuid not null,
  id uuid not null,
  source text not null,
  movement text,
  created_by text not null,
  reference text,
  comment text,
  intake jsonb,
  status text not null,
  closed_because text,
  guard jsonb,
  guard_reasons text[] not null default '{}'[],
  scope_key text,
  broken_reason text,
  expires_on date not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  constraint movement_draft_pkey primary key (company_id, id),
  constraint movement_draft_id_company_id_key unique (id, company_id),
  constraint movement_draft_company_id_fkey foreign key (company_id) references company(id),
  constraint movement_draft_created_by_fkey foreign key (created_by) references client(id),
  constraint movement_draft_broken_reason_check check (broken_reason in ('client-revoked', 'role-not-allowed', 'not-entitled')),
  constraint movement_draft_check check ((source = 'batch') = (movement is not null)),
  constraint movement_draft_check1 check ((source = 'roster-sync') = (guard is not null)),
  constraint movement_draft_check2 check ((source = 'roster-sync') = (scope_key is not null)),
  constraint movement_draft_check3 check ((status = 'closed') = (closed_because is not null)),
  constraint movement_draft_check4 check ((closed_because is null) = (closed_at is null)),
  constraint movement_draft_closed_because_check check (closed_because in ('done', 'discarded', 'superseded', 'expired')),
  constraint movement_draft_comment_check check (length(comment) >= 1 and length(comment) <= 500),
  constraint movement_draft_guard_check check (jsonb_typeof(guard) = 'array'),
  constraint movement_draft_intake_check check (jsonb_typeof(intake) = 'object'),
  constraint movement_draft_movement_check check (movement in ('exclusion', 'alteration')),
  constraint movement_draft_reference_check check (length(reference) >= 1 and length(reference) <= 100),
  constraint movement_draft_source_check check (source in ('batch', 'roster-sync')),
  constraint movement_draft_status_check check (status in ('open', 'requesting', 'closed'))
);

create table movement_draft_item (
  company_id uuid not null,
  draft_id uuid not null,
  number integer not null,
  class text not null,
  movement text,
  status text not null,
  approval text,
  tax_id char(11),
  member_id uuid,
  family text not null,
  name text,
  employee_id text,
  member_type text,
  product_id uuid,
  product_name text,
  lines integer[] not null default '{}'::integer[],
  entry jsonb,
  differences jsonb,
  explanation text,
  enrollment_ids uuid[] not null default '{}'::uuid[],
  by_number_only boolean not null default false,
  also_ends integer not null default 0,
  needs text[] not null default '{}'[],
  offenses jsonb,
  request_id uuid,
  decided_by text,
  address text,
  request_trace_id text,
  reason text,
  search_text text generated always as (fold_name(COALESCE(name, '') || COALESCE(chr(10) || employee_id, ''))) stored,
  constraint movement_draft_item_pkey primary key (company_id, draft_id, number),
  constraint movement_draft_item_company_id_draft_id_fkey foreign key (company_id, draft_id) references movement_draft(company_id, id),
  constraint movement_draft_item_company_id_request_id_fkey foreign key (company_id, request_id) references request(company_id, id),
  constraint movement_draft_item_decided_by_fkey foreign key (decided_by) references client(id),
  constraint movement_draft_item_also_ends_check check (also_ends >= 0),
  constraint movement_draft_item_approval_check check (approval in ('broker', 'second-operator')),
  constraint movement_draft_item_check check ((entry is not null) = (status in ('proposed', 'approval', 'confirmed'))),
  constraint movement_draft_item_check1 check ((differences is null) = (status = 'requested')),
  constraint movement_draft_item_check10 check (approval is null or (status in ('approval', 'confirmed'))),
  constraint movement_draft_item_check11 check (reason is null or status = 'discarded'),
  constraint movement_draft_item_check12 check (status <> 'confirmed' or num_nulls(decided_by, address, request_trace_id) = 0),
  constraint movement_draft_item_check2 check (status <> 'refused' or offenses is not null),
  constraint movement_draft_item_check3 check ((request_id is not null) = (status = 'requested' and class <> 'company-data')),
  constraint movement_draft_item_check4 check (status <> 'held' or explanation is not null),
  constraint movement_draft_item_check5 check (class <> 'held' or status = 'held'),
  constraint movement_draft_item_check6 check (class <> 'refused' or status = 'refused'),
  constraint movement_draft_item_check7 check ((movement is null) = (class in ('company-data', 'held', 'refused'))),
  constraint movement_draft_item_check8 check (tax_id is not null or class = 'refused'),
  constraint movement_draft_item_check9 check (status <> 'approval' or approval is not null),
  constraint movement_draft_item_class_check check (class in ('inclusion', 'exclusion', 'leaver', 'plan-change', 'correction', 'tax-id-correction', 'company-data', 'held', 'refused')),
  constraint movement_draft_item_differences_check check (jsonb_typeof(differences) = 'array'),
  constraint movement_draft_item_entry_check check (jsonb_typeof(entry) = 'object'),
  constraint movement_draft_item_explanation_check check (explanation in ('open-movement', 'waits-for-approval', 'under-continuation', 'ends-already', 'future-start', 'newer-than-list', 'product-not-stated', 'unknown-product', 'identity-conflict', 'doubtful-list', 'outside-scope', 'follows-primary', 'other-primary', 'carrier-only-field', 'not-alterable', 'may-have-moved', 'dependents-listed')),
  constraint movement_draft_item_member_type_check check (member_type in ('primary', 'dependent')),
  constraint movement_draft_item_movement_check check (movement in ('inclusion', 'exclusion', 'alteration')),
  constraint movement_draft_item_number_check check (number >= 1),
  constraint movement_draft_item_offenses_check check (jsonb_typeof(offenses) = 'array'),
  constraint movement_draft_item_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint movement_draft_item_status_check check (status in ('proposed', 'approval', 'confirmed', 'requested', 'refused', 'discarded', 'superseded', 'expired', 'held')),
  constraint movement_draft_item_tax_id_check check (tax_id ~ '^[0-9]{11}$')
);
create index movement_draft_item_class on movement_draft_item (company_id, draft_id, class, status, number);
create index movement_draft_item_person on movement_draft_item (tax_id, company_id);

create table movement_item (
  company_id uuid not null,
  request_id uuid not null,
  chunk smallint not null,
  "position" integer not null,
  kind text not null,
  subject text not null,
  requires text,
  tax_id char(11) not null,
  type text not null,
  reference text,
  payload jsonb not null,
  constraint movement_item_pkey primary key (company_id, request_id, chunk, "position"),
  constraint movement_item_kind_check check (kind in ('inclusion', 'exclusion', 'alteration')),
  constraint movement_item_reference_check check (length(reference) >= 1 and length(reference) <= 100),
  constraint movement_item_type_check check (type in ('primary', 'dependent'))
);

create table movement_money (
  company_id uuid not null,
  enrollment_id uuid not null,
  contract_id uuid not null,
  per_month bigint,
  charged_beyond_end bigint,
  cut_off_date date not null,
  if_missed bigint,
  lost bigint,
  lost_if_missed bigint,
  uncovered_days_if_missed integer,
  window_until date,
  missing_settings text[] not null,
  as_of date not null,
  calculated_at timestamptz not null,
  constraint movement_money_pkey primary key (company_id, enrollment_id),
  constraint movement_money_company_id_enrollment_id_fkey foreign key (company_id, enrollment_id) references enrollment(company_id, id),
  constraint movement_money_uncovered_days_if_missed_check check (uncovered_days_if_missed >= 0)
);

create table onboarding_document (
  company_id uuid not null,
  invitation_id uuid not null,
  id uuid not null,
  storage_key text not null,
  content_type text not null,
  size integer not null,
  name text not null,
  created_at timestamptz not null,
  constraint onboarding_document_pkey primary key (company_id, invitation_id, id),
  constraint onboarding_document_company_id_invitation_id_fkey foreign key (company_id, invitation_id) references onboarding_invitation(company_id, id),
  constraint onboarding_document_content_type_check check (content_type in ('application/pdf', 'image/jpeg', 'image/png', 'image/tiff', 'image/heic', 'image/webp')),
  constraint onboarding_document_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint onboarding_document_size_check check (size >= 1 and size <= 20971520)
);

create table onboarding_invitation (
  company_id uuid not null,
  id uuid not null,
  created_by text not null,
  token_hash bytea not null,
  status text not null,
  name text not null,
  tax_id char(11) not null,
  date_of_birth date not null,
  admission_date date,
  employee_id text,
  cost_center text,
  job_title text,
  products jsonb not null,
  attempts smallint not null default 0,
  session_hash bytea,
  session_expires_at timestamptz,
  submission jsonb,
  return_message text,
  request_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  opened_at timestamptz,
  submitted_at timestamptz,
  delete_after timestamptz not null,
  updated_at timestamptz not null,
  open_tax_id char(11) generated always as (
CASE
    WHEN status in ('sent', 'opened', 'submitted', 'returned') THEN tax_id
    ELSE null::bpchar
END) stored,
  constraint onboarding_invitation_pkey primary key (company_id, id),
  constraint onboarding_invitation_company_id_open_tax_id_key unique (company_id, open_tax_id),
  constraint onboarding_invitation_id_company_id_key unique (id, company_id),
  constraint onboarding_invitation_token_hash_company_id_key unique (token_hash, company_id),
  constraint onboarding_invitation_company_id_fkey foreign key (company_id) references company(id),
  constraint onboarding_invitation_company_id_request_id_fkey foreign key (company_id, request_id) references request(company_id, id),
  constraint onboarding_invitation_created_by_fkey foreign key (created_by) references client(id),
  constraint onboarding_invitation_attempts_check check (attempts >= 0 and attempts <= 5),
  constraint onboarding_invitation_check check (expires_at > created_at),
  constraint onboarding_invitation_check1 check (delete_after >= expires_at),
  constraint onboarding_invitation_check10 check (status <> 'approved' or not submission ?| ARRAY['member', 'dependents']),
  constraint onboarding_invitation_check11 check ((session_hash is null) = (session_expires_at is null)),
  constraint onboarding_invitation_check2 check (status <> 'sent' or opened_at is null),
  constraint onboarding_invitation_check3 check ((status not in ('opened', 'submitted', 'returned', 'approved')) or opened_at is not null),
  constraint onboarding_invitation_check4 check ((submission is null) = (submitted_at is null)),
  constraint onboarding_invitation_check5 check ((status not in ('submitted', 'returned', 'approved')) or submission is not null),
  constraint onboarding_invitation_check6 check (status <> 'returned' or return_message is not null),
  constraint onboarding_invitation_check7 check (status <> 'blocked' or attempts = 5),
  constraint onboarding_invitation_check8 check (request_id is null or status = 'approved'),
  constraint onboarding_invitation_check9 check (status <> 'approved' or request_id is not null or not jsonb_path_exists(submission, '$."choices"[*]?(@."choice" == "enroll")'::jsonpath)),
  constraint onboarding_invitation_cost_center_check check (length(cost_center) >= 1 and length(cost_center) <= 200),
  constraint onboarding_invitation_employee_id_check check (length(employee_id) >= 1 and length(employee_id) <= 200),
  constraint onboarding_invitation_job_title_check check (length(job_title) >= 1 and length(job_title) <= 200),
  constraint onboarding_invitation_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint onboarding_invitation_products_check check (jsonb_array_length(products) >= 1 and jsonb_array_length(products) <= 20),
  constraint onboarding_invitation_return_message_check check (length(return_message) >= 1 and length(return_message) <= 500),
  constraint onboarding_invitation_session_hash_check check (length(session_hash) = 32),
  constraint onboarding_invitation_status_check check (status in ('sent', 'opened', 'submitted', 'returned', 'approved', 'expired', 'revoked', 'blocked')),
  constraint onboarding_invitation_submission_check check (jsonb_typeof(submission) = 'object'),
  constraint onboarding_invitation_token_hash_check check (length(token_hash) = 32)
);

create table open_movement (
  company_id uuid not null,
  id uuid not null,
  enrollment_type text not null,
  alteration_kind text,
  status text not null,
  assignee text,
  member_id uuid not null,
  member_tax_id char(11) not null,
  member_type text not null,
  primary_member_id uuid,
  product_id uuid not null,
  benefit_id uuid not null,
  destination_company_id uuid,
  destination_product_id uuid,
  new_benefit_id uuid,
  scheduled_action_date date,
  cut_off_date date,
  due_date date,
  carrier_protocol text,
  answered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint open_movement_pkey primary key (company_id, id),
  constraint open_movement_company_id_benefit_id_alteration_kind_key unique (company_id, benefit_id, alteration_kind),
  constraint open_movement_due_date_created_at_id_company_id_key unique (due_date, created_at, id, company_id),
  constraint open_movement_status_check check (status not in ('completed', 'rejected', 'cancelled'))
) with (fillfactor=80, autovacuum_analyze_scale_factor=0.01);
create unique index open_movement_benefit_change on open_movement (company_id, benefit_id) where enrollment_type = 'exclusion' or new_benefit_id is not null;
create unique index open_movement_inclusion on open_movement (company_id, member_id, product_id, member_type) where enrollment_type = 'inclusion';
create index open_movement_of_primary on open_movement (primary_member_id, company_id, product_id) where primary_member_id is not null;
create index open_movement_transfer on open_movement (destination_company_id, member_tax_id) where new_benefit_id is not null;
create index open_movement_updated on open_movement (updated_at, company_id);

create table operator_session (
  id uuid not null,
  token_hash bytea not null,
  client_id text not null,
  signed_in_with text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  constraint operator_session_pkey primary key (id),
  constraint operator_session_token_hash_key unique (token_hash),
  constraint operator_session_client_id_fkey foreign key (client_id) references client(id),
  constraint operator_session_check check (expires_at > created_at),
  constraint operator_session_signed_in_with_check check (signed_in_with in ('secret', 'identity-provider', 'password', 'passkey')),
  constraint operator_session_token_hash_check check (length(token_hash) = 32)
);

create table orphan_file (
  key text not null,
  delete_after timestamptz not null,
  constraint orphan_file_pkey primary key (key)
);

create table passkey (
  client_id text not null,
  id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkey_pkey primary key (client_id, id),
  constraint passkey_credential_id_key unique (credential_id),
  constraint passkey_client_id_fkey foreign key (client_id) references person(client_id),
  constraint passkey_credential_id_check check (length(credential_id) >= 1 and length(credential_id) <= 1023),
  constraint passkey_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint passkey_public_key_check check (length(public_key) <= 4096),
  constraint passkey_sign_count_check check (sign_count >= 0 and sign_count <= '4294967295'::bigint)
);

create table payroll_export (
  company_id uuid not null,
  id uuid not null,
  reference_month char(7) not null,
  number integer not null,
  layout_id text not null,
  layout_version integer not null,
  created_by text not null,
  created_at timestamptz not null,
  run_id text,
  kind text not null default 'period',
  refund_event text,
  constraint payroll_export_pkey primary key (company_id, id),
  constraint payroll_export_company_id_reference_month_number_key unique (company_id, reference_month, number),
  constraint payroll_export_company_id_run_id_key unique (company_id, run_id),
  constraint payroll_export_id_company_id_key unique (id, company_id),
  constraint payroll_export_company_id_fkey foreign key (company_id) references company(id),
  constraint payroll_export_kind_check check (kind in ('period', 'leavers')),
  constraint payroll_export_layout_version_check check (layout_version >= 1),
  constraint payroll_export_number_check check (number >= 1),
  constraint payroll_export_reference_month_check check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint payroll_export_refund_event_check check (length(refund_event) >= 1 and length(refund_event) <= 20),
  constraint payroll_export_run_id_check check (length(run_id) >= 1 and length(run_id) <= 100)
);

create table payroll_export_line (
  company_id uuid not null,
  export_id uuid not null,
  member_id uuid not null,
  kind text not null,
  event text not null,
  amount bigint not null,
  origin_month char(7) not null,
  product_type text not null,
  destination text not null default 'payroll',
  people jsonb not null,
  due bigint not null,
  constraint payroll_export_line_pkey primary key (company_id, export_id, member_id, kind, product_type, origin_month, destination),
  constraint payroll_export_line_company_id_export_id_fkey foreign key (company_id, export_id) references payroll_export(company_id, id),
  constraint payroll_export_line_amount_check check (amount <> 0),
  constraint payroll_export_line_destination_check check (destination in ('payroll', 'bill')),
  constraint payroll_export_line_event_check check (length(event) >= 1 and length(event) <= 20),
  constraint payroll_export_line_kind_check check (kind in ('primary', 'dependent', 'coparticipation')),
  constraint payroll_export_line_origin_month_check check (origin_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint payroll_export_line_people_check check (jsonb_array_length(people) > 0)
);

create table payroll_profile (
  company_id uuid not null,
  layout_id text not null,
  primary_event text not null,
  dependent_event text not null,
  coparticipation_event text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  basis text not null default 'closed-month',
  first_month char(7),
  payroll_day smallint,
  refund_event text,
  product_events jsonb not null default '{}',
  unpaid_leave text,
  tax_figures_by text,
  final_limit text,
  constraint payroll_profile_pkey primary key (company_id),
  constraint payroll_profile_company_id_fkey foreign key (company_id) references company(id),
  constraint payroll_profile_basis_check check (basis in ('closed-month', 'effective-date')),
  constraint payroll_profile_check check ((basis = 'effective-date') = (first_month is not null)),
  constraint payroll_profile_coparticipation_event_check check (length(coparticipation_event) >= 1 and length(coparticipation_event) <= 20),
  constraint payroll_profile_dependent_event_check check (length(dependent_event) >= 1 and length(dependent_event) <= 20),
  constraint payroll_profile_final_limit_check check (final_limit = 'remuneration'),
  constraint payroll_profile_first_month_check check (first_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint payroll_profile_payroll_day_check check (payroll_day >= 1 and payroll_day <= 31),
  constraint payroll_profile_primary_event_check check (length(primary_event) >= 1 and length(primary_event) <= 20),
  constraint payroll_profile_product_events_check check (jsonb_typeof(product_events) = 'object'),
  constraint payroll_profile_refund_event_check check (length(refund_event) >= 1 and length(refund_event) <= 20),
  constraint payroll_profile_tax_figures_by_check check (tax_figures_by in ('charge', 'deduction')),
  constraint payroll_profile_unpaid_leave_check check (unpaid_leave in ('bill', 'defer'))
);

create table person (
  client_id text not null,
  email text not null,
  password_hash text,
  link_hash bytea,
  link_expires_at timestamptz,
  last_sign_in_at timestamptz,
  sign_in_networks bytea[] not null default '{}'::bytea[],
  constraint person_pkey primary key (client_id),
  constraint person_email_key unique (email),
  constraint person_link_hash_key unique (link_hash),
  constraint person_client_id_fkey foreign key (client_id) references client(id),
  constraint person_check check ((link_hash is null) = (link_expires_at is null)),
  constraint person_email_check check (email = lower(email) and length(email) >= 3 and length(email) <= 254),
  constraint person_link_hash_check check (length(link_hash) = 32),
  constraint person_password_hash_check check (password_hash ~ '^scrypt\$[0-9]+\$[0-9]+\$[0-9]+\$[A-Za-z0-9_-]+\$[A-Za-z0-9_-]+$'),
  constraint person_sign_in_networks_check check (cardinality(sign_in_networks) <= 10)
);

create table price_table (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  carrier_plan_code text,
  valid_from date not null,
  kind text not null,
  prices jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint price_table_pkey primary key (company_id, id),
  constraint price_table_company_id_contract_id_carrier_plan_code_valid__key unique NULLS not DISTINCT (company_id, contract_id, carrier_plan_code, valid_from),
  constraint price_table_id_company_id_key unique (id, company_id),
  constraint price_table_company_id_contract_id_fkey foreign key (company_id, contract_id) references contract(company_id, id),
  constraint price_table_carrier_plan_code_check check (length(carrier_plan_code) >= 1 and length(carrier_plan_code) <= 30),
  constraint price_table_kind_check check (kind in ('age-band-10', 'age-band-7', 'per-person', 'per-role')),
  constraint price_table_prices_check check (jsonb_array_length(prices) >= 1 and jsonb_array_length(prices) <= 10)
);

create table product (
  company_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  carrier_name text not null,
  carrier_key text generated always as (fold(btrim(carrier_name))) stored,
  product_type text not null,
  allowed_dependent_types text[] not null,
  allowed_start_options text[] not null,
  age_limits jsonb not null default '[]',
  billing_day smallint,
  cut_off_day smallint,
  "position" smallint not null,
  retired_at timestamptz,
  updated_at timestamptz not null default '-infinity'::timestamptz,
  constraint product_pkey primary key (company_id, id),
  constraint product_carrier_key_fkey foreign key (carrier_key) references carrier(key),
  constraint product_company_id_fkey foreign key (company_id) references company(id),
  constraint product_age_limits_check check (jsonb_typeof(age_limits) = 'array'),
  constraint product_allowed_dependent_types_check check (allowed_dependent_types <@ dependent_types()),
  constraint product_allowed_start_options_check check (allowed_start_options <@ ARRAY['on-inclusion-date', 'on-admission-date', 'on-next-billing-period']),
  constraint product_billing_day_check check (billing_day >= 1 and billing_day <= 28),
  constraint product_carrier_name_check check (length(carrier_name) >= 1 and length(carrier_name) <= 200),
  constraint product_cut_off_day_check check (cut_off_day >= 1 and cut_off_day <= 31),
  constraint product_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint product_name_key_check check (name_key <> ''),
  constraint product_product_type_check check (product_type ~ '^[a-z][a-z0-9-]{0,49}$')
);
create unique index product_name on product (company_id, name_key) where retired_at is null;

create unlogged table rate_limit_usage (
  client_id text not null,
  class text not null,
  window_started_at timestamptz not null,
  leased integer not null,
  constraint rate_limit_usage_pkey primary key (client_id, class),
  constraint rate_limit_usage_class_check check (class in ('reads', 'writes', 'authenticate', 'members', 'redeliveries'))
) with (fillfactor=50);

create table reconciliation (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  kind text not null,
  reference_month char(7) not null,
  carrier_file_id uuid not null,
  as_of date not null,
  status text not null,
  carrier_total bigint,
  expected_total bigint,
  discrepancy bigint,
  created_by text not null,
  created_at timestamptz not null,
  computed_at timestamptz,
  constraint reconciliation_pkey primary key (company_id, id),
  constraint reconciliation_company_id_carrier_file_id_key unique (company_id, carrier_file_id),
  constraint reconciliation_id_company_id_key unique (id, company_id),
  constraint reconciliation_company_id_carrier_file_id_fkey foreign key (company_id, carrier_file_id) references carrier_file(company_id, id),
  constraint reconciliation_company_id_contract_id_fkey foreign key (company_id, contract_id) references contract(company_id, id),
  constraint reconciliation_check check (status = 'computing' or computed_at is not null),
  constraint reconciliation_check1 check (num_nulls(carrier_total, expected_total, discrepancy) in (0, 3)),
  constraint reconciliation_check2 check (discrepancy = (carrier_total - expected_total)),
  constraint reconciliation_kind_check check (kind in ('roster', 'invoice')),
  constraint reconciliation_reference_month_check check (reference_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  constraint reconciliation_status_check check (status in ('computing', 'open', 'closed'))
);

create table request (
  company_id uuid not null,
  id uuid not null,
  client_id text not null,
  reference text,
  request_type text not null,
  alteration_kind text,
  status text not null,
  draft_id uuid,
  resolution text,
  failures jsonb not null default '[]',
  applied_at timestamptz,
  accepted_on date not null default (now() AT TIME ZONE 'America/Sao_Paulo')::date,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint request_pkey primary key (company_id, id),
  constraint request_client_id_fkey foreign key (client_id) references client(id),
  constraint request_company_id_fkey foreign key (company_id) references company(id),
  constraint request_alteration_kind_check check (alteration_kind in ('second-card', 'contract-transfer')),
  constraint request_check check ((status = 'processing') = (finished_at is null)),
  constraint request_check1 check (alteration_kind is null or request_type = 'alteration'),
  constraint request_reference_check check (length(reference) >= 1 and length(reference) <= 100),
  constraint request_request_type_check check (request_type in ('inclusion', 'exclusion', 'alteration')),
  constraint request_resolution_check check (resolution in ('approve', 'reject')),
  constraint request_status_check check (status in ('processing', 'completed', 'partial-failure', 'failed'))
);
create index request_created on request (created_at, id, company_id);
create index request_finished on request (finished_at, company_id);
create index request_id on request (id);
create index request_reference on request (reference, company_id) where reference is not null;

create table request_intake (
  company_id uuid not null,
  request_id uuid not null,
  medium text not null,
  received_at timestamptz not null,
  requester_name text,
  requester_contact text,
  documents uuid[] not null default '{}'::uuid[],
  constraint request_intake_pkey primary key (company_id, request_id),
  constraint request_intake_company_id_request_id_fkey foreign key (company_id, request_id) references request(company_id, id),
  constraint request_intake_check check (requester_name is not null or (medium in ('carrier-portal', 'draft'))),
  constraint request_intake_documents_check check (cardinality(documents) <= 20),
  constraint request_intake_medium_check check (medium in ('email', 'phone', 'message', 'in-person', 'letter', 'carrier-portal', 'draft')),
  constraint request_intake_requester_contact_check check (length(requester_contact) >= 1 and length(requester_contact) <= 200),
  constraint request_intake_requester_name_check check (length(requester_name) >= 1 and length(requester_name) <= 200)
);

create table requirement_rule (
  id uuid not null,
  name text not null,
  active boolean not null,
  valid_from date,
  conditions jsonb not null,
  require jsonb not null,
  enforcement text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint requirement_rule_pkey primary key (id),
  constraint requirement_rule_conditions_check check (jsonb_typeof(conditions) = 'object'),
  constraint requirement_rule_enforcement_check check (enforcement in ('warning', 'pending', 'offense')),
  constraint requirement_rule_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint requirement_rule_require_check check (jsonb_array_length(require) >= 1 and jsonb_array_length(require) <= 20)
);

create unlogged table roster_item (
  company_id uuid not null,
  sync_id uuid not null,
  family text not null,
  "position" integer not null,
  item jsonb not null,
  constraint roster_item_pkey primary key (company_id, sync_id, family, "position")
);

create unlogged table roster_line (
  company_id uuid not null,
  sync_id uuid not null,
  "position" integer not null,
  line integer not null,
  tax_id char(11),
  data jsonb not null,
  offenses text[] not null,
  constraint roster_line_pkey primary key (company_id, sync_id, "position")
);

create unlogged table roster_person (
  company_id uuid not null,
  sync_id uuid not null,
  family text not null,
  "position" integer not null,
  role text not null,
  member_id uuid,
  matched_by text,
  is_outside boolean not null,
  lines integer[] not null,
  constraint roster_person_pkey primary key (company_id, sync_id, family, "position"),
  constraint roster_person_matched_by_check check (matched_by in ('tax-id', 'employee-id', 'name')),
  constraint roster_person_role_check check (role in ('primary', 'dependent'))
);

create table roster_policy (
  company_id uuid not null,
  automatic text[] not null,
  guard_people integer not null,
  guard_percent integer not null,
  min_presence_percent integer not null,
  updated_at timestamptz not null,
  constraint roster_policy_pkey primary key (company_id),
  constraint roster_policy_company_id_fkey foreign key (company_id) references company(id),
  constraint roster_policy_automatic_check check (automatic <@ ARRAY['inclusion', 'leaver', 'plan-change', 'correction', 'company-data']),
  constraint roster_policy_guard_people_check check (guard_people >= 1 and guard_people <= 200000),
  constraint roster_policy_guard_percent_check check (guard_percent >= 1 and guard_percent <= 100),
  constraint roster_policy_min_presence_percent_check check (min_presence_percent >= 0 and min_presence_percent <= 100)
);

create table roster_sync (
  company_id uuid not null,
  id uuid not null,
  created_by text not null,
  states text[] not null,
  within jsonb not null,
  scope_key text not null,
  as_of date not null,
  people_count integer,
  defaults jsonb not null,
  accept_doubts text[] not null,
  automatic boolean not null,
  reference text,
  intake jsonb,
  status text not null,
  storage_key text,
  format text,
  file_name text,
  sheet text,
  sha256 bytea,
  size bigint,
  address text,
  request_trace_id text,
  lines integer,
  refused_lines integer,
  suspicious_lines integer,
  is_complete boolean,
  has_movement_sheets boolean,
  compared integer not null default 0,
  of integer,
  unchanged integer,
  compared_through text,
  tally jsonb not null default '{}',
  doubts jsonb not null default '[]',
  problems jsonb not null default '[]',
  warnings jsonb not null default '[]',
  sheets_not_read text[] not null default '{}'[],
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint roster_sync_pkey primary key (company_id, id),
  constraint roster_sync_id_company_id_key unique (id, company_id),
  constraint roster_sync_company_id_fkey foreign key (company_id) references company(id),
  constraint roster_sync_created_by_fkey foreign key (created_by) references client(id),
  constraint roster_sync_check check ((status = 'failed') = (problems <> '[]')),
  constraint roster_sync_check1 check ((status in ('compared', 'failed', 'cancelled')) = (finished_at is not null)),
  constraint roster_sync_check2 check ((storage_key is not null) = (status in ('reading', 'comparing'))),
  constraint roster_sync_check3 check ((sha256 is null) <= (status in ('open', 'cancelled'))),
  constraint roster_sync_check4 check (num_nulls(sha256, size, format) in (0, 3)),
  constraint roster_sync_compared_check check (compared >= 0),
  constraint roster_sync_defaults_check check (jsonb_typeof(defaults) = 'object'),
  constraint roster_sync_doubts_check check (jsonb_typeof(doubts) = 'array'),
  constraint roster_sync_file_name_check check (length(file_name) >= 1 and length(file_name) <= 200),
  constraint roster_sync_format_check check (format in ('csv', 'ndjson', 'json', 'xlsx')),
  constraint roster_sync_intake_check check (jsonb_typeof(intake) = 'object'),
  constraint roster_sync_lines_check check (lines >= 0),
  constraint roster_sync_of_check check (of >= 0),
  constraint roster_sync_people_count_check check (people_count >= 0),
  constraint roster_sync_problems_check check (jsonb_typeof(problems) = 'array'),
  constraint roster_sync_reference_check check (length(reference) >= 1 and length(reference) <= 100),
  constraint roster_sync_refused_lines_check check (refused_lines >= 0),
  constraint roster_sync_sha256_check check (length(sha256) = 32),
  constraint roster_sync_size_check check (size >= 0),
  constraint roster_sync_states_check check (states <@ ARRAY['people', 'dependents', 'products']),
  constraint roster_sync_status_check check (status in ('open', 'reading', 'comparing', 'compared', 'failed', 'cancelled')),
  constraint roster_sync_suspicious_lines_check check (suspicious_lines >= 0),
  constraint roster_sync_tally_check check (jsonb_typeof(tally) = 'object'),
  constraint roster_sync_unchanged_check check (unchanged >= 0),
  constraint roster_sync_warnings_check check (jsonb_typeof(warnings) = 'array'),
  constraint roster_sync_within_check check (jsonb_typeof(within) = 'object')
);
create index roster_sync_scope on roster_sync (company_id, scope_key, created_at);

create table sandbox_outcome (
  company_id uuid not null,
  enrollment_id uuid not null,
  outcome text not null,
  due_date date not null,
  reason text,
  card_number text,
  constraint sandbox_outcome_pkey primary key (company_id, enrollment_id),
  constraint sandbox_outcome_company_id_enrollment_id_fkey foreign key (company_id, enrollment_id) references enrollment(company_id, id),
  constraint sandbox_outcome_outcome_check check (outcome in ('completed', 'rejected', 'pending-documents', 'pending-correction', 'no-answer'))
);

create table saved_view (
  id uuid not null,
  area text not null,
  name text not null,
  name_key text not null generated always as (fold(name)) stored,
  filters jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint saved_view_pkey primary key (id),
  constraint saved_view_area_name_key_key unique (area, name_key),
  constraint saved_view_created_by_fkey foreign key (created_by) references client(id),
  constraint saved_view_area_check check (area = 'queue'),
  constraint saved_view_filters_check check (jsonb_typeof(filters) = 'object'),
  constraint saved_view_name_check check (length(name) >= 1 and length(name) <= 60)
);

create table service_metadata (
  name text not null,
  value text not null,
  constraint service_metadata_pkey primary key (name)
);

create table shipment (
  company_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  number integer not null,
  status text not null,
  open_contract_id uuid generated always as (
CASE
    WHEN status = 'open' THEN contract_id
    ELSE null::uuid
END) stored,
  cut_off_date date,
  coverage_start date,
  layout_id text,
  layout_version integer,
  carrier_protocol text,
  sent_at timestamptz,
  sent_by text,
  sent_address text,
  sent_trace_id text,
  answer_until date,
  closed_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint shipment_pkey primary key (company_id, id),
  constraint shipment_company_id_contract_id_number_key unique (company_id, contract_id, number),
  constraint shipment_company_id_open_contract_id_key unique (company_id, open_contract_id),
  constraint shipment_id_company_id_key unique (id, company_id),
  constraint shipment_company_id_contract_id_fkey foreign key (company_id, contract_id) references contract(company_id, id),
  constraint shipment_carrier_protocol_check check (length(carrier_protocol) >= 1 and length(carrier_protocol) <= 60),
  constraint shipment_check check ((closed_at is null) = ((status in ('open', 'cancelled')) and layout_id is null)),
  constraint shipment_check1 check (num_nonnulls(sent_at, sent_by, sent_address, sent_trace_id, answer_until) =
CASE
    WHEN status in ('open', 'closed', 'cancelled') THEN 0
    ELSE 5
END),
  constraint shipment_number_check check (number >= 1),
  constraint shipment_status_check check (status in ('open', 'closed', 'sent', 'partly-acknowledged', 'acknowledged', 'finished', 'cancelled'))
);

create table shipment_answer_file (
  company_id uuid not null,
  contract_id uuid not null,
  name text not null,
  size bigint not null,
  modified bigint not null,
  shipment_id uuid not null,
  error text,
  read_at timestamptz not null,
  constraint shipment_answer_file_pkey primary key (company_id, contract_id, name, size, modified),
  constraint shipment_answer_file_company_id_contract_id_fkey foreign key (company_id, contract_id) references contract(company_id, id),
  constraint shipment_answer_file_company_id_shipment_id_fkey foreign key (company_id, shipment_id) references shipment(company_id, id),
  constraint shipment_answer_file_error_check check (length(error) >= 1 and length(error) <= 60),
  constraint shipment_answer_file_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint shipment_answer_file_size_check check (size >= 0)
);

create table shipment_delivery (
  company_id uuid not null,
  shipment_id uuid not null,
  attempt integer not null,
  step integer not null,
  channel text not null,
  status text not null,
  pending_shipment_id uuid generated always as (
CASE
    WHEN status = 'pending' THEN shipment_id
    ELSE null::uuid
END) stored,
  requested_by text not null,
  requested_address text not null,
  requested_trace_id text not null,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  attempted_at timestamptz,
  response_status integer,
  error text,
  created_at timestamptz not null,
  constraint shipment_delivery_pkey primary key (company_id, shipment_id, attempt),
  constraint shipment_delivery_pending_shipment_id_company_id_key unique (pending_shipment_id, company_id),
  constraint shipment_delivery_company_id_shipment_id_fkey foreign key (company_id, shipment_id) references shipment(company_id, id),
  constraint shipment_delivery_attempt_check check (attempt >= 1),
  constraint shipment_delivery_channel_check check (channel in ('sftp', 'connector')),
  constraint shipment_delivery_check check (leased_until is null or status = 'pending'),
  constraint shipment_delivery_check1 check (next_attempt_at is not null or status <> 'pending'),
  constraint shipment_delivery_error_check check (length(error) >= 1 and length(error) <= 60),
  constraint shipment_delivery_status_check check (status in ('pending', 'succeeded', 'failed')),
  constraint shipment_delivery_step_check check (step >= 1)
);

create table shipment_file (
  company_id uuid not null,
  shipment_id uuid not null,
  name text not null,
  media_type text not null,
  sha256 bytea not null,
  content bytea,
  constraint shipment_file_pkey primary key (company_id, shipment_id),
  constraint shipment_file_company_id_shipment_id_fkey foreign key (company_id, shipment_id) references shipment(company_id, id),
  constraint shipment_file_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint shipment_file_sha256_check check (length(sha256) = 32)
);

create table shipment_item (
  company_id uuid not null,
  shipment_id uuid not null,
  movement_company_id uuid not null,
  enrollment_id uuid not null,
  "position" integer not null,
  status text not null,
  reason text,
  side text,
  unfinished_enrollment_id uuid generated always as (
CASE
    WHEN status in ('ready', 'sent') THEN enrollment_id
    ELSE null::uuid
END) stored,
  unfinished_side text generated always as (
CASE
    WHEN status in ('ready', 'sent') THEN COALESCE(side, 'both')
    ELSE null::text
END) stored,
  line_numbers integer[] not null,
  dependent_benefit_ids uuid[] not null default '{}'::uuid[],
  sheets text[] not null default '{}'[],
  carrier_protocol text,
  carrier_code text,
  carrier_message text,
  acknowledgement jsonb,
  waiting_enrollment_id uuid generated always as (
CASE
    WHEN (status in ('sent', 'unanswered')) and acknowledgement is not null THEN enrollment_id
    ELSE null::uuid
END) stored,
  updated_at timestamptz not null,
  constraint shipment_item_pkey primary key (company_id, shipment_id, "position"),
  constraint shipment_item_company_id_enrollment_id_shipment_id_key unique (company_id, enrollment_id, shipment_id),
  constraint shipment_item_company_id_unfinished_enrollment_id_unfinishe_key unique (company_id, unfinished_enrollment_id, unfinished_side),
  constraint shipment_item_waiting_enrollment_id_company_id_key unique (waiting_enrollment_id, company_id),
  constraint shipment_item_company_id_shipment_id_fkey foreign key (company_id, shipment_id) references shipment(company_id, id),
  constraint shipment_item_acknowledgement_check check (jsonb_typeof(acknowledgement) = 'object'),
  constraint shipment_item_carrier_code_check check (length(carrier_code) >= 1 and length(carrier_code) <= 30),
  constraint shipment_item_carrier_message_check check (length(carrier_message) >= 1 and length(carrier_message) <= 500),
  constraint shipment_item_carrier_protocol_check check (length(carrier_protocol) >= 1 and length(carrier_protocol) <= 60),
  constraint shipment_item_check check ((reason is null) = (status <> 'cancelled')),
  constraint shipment_item_check1 check (movement_company_id = company_id or not side is DISTINCT FROM 'joining'),
  constraint shipment_item_position_check check ("position" >= 1),
  constraint shipment_item_reason_check check (reason in ('shipment-cancelled', 'movement-cancelled', 'movement-changed')),
  constraint shipment_item_side_check check (side in ('joining', 'leaving')),
  constraint shipment_item_status_check check (status in ('ready', 'sent', 'accepted', 'refused', 'unanswered', 'cancelled'))
);
create index shipment_item_elsewhere on shipment_item (enrollment_id, movement_company_id) where movement_company_id <> company_id;

create table signing_key (
  id text not null,
  algorithm text not null,
  public_key jsonb not null,
  private_key bytea not null,
  created_at timestamptz not null,
  active_from timestamptz not null,
  retired_at timestamptz,
  constraint signing_key_pkey primary key (id),
  constraint signing_key_algorithm_check check (algorithm = 'ES256')
);

create table stored_response_usage (
  client_id text not null,
  bytes bigint not null,
  constraint stored_response_usage_pkey primary key (client_id),
  constraint stored_response_usage_bytes_check check (bytes >= 0)
) with (fillfactor=50);

create table subject_request (
  id uuid not null,
  kind text not null,
  tax_id char(11),
  status text not null,
  open_tax_id char(11) generated always as (
CASE
    WHEN status not in ('partly-fulfilled', 'fulfilled', 'cancelled') THEN tax_id
    ELSE null::bpchar
END) stored,
  received_on date not null,
  due_date date not null generated always as (received_on + 15) stored,
  note text,
  cancel_reason text,
  file_requested_at timestamptz,
  file_made_at timestamptz,
  file_expires_at timestamptz,
  file_key text,
  file_size bigint,
  created_by text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  constraint subject_request_pkey primary key (id),
  constraint subject_request_file_key_key unique (file_key),
  constraint subject_request_open_tax_id_kind_key unique (open_tax_id, kind),
  constraint subject_request_created_by_fkey foreign key (created_by) references client(id),
  constraint subject_request_cancel_reason_check check (length(cancel_reason) >= 1 and length(cancel_reason) <= 500),
  constraint subject_request_check check (kind = 'erasure' or (status not in ('planned', 'approved', 'partly-fulfilled'))),
  constraint subject_request_check1 check (tax_id is not null or (status in ('partly-fulfilled', 'fulfilled', 'cancelled'))),
  constraint subject_request_check2 check ((closed_at is null) = (status not in ('partly-fulfilled', 'fulfilled', 'cancelled'))),
  constraint subject_request_check3 check (cancel_reason is null or status = 'cancelled'),
  constraint subject_request_check4 check (file_requested_at is null or kind = 'access'),
  constraint subject_request_check5 check ((file_made_at is null) = (file_expires_at is null) and file_made_at >= file_requested_at),
  constraint subject_request_check6 check ((file_key is null) = (file_size is null)),
  constraint subject_request_check7 check (file_key is null or file_made_at is not null),
  constraint subject_request_kind_check check (kind in ('access', 'erasure')),
  constraint subject_request_note_check check (length(note) >= 1 and length(note) <= 2000),
  constraint subject_request_status_check check (status in ('open', 'planned', 'approved', 'partly-fulfilled', 'fulfilled', 'cancelled')),
  constraint subject_request_tax_id_check check (tax_id ~ '^[0-9]{11}$')
);

create table unpaid_leave (
  company_id uuid not null,
  member_id uuid not null,
  first_day date not null,
  last_day date,
  updated_at timestamptz not null,
  constraint unpaid_leave_pkey primary key (company_id, member_id, first_day),
  constraint unpaid_leave_company_id_member_id_fkey foreign key (company_id, member_id) references member(company_id, id),
  constraint unpaid_leave_check check (last_day >= first_day)
);

create table webhook_delivery (
  event_id uuid not null,
  endpoint_id uuid not null,
  attempt integer not null,
  id uuid not null,
  company_id uuid,
  status text not null,
  step integer not null,
  started_at timestamptz not null,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  attempted_at timestamptz,
  response_status integer,
  error text,
  constraint webhook_delivery_pkey primary key (event_id, endpoint_id, attempt),
  constraint webhook_delivery_attempt_check check (attempt >= 1),
  constraint webhook_delivery_status_check check (status in ('pending', 'succeeded', 'failed')),
  constraint webhook_delivery_step_check check (step >= 1)
) with (fillfactor=80);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_delivery_result on webhook_delivery (endpoint_id, status, attempted_at) where status <> 'pending';

create table webhook_endpoint (
  id uuid not null,
  client_id text not null,
  url text not null,
  event_types text[] not null,
  status text not null,
  disabled_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  enabled_at timestamptz not null,
  failing_since timestamptz,
  deleted_at timestamptz,
  url_hash bytea not null,
  constraint webhook_endpoint_pkey primary key (id),
  constraint webhook_endpoint_client_id_fkey foreign key (client_id) references client(id),
  constraint webhook_endpoint_check check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhook_endpoint_disabled_reason_check check (disabled_reason in ('requested', 'gone', 'failing')),
  constraint webhook_endpoint_event_types_check check (event_types <@ ARRAY['request.completed', 'request.partial_failure', 'request.failed', 'enrollment.created', 'enrollment.updated', 'enrollment.pending', 'enrollment.completed', 'enrollment.rejected', 'enrollment.cancelled', 'benefit.activated', 'benefit.updated', 'benefit.deactivated', 'benefit.ending', 'deadline.approaching', 'movement-draft.opened', 'movement-draft.closed', 'reconciliation.opened', 'discrepancy.corrected', 'roster-sync.compared', 'roster-sync.failed', 'invoice.issued', 'invoice.overdue', 'invoice.paid', 'webhook.test']),
  constraint webhook_endpoint_status_check check (status in ('enabled', 'disabled')),
  constraint webhook_endpoint_url_check check (length(url) >= 1 and length(url) <= 2000),
  constraint webhook_endpoint_url_hash_check check (length(url_hash) = 32)
);
create unique index webhook_endpoint_url on webhook_endpoint (client_id, url_hash) where deleted_at is null;

create table webhook_fan_out (
  client_id text not null,
  id uuid not null,
  company_id uuid not null,
  next_id uuid not null,
  last_id uuid not null,
  events integer not null,
  constraint webhook_fan_out_pkey primary key (client_id, id),
  constraint webhook_fan_out_client_id_fkey foreign key (client_id) references client(id),
  constraint webhook_fan_out_events_check check (events >= 0)
);

create table webhook_secret (
  endpoint_id uuid not null,
  id uuid not null,
  encrypted_secret bytea not null,
  expires_at timestamptz,
  constraint webhook_secret_pkey primary key (endpoint_id, id),
  constraint webhook_secret_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoint(id)
);
create unique index webhook_secret_current on webhook_secret (endpoint_id) where expires_at is null;

create table webhook_test_event (
  client_id text not null,
  id uuid not null,
  endpoint_id uuid not null,
  type text not null,
  data jsonb not null,
  at timestamptz not null,
  constraint webhook_test_event_pkey primary key (client_id, id),
  constraint webhook_test_event_client_id_fkey foreign key (client_id) references client(id),
  constraint webhook_test_event_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoint(id)
);

create table work (
  id uuid not null,
  kind text not null,
  client_id text,
  company_id uuid,
  target_id uuid not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  created_at timestamptz not null,
  reason text,
  error text,
  failed_at timestamptz,
  constraint work_pkey primary key (id),
  constraint work_check check (run_at < 'infinity'::timestamptz or reason is not null),
  constraint work_check1 check (client_id is null or (kind in ('inclusion', 'exclusion', 'alteration', 'movement-draft', 'roster-sync', 'decision', 'shipment', 'acknowledgement', 'carrier-file', 'reconciliation', 'subject-request'))),
  constraint work_check2 check (client_id is null or (kind in ('decision', 'acknowledgement', 'subject-request')) = (company_id is null)),
  constraint work_error_check check (length(error) <= 100),
  constraint work_reason_check check (reason in ('interrupted', 'time-limit', 'database', 'storage', 'carrier-server', 'waits-for-earlier-request', 'unexpected-error'))
);
create index work_next on work (client_id, created_at, id);

create table work_client (
  client_id text not null,
  last_served_at timestamptz not null,
  constraint work_client_pkey primary key (client_id)
);
