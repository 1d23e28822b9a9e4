import { hasRule } from '../enrollments/kind.ts'
import { isOpen } from '../enrollments/open-movement.ts'
import { type Invariant, isNotVoid } from './rule.ts'

/** Benefits, their families, and the members who have them. */
export const benefitRules: readonly Invariant[] = [
  {
    name: 'one-benefit-in-force',
    description: 'A person has at most one pending or active benefit of a product in a role, in one company.',
    violations: `select b.member_id as id from benefit b where b.status in ('pending', 'active')
      group by b.company_id, b.member_id, b.product_id, b.type having count(*) > 1`,
  },
  {
    name: 'benefit-periods',
    description: 'Two periods of a person in a product and role do not overlap, in one company.',
    violations: `select distinct b.id from benefit b
      join benefit o on o.company_id = b.company_id and o.member_id = b.member_id and o.product_id = b.product_id
        and o.type = b.type and (o.created_at, o.id) < (b.created_at, b.id)
        and coalesce(o.end_date, 'infinity') >= b.start_date and coalesce(b.end_date, 'infinity') >= o.start_date
      where ${isNotVoid('b')} and ${isNotVoid('o')}`,
  },
  {
    name: 'void-benefit',
    description:
      'A benefit without a covered day ends on the day before its start and is inactive, unless another one is to replace it.',
    violations: `with void as materialized (
        select b.company_id, b.id, b.status, b.start_date, b.end_date from benefit b where b.end_date < b.start_date
      )
      select id from void
      where end_date <> start_date - 1 or status = 'pending' or status = 'active' and id not in (
        select v.id from void v
        join benefit n on n.replaces_company_id = v.company_id and n.replaces_id = v.id and n.status = 'pending')`,
  },
  {
    name: 'inactive-benefit',
    // Today may be the day after the given one.
    description:
      'A benefit that has ended has its last day, which does not lie ahead unless it is void or was replaced.',
    violations: `with ended as materialized (
        select b.company_id, b.id from benefit b, given
        where b.status = 'inactive' and (b.end_date is null or given.day > '-infinity' and b.end_date > given.day + 1 and ${isNotVoid('b')})
      )
      select id from ended where id not in (
        select d.id from ended d join benefit n on n.replaces_company_id = d.company_id and n.replaces_id = d.id)`,
  },
  {
    name: 'pending-benefit',
    description: 'A pending benefit belongs to an open inclusion, or replaces an active benefit.',
    violations: `with pending as materialized (
        select b.id, b.replaces_company_id, b.replaces_id, exists (
          select from enrollment e where e.company_id = b.company_id and e.member_id = b.member_id and e.benefit_id = b.id
            and ${hasRule('e.enrollment_type', 'createsBenefit')} and ${isOpen('e')}) as is_included
        from benefit b where b.status = 'pending'
      )
      select id from pending where not case when replaces_id is null then is_included else id in (
        select p.id from pending p
        join benefit o on o.company_id = p.replaces_company_id and o.id = p.replaces_id and o.status = 'active') end`,
  },
  {
    name: 'benefit-transfer',
    description:
      'A benefit that replaces another starts on the day after the end of that one, or later, on the day after former cover in its product.',
    violations: `with replacement as materialized (
        select id, company_id, member_id, product_id, type, replaces_company_id, replaces_id, start_date
        from benefit where replaces_id is not null
      )
      select id from replacement where id not in (
        select r.id from replacement r
        join benefit o on o.company_id = r.replaces_company_id and o.id = r.replaces_id and o.end_date + 1 <= r.start_date
        where o.end_date + 1 = r.start_date or exists (
          select from benefit f where f.company_id = r.company_id and f.member_id = r.member_id and f.product_id = r.product_id
            and f.type = r.type and ${isNotVoid('f')} and f.end_date + 1 = r.start_date))`,
  },
  {
    name: 'dependent-in-force',
    description: "A dependent's active benefit has an active one of its primary in the same product.",
    violations: `select d.id from benefit d
      where d.type = 'dependent' and d.status = 'active' and ${isNotVoid('d')} and not exists (
        select from benefit p where p.company_id = d.company_id and p.member_id = d.primary_member_id
          and p.product_id = d.product_id and p.type = 'primary' and p.status = 'active')`,
  },
  {
    name: 'dependent-period',
    description: "A dependent's benefit never starts before, nor ends after, its primary's of the product.",
    // The first of the primary's unbroken periods that ends after the start of the dependent's. A pending one may wait for its primary's.
    violations: `select d.id from benefit d
      left join lateral (
        select run.period from (
          select unnest(range_agg(daterange(p.start_date, p.end_date, '[]'))) as period from benefit p
          where p.company_id = d.company_id and p.member_id = d.primary_member_id and p.product_id = d.product_id
            and p.type = 'primary' and ${isNotVoid('p')}) run
        where upper_inf(run.period) or upper(run.period) > d.start_date
        order by lower(run.period) limit 1) c on true
      where d.type = 'dependent' and d.status <> 'pending' and ${isNotVoid('d')}
        and (c.period is null or d.start_date < lower(c.period)
          or not upper_inf(c.period) and coalesce(d.end_date, 'infinity') >= upper(c.period))`,
  },
  {
    name: 'dependent-extension',
    description: "An extension plan keeps a dependent's benefit only while it keeps the primary's of the product.",
    violations: `select d.id from benefit d
      where d.type = 'dependent' and d.status = 'active' and d.extension_plan and exists (
        select from benefit p where p.company_id = d.company_id and p.member_id = d.primary_member_id
          and p.product_id = d.product_id and p.type = 'primary' and p.status = 'active' and not p.extension_plan)`,
  },
  {
    name: 'member-benefit',
    description: 'Every member has, or had, a benefit in the company.',
    violations: `select m.id from member m where not exists (
      select from benefit b where b.company_id = m.company_id and b.member_id = m.id)`,
  },
]
