-- The whole list of members comes by CPF, company by company, without a sort; of many companies the keys alone are sorted. As in 0008 the
-- condition is true of every row, so that only a statement that repeats it can use the index; it is another one than there, because
-- the planner takes either index for the other's work.

create index member_by_tax_id on member (company_id, tax_id, id) where tax_id < 'A';
