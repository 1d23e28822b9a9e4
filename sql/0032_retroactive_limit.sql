-- Until when a carrier can be told of a movement and recognizes its date, by the contract: the due date is not after it.

alter table enrollment
  -- see src/registry/contracts/retroactive-limits.ts
  add retroactive_until date check (retroactive_until is null or enrollment_type in ('inclusion', 'exclusion')),
  drop due_date;
alter table enrollment
  -- the earliest day on which something is due: the same deadlines as in src/coverage/enrollments/deadlines.ts
  add due_date date generated always as (least(
    case when not reached_carrier then cut_off_date end,
    -- the last day of cover: each day after it is charged until the carrier knows
    case when enrollment_type = 'exclusion' and not reached_carrier
      and data->'exclusion-details'->>'extension-plan' is distinct from 'true' then effective_date end,
    case when scheduled_reason = 'next-billing-period' and cut_off_day is not null
      then cut_off_before(scheduled_action_date, cut_off_day) else scheduled_action_date end,
    case when not reached_carrier and event_date + 30 >= accepted_on then event_date + 30 end,
    case when not reached_carrier and newborn_date + 30 >= accepted_on then newborn_date + 30 end,
    case when not reached_carrier then requested_on + 30 end,
    case when not reached_carrier and retroactive_until >= accepted_on
      and data->'exclusion-details'->>'extension-plan' is distinct from 'true' then retroactive_until end,
    proof_until,
    next_business_day(notice_date + 30))) stored;

alter table deadline_event drop constraint deadline_event_kind_check;
alter table deadline_event add check (kind in ('inclusion-window', 'newborn', 'carrier-notice', 'retroactive-limit', 'proof-of-exclusion',
  'continuation-option', 'cut-off'));
