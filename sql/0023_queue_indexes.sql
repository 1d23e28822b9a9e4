-- Indexes of the operators' queue at any offset, of its counts and of the statistics: a page, a count and the figures of a day read no rows of
-- the table but those that they show. See docs/decisions/0029-search-and-due-dates-are-generated-columns.md.

-- The predicates are those of src/enrollments/is-open.ts. A status is read from the index; it does not lead it, so that `open` has the order too.
drop index enrollment_queue;
create index enrollment_queue on enrollment (created_at, id) include (company_id, status);
drop index enrollment_queue_open;
create index enrollment_queue_open on enrollment (created_at, id) include (company_id, status)
  where status not in ('completed', 'rejected', 'cancelled');
drop index enrollment_queue_due;
create index enrollment_queue_due on enrollment (due_date, created_at, id)
  include (company_id, status, product_id, destination_company_id, destination_product_id)
  where status not in ('completed', 'rejected', 'cancelled');
-- `updated_at` of a terminal status is when it was reached.
create index enrollment_resolved on enrollment (updated_at) include (status, enrollment_type, created_at)
  where status in ('completed', 'rejected', 'cancelled');
