-- What a broker sets of its installation: one row, once something is set.
create table broker_setting (
  id boolean primary key default true check (id),
  -- null: the name of the product is shown
  broker_name text check (length(broker_name) between 1 and 100),
  logo bytea check (octet_length(logo) between 1 and 99999),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- [{ "target", "text", "document-types", "correction-fields" }]; null: those of the console
  reason_templates jsonb check (jsonb_array_length(reason_templates) <= 60),
  updated_at timestamptz not null,
  check ((logo is null) = (logo_type is null))
);
