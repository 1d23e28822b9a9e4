import type { LocalDate } from '../domain/calendar.ts'
import type { Deadline } from '../domain/deadline.ts'
import { deadlineFacts, deadlinesOfMovement, type StoredDeadlineFacts } from './deadlines.ts'
import { type HandOver, type HandOverFacts, handOverFacts, handOverOf } from './hand-over.ts'

/** What an Enrollment detail has that is computed when it is read. */
export interface ComputedFields {
  readonly 'carrier-hand-over': HandOver | null
  readonly deadlines: readonly Deadline[]
}

/** What the computed fields of a movement follow from. */
export interface ComputedFacts {
  readonly handOver: HandOverFacts
  readonly deadlines: StoredDeadlineFacts
}

/** SQL of the facts, over `enrollment` and its `product`. @param start of the movement. */
export const computedFacts = (start: string) =>
  `json_build_object('handOver', ${handOverFacts(start)}, 'deadlines', ${deadlineFacts})`

/** The computed fields of a movement. */
export function computedFields({ handOver, deadlines }: ComputedFacts, today: LocalDate): ComputedFields {
  return { 'carrier-hand-over': handOverOf(handOver, today), deadlines: deadlinesOfMovement(deadlines) }
}

/** The body of an Enrollment detail with its computed fields. @param body JSON text that ends with that of the detail. */
export function withComputedFields(body: string, facts: ComputedFacts, today: LocalDate): string {
  return `${body.slice(0, -2)},${JSON.stringify(computedFields(facts, today)).slice(1)}}`
}
