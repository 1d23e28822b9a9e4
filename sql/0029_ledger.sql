-- What a benefit owes and was charged by month of cover: each charge, each share and each difference names the month that it is of.

-- A supplementary invoice adds to the main one of its month; the latest file of each kind counts.
alter table carrier_file
  add invoice_kind text not null default 'main' check (invoice_kind in ('main', 'supplementary')),
  add check (invoice_kind = 'main' or kind = 'invoice');

-- null: the difference is of the file, or of nobody
alter table discrepancy
  add cover_month char(7) check (cover_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  drop constraint discrepancy_company_id_reconciliation_id_class_benefit_id_l_key,
  add constraint discrepancy_of_line unique nulls not distinct (company_id, reconciliation_id, class, benefit_id, line_number, cover_month);

alter table closing_charge
  -- null: of no person
  add benefit_id uuid,
  -- the month of cover of a premium; the month of the file of all else
  add entry_period char(7) check (entry_period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$');
update closing_charge set entry_period = closing.reference_month from closing
  where closing.company_id = closing_charge.company_id and closing.id = closing_charge.closing_id;
alter table closing_charge alter entry_period set not null;

-- what invoices have of a person: the reason of a charge reads 24 of them
create index carrier_line_of_benefit on carrier_line (company_id, benefit_id) where benefit_id is not null and amount is not null;
