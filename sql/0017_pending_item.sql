-- What a pending movement waits for, and what the partner's answer to it needs.

alter table enrollment
  -- [{ "kind", "document-type" or "field", "message" }], until the pending status ends
  add pending_items jsonb not null default '[]' check (jsonb_typeof(pending_items) = 'array'),
  -- of an inclusion: a corrected admission date moves the start of those that start on it
  add start_option text check (start_option in ('on-inclusion-date', 'on-admission-date', 'on-next-billing-period')),
  add check (pending_items = '[]' or status in ('pending-documents', 'pending-correction')),
  add check (start_option is null or enrollment_type = 'inclusion'),
  add check (status <> 'scheduled' or scheduled_action_date is not null);

alter table staged_enrollment
  add start_option text check (start_option in ('on-inclusion-date', 'on-admission-date', 'on-next-billing-period'));

-- Open inclusions that certainly start on the admission date; of the others the option was not stored.
update enrollment e set start_option = 'on-admission-date'
from benefit b
where e.enrollment_type = 'inclusion' and e.status not in ('completed', 'rejected', 'cancelled')
  and b.company_id = e.company_id and b.id = e.benefit_id and e.scheduled_reason is distinct from 'next-billing-period'
  and (e.scheduled_reason = 'future-admission-date' or b.start_date = (e.data->>'admission-date')::date);
