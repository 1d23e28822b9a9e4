/** A rule that must hold in the database, with a statement that selects its violations. */
export interface Invariant {
  /** Stable, kebab-case: scripts and reports name it. */
  readonly name: string
  /** What holds, in one sentence. */
  readonly description: string
  /**
   * Selects the `id` of each violation, never personal data. May read the one row of `given`:
   * `day` (the last business day whose due work must be done), `since` (what waits from before this instant is stuck),
   * `since_id` (the smallest UUIDv7 of that instant), `events_since` (younger events are certainly still stored) and
   * `held` (bigint[]: keys of the advisory locks that were held just before the snapshot).
   */
  readonly violations: string
}
