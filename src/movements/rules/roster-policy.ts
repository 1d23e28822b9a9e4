import type { AutomaticClass } from '#kernel/roster-syncs.ts'

/** What may happen of the lists of a company without anybody, and what asks before many people leave. */
export interface RosterPolicy {
  readonly automatic: readonly AutomaticClass[]
  /** More people than this who leave a product are many. */
  readonly guardPeople: number
  /** So is more than this share of the people whom the product covers, from three people on. */
  readonly guardPercent: number
  /** A list that has fewer of the covered primaries is doubtful. */
  readonly minPresencePercent: number
}

/** For a company that has none of its own. */
export const DEFAULT_ROSTER_POLICY: RosterPolicy = {
  automatic: [],
  guardPeople: 20,
  guardPercent: 10,
  minPresencePercent: 80,
}

/** A share of fewer people than these is not asked about: in a small company one person is a large share. */
export const MIN_GUARDED_PEOPLE = 3
