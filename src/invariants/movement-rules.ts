import { hasRule } from '../enrollments/kind.ts'
import { mayTransition } from '../domain/enrollment-status.ts'
import { ENROLLMENT_STATUSES } from '../domain/enums.ts'
import { canExtend } from '../movements/transition/extension-queries.ts'
import { isChange, isOpen, openMovementColumns } from '../enrollments/open-movement.ts'
import type { Invariant } from './rule.ts'

/** Every legal transition as SQL values, from the rule that transitions are judged by. */
const legal = ENROLLMENT_STATUSES.flatMap((from) =>
  ENROLLMENT_STATUSES.filter((to) => mayTransition(from, to, false)).map((to) => `('${from}', '${to}')`),
).join(', ')

/** Movements, their histories, and the requests that they belong to. */
export const movementRules: readonly Invariant[] = [
  {
    name: 'history-start',
    description: 'A movement starts as created or as scheduled.',
    violations: `select e.id from enrollment e where e.initial_status not in ('created', 'scheduled')`,
  },
  {
    name: 'history-steps',
    description: 'The steps of a history are numbered from 1 without a gap.',
    violations: `select h.enrollment_id as id from enrollment_history h
      group by h.company_id, h.enrollment_id having min(h.step) <> 1 or max(h.step) <> count(*)`,
  },
  {
    name: 'history-transitions',
    description: 'Each step of a history is a legal transition; nothing follows a terminal status.',
    violations: `select distinct s.enrollment_id as id from (
        select h.company_id, h.enrollment_id, h.status, lag(h.status) over earlier as previous,
          coalesce(bool_or(h.status = 'carrier-processing') over earlier, false) and h.status = 'cancelled' as too_late
        from enrollment_history h
        window earlier as (partition by h.company_id, h.enrollment_id order by h.step)) s
      join enrollment e on e.company_id = s.company_id and e.id = s.enrollment_id
      where s.too_late or (coalesce(s.previous, e.initial_status), s.status) not in (values ${legal})`,
  },
  {
    name: 'history-end',
    description: 'The status of a movement is the last one of its history.',
    violations: `select e.id from enrollment e
      left join (
        select distinct on (h.company_id, h.enrollment_id) h.company_id, h.enrollment_id, h.status
        from enrollment_history h order by h.company_id, h.enrollment_id, h.step desc) l
        on l.company_id = e.company_id and l.enrollment_id = e.id
      where e.status <> coalesce(l.status, e.initial_status)`,
  },
  {
    name: 'carrier-reached',
    description: 'A movement is marked as having reached the carrier exactly when its history says so.',
    violations: `select e.id from enrollment e
      left join (
        select distinct h.company_id, h.enrollment_id from enrollment_history h where h.status = 'carrier-processing') c
        on c.company_id = e.company_id and c.enrollment_id = e.id
      where e.reached_carrier <> (c.enrollment_id is not null)`,
  },
  {
    name: 'one-open-ending',
    description: 'A benefit has at most one open exclusion, plan change or company change.',
    violations: `select e.benefit_id as id from enrollment e
      where ${isChange('e')} and ${isOpen('e')}
      group by e.company_id, e.benefit_id having count(*) > 1`,
  },
  {
    name: 'open-movements',
    description: 'The open movements are those whose enrollment is open, each once and with its values.',
    violations: `select id from (
        select ${openMovementColumns} from enrollment e where ${isOpen('e')}
        union all
        select ${openMovementColumns} from open_movement) o
      group by ${openMovementColumns} having count(*) <> 2`,
  },
  {
    name: 'movement-benefit',
    description: 'The benefit of an exclusion or alteration exists and has its member, product and role.',
    violations: `select e.id from enrollment e
      left join benefit b on b.company_id = e.company_id and b.id = e.benefit_id
      where not ${hasRule('e.enrollment_type', 'createsBenefit')}
        and (b.id is null or (b.member_id, b.product_id, b.type) is distinct from (e.member_id, e.product_id, e.member_type))`,
  },
  {
    name: 'inclusion-benefit',
    description:
      'A completed inclusion has its benefit, an open one has it pending, a rejected or cancelled one leaves none.',
    violations: `select e.id from enrollment e
      left join benefit b on b.company_id = e.company_id and b.id = e.benefit_id
      where ${hasRule('e.enrollment_type', 'createsBenefit')} and case
        when e.status in ('rejected', 'cancelled') then b.id is not null
        when e.status = 'completed' then b.id is null or b.status = 'pending'
        else b.status is distinct from 'pending' end`,
  },
  {
    name: 'benefit-inclusion',
    description: 'A benefit comes from at most one inclusion, which names its member, product and role.',
    violations: `select b.id from benefit b
      join enrollment e on e.company_id = b.company_id and e.benefit_id = b.id and ${hasRule('e.enrollment_type', 'createsBenefit')}
      group by b.company_id, b.id
      having count(*) > 1 or bool_or((b.member_id, b.product_id, b.type) is distinct from (e.member_id, e.product_id, e.member_type))`,
  },
  {
    name: 'movement-effect',
    description:
      'No plan change, company change or exclusion of an ended benefit is open, unless the exclusion can extend it, or goes with another.',
    // The exclusion of a dependent whose primary's benefit was replaced is completed with the primary's.
    violations: `with ended as materialized (
        select e.id, e.enrollment_type, ${canExtend} as can_extend, e.primary_enrollment_id, b.company_id, b.id as benefit_id, p.id as primary_id
        from enrollment e
        join request q on q.company_id = e.company_id and q.id = e.request_id
        join benefit b on b.company_id = e.company_id and b.id = e.benefit_id and b.status = 'inactive'
        left join benefit p on p.company_id = b.company_id and p.member_id = b.primary_member_id and p.product_id = b.product_id
          and p.type = 'primary'
        where ${isChange('e')} and ${isOpen('e')}
      )
      select distinct id from ended where primary_enrollment_id is null and not (${hasRule('enrollment_type', 'endsBenefit')} and (can_extend or id in (
        select n.id from ended n join benefit r on r.replaces_company_id = n.company_id and r.replaces_id in (n.benefit_id, n.primary_id))))`,
  },
  {
    name: 'exclusion-family',
    description: "An exclusion that is part of a primary's refers to one of the company, and is not open after it.",
    violations: `select f.id from enrollment f
      left join enrollment l on l.company_id = f.company_id and l.id = f.primary_enrollment_id
        and ${hasRule('l.enrollment_type', 'endsBenefit')} and l.member_type = 'primary'
      where f.primary_enrollment_id is not null and (l.id is null or (${isOpen('f')} and not ${isOpen('l')}))`,
  },
  {
    name: 'request-status',
    description:
      'A finished request is completed, partial-failure or failed as its parts became, and has no other parts.',
    violations: `select r.id from request r
      left join (
        select e.company_id, e.request_id, min(e.enrollment_type) as first_type, max(e.enrollment_type) as last_type
        from enrollment e group by e.company_id, e.request_id) p on p.company_id = r.company_id and p.request_id = r.id
      where p.first_type <> r.request_type or p.last_type <> r.request_type
        or r.status <> 'processing' and r.status <> case
          when p.request_id is null then 'failed' when r.failures = '[]' then 'completed' else 'partial-failure' end`,
  },
  {
    name: 'request-parts',
    description: 'Each part of a request is one enrollment or one failure, once.',
    violations: `select p.id from (
        select e.request_id as id, e.member_tax_id::text as part, e.product_name as product from enrollment e
        where ${hasRule('e.enrollment_type', 'createsBenefit')}
        union all
        select e.request_id, e.benefit_id::text, '' from enrollment e where not ${hasRule('e.enrollment_type', 'createsBenefit')}
        union all
        select r.id, f.part ->> 'tax-id', f.part ->> 'product-name' from request r
        cross join lateral jsonb_array_elements(r.failures) f(part)) p
      group by p.id, p.part, p.product having count(*) > 1`,
  },
]
