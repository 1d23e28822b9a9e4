-- What an import tells of its file: rejected lines as they came, under their header, and columns that it does not know.

alter table member_import
  -- the first line of a CSV, after a byte order mark where the file is a spreadsheet's; null: NDJSON
  add column csv_header text,
  add column unknown_columns text[] not null default '{}',
  -- cells whose leading zeros were restored, the first 100: [{ field, line }]
  add column restored_zeros jsonb not null default '[]';

-- null: longer than a line may be, or of an import before this migration
alter table member_import_error add column content text;
