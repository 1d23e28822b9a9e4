import { conditionsOf, type Where } from '#platform/http/pages.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { DEADLINE_NORMS } from '#coverage/rules/deadline.ts'
import { DUE_DEADLINES } from '#kernel/enums.ts'
import type { Sql } from '#platform/core/database.ts'
import { equals, Parameters } from '#platform/core/parameters.ts'
import { listedDeadlines } from '#coverage/enrollments/deadlines.ts'
import { hasRule } from '#coverage/enrollments/kind.ts'
import { contractOf, memberName, productOf } from '#coverage/enrollments/queries.ts'
import type { Page } from '#platform/http/page.ts'
import { pageBounds } from '#platform/http/schemas.ts'
import { type DeadlineQuery, UNASSIGNED } from './filter.ts'

const norm = `case page.kind ${DUE_DEADLINES.map((kind) => `when '${kind}' then '${DEADLINE_NORMS[kind]}'`).join(' ')} end`

const ofCompany = (table: string) => (taxId: string) =>
  `${table}.company_id = (select id from company where tax_id = ${taxId})`

const conditions: Where<DeadlineQuery> = {
  'from-dt': (day) => `deadline.until >= ${day}`,
  // A movement has nothing due before its due date.
  'until-dt': (day) => `deadline.until <= ${day} and open_movement.due_date <= ${day}`,
  kind: equals('deadline.kind'),
  'company-tax-id': ofCompany('open_movement'),
  'contract-id': equals(contractOf),
  assignee: assigned('open_movement.assignee'),
}

/** SQL: the active contract of the product of a continuation's `benefit`. */
const contractOfBenefit = `(select contract_plan.contract_id from contract_plan where contract_plan.company_id = benefit.company_id
  and contract_plan.active_product_id = benefit.product_id)`

/** The same of continuations that wait for an answer: their exclusions may have ended, or there was none. */
const conditionsOfOffers: Where<DeadlineQuery> = {
  'from-dt': (day) => `continuation.option_until >= ${day}`,
  'until-dt': (day) => `continuation.option_until <= ${day}`,
  kind: equals(`'continuation-option'`),
  'company-tax-id': ofCompany('continuation'),
  'contract-id': equals(contractOfBenefit),
  assignee: assigned('exclusion.assignee'),
}

/** SQL: the latest `exclusion` of a continuation's `benefit`, if there is one. */
const lastExclusion = `lateral (select enrollment.id, enrollment.assignee from enrollment
  where enrollment.company_id = benefit.company_id and enrollment.member_id = benefit.member_id and enrollment.benefit_id = benefit.id
    and ${hasRule('enrollment.enrollment_type', 'endsBenefit')} order by enrollment.created_at desc, enrollment.id desc limit 1) exclusion`

/** SQL: an open movement of the `benefit` has the same deadline. */
const isOnMovement = `exists (select 1 from open_movement join enrollment on enrollment.company_id = open_movement.company_id
  and enrollment.id = open_movement.id where open_movement.company_id = benefit.company_id and open_movement.benefit_id = benefit.id
    and enrollment.notice_date is not null)`

/** SQL: a deadline of the `page`, of an `enrollment`. */
const itemOf = (values: { readonly memberId: string; readonly memberName: string; readonly contractId: string }) =>
  `json_build_object('kind', page.kind, 'until', page.until, 'days-left', page.until - $1::date, 'norm', ${norm},
    'enrollment-id', enrollment.id, 'enrollment-type', enrollment.enrollment_type, 'status', enrollment.status,
    'continuation-id', page.continuation_id, 'member-id', ${values.memberId}, 'member-name', ${values.memberName},
    'company-tax-id', company.tax_id, 'company-name', company.name, 'product-name', product.name, 'carrier-name', product.carrier_name,
    'contract-id', ${values.contractId}, 'assignee', enrollment.assignee)`

/** SQL of a condition on who works on it. */
function assigned(column: string) {
  return (assignee: string) =>
    `(${column} = ${assignee}::text or ${assignee}::text = '${UNASSIGNED}' and ${column} is null)`
}

/**
 * A page of the open deadlines of open movements and of continuations that wait for an answer, the earliest first, and their total. Operators see every
 * company.
 */
export async function listDeadlines(sql: Sql, query: DeadlineQuery, today: LocalDate): Promise<Page> {
  const bounds = pageBounds(query)
  const parameters = new Parameters(today)
  const ofMovements = ['deadline.until is not null', ...conditionsOf(conditions, query, parameters)]
  const ofOffers = [
    `continuation.status = 'offered' and benefit.status = 'active' and not ${isOnMovement}`,
    ...conditionsOf(conditionsOfOffers, query, parameters),
  ]
  const rows = await sql.queryPlanned<Page>(
    `with listed as materialized (
       select enrollment.company_id, enrollment.id, null::uuid as continuation_id, deadline.kind, deadline.until
       from open_movement join enrollment on enrollment.company_id = open_movement.company_id and enrollment.id = open_movement.id
       cross join lateral ${listedDeadlines}
       where ${ofMovements.join(' and ')}
       union all
       select continuation.company_id, exclusion.id, continuation.id, 'continuation-option', continuation.option_until
       from continuation join benefit on benefit.company_id = continuation.company_id and benefit.id = continuation.benefit_id
       left join ${lastExclusion} on true
       where ${ofOffers.join(' and ')}
     ), page as materialized (
       select * from listed order by until, kind, id, continuation_id
       limit ${parameters.add(bounds.limit)} offset ${parameters.add(bounds.offset)}
     ), deadline as materialized (
       select page.*, ${itemOf({ memberId: 'enrollment.member_id', memberName, contractId: contractOf })} as item
       from page join enrollment on enrollment.company_id = page.company_id and enrollment.id = page.id
       join company on company.id = page.company_id join product on ${productOf('enrollment')}
       where page.continuation_id is null
       union all
       select page.*, ${itemOf({ memberId: 'benefit.member_id', memberName: 'member.name', contractId: contractOfBenefit })}
       from page join continuation on continuation.company_id = page.company_id and continuation.id = page.continuation_id
       join benefit on benefit.company_id = continuation.company_id and benefit.id = continuation.benefit_id
       join member on member.company_id = benefit.company_id and member.id = benefit.member_id
       left join enrollment on enrollment.company_id = continuation.company_id and enrollment.id = page.id
       join company on company.id = page.company_id
       join product on product.company_id = benefit.company_id and product.id = benefit.product_id
     )
     select (select count(*) from listed) as total,
       (select coalesce(json_agg(deadline.item order by deadline.until, deadline.kind, deadline.id, deadline.continuation_id), '[]')::text
        from deadline) as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
