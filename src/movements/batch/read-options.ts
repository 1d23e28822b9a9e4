import type { JsonLimits } from '#platform/http/strict-json.ts'
import type { TypedAt } from '../rules/intake.ts'

/** How the body of a batch is read. */
export interface ReadOptions {
  /** Absent: `batchLimits`. */
  readonly limits?: JsonLimits
  /** For a body of an operator, which has `intake`; absent: `intake` is an unknown field. */
  readonly typedAt?: TypedAt
}
