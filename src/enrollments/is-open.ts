import { TERMINAL_STATUSES } from '../domain/enums.ts'

const terminal = TERMINAL_STATUSES.map((status) => `'${status}'`).join(', ')

/** SQL: the enrollment has no terminal status. It matches the predicate of the partial indexes. @param alias of `enrollment`. */
export function isOpen(alias: string): string {
  return `${alias}.status not in (${terminal})`
}

/** SQL: the enrollment is completed, rejected or cancelled. @param alias of `enrollment`. */
export function isTerminal(alias: string): string {
  return `${alias}.status in (${terminal})`
}

/** SQL: an open exclusion, plan change or company change; a benefit has one at most. It matches the predicate of the unique index. */
export function isOpenChange(alias: string): string {
  return `(${alias}.enrollment_type = 'exclusion' or ${alias}.new_benefit_id is not null) and ${isOpen(alias)}`
}
