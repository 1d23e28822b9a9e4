import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Deadline } from '../rules/deadline.ts'
import { deadlineFacts, deadlinesOfMovement, type StoredDeadlineFacts } from './deadlines.ts'
import type { WaitingPeriod } from '../rules/waiting-period.ts'
import { storedWaitingPeriod, waitingPeriodFacts, type StoredWaitingPeriodFacts } from './waiting-period.ts'
import { type HandOver, type HandOverFacts, handOverFacts, handOverOf, withDestination } from './hand-over.ts'

/** What an Enrollment detail has that is computed when it is read. */
interface ComputedFields {
  readonly 'carrier-hand-over': HandOver | null
  readonly deadlines: readonly Deadline[]
  readonly 'waiting-period': WaitingPeriod | null
}

/** What the computed fields of a movement follow from. */
export interface ComputedFacts {
  readonly handOver: HandOverFacts
  readonly deadlines: StoredDeadlineFacts
  readonly waitingPeriod: StoredWaitingPeriodFacts
}

/** SQL of the facts, over `enrollment` and its `product`. @param start of the movement. */
export const computedFacts = (start: string) =>
  `json_build_object('handOver', ${handOverFacts(start)}, 'deadlines', ${deadlineFacts}, 'waitingPeriod', ${waitingPeriodFacts})`

/** The computed fields of a movement. */
export async function computedFields(sql: Sql, facts: ComputedFacts, today: LocalDate): Promise<ComputedFields> {
  return {
    'carrier-hand-over': handOverOf(await withDestination(sql, facts.handOver), today),
    deadlines: deadlinesOfMovement(facts.deadlines),
    'waiting-period': storedWaitingPeriod(facts.waitingPeriod),
  }
}

/** The body of an Enrollment detail with its computed fields. @param body JSON text that ends with that of the detail. */
export async function withComputedFields(
  sql: Sql,
  body: string,
  facts: ComputedFacts,
  today: LocalDate,
): Promise<string> {
  return `${body.slice(0, -2)},${JSON.stringify(await computedFields(sql, facts, today)).slice(1)}}`
}
