import type { PendingItem } from '../rules/answer-effects.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { TransitionWarning } from '../rules/transitions.ts'
import type { EnrollmentStatus } from '#kernel/enums.ts'
import type { Tx } from '#platform/core/write.ts'

/** The part of `Context` that transitions need. */
export interface TransitionContext {
  /** The business day: what is due by then takes effect at once, the rest with the scheduled work. */
  today(): LocalDate
  readonly memberKey: Buffer
}

export type { PendingItem }

export interface Decision {
  readonly status: EnrollmentStatus
  readonly reason: string | null
  /** It returns to the queue because somebody answered it. */
  readonly isAnswer?: true
  /** For a pending status: what it waits for. */
  readonly pendingItems?: readonly PendingItem[]
  /** When an inclusion, a plan or a company change completes: the start that the carrier set; absent: the accepted one. */
  readonly startDate?: string | null
  /** When an exclusion completes: the last day covered; absent: the requested one. */
  readonly endDate?: string | null
  /** When an inclusion, a plan or a company change completes: of the benefit that starts. */
  readonly cardNumber?: string | null
  /** When a plan change completes: of the dependents who move along, by their former benefit. */
  readonly dependentCards?: Readonly<Record<string, string>>
  /** For a transition to carrier-processing: the carrier's name for the movement. */
  readonly carrierProtocol?: string | null
  /** For a transition to carrier-processing: the day on which the carrier received it; absent: today. */
  readonly informedOn?: LocalDate
  /** Dates more than two years from today are meant. */
  readonly confirm?: boolean
}

/** Writes to one company at one time, in one transaction. */
export interface CompanyWrite {
  readonly sql: Tx
  readonly companyId: string
  readonly at: Date
}

export interface TransferContext extends CompanyWrite {
  readonly today: LocalDate
  readonly memberKey: Buffer
}

export interface EffectContext extends TransferContext {
  /** What was sent, by enrollment; a dependent's that moves with its primary's has the same. */
  readonly decisions: ReadonlyMap<string, Decision>
  /** The warnings of completed enrollments, by id; the effects fill it. */
  readonly warnings: Map<string, readonly TransitionWarning[]>
}
