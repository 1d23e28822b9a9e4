/* Why a step of the worker must wait for another one. */

/** A request that was accepted earlier must be processed first. Rolls the step back; the worker retries it soon. */
export class EarlierRequestError extends Error {
  override readonly name = 'EarlierRequestError'
}

/**
 * The request of the work, or its items, are not visible yet: on Citus each server commits for itself, the coordinator, which has the
 * work, first. Rolls the step back; the worker retries it soon.
 */
export class NotVisibleYetError extends Error {
  override readonly name = 'NotVisibleYetError'
}
