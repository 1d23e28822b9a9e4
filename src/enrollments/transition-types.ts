import type { LocalDate } from '../domain/calendar.ts'
import type { ActorKind, EnrollmentStatus } from '../domain/enums.ts'
import type { Origin } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'

/** Who moves: the actor of the history, and for the audit the client id (an operator's) or the kind itself. */
export interface Actor {
  readonly kind: ActorKind
  readonly id: string | null
  readonly origin: Origin | null
}

/** What effects need beside the database; the service is one. */
export interface TransitionContext {
  /** The business day: what takes effect by then does so at once, the rest waits for the clock. */
  today(): LocalDate
  readonly memberKey: Buffer
}

export interface Move {
  readonly status: EnrollmentStatus
  readonly reason: string | null
  /** Completing an inclusion: the day the carrier gave, else the one accepted. */
  readonly startDate?: string | null
  /** Completing an exclusion: the last day covered, else the one asked for. */
  readonly endDate?: string | null
  readonly cardNumber?: string | null
}

/** What every effect is applied with. */
export interface EffectContext {
  readonly sql: Sql
  readonly companyId: string
  readonly at: Date
  readonly today: LocalDate
  readonly memberKey: Buffer
  readonly move: Pick<Move, 'startDate' | 'endDate' | 'cardNumber'>
}
