import { TERMINAL_STATUSES } from '../domain/enums.ts'

/** SQL: the enrollment has no terminal status. It matches the predicate of the partial indexes. @param alias of `enrollment`. */
export function isOpen(alias: string): string {
  return `${alias}.status not in (${TERMINAL_STATUSES.map((status) => `'${status}'`).join(', ')})`
}
