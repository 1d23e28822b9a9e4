import { hasRule } from './kind.ts'
import { TERMINAL_STATUSES } from '#kernel/enums.ts'

const terminal = TERMINAL_STATUSES.map((status) => `'${status}'`).join(', ')

/** SQL: the enrollment has no terminal status. @param alias of `enrollment`. */
export function isOpen(alias: string): string {
  return `${alias}.status not in (${terminal})`
}

/** SQL: the enrollment waits for an answer of the partner. @param alias of `enrollment`. */
export function isPending(alias: string): string {
  return `${alias}.status in ('pending-documents', 'pending-correction')`
}

/** SQL: completed, rejected or cancelled. It matches the predicate of `enrollment_history_resolved`. @param alias of `enrollment` or its history. */
export function isTerminal(alias: string): string {
  return `${alias}.status in (${terminal})`
}

/** SQL: an exclusion, plan change or company change; a benefit has one open at most. It matches the predicate of the unique index. @param alias of `open_movement`. */
export function isChange(alias: string): string {
  return `(${hasRule(`${alias}.enrollment_type`, 'endsBenefit')} or ${alias}.new_benefit_id is not null)`
}

/** The columns of `open_movement`; each is that of the enrollment. */
export const openMovementColumns = `company_id, id, enrollment_type, alteration_kind, status, assignee, member_id, member_tax_id, member_type, primary_member_id,
  product_id, benefit_id, destination_company_id, destination_product_id, new_benefit_id, scheduled_action_date, cut_off_date, due_date, carrier_protocol, answered_at,
  created_at, updated_at`

/** The statement that inserts the rows of open enrollments. @param condition over `enrollment`. */
export function openMovements(condition: string): string {
  return `insert into open_movement (${openMovementColumns})
    select ${openMovementColumns} from enrollment where ${condition} and ${isOpen('enrollment')}`
}

/**
 * SQL of the keys of enrollments that changed, of companies that client $1 is entitled to. Only open ones change: what is closed was changed last by
 * the transition to its terminal status.
 */
export function enrollmentsChangedSince(since: string): string {
  return `select open_movement.company_id, open_movement.id from entitlement join open_movement on open_movement.company_id = entitlement.company_id
    where entitlement.client_id = $1 and open_movement.updated_at >= ${since}
    union
    select enrollment_history.company_id, enrollment_history.enrollment_id from entitlement
      join enrollment_history on enrollment_history.company_id = entitlement.company_id
    where entitlement.client_id = $1 and ${isTerminal('enrollment_history')} and enrollment_history.at >= ${since}`
}
