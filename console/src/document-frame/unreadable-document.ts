import type { FailureReason } from './messages.ts'

/** A document that cannot be shown, and why. */
export class UnreadableDocument extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason) {
    super(reason)
    this.reason = reason
  }
}
