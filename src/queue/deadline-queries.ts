import type { LocalDate } from '../domain/calendar.ts'
import { DEADLINE_NORMS, DUE_DEADLINES } from '../domain/deadline.ts'
import type { Sql } from '../core/database.ts'
import { type Conditions, equals, Parameters } from '../core/parameters.ts'
import { openDeadlines } from '../enrollments/deadlines.ts'
import { contractOf, memberName, productOf } from '../enrollments/queries.ts'
import type { Page } from '../http/page.ts'
import { UNASSIGNED } from './queries.ts'

/** Conditions joined by AND; null: no condition. */
interface DeadlineFilter {
  /** Days, both included. */
  readonly from: LocalDate | null
  readonly until: LocalDate | null
  readonly kind: string | null
  readonly companyTaxId: string | null
  readonly contractId: string | null
  /** The client id of an operator, or `UNASSIGNED`. */
  readonly assignee: string | null
}

const norm = `case deadline.kind ${DUE_DEADLINES.map((kind) => `when '${kind}' then '${DEADLINE_NORMS[kind]}'`).join(' ')} end`

const conditions: Conditions<DeadlineFilter> = [
  ['from', (day) => `deadline.until >= ${day}`],
  // A movement has nothing due before its due date.
  ['until', (day) => `deadline.until <= ${day} and open_movement.due_date <= ${day}`],
  ['kind', equals('deadline.kind')],
  ['companyTaxId', (taxId) => `open_movement.company_id = (select id from company where tax_id = ${taxId})`],
  ['contractId', equals(contractOf)],
]

/** A page of the open deadlines of open movements, the earliest first, and their total. Operators see every company. */
export async function listDeadlines(
  sql: Sql,
  filter: DeadlineFilter,
  today: LocalDate,
  bounds: { readonly limit: number; readonly offset: number },
): Promise<Page> {
  const parameters = new Parameters(today)
  const selected = ['deadline.until is not null', ...parameters.conditions(filter, conditions)]
  const { assignee } = filter
  if (assignee === UNASSIGNED) selected.push('open_movement.assignee is null')
  else if (assignee !== null) selected.push(`open_movement.assignee = ${parameters.add(assignee)}`)
  const rows = await sql.queryPlanned<Page>(
    `with listed as materialized (
       select enrollment.company_id, enrollment.id, deadline.kind, deadline.until
       from open_movement join enrollment on enrollment.company_id = open_movement.company_id and enrollment.id = open_movement.id
       cross join lateral ${openDeadlines}
       where ${selected.join(' and ')})
     select (select count(*) from listed) as total,
       (select coalesce(json_agg(json_build_object('kind', deadline.kind, 'until', deadline.until, 'days-left', deadline.until - $1::date, 'norm', ${norm},
           'enrollment-id', enrollment.id, 'enrollment-type', enrollment.enrollment_type, 'status', enrollment.status,
           'member-id', enrollment.member_id, 'member-name', ${memberName}, 'company-tax-id', company.tax_id, 'company-name', company.name,
           'product-name', product.name, 'carrier-name', product.carrier_name, 'contract-id', ${contractOf}, 'assignee', enrollment.assignee)
           order by deadline.until, deadline.kind, deadline.id), '[]')::text
        from (select * from listed order by until, kind, id limit ${parameters.add(bounds.limit)} offset ${parameters.add(bounds.offset)}) deadline
        join enrollment on enrollment.company_id = deadline.company_id and enrollment.id = deadline.id
        join company on company.id = enrollment.company_id
        join product on ${productOf('enrollment')}) as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
