-- What the lists of a whole company read: keys alone, so that an exact total costs no look at the rows. The conditions are true
-- of every row: only a statement that repeats them can use the index, which keeps it out of the sight of foreign-key checks and
-- other look-ups by (company_id, id) (docs/decisions/0002-indexes-led-by-what-selects.md).

create index member_listed on member (company_id, id, tax_id) where tax_id > '';
create index benefit_listed on benefit (company_id, member_id, status, id) where start_date > '-infinity';
create index enrollment_listed on enrollment (company_id, created_at, id) include (enrollment_type, status) where created_at > '-infinity';
