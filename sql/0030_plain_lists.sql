-- Lists count and select by ordinary indexes: the primary keys, led by the company, and those of what is searched for.

drop table invoice_count;
drop index member_listed;
drop index member_by_tax_id;
drop index benefit_listed;
drop index enrollment_listed;

drop index invoice_unpaid_by_day;
create index invoice_unpaid_by_due_date on invoice (due_date, id collate "C", company_id) where unpaid_due_date is not null;
