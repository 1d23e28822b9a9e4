-- Look-ups by primary and company, with and without the product. With `product_id` between the two, PostgreSQL 18 estimates a skip scan over all
-- products, and reads the whole company instead: see docs/decisions/0002-indexes-led-by-what-selects.md.
-- Each comparison with a primary's id implies the condition, also that of the foreign key when a member is deleted: the dependents of an excluded
-- or transferred primary (readOtherDependents, readExtended, readTransferredBenefits), members without a benefit (deleteMembersWithoutBenefit).
drop index benefit_of_primary;
create index benefit_of_primary on benefit (primary_member_id, company_id, product_id) where primary_member_id is not null;
drop index enrollment_open_of_primary;
create index enrollment_open_of_primary on enrollment (primary_member_id, company_id, product_id)
  where primary_member_id is not null and status not in ('completed', 'rejected', 'cancelled');

-- A partial index of open movements costs nothing for a planner that knows of none: then each look-up reads all of them. By default they would
-- be a tenth of all movements before the statistics know them.
alter table enrollment set (autovacuum_analyze_scale_factor = 0.01);
-- The same holds for the first dependents of a company.
alter table benefit set (autovacuum_analyze_scale_factor = 0.01);
